"""One revision of a document: the record it becomes, moves and ends with, by the first mapping that it fits."""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from stanchion_contracts.claim import Import, LeftOut
from stanchion_contracts.observation import Document
from stanchion_extraction.core.declared import Parser
from stanchion_extraction.core.form import Form
from stanchion_extraction.core.place import names_of, place_of, record_id_of
from stanchion_extraction.core.record import Read, Unlike, read_record

_MOST_LEFT_OUT: Final = 50
_AUTO: Final = "auto"


def read_document(forms: Mapping[str, Form], document: Document) -> Read:
    """Read a revision by the mapping its format names, or by the first one it fits.

    Args:
        forms: the mappings, in the order they are tried.
        document: the revision.
    """
    read = _read(forms, document)
    more = len(read.left_out) - _MOST_LEFT_OUT
    if more <= 0:
        return read
    rest = LeftOut(what=document.uri, why=f"{more} more things could not be placed")
    return replace(read, left_out=(*read.left_out[:_MOST_LEFT_OUT], rest))


def _read(forms: Mapping[str, Form], document: Document) -> Read:
    """Read a revision."""
    declared = document.format != _AUTO
    chosen = _named(forms, document.format) if declared else list(forms.values())
    if not chosen:
        known = ", ".join(sorted(forms))
        return _left_out(document, f"no mapping is called {document.format}; there are {known}")
    here, why = _for_file(chosen, document.uri, declared=declared)
    if document.deleted:
        return Read(_gone(here[0][0], document, document.uri)) if here else _left_out(document, why)
    for form, parser in here:
        try:
            return read_record(form, document, parser, declared=declared)
        except Unlike as error:
            why = str(error)
    if here:  # by its name it may have been one: what was read of it before stands
        return Read(_unreadable(here[0][0], document, why), (LeftOut(what=document.uri, why=why),))
    left = _left_out(document, why)
    was = _for_file(chosen, document.former_uri, declared=declared)[0] if document.former_uri else []
    return replace(left, record=_gone(was[0][0], document, document.former_uri)) if was else left


def _named(forms: Mapping[str, Form], written: str) -> list[Form]:
    """Give the mapping that a format names: `adr-madr` and `adr-nygard` name `adr` where no mapping is called so."""
    form = forms.get(written) or forms.get(written.partition("-")[0])
    return [] if form is None else [form]


def _for_file(forms: Iterable[Form], uri: str, *, declared: bool) -> tuple[list[tuple[Form, Parser]], str]:
    """Give the mappings that are for a file of this name, each with its parser, and why the last of the others is not.

    A mapping that the publisher names is believed to be for the file unless it leaves that out.
    """
    found: list[tuple[Form, Parser]] = []
    why = "no mapping is for a file of this name"
    for form in forms:
        parser = form.parser(uri) or (form.parsers[0][1] if declared else None)
        if parser is None:
            continue
        if reason := form.why_left_out(uri):
            why = reason
        else:
            found.append((form, parser))
    return found, why


def _left_out(document: Document, why: str) -> Read:
    """Give what is no record."""
    return Read(None, (LeftOut(what=document.uri, why=why),))


def _gone(form: Form, document: Document, uri: str) -> Import:
    """Give the end of a record."""
    place = place_of(uri, form.speech.naming)
    return Import(
        uri=uri,
        former_uri=document.former_uri if uri == document.uri else "",
        deleted=True,
        record_id=record_id_of(place.stem, uri),
        kind=form.kind,
        revision=document.revision,
        author=document.author,
    )


def _unreadable(form: Form, document: Document, why: str) -> Import:
    """Give where a document lives of whose text nothing could be made.

    A file that only went along with the one that stands for their folder hands over what it was to that one: what was
    `old.md`, and is now `folder/README.md` beside `folder/kep.yaml`, lives on in the latter.
    """
    place = place_of(document.uri, form.speech.naming)
    alone = place.chief == document.uri
    return Import(
        uri=place.chief,
        former_uri=document.former_uri if alone else document.former_uri or document.uri,
        record_id=record_id_of(place.stem, document.uri),
        kind=form.kind,
        revision=document.revision,
        author=document.author,
        names=names_of(place, form.speech.naming),
        unreadable=why,
    )
