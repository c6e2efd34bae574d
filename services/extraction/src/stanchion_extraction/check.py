"""What mappings make of files, told before anything is started: for whoever writes a mapping."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from stanchion_contracts.heads import plain_text
from stanchion_contracts.observation import Document
from stanchion_extraction.core.document import read_document
from stanchion_extraction.core.mapping import Mappings
from stanchion_extraction.core.prose.found import FoundClaim
from stanchion_extraction.core.prose.reader import read as read_prose
from stanchion_extraction.core.record import Read


def run(mappings: Mappings, paths: Iterable[str]) -> int:
    """Print what the mappings are and what they make of files.

    Args:
        mappings: as they would be used.
        paths: of documents, as the repository that holds them names them: a mapping goes by folder and name.

    Returns:
        0, or 1 when a file cannot be read.
    """
    sys.stdout.write(f"mappings: {', '.join([*mappings.forms, *mappings.events])}\n")
    for path in paths:
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            sys.stderr.write(f"stanchion-extraction: {path}: {error}\n")
            return 1
        read = read_document(mappings.forms, Document(uri=Path(path).as_posix(), text=text))
        sys.stdout.write("\n" + "\n".join(told(Path(path).as_posix(), read)) + "\n")
    return 0


def told(uri: str, read: Read) -> Iterator[str]:
    """Tell what was made of one file, line by line.

    Args:
        uri: of the file.
        read: what was made of it.
    """
    record = read.record if read.record is not None and not read.record.unreadable else None
    yield f"{uri}: no record" if record is None else f"{uri}: {record.kind} {record.record_id}, {record.label}"
    if record is not None:
        yield from (f"  {item.name}: {plain_text(item.value) or item.value}" for item in record.fields)
        for one in record.references:
            yield f"  {one.name} {'→' if one.direction == 'out' else '←'} {one.target} ({one.text})"
    for relation in read.relations:
        yield f"  [[{relation.name}::{relation.to_entity.name}]]"
    for claim in read_prose(read.evidence, "document-revision").claims:
        yield f"  claim: {claim.subject} · {claim.predicate}: {_value(claim)}, says {claim.source or uri}"
    for left in read.left_out:
        yield f"  left out: {left.why}" if left.what == uri else f"  left out: {left.what}: {left.why}"


def _value(claim: FoundClaim) -> str:
    """Give what a claim says, and whether it denies it."""
    unit = "%" if claim.value.type == "percent" else claim.value.unit
    return " ".join(filter(None, ("" if claim.positive else "not", claim.value.op, claim.value.text, unit)))
