"""Names of files: the id a record is given, and which files are no records."""

import re
import unicodedata
from typing import Final

from stanchion_core.ids import RECORD_ID, derived_id
from stanchion_core.uri import file_of

_SUFFIX: Final = re.compile(r"\.(?:md|markdown|mkd|mdown)$", re.IGNORECASE)
_INDEX: Final = re.compile(
    r"^(?:readme|index|_index|toc|table[-_ ]of[-_ ]contents|contributing|changelog)$", re.IGNORECASE
)
_TEMPLATE: Final = re.compile(r"(?:^|[-_. ])template(?:[-_. ]|$)", re.IGNORECASE)
_ID_CHARS: Final = 128


def stem_of(uri: str) -> str:
    """Give a document's file name without its ending."""
    return _SUFFIX.sub("", file_of(uri))


def record_id_of(uri: str) -> str:
    """Give the id of the record a document becomes: its file name's stem, made valid; a person can type it."""
    plain = unicodedata.normalize("NFKD", stem_of(uri)).casefold()
    plain = "".join(mark for mark in plain if not unicodedata.combining(mark))
    identity = re.sub(r"[^a-z0-9._:-]+", "-", plain).strip("-._:")[:_ID_CHARS].rstrip("-._:")
    return identity if RECORD_ID.fullmatch(identity) else derived_id("doc", uri)


def why_no_record(uri: str) -> str:
    """Give why a file is no record by its name, empty when it may be one."""
    if _SUFFIX.search(file_of(uri)) is None:
        return "it is no markdown file"
    if _INDEX.match(stem_of(uri)):
        return "it is about the folder, not a record"
    if _TEMPLATE.search(stem_of(uri)):
        return "it is a template"
    return ""
