"""Relations between entities: what a caller states outright, and what a text states of its own record while it does."""

import datetime as dt
from collections.abc import Iterable
from typing import Final

from stanchion_contracts.change import Change
from stanchion_contracts.relation import RECORD, Entity, Relation, RelationChange, Triple, Window
from stanchion_core.errors import InvalidMessage
from stanchion_core.limits import NAME_CHARS, RELATIONS, YEAR_1_US, YEAR_10000_US
from stanchion_core.text import clean, required
from stanchion_validity.core.outcome import Outcome

_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def state_relations(outcome: Outcome, relations: Iterable[Relation]) -> None:
    """Take over what a caller states; a relation without a beginning belongs to a document and is none of these."""
    kept, left_out = sound(relation for relation in relations if relation.from_entity is not None)
    outcome.left_out += left_out
    for relation in kept:
        if relation.from_entity is not None:
            _state(outcome, _triple(outcome.meta.room, relation.from_entity, relation), _window(relation))


def settle_relations(
    outcome: Outcome, record_id: str, room: str, before: Iterable[Relation], now: Iterable[Relation]
) -> None:
    """Take over what a revision changed of the relations that its text states, and end those that it states no more.

    Args:
        outcome: of this input.
        record_id: the document's record, at which each begins.
        room: of the record.
        before: what the text stated before, as it was kept.
        now: what it states now, likewise; nothing for a document that is gone.
    """
    start = Entity(name=record_id, type=RECORD)
    stood = {_triple(room, start, one): _window(one, record_id) for one in before}
    wanted = {_triple(room, start, one): _window(one, record_id) for one in now}
    for triple in tuple(outcome.workspace.related.stated_by.get(record_id, ())):
        if triple not in wanted:
            _end(outcome, triple, record_id)
    for triple, window in wanted.items():
        if outcome.window(triple) is None or stood.get(triple) != window:
            _state(outcome, triple, window)


def sound(relations: Iterable[Relation]) -> tuple[tuple[Relation, ...], tuple[str, ...]]:
    """Give the relations that can be kept, of one said twice the last, and a sentence for each of the others."""
    kept: dict[tuple[Entity | None, str, Entity], Relation] = {}
    left_out: dict[str, None] = {}
    for relation in relations:
        key = (relation.from_entity, relation.name, relation.to_entity)
        wrong = _wrong(relation)
        if wrong:
            left_out[f"relation {relation.name:.80} to {relation.to_entity.name:.80}: {wrong}"] = None
        elif key in kept or len(kept) < RELATIONS:
            kept[key] = relation
        else:
            left_out[f"relations: there are more than {RELATIONS}; the first {RELATIONS} are kept"] = None
    return tuple(kept.values()), tuple(left_out)


def _wrong(relation: Relation) -> str:
    """Say what keeps a relation from being kept; empty for nothing."""
    ends = (("from", relation.from_entity), ("to", relation.to_entity))
    try:
        required(relation.name, "name", chars=NAME_CHARS)
        for end, entity in ends:
            if entity is not None:
                required(entity.name, end, chars=NAME_CHARS)
                clean(entity.type, f"type of {end}", chars=NAME_CHARS)
    except InvalidMessage as error:
        return error.detail
    if not all(YEAR_1_US <= at_us < YEAR_10000_US for at_us in (relation.valid_at_us, relation.invalid_at_us)):
        return "it holds at a time that no calendar has"
    if relation.invalid_at_us and relation.valid_at_us >= relation.invalid_at_us:
        return "it ends before it begins"
    return ""


def _triple(room: str, start: Entity, relation: Relation) -> Triple:
    """Give what a relation is about."""
    return Triple(room, start, relation.name, relation.to_entity)


def _window(relation: Relation, stated_by: str = "") -> Window:
    """Give from when to when a relation is said to hold, and whose text says so."""
    return Window(valid_at_us=relation.valid_at_us, invalid_at_us=relation.invalid_at_us, stated_by=stated_by)


def _state(outcome: Outcome, triple: Triple, window: Window) -> None:
    """Make a window current, unless it is, or a caller has said the same as this text: what anybody says stays."""
    before = outcome.window(triple)
    if before is not None and _times(before) == _times(window) and before.stated_by in {window.stated_by, ""}:
        return
    was = "" if before is None else f"; was {_told(before)}"
    _change(outcome, triple, before, window, f"{triple.words}: {_told(window)}{was}")


def _end(outcome: Outcome, triple: Triple, record_id: str) -> None:
    """End a relation that a text stated, unless somebody else states it by now."""
    before = outcome.window(triple)
    if before is not None and before.stated_by == record_id:
        _change(outcome, triple, before, None, f"{triple.words}: the text of {record_id} says so no more")


def _change(outcome: Outcome, triple: Triple, before: Window | None, after: Window | None, reason: str) -> None:
    """Add what changed between two entities."""
    outcome.relations[triple] = after
    outcome.add(
        Change(
            seq=outcome.next_seq,
            action="relation.ended" if after is None else "relation.stated",
            subject_kind="relation",
            subject_id=triple.words,
            room=triple.room,
            reason=reason,
            relation=RelationChange(
                from_entity=triple.from_entity,
                name=triple.name,
                to_entity=triple.to_entity,
                before=before,
                after=after,
            ),
        )
    )


def _times(window: Window) -> tuple[int, int]:
    """Give from when to when."""
    return window.valid_at_us, window.invalid_at_us


def _told(window: Window) -> str:
    """Say in few words when a relation holds, and who says so."""
    said = [f"since {_moment(window.valid_at_us)}"] if window.valid_at_us else []
    said += [f"until {_moment(window.invalid_at_us)}"] if window.invalid_at_us else []
    said += [f"stated by {window.stated_by}"] if window.stated_by else []
    return ", ".join(said) or "stated"


def _moment(at_us: int) -> str:
    """Give a time in UTC, a whole day by its date."""
    time = _EPOCH + dt.timedelta(microseconds=at_us)
    return time.date().isoformat() if time.time() == dt.time() else time.isoformat().replace("+00:00", "Z")
