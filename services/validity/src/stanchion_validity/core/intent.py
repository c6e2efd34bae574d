"""Wishes become records of kind intent, and never evidence."""

import datetime as dt
import unicodedata
from typing import Final

from stanchion_contracts.change import Landed
from stanchion_contracts.claim import Intent
from stanchion_contracts.command import Write, WriteBatch
from stanchion_contracts.record import FieldValue
from stanchion_core.errors import InvalidMessage
from stanchion_core.ids import content_digest
from stanchion_core.limits import LABEL_CHARS, YEAR_1_US, YEAR_10000_US
from stanchion_core.text import canonical_json
from stanchion_core.vocabulary import Field
from stanchion_validity.core.batch import agents_guard
from stanchion_validity.core.change import STANCHION, Author
from stanchion_validity.core.draft import Draft
from stanchion_validity.core.field_value import checked_value
from stanchion_validity.core.held import Held
from stanchion_validity.core.opening import Why, propose_once
from stanchion_validity.core.outcome import Outcome
from stanchion_validity.core.write import draft_of

KIND: Final = "intent"
LAST_SAID: Final = "last_said_on"
"""The day of its last mention: a day's grain, or saying a thing a thousand times would make as many versions of it."""


def record_intent(outcome: Outcome, intent: Intent) -> None:
    """Record a wish once: the same holder's same words in the same room are the same record, however often said.

    Said on a later day, it keeps that day and nothing else: what a person made of it, its status above all, stands.
    """
    meta = outcome.meta
    kind = outcome.vocabulary.kinds.get(KIND)
    if kind is None:
        return
    holder = intent.holder or meta.actor.on_behalf_of or meta.actor.id
    gist = " ".join(unicodedata.normalize("NFC", intent.gist).split())
    parts = (meta.workspace, meta.room, intent.kind, holder, gist.casefold())
    record_id = f"intent-{content_digest(part.encode() for part in parts).hex()[:32]}"
    said = canonical_json(_day(meta.time_us))
    held = outcome.pending.record(record_id)
    if held is not None:
        _say_again(outcome, held, said)
        return
    fields = {"holder": canonical_json(holder), "intent_kind": canonical_json(intent.kind), LAST_SAID: said}
    write = Write(
        id=record_id,
        kind=KIND,
        room=meta.room,
        label=gist if len(gist) <= LABEL_CHARS else gist[: LABEL_CHARS - 1] + "…",
        body=gist if len(gist) > LABEL_CHARS else None,
        fields=tuple(
            FieldValue(name=name, value=value) for name, value in fields.items() if _takes(kind.fields.get(name), value)
        ),
    )
    draft = draft_of(outcome.vocabulary, write, None)
    if not isinstance(draft, Draft):
        return
    guard = agents_guard(outcome, (KIND,))
    if guard is not None:
        propose_once(outcome, WriteBatch(writes=(write,)), record_id, Why(guard.why, guard.reason, meta.actor))
    else:
        outcome.write(draft, Author(person=meta.actor.kind == "person"))
        outcome.landed.append(Landed(record_id=record_id, version=draft.after.version))


def _say_again(outcome: Outcome, held: Held, said: str) -> None:
    """Keep the day of a wish that is said again; one that was deleted stays so."""
    if held.deleted:
        return
    if held.fields.get(LAST_SAID, "") < said and _takes(
        outcome.vocabulary.kinds[held.kind].fields.get(LAST_SAID), said
    ):
        write = Write(id=held.id, fields=(FieldValue(name=LAST_SAID, value=said),))
        draft = draft_of(outcome.vocabulary, write, held, keep_evidence=True)
        if isinstance(draft, Draft):
            outcome.write(draft, Author(person=False, by=STANCHION))
    if all(one.record_id != held.id for one in outcome.landed):
        outcome.landed.append(Landed(record_id=held.id, version=held.version))


def _day(time_us: int) -> str:
    """Give the day of a time in UTC; the first or the last one that the calendar has for a time beyond it."""
    within = min(max(time_us, YEAR_1_US), YEAR_10000_US - 1)
    return (dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(microseconds=within)).date().isoformat()


def _takes(field: Field | None, value: str) -> bool:
    """Tell whether the workspace's own vocabulary keeps this of a wish: it may declare the kind in its own way."""
    try:
        return field is not None and checked_value(field, value) == value
    except InvalidMessage:
        return False
