"""What a proposal would write, as YAML that a person edits; and what was edited, read back as writes.

```yaml
proposal: prop_3fa9c1d2…
digest: 9c0e…             # of what was shown: if somebody else edits the proposal meanwhile, this edit is refused
writes:
  - id: annual-only
    fields:
      status: superseded  # is active
    links:
      replaces: [annual-first]
```

A write says what it changes, as `stanchion write` does: what is left out stays, an empty place clears.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from stanchion import yaml_lines
from stanchion.proposals import PartDiff, Proposal, ProposedWrite
from stanchion.results import Citation, Link
from stanchion.writes import Write
from stanchion_core.errors import InvalidMessage
from stanchion_core.limits import ENCODED_BYTES
from stanchion_core.yaml_text import parse_yaml

_HEAD: Final = """\
# What stands here is what the proposal would write: change it, add to it, take from it.
# What is left out stays as it is in the record, an empty place clears. `# is …` says what stands now.
"""
_FIELD: Final = "field:"
_LINK: Final = "link:"
_LISTS: Final = frozenset({"evidence", "tags"})
_SHOWN: Final = 60  # characters of what stands now


class _Link(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A link that says more than where it leads."""

    to: str
    state: Literal["confirmed", "proposed", "revoked"] = "confirmed"
    optional: bool = False
    note: str = ""


class _Citation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A citation that says more than its source."""

    uri: str
    quote: str = ""
    version_token: str = ""


class _Write(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One write as the text has it."""

    id: str
    kind: str = ""
    room: str = ""
    label: str | UnsetType | None = UNSET
    body: str | UnsetType | None = UNSET
    fields: dict[str, Any] | None = None
    links: dict[str, tuple[str | _Link, ...] | None] | None = None
    evidence: tuple[str | _Citation, ...] | UnsetType | None = UNSET
    tags: tuple[str, ...] | UnsetType | None = UNSET
    valid_from: str | UnsetType | None = UNSET
    valid_to: str | UnsetType | None = UNSET
    delete: bool = False


