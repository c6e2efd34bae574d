"""What validity keeps of one workspace, and the fold of its changes."""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct, field

from stanchion_contracts import heads as heads_fold
from stanchion_contracts.belief import Belief
from stanchion_contracts.change import Change, Changes, Imported, Proposal, WorkspaceSettings
from stanchion_contracts.heads import Heads, plain_text
from stanchion_contracts.meta import Actor
from stanchion_contracts.value import Value
from stanchion_core.uri import numbered
from stanchion_core.vocabulary import Vocabulary
from stanchion_core.vocabulary_text import stored
from stanchion_core.walk import Claim
from stanchion_validity.core.evidence import tested
from stanchion_validity.core.field_value import moment_us
from stanchion_validity.core.found import FindingKey, fold_finding
from stanchion_validity.core.held import Held, fold_record, ordered
from stanchion_validity.core.kept import Kept
from stanchion_validity.core.related import Related, fold_relation
from stanchion_validity.core.reviewed import (
    Closed,
    Reviewed,
    fold_closed,
    fold_edited,
    fold_opened,
    fold_written,
    forget_unstated,
)


class Workspace(Struct, kw_only=True):
    """What validity keeps of one workspace; the maps change in place, their values are frozen.

    Attributes:
        seq: of the last change.
        recorded_at_us: of the last change, microseconds since the epoch.
        held: every record ever written, by id.
        heads: the same records as the walk needs them, and the open proposals.
        beliefs: the last belief of each claim.
        tested: for each claim, the records that name it.
        reminders: dates to announce, by record and field, microseconds since the epoch.
        announced: the dates announced last, by record and field.
        resolved: what claims turned out to be.
        findings: what a look over all beliefs found and still holds, by what it is known by.
        proposals_on: open proposals that would write a record, by record.
        reviewed: what came of the proposals that are closed.
        settings: how the workspace works.
        vocabulary: the one that the settings name; None for the base one.
        related: what is current between entities.
        imported: what was last imported, by record.
        home: the record that lives at a uri now.
        former: the record that once lived at a uri, the last one that left it.
        left_us: when that was, by upstream's own time, microseconds since the epoch.
        names: the documents that have a name beside their uri now, a number above all (`called`).
        former_names: those that once had it.
        wanted: for a uri or name, the records whose texts refer to it.
    """

    seq: int = 0
    recorded_at_us: int = 0
    held: Kept = field(default_factory=Kept)
    heads: Heads = field(default_factory=Heads)
    beliefs: dict[Claim, Belief] = field(default_factory=dict)
    tested: dict[Claim, dict[str, None]] = field(default_factory=dict)
    reminders: dict[tuple[str, str], int] = field(default_factory=dict)
    announced: dict[tuple[str, str], str] = field(default_factory=dict)
    resolved: dict[Claim, Value] = field(default_factory=dict)
    findings: dict[FindingKey, bytes] = field(default_factory=dict)
    proposals_on: dict[str, dict[str, None]] = field(default_factory=dict)
    reviewed: Reviewed = field(default_factory=Reviewed)
    settings: WorkspaceSettings = WorkspaceSettings()
    vocabulary: Vocabulary | None = None
    related: Related = field(default_factory=Related)
    imported: dict[str, Imported] = field(default_factory=dict)
    home: dict[str, str] = field(default_factory=dict)
    former: dict[str, str] = field(default_factory=dict)
    left_us: dict[str, int] = field(default_factory=dict)
    names: dict[str, dict[str, None]] = field(default_factory=dict)
    former_names: dict[str, dict[str, None]] = field(default_factory=dict)
    wanted: dict[str, dict[str, None]] = field(default_factory=dict)


def fold_changes(workspace: Workspace, base: Vocabulary, output: Changes) -> None:
    """Fold one message's changes and its bookkeeping of imports.

    Args:
        workspace: as of the message before; changes in place.
        base: the vocabulary of a workspace that has none of its own.
        output: the message.
    """
    for change in output.changes:
        _fold_change(workspace, workspace.vocabulary or base, change, output)
        if change.workspace is not None:
            _fold_settings(workspace, base, change.workspace.after)
    if output.changes:
        workspace.seq = output.changes[-1].seq
        workspace.recorded_at_us = output.recorded_at_us
    for imported in output.imported:
        _fold_imported(workspace, imported)


