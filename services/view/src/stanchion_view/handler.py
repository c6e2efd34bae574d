"""What happens to a ledger message: its changes are folded into a draft of the workspace, and become rows."""

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import Final, TypeVar

from stanchion_contracts import codec
from stanchion_contracts.change import Action, Change
from stanchion_contracts.heads import fold, reword
from stanchion_contracts.ledger import Entry, Ledger, Payload
from stanchion_contracts.record import FieldValue
from stanchion_core.policy import says_anything
from stanchion_core.trust import tally
from stanchion_core.vocabulary import Vocabulary
from stanchion_view.core import card, event, opened, relation
from stanchion_view.core.card import actor_of
from stanchion_view.core.event import Event
from stanchion_view.core.filed import brief, filed, wait
from stanchion_view.core.finding import Noted, key_of_finding
from stanchion_view.core.output import Output, json_of
from stanchion_view.core.policy import names_half_life
from stanchion_view.core.resolved import count, resolved
from stanchion_view.core.state import Affirmed, Draft, Held, key_of
from stanchion_view.core.vocabulary import in_force

T = TypeVar("T")


class SeqGap(Exception):
    """The ledger does not continue where the view stands: a bug, or a file that belongs to another ledger."""


def apply(draft: Draft, output: Output, base: Vocabulary, message: Ledger) -> None:
    """Fold one message of the changes' tree into a draft, and tell what happened; entries that are in it are passed by.

    Args:
        draft: of the message's workspace.
        output: takes the rows.
        base: the base vocabulary, for a workspace that goes back to it.
        message: as audit notarised it.

    Raises:
        SeqGap: an entry is missing before this one.
        InvalidMessage: a payload cannot be read, which past the edge is a bug or an older version of ours.
    """
    folded: list[tuple[Entry, Change]] = []
    reworded: opened.Reworded | None = None
    for entry, payload in zip(message.entries, message.payloads, strict=True):
        if entry.seq <= draft.workspace.last_seq:
            continue
        if entry.seq != draft.workspace.last_seq + 1:
            raise SeqGap(
                f"workspace {entry.workspace!r} stands at seq {draft.workspace.last_seq} and the ledger goes on with "
                f"{entry.seq}: the view's file belongs to another ledger, or entries were lost; remove the file to "
                "make it anew from the ledger"
            )
        change = codec.decode(payload, Payload).change
        if change.workspace is not None:
            reworded = opened.Reworded(entry.seq, dict(draft.workspace.heads.records))
        _entry(draft, output, base, entry, change)
        folded.append((entry, change))
    review = opened.opened(draft.workspace.heads, [change for _, change in folded], reworded)
    for entry, change in folded:
        _tell(output, entry, 0, event.of_change(entry, change))
        if entry.seq in review:
            _tell(output, entry, 1, event.needs_review(entry, change, review[entry.seq]))


def _entry(draft: Draft, output: Output, base: Vocabulary, entry: Entry, change: Change) -> None:
    """Fold one change."""
    workspace = draft.workspace
    fold(workspace.heads, workspace.vocabulary, change, entry.recorded_at_us, actor_of(entry))
    if change.action in _FOLDS:
        _FOLDS[change.action](draft, output, entry, change)
    elif change.workspace is not None:
        _settings(draft, base, change)
    workspace.last_seq, workspace.last_us = entry.seq, entry.recorded_at_us
    output.times[entry.workspace, entry.seq] = entry.recorded_at_us


def _record(draft: Draft, output: Output, entry: Entry, change: Change) -> None:
    """Write a record's new version."""
    if change.record is None:
        return
    record = change.record
    after = card.written(draft.cards.get(record.id), entry, record)
    draft.cards[record.id] = after
    head = draft.records[record.id]
    if after.body_seq == entry.seq:  # it brought the body that stands, which may be none
        output.bodies[entry.workspace, entry.seq] = record.after.body or ""
    output.versions.append((
        entry.workspace,
        key_of(entry.workspace, after.id),
        after.id,
        after.version,
        entry.seq,
        entry.recorded_at_us,
        after.kind,
        after.room,
        after.label,
        head.status,
        after.deleted,
        _object(after.fields),
        json_of(after),
        record.after.body,
    ))


def _belief(draft: Draft, output: Output, entry: Entry, change: Change) -> None:
    """Keep a claim's last belief and the contributions that came."""
    if change.belief is None:
        return
    after = change.belief.after
    claim = (after.subject, after.predicate)
    draft.beliefs[claim] = Held(belief=after, seq=entry.seq)
    if after.half_life_s != draft.workspace.half_life_s and not names_half_life(draft.policies, after.predicate):
        draft.workspace.half_life_s = after.half_life_s
    place = (entry.workspace, key_of(entry.workspace, *claim), *claim, entry.seq)
    output.beliefs.append((*place, json_of(after), json_of(change.belief.added)))


def _resolution(draft: Draft, output: Output, entry: Entry, change: Change) -> None:
    """Keep what a claim turned out to be, how sure its belief was just before, and what came of it for each source."""
    if change.resolution is None:
        return
    said = change.resolution
    claim = (said.subject, said.predicate)
    before, after = draft.resolved.get(claim), resolved(said, draft.beliefs.get(claim), entry.seq, entry.recorded_at_us)
    count(draft.workspace.outcomes, tally(before.judged if before else ()), tally(after.judged if after else ()))
    if after is not None:
        draft.resolved[claim] = after
    else:
        draft.resolved.pop(claim, None)
    place = (entry.workspace, key_of(entry.workspace, *claim), *claim, entry.seq, entry.recorded_at_us)
    output.resolutions.append((*place, *((json_of(after.value), json_of(after)) if after is not None else ("", ""))))