class _Text(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole text."""

    proposal: str
    digest: str
    writes: tuple[_Write, ...]


class Edit(Struct, frozen=True, kw_only=True):
    """What somebody made of a proposal.

    Attributes:
        proposal_id: whose writes these are.
        digest: of the proposal as it was when the text was made.
        writes: what it would write from now on, whole.
    """

    proposal_id: str
    digest: bytes
    writes: tuple[Write, ...]


def text_of(proposal: Proposal) -> str:
    """Give what a proposal would write, as a text to edit."""
    lines = [f"proposal: {yaml_lines.scalar(proposal.id)}", f"digest: {proposal.digest.hex()}", "writes:"]
    for write in proposal.writes:
        lines += _write_lines(write)
    return _HEAD + "\n".join(lines) + "\n"


def read(text: str, proposal: Proposal) -> Edit:
    """Read what was edited.

    Args:
        text: as `text_of` gave it, and somebody changed it.
        proposal: as it is; a value of it that was left alone stays what it is, be it a number or a truth.

    Raises:
        ValueError: it cannot be read, or is of another proposal; the place is named.
    """
    try:
        found = msgspec.convert(parse_yaml(text, "the edit", utf8_bytes=ENCODED_BYTES), _Text, strict=False)
        digest = bytes.fromhex(found.digest)
    except InvalidMessage as error:
        raise ValueError(error.detail) from error
    except msgspec.ValidationError as error:
        raise ValueError(f"the edit is wrong: {str(error).replace('`$.', '`')}") from error
    except ValueError as error:
        raise ValueError(f"the edit's digest is none: {found.digest!r:.80}") from error
    if found.proposal != proposal.id:
        raise ValueError(f"the edit is of proposal {found.proposal}, not of {proposal.id}")
    before = {(write.record_id, part.part): part.after for write in proposal.writes for part in write.parts}
    writes = tuple(_write(each, before) for each in found.writes)
    return Edit(proposal_id=found.proposal, digest=digest, writes=writes)


def _write_lines(write: ProposedWrite) -> Iterator[str]:
    """Give the lines of one write."""
    yield f"  - id: {yaml_lines.scalar(write.record_id)}"
    parts = {part.part: part for part in write.parts}
    if not write.current_version or ("deleted" in parts and not parts["deleted"].after):
        yield from yaml_lines.yaml_lines({"kind": write.kind, **({"room": write.room} if write.room else {})}, 2)
    for name, part in parts.items():
        if name == "deleted" and part.after:
            yield "    delete: true"
        elif ":" not in name and name != "deleted":
            yield from _part_lines(name, _plain(name, part.after), part, 2)
    for prefix, heading in ((_FIELD, "fields"), (_LINK, "links")):
        inside = {name.removeprefix(prefix): part for name, part in parts.items() if name.startswith(prefix)}
        if inside:
            yield f"    {heading}:"
        for name, part in inside.items():
            yield from _part_lines(name, _plain(part.part, part.after), part, 3)


def _part_lines(name: str, value: Any, part: PartDiff, indent: int) -> Iterator[str]:  # noqa: ANN401 - any plain value
    """Give the lines of one part, and beside the first what stands now."""
    first, *rest = yaml_lines.yaml_lines({name: value}, indent, flow_from=9)
    yield first + (f"  # is {_short(part)}" if part.before is not None else "")
    yield from rest


def _short(part: PartDiff) -> str:
    """Give what stands now, in a few words."""
    if part.part == "body":
        return f"a text of {len(str(part.before).splitlines())} lines"
    text = yaml_lines.flow(_plain(part.part, part.before))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _plain(part: str, value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Give a part's value as the text has it."""
    if part in _LISTS or part.startswith(_LINK):
        return [_end(each) if isinstance(each, dict) else each for each in value or ()]
    return value


def _end(value: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a text, or a mapping
    """Give a link or citation: where it leads, and more where it says more."""
    cls = _Link if "to" in value else _Citation
    said = dict(value) if "mandatory" not in value else {**value, "optional": not value["mandatory"]}
    known = {name: said[name] for name in cls.__struct_fields__ if name in said}
    made = msgspec.to_builtins(msgspec.convert(known, cls))
    return made if len(made) > 1 else next(iter(made.values()))


def _write(found: _Write, before: Mapping[tuple[str, str], Any]) -> Write:
    """Give the write that a text says."""
    fields = {
        name: _kept(value, before.get((found.id, f"{_FIELD}{name}"))) for name, value in (found.fields or {}).items()
    }
    return Write(
        id=found.id,
        kind=found.kind,
        room=found.room,
        label=_cleared(found.label),
        body=_cleared(found.body),
        fields=fields,
        links={name: [_link(name, each) for each in ends or ()] for name, ends in (found.links or {}).items()},
        evidence=UNSET if isinstance(found.evidence, UnsetType) else _citations(found.evidence or ()),
        tags=UNSET if isinstance(found.tags, UnsetType) else found.tags or (),
        valid_from=_cleared(found.valid_from),
        valid_to=_cleared(found.valid_to),
        delete=found.delete,
    )


def _cleared(text: str | UnsetType | None) -> str | UnsetType:
    """Give a text; an empty place clears."""
    return "" if text is None else text


def _kept(value: Any, was: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Give a value as it was where the text says the same: YAML makes texts of numbers and truths."""
    return was if value == _as_texts(was) else value


def _as_texts(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Give a value with every scalar as the text has it."""
    if isinstance(value, dict):
        return {name: _as_texts(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_as_texts(each) for each in value]
    return None if value is None else yaml_lines.text_of(value)


def _link(name: str, end: str | _Link) -> Link:
    """Give a link."""
    said = _Link(to=end) if isinstance(end, str) else end
    return Link(name=name, to=said.to, state=said.state, optional=said.optional, note=said.note)


def _citations(given: Sequence[str | _Citation]) -> list[Citation]:
    """Give citations."""
    said = [_Citation(uri=each) if isinstance(each, str) else each for each in given]
    return [Citation(uri=each.uri, quote=each.quote, version_token=each.version_token) for each in said]