def _fold_change(workspace: Workspace, vocabulary: Vocabulary, change: Change, output: Changes) -> None:
    """Fold one change."""
    if change.belief is not None:
        _fold_belief(workspace, vocabulary, change.belief.after, output.meta.time_us)
        return
    actor = output.meta.actor
    if change.record is not None:
        person = (change.record.by or actor).kind == "person"
        deleted = change.action == "record.deleted"
        old = workspace.held.get(change.record.id)
        held = fold_record(vocabulary, old, change.record, deleted=deleted, person=person)
        workspace.held[held.id] = held
        fold_written(workspace.reviewed, change.record, deleted=deleted)
        _index_claim(workspace, change, output.recorded_at_us, vocabulary, actor)
        _index_dates(workspace, vocabulary, held)
        return
    if change.proposal is not None:
        _fold_proposal(workspace, vocabulary, change, change.proposal, output.recorded_at_us)
    fold_relation(workspace.related, change)
    heads_fold.fold(workspace.heads, vocabulary, change, output.recorded_at_us, actor)
    if change.date is not None:
        workspace.announced[change.date.record_id, change.date.field] = change.date.date
    elif change.finding is not None:
        fold_finding(workspace.findings, change.finding)
    elif change.resolution is not None:
        claim = (change.resolution.subject, change.resolution.predicate)
        if change.resolution.value is None:
            workspace.resolved.pop(claim, None)
        else:
            workspace.resolved[claim] = change.resolution.value


def _fold_settings(workspace: Workspace, base: Vocabulary, after: WorkspaceSettings) -> None:
    """Keep how the workspace works; under another vocabulary all that depends on it is worked out anew."""
    before, workspace.settings = workspace.settings, after
    if before.vocabulary == after.vocabulary:
        return
    workspace.vocabulary = stored(after.vocabulary) if after.vocabulary else None
    vocabulary = workspace.vocabulary or base
    heads_fold.reword(workspace.heads, vocabulary)
    workspace.reminders.clear()
    for held in tuple(workspace.held.values()):
        links = ordered(vocabulary, held.links)
        if links != held.links:
            workspace.held[held.id] = msgspec.structs.replace(held, links=links)
        _index_dates(workspace, vocabulary, held)


def _fold_belief(workspace: Workspace, vocabulary: Vocabulary, after: Belief, now_us: int) -> None:
    """Keep a belief; where evidence pointed elsewhere before or after it, a no to what it said counts no more."""
    claim = (after.subject, after.predicate)
    before = workspace.beliefs.get(claim)
    workspace.beliefs[claim] = after
    statuses = workspace.reviewed.statuses
    for record_id in workspace.tested.get(claim, ()) if statuses else ():
        rejected, held = statuses.get(record_id), workspace.held[record_id]
        seen = (tested(vocabulary, held, {claim: one}.get, now_us) for one in (before, after) if one is not None)
        if rejected is not None and any(one is None or one.status != rejected for one in seen):
            del statuses[record_id]


def _index_claim(
    workspace: Workspace, change: Change, recorded_at_us: int, vocabulary: Vocabulary, actor: Actor
) -> None:
    """Fold the record's head, and keep which records name which claim."""
    before = workspace.heads.records.get(change.subject_id)
    heads_fold.fold(workspace.heads, vocabulary, change, recorded_at_us, actor)
    head = workspace.heads.records[change.subject_id]
    old, new = before.claim if before else None, None if head.deleted else head.claim
    if old is not None and old != new and old in workspace.tested:
        workspace.tested[old].pop(head.id, None)
        if not workspace.tested[old]:
            del workspace.tested[old]
    if new is not None:
        workspace.tested.setdefault(new, {})[head.id] = None


