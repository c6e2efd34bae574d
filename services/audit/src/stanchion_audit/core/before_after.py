"""How a change reads: JSON of what was before and of what is after, changed parts only, in the records' own words."""

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import NODEFAULT, Raw, Struct

from stanchion_contracts.belief import Belief, BeliefUpdate, Likeliest, likeliest
from stanchion_contracts.change import (
    Affirmation,
    Change,
    DateReached,
    Proposal,
    RecordChange,
    RecordPart,
    ResolutionChange,
    TrustChange,
    WorkspaceChange,
)
from stanchion_contracts.command import ReportObservations
from stanchion_contracts.finding import Finding
from stanchion_contracts.policy import PolicyChange
from stanchion_contracts.receipt import Receipt
from stanchion_contracts.record import FieldValue, Link
from stanchion_contracts.relation import RelationChange
from stanchion_contracts.trust import EstimateChange

Side = dict[str, Any]
"""One side of a change, as JSON will have it."""

_AS_IT_IS: Final = ("label", "evidence", "tags", "valid_from", "valid_to", "upstream")


def before_after(change: Change) -> tuple[str, str]:
    """Give both sides of a change as JSON text; a side without anything to say is empty text."""
    for part, sides_of in _SIDES.items():
        value = getattr(change, part)
        if value is not None:
            before, after = sides_of(value, closed=change.action == "proposal.closed")
            return _text(before), _text(after)
    return "", ""


def as_served(receipt: Receipt) -> str:
    """Give what a receipt says was served, as JSON text."""
    side = _said(receipt)
    del side["meta"]
    return _text(side)


def _text(side: Side | None) -> str:
    """Give a side's JSON."""
    return msgspec.json.encode(side).decode() if side else ""


def _record(change: RecordChange, *, closed: bool) -> tuple[Side | None, Side]:
    """Give the changed parts of a record; a former body by version and digest only."""
    del closed
    before = None
    if change.before is not None:
        before = {"version": change.version - 1, **_part(change.before)}
    after = {"version": change.version, **_part(change.after)}
    if change.confirmation != "kept":
        after["confirmation"] = change.confirmation
    if change.by is not None:
        after["by"] = _said(change.by)
    if change.proposal_id:
        after["proposal_id"] = change.proposal_id
    return before, after


def _part(part: RecordPart) -> Side:
    """Give one side of a record."""
    side: Side = {}
    if part.body is not None:
        side["body"] = part.body
    if part.body_digest:
        side["body_sha256"] = part.body_digest.hex()
    if part.fields:
        side["fields"] = _fields(part.fields)
    if part.link_names or part.links:
        side["links"] = _links(part.link_names, part.links)
    for name in _AS_IT_IS:
        value = getattr(part, name)
        if value is not None:
            side[name] = _plain(value)
    return dict(sorted(side.items(), key=lambda item: _ORDER.index(item[0])))


_ORDER: Final = (
    "label",
    "fields",
    "links",
    "evidence",
    "tags",
    "valid_from",
    "valid_to",
    "body",
    "body_sha256",
    "upstream",
)


def _fields(fields: tuple[FieldValue, ...]) -> Side:
    """Give fields by name, their values as they are written; null where a field is not set."""
    return {item.name: _raw(item.value) for item in fields}


def _raw(text: str) -> Raw | None:
    """Give a JSON text as it is written; null for none."""
    return Raw(text.encode()) if text else None


def _links(names: tuple[str, ...], links: tuple[Link, ...]) -> Side:
    """Give links by name; an emptied name shows as an empty list."""
    side: dict[str, list[Side]] = {name: [] for name in names}
    for link in links:
        said = _said(link)
        del said["name"]
        side.setdefault(link.name, []).append(said)
    return side


def _belief(update: BeliefUpdate, *, closed: bool) -> tuple[Side | None, Side]:
    """Give what a belief said, and says, with the contributions that moved it."""
    del closed
    after = _opinion(update.after)
    if update.added:
        after["added"] = [_said(contribution) for contribution in update.added]
    return None if update.before is None else _likeliest(update.before), after


def _opinion(belief: Belief) -> Side:
    """Give the heaviest value with its probability and the vacuity, and the other candidates after it."""
    side = _likeliest(likeliest(belief))
    if belief.values[1:]:
        side["others"] = [
            {"value": _said(state.value), "probability_millionths": state.millionths} for state in belief.values[1:]
        ]
    return side


