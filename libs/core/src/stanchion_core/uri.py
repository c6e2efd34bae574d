"""Where documents live, and how one names another: by path, by number, or by a record's id.

A reference's target is one of four:

- a **uri**, `docs/decisions/0004-x.md`: a link or path, resolved against the document it stands in;
- a **number**, `docs/decisions/#4`: a bare `4`, `0004` or `ADR-4`; it means the one document in that folder whose file
  name begins with the number (`numbered` gives the token of each document). Where two have it, it means neither;
- a **name**, `keps/**/3570-cpumanager` or `keps/**/#3570`: a folder's or file's name, or a number, that one document
  below `keps` alone has; or the folder that a document stands for. Which names a document has is its mapping's to say;
- an **id**, `id:hyp-latency`: a record's id, for what is no document or lives elsewhere.
"""

import re
import unicodedata
from posixpath import normpath
from typing import Final
from urllib.parse import unquote

ID_PREFIX: Final = "id:"
_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*:)(//[^/]*)?(.*)", re.DOTALL)
_NUMBERED: Final = re.compile(r"(?:adr[-_ ]?)?0*(\d{1,9})(?!\d)", re.IGNORECASE | re.ASCII)


def _split(uri: str) -> tuple[str, str]:
    """Give what stands before a uri's path (scheme and authority, may be empty), and the path."""
    found = _SCHEME.fullmatch(uri)
    return ("", uri) if found is None else (found[1] + (found[2] or ""), found[3])


def folder_of(uri: str) -> str:
    """Give the folder a document lives in, with its last slash; empty for the root of a relative path."""
    head, path = _split(uri)
    return head + path[: path.rfind("/") + 1]


def file_of(uri: str) -> str:
    """Give a document's file name."""
    _, path = _split(uri)
    return path[path.rfind("/") + 1 :]


def resolved(base: str, target: str) -> str:
    """Give the uri that a link in a document points to; empty when it points into the same document.

    Args:
        base: the uri of the document the link stands in.
        target: as written: a path relative to the document, a path from the root, or a whole uri. Query and fragment
            are dropped, percent-encoding is undone; NFC, as all text is kept.
    """
    plain = unicodedata.normalize("NFC", unquote(re.split(r"[?#]", target.strip(), maxsplit=1)[0]))
    head, path = _split(plain)
    if not path or head:
        return plain
    base_head, base_path = _split(base)
    folder = "" if path.startswith("/") else base_path[: base_path.rfind("/") + 1]
    whole = normpath(f"/{folder}/{path}").lstrip("/")  # from a root, so that `..` cannot climb past it
    return base_head + ("/" if base_path.startswith("/") else "") + whole


def number_in(uri: str, number: int) -> str:
    """Give the token of a number, as a document writes it of another one in its own folder."""
    return f"{folder_of(uri)}#{number}"


def numbered(uri: str) -> str:
    """Give the token by which siblings may name a document, empty when its file name begins with no number."""
    found = _NUMBERED.match(file_of(uri))
    return "" if found is None else number_in(uri, int(found[1]))
