"""Proposals that validity opens itself, and how they close when their content comes into force by other means."""

from collections.abc import Iterable
from typing import Final

import msgspec

from stanchion_contracts.change import Proposal
from stanchion_contracts.command import LinkSet, Write, WriteBatch
from stanchion_contracts.meta import Actor
from stanchion_contracts.record import FieldValue
from stanchion_contracts.refusal import Refusal
from stanchion_core.text import canonical_json
from stanchion_core.vocabulary import STATUS
from stanchion_validity.core.change import named
from stanchion_validity.core.draft import changed_parts
from stanchion_validity.core.held import FIELD, LINK, Held, Key, in_force, links_of
from stanchion_validity.core.link import Half, half_refusal
from stanchion_validity.core.opening import Why, open_on, propose_once
from stanchion_validity.core.outcome import Outcome
from stanchion_validity.core.reviewed import reversals_in
from stanchion_validity.core.statement import Texts
from stanchion_validity.core.write import draft_of

MOST_CLOSED_BYTES: Final = 1024 * 1024
"""About how many bytes of proposals one message closes, and one proposal more."""


def waiting_links(outcome: Outcome, record_ids: Iterable[str]) -> tuple[Key, ...]:
    """Give the links about these records that a rule refused when a text stated them, even if somebody said no."""
    ids = tuple(record_ids)
    found = dict.fromkeys(key for one in ids for key in outcome.workspace.reviewed.links.get(one, ()))
    for proposal in open_on(outcome, ids):
        if proposal.why == "import_refused":
            found |= dict.fromkeys(reversals_in(outcome.vocabulary, proposal))
    return tuple(key for key in found if not _linked(outcome.pending.record(key[0]), key[1], key[2]))


def propose_half(outcome: Outcome, half: Half, by: Actor, *, anew: bool) -> bool:
    """Propose a reversal whose other half is missing, once: the link and the missing write.

    It tells whether all that has to wait does: nothing was left out for want of room.

    Args:
        outcome: of this input.
        half: of the reversal.
        by: whose text states it.
        anew: this input's text newly states it; else a no to it still counts.
    """
    key = (half.by, half.link.name, half.target)
    stood = outcome.workspace.held.get(half.by)
    if not anew and not _linked(stood, *key[1:]) and key in outcome.workspace.reviewed.links.get(half.target, ()):
        return True
    waiting = (one for one in open_on(outcome, (half.target,)) if one.why == "import_refused")
    if any(key in reversals_in(outcome.vocabulary, one) for one in (*waiting, *outcome.opened)):
        return True
    held = outcome.pending.record(half.by)
    others = tuple(link for link in links_of(held, half.link.name) if link.to != half.target) if held else ()
    batch = WriteBatch(
        writes=(
            Write(id=half.by, links=(LinkSet(name=half.link.name, links=(*others, half.link)),)),
            Write(id=half.target, fields=(FieldValue(name=STATUS, value=canonical_json(half.status)),)),
        )
    )
    return propose_once(outcome, batch, half.target, Why("import_refused", half_refusal(half).detail, by))


def propose_parts(
    outcome: Outcome, write: Write, half: Half | None, by: Actor, said: frozenset[str] = frozenset()
) -> bool:
    """Propose what a text says of parts that it may not change by itself, once, with what it still says of others.

    It tells whether all that has to wait does: nothing was left out for want of room.

    Args:
        outcome: of this input.
        write: the parts that wait, may be none.
        half: of the reversal that they would leave half written; None where a person set them.
        by: whose text it is.
        said: the parts that the text changed; what it proposed of them before is overtaken.
    """
    for proposal in _said_before(outcome, write.id, by) if said else ():
        older = proposal.batch.writes[0]
        gone = "delete" in parts_of(older) | said
        if gone or parts_of(older) & said:
            outcome.close(proposal, "overtaken", "the text says otherwise now")
            write = write if gone else _merged(split(older, said)[0], write)
    if not parts_of(write):
        return True
    reason = half_refusal(half).detail if half is not None else f"a person set {_listed(write)} of {write.id}"
    why = Why("person_set" if half is None else "import_refused", f"the text changed, but {reason}", by)
    return propose_once(outcome, WriteBatch(writes=(write,)), write.id, why)


def parts_of(write: Write) -> frozenset[str]:
    """Name the parts that a text's write sets; a deletion is `delete`."""
    plain = {name for name in ("label", "body") if getattr(write, name) is not None}
    fields, links = {FIELD + item.name for item in write.fields}, {LINK + links.name for links in write.links}
    return frozenset(plain | fields | links | ({"delete"} if write.delete else set()))


def split(write: Write, parts: frozenset[str]) -> tuple[Write, Write]:
    """Split a text's write into what is not of these parts and what is; a deletion is of any."""
    if write.delete:
        return Write(id=write.id), write
    kept = msgspec.structs.replace(
        write,
        label=None if "label" in parts else write.label,
        body=None if "body" in parts else write.body,
        fields=tuple(item for item in write.fields if FIELD + item.name not in parts),
        links=tuple(links for links in write.links if LINK + links.name not in parts),
    )
    rest = Write(
        id=write.id,
        label=write.label if "label" in parts else None,
        body=write.body if "body" in parts else None,
        fields=tuple(item for item in write.fields if FIELD + item.name in parts),
        links=tuple(links for links in write.links if LINK + links.name in parts),
    )
    return kept, rest


