"""Proposals that validity opens itself, and how they close when their content comes into force by other means."""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec
from msgspec import Struct

from stanchion_contracts.change import Proposal
from stanchion_contracts.command import LinkSet, Write, WriteBatch
from stanchion_contracts.record import FieldValue, Link
from stanchion_contracts.refusal import Refusal
from stanchion_core.text import canonical_json
from stanchion_core.vocabulary import STATUS
from stanchion_validity.core.batch import bases
from stanchion_validity.core.draft import changed_parts
from stanchion_validity.core.held import Held, links_of
from stanchion_validity.core.link import Half, half_refusal
from stanchion_validity.core.outcome import Outcome
from stanchion_validity.core.place import Key
from stanchion_validity.core.statement import Texts
from stanchion_validity.core.write import draft_of

MOST_CLOSED_BYTES: Final = 1024 * 1024
"""About how many bytes of proposals one message closes, and one proposal more."""


class Why(Struct, frozen=True):
    """Why something waits for a person: the word, and the sentence."""

    word: Literal["person_set", "evidence_disagrees", "import_refused"]
    reason: str


def waiting_links(outcome: Outcome, record_ids: Iterable[str]) -> tuple[Key, ...]:
    """Give the links in open proposals about these records that a rule refused when a text stated them."""
    found: dict[Key, None] = {}
    for proposal in _open_on(outcome, record_ids):
        if proposal.why == "import_refused":
            found |= dict.fromkeys(_refused_links(outcome, proposal))
    return tuple(found)


def propose_half(outcome: Outcome, half: Half) -> None:
    """Propose a reversal whose other half is missing, once: the link and the missing write."""
    claims = outcome.workspace.heads.claimed.get(half.target, {})
    if half.by in {by for proposal_id, by in claims.items() if proposal_id not in outcome.closed}:
        return
    held = outcome.pending.record(half.by)
    others = tuple(link for link in links_of(held, half.link.name) if link.to != half.target) if held else ()
    batch = WriteBatch(
        writes=(
            Write(id=half.by, links=(LinkSet(name=half.link.name, links=(*others, half.link)),)),
            Write(id=half.target, fields=(FieldValue(name=STATUS, value=canonical_json(half.status)),)),
        )
    )
    refusal = half_refusal(half)
    propose_once(outcome, batch, half.target, Why("import_refused", refusal.detail))


def propose_parts(outcome: Outcome, write: Write, parts: frozenset[str], half: Half | None) -> None:
    """Propose what a text says of parts that it may not change by itself, once."""
    named = ", ".join(sorted(parts))
    reason = half_refusal(half).detail if half is not None else f"a person set {named} of {write.id}"
    why = Why("person_set" if half is None else "import_refused", f"the text changed, but {reason}")
    propose_once(outcome, WriteBatch(writes=(write,)), write.id, why)


def close_unstated(outcome: Outcome, texts: Texts, waiting: Iterable[Key]) -> None:
    """Close the proposals of links that no text states any more."""
    gone = {key for key in waiting if key not in texts.stated_after(key[0]) and key not in texts.stated_after(key[2])}
    for proposal in _open_on(outcome, {key[2] for key in gone}):
        links = _refused_links(outcome, proposal) if proposal.why == "import_refused" else ()
        if links and gone.issuperset(links):
            outcome.close(proposal, f"no text says any more that {links[0][0]} {links[0][1]} {links[0][2]}")


def settle_proposals(outcome: Outcome, record_ids: Iterable[str]) -> None:
    """Close the proposals about these records whose content has come into force by other means.

    The change of each carries it whole: past a megabyte the rest closes with the next write of such a record.
    """
    size = 0
    for proposal in _open_on(outcome, record_ids):
        if size > MOST_CLOSED_BYTES:
            return
        if all(_stands(outcome, write) for write in proposal.batch.writes):
            size += len(msgspec.json.encode(proposal))
            outcome.close(proposal, "its content has come into force by other means")


def _open_on(outcome: Outcome, record_ids: Iterable[str]) -> tuple[Proposal, ...]:
    """Give the open proposals that would write any of these records, in a fixed order."""
    workspace = outcome.workspace
    found = {proposal_id for record_id in record_ids for proposal_id in workspace.proposals_on.get(record_id, ())}
    return tuple(workspace.heads.proposals[proposal_id] for proposal_id in sorted(found - outcome.closed))


def _refused_links(outcome: Outcome, proposal: Proposal) -> tuple[Key, ...]:
    """Give the links of a proposal that supersede and do not stand."""
    return tuple(
        (write.id, links.name, link.to)
        for write in proposal.batch.writes
        for links in write.links
        if outcome.vocabulary.links[links.name].supersedes
        for link in links.links
        if not _linked(outcome.pending.record(write.id), link, links.name)
    )


def _stands(outcome: Outcome, write: Write) -> bool:
    """Tell whether a record is as a proposed write would make it; links it has besides do not matter."""
    held = outcome.pending.record(write.id)
    if write.delete or held is None or held.deleted:
        return write.delete and held is not None and held.deleted
    if not all(_linked(held, link, links.name) for links in write.links for link in links.links):
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
        links=tuple(links for links in write.links if not links.links),
    )
    draft = draft_of(outcome.vocabulary, rest, held)
    return draft is None or (not isinstance(draft, Refusal) and not changed_parts(draft))


def _linked(held: Held | None, link: Link, name: str) -> bool:
    """Tell whether a record has a link."""
    return held is not None and any((one.name, one.to) == (name, link.to) for one in held.links)


def propose_once(outcome: Outcome, batch: WriteBatch, record_id: str, why: Why) -> None:
    """Open a proposal unless the same waits already."""
    waiting = _open_on(outcome, {write.id for write in batch.writes})
    if any(proposal.batch == batch for proposal in (*waiting, *outcome.opened)):
        return
    held = outcome.pending.record(record_id)
    proposal = Proposal(
        id=outcome.proposal_id(),
        why=why.word,
        reason=why.reason,
        record_id=record_id,
        batch=batch,
        base=bases(outcome.pending.record, batch),
    )
    outcome.propose(proposal, held.room if held else "")
