"""One revision of a document: the record it becomes, moves and ends with."""

from typing import Final

from stanchion_contracts.claim import Import, LeftOut
from stanchion_contracts.observation import Document
from stanchion_extraction.core.adr import FORMS, Read, read_adr
from stanchion_extraction.core.naming import record_id_of, why_no_record

_MOST_LEFT_OUT: Final = 50


def read_document(document: Document) -> Read:
    """Read a revision by the mapping its format names, or by the one it looks like."""
    read = _read(document)
    more = len(read.left_out) - _MOST_LEFT_OUT
    if more <= 0:
        return read
    rest = LeftOut(what=document.uri, why=f"{more} more things could not be placed")
    return Read(read.record, (*read.left_out[:_MOST_LEFT_OUT], rest))


def _read(document: Document) -> Read:
    """Read a revision."""
    why = why_no_record(document.uri)
    if document.deleted:
        return Read(None, (LeftOut(what=document.uri, why=why),)) if why else Read(_gone(document, document.uri))
    if why:
        moved = bool(document.former_uri) and not why_no_record(document.former_uri)
        return Read(_gone(document, document.former_uri) if moved else None, (LeftOut(what=document.uri, why=why),))
    if document.format != "auto" and document.format not in FORMS:
        known = ", ".join(sorted(FORMS))
        return Read(
            None, (LeftOut(what=document.uri, why=f"no mapping is called {document.format}; there are {known}"),)
        )
    return read_adr(document, declared=document.format in FORMS)


def _gone(document: Document, uri: str) -> Import:
    """Give the end of a record."""
    return Import(
        uri=uri,
        former_uri=document.former_uri if uri == document.uri else "",
        deleted=True,
        record_id=record_id_of(uri),
        kind="decision",
        revision=document.revision,
        author=document.author,
    )
