"""What texts would have waiting when there is no room for it: their records say so, and a reversal is tried again."""

from collections.abc import Iterable

import msgspec

from stanchion_contracts.command import Write
from stanchion_validity.core.change import STANCHION, Author
from stanchion_validity.core.draft import Draft
from stanchion_validity.core.held import Key
from stanchion_validity.core.opening import FULL
from stanchion_validity.core.outcome import Outcome
from stanchion_validity.core.place import statements
from stanchion_validity.core.statement import Texts, noted
from stanchion_validity.core.waiting import parts_of


def note_no_room(outcome: Outcome, texts: Texts, links: Iterable[Key], writes: Iterable[Write]) -> None:
    """Note what could not be proposed with the documents that say it.

    Args:
        outcome: of this input, all else that lands written.
        texts: what documents refer to.
        links: that supersede and lack their other half; the references that state them wait as unresolved ones do.
        writes: the parts that no text may change by itself; they are left out.
    """
    loose: dict[str, list[str]] = {}
    for key in links:
        for record_id in (key[0], key[2]):
            loose.setdefault(record_id, []).extend(
                noted(one)
                for one in texts.references_after(record_id)
                if key in statements(texts.after, record_id, (one,))
            )
    told = {write.id: f"{', '.join(sorted(parts_of(write)))}: waits for a person, and {FULL}" for write in writes}
    for record_id in dict.fromkeys([*told, *loose]):
        _note(outcome, record_id, told.get(record_id), loose.get(record_id, ()))


def _note(outcome: Outcome, record_id: str, told: str | None, loose: Iterable[str]) -> None:
    """Note it with one record; one that no text is about has nowhere to say it."""
    held = outcome.pending.record(record_id)
    if held is None or held.upstream is None:
        return
    upstream = msgspec.structs.replace(
        held.upstream,
        left_out=tuple(dict.fromkeys([*held.upstream.left_out, *([told] if told else [])])),
        unresolved=tuple(dict.fromkeys([*held.upstream.unresolved, *loose])),
    )
    if upstream != held.upstream:
        after = msgspec.structs.replace(held, upstream=upstream)
        outcome.write(Draft(before=held, after=after), Author(person=False, by=STANCHION))