def _said_before(outcome: Outcome, record_id: str, by: Actor) -> tuple[Proposal, ...]:
    """Give what the same source's text proposed before of a record; what a person edited is theirs to close."""
    return tuple(
        proposal
        for proposal in open_on(outcome, (record_id,))
        if proposal.why in {"person_set", "import_refused"}
        and (proposal.by, proposal.edited_by, len(proposal.batch.writes)) == (named(by), None, 1)
        and _of_a_text(proposal.batch.writes[0])
    )


def _of_a_text(write: Write) -> bool:
    """Tell whether a write has no parts but those that a text writes."""
    return split(write, parts_of(write))[0] == Write(id=write.id)


def _merged(older: Write, newer: Write) -> Write:
    """Give one write of the parts of two; of links of one name, those of both."""
    links = {(link.name, link.to): link for part in (older, newer) for links in part.links for link in links.links}
    names = dict.fromkeys(links.name for part in (older, newer) for links in part.links)
    return msgspec.structs.replace(
        newer,
        label=older.label if newer.label is None else newer.label,
        body=older.body if newer.body is None else newer.body,
        fields=tuple(sorted((*older.fields, *newer.fields))),
        links=tuple(
            LinkSet(name=name, links=tuple(link for link in links.values() if link.name == name)) for name in names
        ),
    )


def _listed(write: Write) -> str:
    """Name the parts of a text's write in a sentence."""
    return ", ".join(sorted(parts_of(write)))


def close_unstated(outcome: Outcome, texts: Texts, waiting: Iterable[Key]) -> None:
    """Close the proposals of links that no text states any more; what a person edited is theirs to close."""
    gone = {key for key in waiting if key not in texts.stated_after(key[0]) and key not in texts.stated_after(key[2])}
    for proposal in open_on(outcome, {key[2] for key in gone}):
        ours = proposal.why == "import_refused" and proposal.edited_by is None
        links = _refused_links(outcome, proposal) if ours else ()
        if links and gone.issuperset(links):
            outcome.close(proposal, "overtaken", f"no text says any more that {' '.join(links[0])}")


def settle_proposals(outcome: Outcome, record_ids: Iterable[str]) -> None:
    """Close the proposals about these records whose content is in force by other means, or has nothing left to reverse.

    The change of each carries it whole: past a megabyte the rest closes with the next write of such a record.
    """
    size = sum(len(msgspec.json.encode(proposal)) for proposal in outcome.closed.values())
    for proposal in open_on(outcome, record_ids):
        if size > MOST_CLOSED_BYTES:
            return
        besides = proposal.why == "import_refused"
        if all(_stands(outcome, write, besides=besides) for write in proposal.batch.writes):
            size += len(msgspec.json.encode(proposal))
            outcome.close(proposal, "in_force", "its content has come into force by other means")
        elif moot := _moot(outcome, proposal):
            size += len(msgspec.json.encode(proposal))
            outcome.close(proposal, "overtaken", moot)


def _moot(outcome: Outcome, proposal: Proposal) -> str:
    """Say why what a text proposed has nothing to be written to or reversed any more; empty while it has.

    The link of a reversal lands without the other half then, and waits anew once both ends hold. What a person edited
    is theirs to close.
    """
    if not proposal.keeps_citations or proposal.edited_by is not None:
        return ""
    held = {write.id: outcome.pending.record(write.id) for write in proposal.batch.writes}
    gone = [f"{record_id} is deleted" for record_id, one in held.items() if one is not None and one.deleted]
    if proposal.why == "import_refused" and len(held) > 1:
        ends = dict.fromkeys(end for key in reversals_in(outcome.vocabulary, proposal) for end in (key[0], key[2]))
        fallen = (end for end in ends if not in_force(outcome.vocabulary, outcome.pending.record(end)))
        gone += [f"{end} is not in force any more" for end in fallen]
    return next(iter(gone), "")


def _refused_links(outcome: Outcome, proposal: Proposal) -> tuple[Key, ...]:
    """Give the links of a proposal that supersede and do not stand."""
    return tuple(
        key
        for key in reversals_in(outcome.vocabulary, proposal)
        if not _linked(outcome.pending.record(key[0]), key[1], key[2])
    )


def _stands(outcome: Outcome, write: Write, *, besides: bool) -> bool:
    """Tell whether a record is as a proposed write would make it.

    Args:
        outcome: of this input.
        write: of the proposal.
        besides: links it has besides do not matter: a text says nothing of those that it does not state.
    """
    held = outcome.pending.record(write.id)
    if write.delete or held is None or held.deleted:
        return write.delete and held is not None and held.deleted
    if besides and not all(_linked(held, links.name, link.to) for links in write.links for link in links.links):
        return False
    rest = Write(
        id=write.id,
        label=write.label,
        body=write.body,
        fields=write.fields,
        evidence=write.evidence,
        tags=write.tags,
        valid_from=write.valid_from,
        valid_to=write.valid_to,
        links=tuple(links for links in write.links if not (besides and links.links)),
    )
    draft = draft_of(outcome.vocabulary, rest, held)
    return draft is None or (not isinstance(draft, Refusal) and not changed_parts(draft))


def _linked(held: Held | None, name: str, to: str) -> bool:
    """Tell whether a record has a link."""
    return held is not None and any((link.name, link.to) == (name, to) for link in held.links)