def _likeliest(held: Likeliest) -> Side:
    """Give a value with its probability, and the vacuity beside it."""
    return {
        **({"value": None} if held.value is None else {"value": _said(held.value)}),
        **({} if held.value is None else {"probability_millionths": held.millionths}),
        "vacuity_millionths": held.vacuity_millionths,
        "contributions": held.contributions,
    }


def _trust(change: TrustChange, *, closed: bool) -> tuple[Side, Side]:
    """Give a trust setting; null is the default."""
    del closed
    return {"trust": change.before}, {"trust": change.after}


def _resolution(change: ResolutionChange, *, closed: bool) -> tuple[Side, Side]:
    """Give what a claim was resolved to, null while it is open, and who had said what of it."""
    del closed
    before: Side = {"resolved_to": None if change.before is None else _said(change.before)}
    after: Side = {"resolved_to": None if change.value is None else _said(change.value)}
    if change.judged:
        after["judged"] = [_said(judgement) for judgement in change.judged]
    return before, after


def _policy(change: PolicyChange, *, closed: bool) -> tuple[Side, Side]:
    """Give the parts of a policy that changed; the predicate it is of stands on both sides."""
    del closed
    before, after = (msgspec.structs.asdict(side) for side in (change.before, change.after))
    shown = [name for name in after if before[name] != after[name] or (name == "predicate" and after[name])]
    return {name: before[name] for name in shown}, {name: after[name] for name in shown}


def _estimated(change: EstimateChange, *, closed: bool) -> tuple[None, Side]:
    """Give estimates by the source; null where it has none any more."""
    del closed
    return None, {
        one.name: None if one.trust is None else {"trust": one.trust, "accuracy": one.accuracy, "claims": one.claims}
        for one in change.estimates
    }


def _finding(finding: Finding, *, closed: bool) -> tuple[Side | None, Side | None]:
    """Give what holds from now on, or held until now."""
    del closed
    side = _said(finding)
    side.pop("closed", None)
    return (side, None) if finding.closed else (None, side)


def _proposal(proposal: Proposal, *, closed: bool) -> tuple[Side | None, Side | None]:
    """Give a proposal as it waits; of a closed one, as it waited, and what came of it."""
    side = {"why": proposal.why, **_said(proposal)}
    if not closed:
        return None, side
    ended: Side = {name: side.pop(name) for name in ("state", "note") if name in side}
    return side, ended or None


def _relation(change: RelationChange, *, closed: bool) -> tuple[Side | None, Side | None]:
    """Give what was current between two entities, and is; each side names them."""
    del closed
    triple = {"from": _said(change.from_entity), "name": change.name, "to": _said(change.to_entity)}
    before, after = (
        None if window is None else {**triple, **_said(window)} for window in (change.before, change.after)
    )
    return before, after


def _workspace(change: WorkspaceChange, *, closed: bool) -> tuple[Side, Side]:
    """Give the settings that changed; a null vocabulary is the base one."""
    del closed
    before, after = change.before, change.after
    old: Side = {"version": before.version}
    new: Side = {"version": after.version}
    if before.approval_only != after.approval_only:
        old["approval_only"], new["approval_only"] = before.approval_only, after.approval_only
    if before.vocabulary != after.vocabulary:
        old["vocabulary"], new["vocabulary"] = (_raw(side.vocabulary) for side in (before, after))
    return old, new


def _whole(part: Affirmation | ReportObservations | DateReached, *, closed: bool) -> tuple[None, Side]:
    """Give what only has an after."""
    del closed
    return None, _said(part)


def _said(struct: Struct) -> Side:
    """Give a struct's attributes, without those that say nothing beyond their default."""
    side = {}
    for field in msgspec.structs.fields(struct):
        value = getattr(struct, field.name)
        if field.default is NODEFAULT or value != field.default:
            side[field.name] = _plain(value)
    return side


def _plain(value: Any) -> Any:  # noqa: ANN401 - any attribute of any message
    """Give a value as JSON has it, structs by what they say."""
    if isinstance(value, Struct):
        return _said(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


_SIDES: Final[dict[str, Callable[..., tuple[Side | None, Side | None]]]] = {
    "record": _record,
    "affirmation": _whole,
    "belief": _belief,
    "trust": _trust,
    "resolution": _resolution,
    "observed": _whole,
    "proposal": _proposal,
    "relation": _relation,
    "workspace": _workspace,
    "date": _whole,
    "policy": _policy,
    "estimated": _estimated,
    "finding": _finding,
}
"""What each part of a change reads like; exactly one is present."""
