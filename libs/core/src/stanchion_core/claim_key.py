"""The key of a claim: a visually equal subject or predicate is an equal one."""

import re
import unicodedata
from typing import Final

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Default_Ignorable_Code_Point (DerivedCoreProperties.txt): characters that nobody sees, zero-width ones among them."""


def claim_key(text: str) -> str:
    """Give a subject or predicate as a key: Unicode NFKC, case-folded, trimmed, inner space collapsed.

    What nobody sees is taken out, as in NFKC_Casefold (The Unicode Standard, section 3.13). Case folding and taking out
    can undo a composition, so the result is composed once more. A key can be longer than its text, and empty.
    """
    if text.isascii():
        return " ".join(text.casefold().split())
    folded = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(unicodedata.normalize("NFKC", folded).split())