def _finding(draft: Draft, output: Output, entry: Entry, change: Change) -> None:
    """Keep a finding until it is closed."""
    if change.finding is None:
        return
    noted = Noted(finding=change.finding, seq=entry.seq, at_us=entry.recorded_at_us)
    key = key_of_finding(change.finding)
    closed = change.action == "finding.closed"
    if closed:
        draft.findings.pop(key, None)
    else:
        draft.findings[key] = noted
    place = (entry.workspace, key_of(entry.workspace, *key), *key, entry.seq, entry.recorded_at_us)
    output.findings.append((*place, closed, json_of(noted)))


def _tables(draft: Draft, _output: Output, _entry: Entry, change: Change) -> None:
    """Change what beliefs are worked out by: trust, estimates, policies."""
    if change.trust is not None:
        _set(draft.trust, change.trust.name, change.trust.after)
    elif change.estimated is not None:
        for estimate in change.estimated.estimates:
            _set(draft.estimates, estimate.name, estimate.trust)
    elif change.policy is not None:
        after = change.policy.after
        _set(draft.policies, after.predicate, after if says_anything(after) else None)


def _set(table: MutableMapping[str, T], name: str, value: T | None) -> None:
    """Set what a name has, or take it back."""
    if value is not None:
        table[name] = value
    else:
        table.pop(name, None)


def _affirmed(draft: Draft, _output: Output, entry: Entry, change: Change) -> None:
    """Keep a record's last affirmation, with its note."""
    if change.affirmation is None:
        return
    said = change.affirmation
    draft.affirmed[said.record_id] = Affirmed(
        by=actor_of(entry), at_us=entry.recorded_at_us, note=said.note, seq=entry.seq, version=said.version
    )


def _proposal(draft: Draft, output: Output, entry: Entry, change: Change) -> None:
    """File a proposal that was opened or edited; one that was closed stays in the file alone."""
    proposal, before = change.proposal, draft.filed.get(change.subject_id)
    after = filed(before, entry, change, draft.cards)
    if proposal is None or after is None:
        return
    wait(draft.workspace.waiting, proposal.id, before, after)
    if not after.closed_seq:
        draft.filed[proposal.id] = after
    else:
        draft.filed.pop(proposal.id, None)
    place = (entry.workspace, key_of(entry.workspace, proposal.id), proposal.id, entry.seq)
    when = (entry.recorded_at_us, after.seq, after.closed_seq)
    told = (proposal.state, proposal.why, proposal.record_id, f" {' '.join(after.records)} ")
    output.proposals.append((
        *place,
        *when,
        *told,
        json_of(after),
        json_of(brief(proposal, draft.cards)),
        json_of(proposal),
    ))


def _relation(draft: Draft, output: Output, entry: Entry, change: Change) -> None:
    """Make a window of a relation current, or none."""
    triple, window = relation.triple_of(change), relation.stated(entry, change)
    if triple is None:
        return
    relation.put(draft.relations, draft.workspace.named, triple, window)
    source, target = triple.from_entity, triple.to_entity
    said = window.window if window is not None else None
    output.windows.append((
        entry.workspace,
        key_of(entry.workspace, source.name, triple.name, target.name),
        *(triple.room, source.name, source.type, triple.name, target.name, target.type),
        entry.seq,
        entry.recorded_at_us,
        said is not None,
        *((said.valid_at_us, said.invalid_at_us, said.stated_by) if said is not None else (0, 0, "")),
    ))


_FOLDS: Final[Mapping[Action, Callable[[Draft, Output, Entry, Change], None]]] = {
    "record.created": _record,
    "record.written": _record,
    "record.deleted": _record,
    "record.renamed": _record,
    "record.affirmed": _affirmed,
    "belief.moved": _belief,
    "claim.resolved": _resolution,
    "trust.set": _tables,
    "trust.estimated": _tables,
    "policy.set": _tables,
    "finding.opened": _finding,
    "finding.closed": _finding,
    "proposal.opened": _proposal,
    "proposal.edited": _proposal,
    "proposal.closed": _proposal,
    "relation.stated": _relation,
    "relation.ended": _relation,
}
"""What each change does to a draft beside its heads; `workspace.set` needs the base vocabulary, others do nothing."""


def _settings(draft: Draft, base: Vocabulary, change: Change) -> None:
    """Change how the workspace works; another vocabulary may see its records with other eyes."""
    if change.workspace is None:
        return
    workspace = draft.workspace
    workspace.settings = change.workspace.after
    vocabulary = in_force(workspace.settings, base)
    if vocabulary != workspace.vocabulary:
        workspace.vocabulary = vocabulary
        reword(workspace.heads, vocabulary)


def _tell(output: Output, entry: Entry, n: int, happened: Event | None) -> None:
    """Put an event where watchers find it, now and later; what puts nothing on Watch still leaves its seq and time."""
    if happened is not None:
        output.events.append(happened)
    told = json_of(happened) if happened is not None else ""
    output.changes.append((entry.workspace, entry.seq, n, entry.recorded_at_us, told))


def _object(fields: Iterable[FieldValue]) -> str:
    """Give fields as one JSON object."""
    return "{" + ",".join(f"{json_of(field.name)}:{field.value}" for field in fields) + "}"