def _index_dates(workspace: Workspace, vocabulary: Vocabulary, held: Held) -> None:
    """Keep the dates of a record that are to be announced."""
    kind = vocabulary.kinds.get(held.kind)  # a tombstone's may be gone
    for declared in kind.fields.values() if kind is not None else ():
        if not declared.reminds:
            continue
        value = "" if held.deleted else held.fields.get(declared.name, "")
        if value:
            workspace.reminders[held.id, declared.name] = moment_us(plain_text(value))
        else:
            workspace.reminders.pop((held.id, declared.name), None)


def _fold_proposal(
    workspace: Workspace, vocabulary: Vocabulary, change: Change, proposal: Proposal, recorded_at_us: int
) -> None:
    """Keep which open proposals would write which record, and what came of it; as of before the heads are folded."""
    before = workspace.heads.proposals.get(proposal.id)
    for write in before.batch.writes if before is not None else ():
        waiting = workspace.proposals_on[write.id]
        del waiting[proposal.id]
        if not waiting:
            del workspace.proposals_on[write.id]
    if change.action == "proposal.closed":
        closed = Closed(state=proposal.state, seq=change.seq, at_us=recorded_at_us)
        fold_closed(workspace.reviewed, vocabulary, proposal, closed)
        for write in proposal.batch.writes:
            _forget_unstated(workspace, write.id)
        return
    for write in proposal.batch.writes:
        workspace.proposals_on.setdefault(write.id, {})[proposal.id] = None
    if before is None:
        fold_opened(workspace.reviewed, proposal)
    else:
        fold_edited(workspace.reviewed, vocabulary, before, proposal)


def called(uri: str, names: Iterable[str]) -> tuple[str, ...]:
    """Give what a document is called beside its uri: by its file's number, and as its mapping says."""
    number = numbered(uri)
    return (number, *names) if number else tuple(names)


def _fold_imported(workspace: Workspace, imported: Imported) -> None:
    """Keep what was imported, where it lives and lived, and what it refers to."""
    before = workspace.imported.get(imported.record_id)
    for target in _targets(before) if before else ():
        wanting = workspace.wanted.get(target, {})
        wanting.pop(imported.record_id, None)
        if not wanting:
            workspace.wanted.pop(target, None)
    workspace.imported[imported.record_id] = imported
    for target in _targets(imported):
        workspace.wanted.setdefault(target, {})[imported.record_id] = None
    for uri in {imported.former_uri, before.uri if before else ""} - {"", imported.uri}:
        if workspace.home.get(uri) == imported.record_id:
            del workspace.home[uri]
        workspace.former[uri] = imported.record_id
        workspace.left_us[uri] = imported.revised_at_us
    workspace.home[imported.uri] = imported.record_id
    _fold_names(workspace, before, imported)
    _forget_unstated(workspace, imported.record_id)


def _forget_unstated(workspace: Workspace, record_id: str) -> None:
    """Let go of rejected reversals about a record that no text states."""
    forget_unstated(workspace.reviewed, record_id, lambda one: _stated(workspace, one))


def _stated(workspace: Workspace, record_id: str) -> frozenset[str]:
    """Name the links that a record's text states."""
    imported = workspace.imported.get(record_id)
    return frozenset(reference.name for reference in imported.references) if imported is not None else frozenset()


def _targets(imported: Imported) -> Iterator[str]:
    """Give everything that a text calls other documents by."""
    return (name for reference in imported.references for name in (reference.target, *reference.otherwise))


def _fold_names(workspace: Workspace, before: Imported | None, imported: Imported) -> None:
    """Keep what a document is called; a name that it gives up is one that it once had."""
    now = () if imported.deleted else called(imported.uri, imported.names)
    were = called(before.uri, before.names) if before else ()
    for name in dict.fromkeys([*were, *called(imported.former_uri, ())]):
        if name in now:
            continue
        having = workspace.names.get(name, {})
        having.pop(imported.record_id, None)
        if not having:
            workspace.names.pop(name, None)
        workspace.former_names.setdefault(name, {})[imported.record_id] = None
    for name in now:
        workspace.names.setdefault(name, {})[imported.record_id] = None
