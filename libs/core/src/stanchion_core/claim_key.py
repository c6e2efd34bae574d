"""The key of a claim: a visually equal subject or predicate is an equal one."""

import unicodedata


def claim_key(text: str) -> str:
    """Give a subject or predicate as a key: Unicode NFKC, case-folded, trimmed, inner space collapsed.

    Case folding can undo a composition, so the result is composed once more.
    """
    if text.isascii():
        return " ".join(text.casefold().split())
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
