"""What happens to a message: beliefs and commands become changes, each with its seq; or a refusal.

`decide` reads, `evolve` folds. A partition holds many workspaces; each has its own seqs, records and beliefs.
"""

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct, field

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.change import Changes
from stanchion_contracts.codec import encode
from stanchion_contracts.command import Command
from stanchion_contracts.refusal import Refusal
from stanchion_core.limits import ENCODED_BYTES, KEY_CHARS
from stanchion_core.vocabulary import Vocabulary
from stanchion_validity.core.affirm import affirm
from stanchion_validity.core.answer import Answer, Answers, answered, refused_key, remember
from stanchion_validity.core.batch import write_batch
from stanchion_validity.core.belief import move_belief, resolve
from stanchion_validity.core.calibration import estimate, set_policy, set_trust
from stanchion_validity.core.date import announce_dates
from stanchion_validity.core.finding import find
from stanchion_validity.core.hypothesis import try_all, try_claims, try_records
from stanchion_validity.core.imports import import_revision
from stanchion_validity.core.intent import record_intent
from stanchion_validity.core.loose_end import settle_loose_ends, settle_references
from stanchion_validity.core.message_size import too_large
from stanchion_validity.core.opening import unproposed
from stanchion_validity.core.outcome import Outcome
from stanchion_validity.core.relation import state_relations
from stanchion_validity.core.report import report
from stanchion_validity.core.review import edit, publish, reject
from stanchion_validity.core.settings import set_workspace
from stanchion_validity.core.waiting import settle_proposals
from stanchion_validity.core.workspace import Workspace, fold_changes

Message = Beliefs | Command

_FEW: Final = 3
"""So many changes of one observation fit whatever they are."""

_SHARES: Final = (1, 4, 16, 64, 0)
"""What the things that one observation may bring about elsewhere are divided by until they fit; 0 for none of them."""

_LOOK_CLOSER_CHARS: Final = 256 * 1024


class State(Struct, kw_only=True):
    """What one partition keeps.

    Attributes:
        workspaces: by name.
        answers: of commands that landed, for repeats.
    """

    workspaces: dict[str, Workspace] = field(default_factory=dict)
    answers: Answers = field(default_factory=Answers)


def decider(base: Vocabulary) -> Callable[[State, Message], Changes | None]:
    """Give `decide`.

    Args:
        base: the vocabulary of workspaces that have none of their own.
    """

    def decide(state: State, message: Message) -> Changes | None:
        """Decide one message of fusion, or one command."""
        workspace = state.workspaces.get(message.meta.workspace) or Workspace()
        if isinstance(message, Command):
            return _command(state.answers, workspace, base, message)
        return _fitting(workspace, base, message)

    return decide


def evolver(base: Vocabulary) -> Callable[[State, Changes], None]:
    """Give `evolve`.

    Args:
        base: the vocabulary of workspaces that have none of their own.
    """

    def evolve(state: State, output: Changes) -> None:
        """Fold an output into the state."""
        if output.changes or output.imported:
            workspace = state.workspaces.setdefault(output.meta.workspace, Workspace())
            fold_changes(workspace, base, output)
        if output.key and not output.repeated and output.refusal is None:
            remember(state.answers, output)

    return evolve


def _fitting(workspace: Workspace, base: Vocabulary, message: Beliefs) -> Changes:
    """Decide what fusion passes on, with no more of what it brings about elsewhere than fits a message.

    What is left is made up for at ticks. A revision that does not fit even alone is refused: were it to stop the
    process, it would stop it again at every start.
    """
    much = ""
    for share in _SHARES:
        changes = _beliefs(Outcome(workspace, base, message.meta, share), message)
        much = too_large(changes) if len(changes.changes) > _FEW else ""
        if not much:
            return changes
    rest = msgspec.structs.replace(message, imports=())
    changes = _beliefs(Outcome(workspace, base, message.meta, 0), rest)
    detail = f"the changes of this revision have {much}: shorten its references"
    return msgspec.structs.replace(changes, refusal=Refusal(reason="TOO_LARGE", detail=detail))


def _beliefs(outcome: Outcome, message: Beliefs) -> Changes:
    """Decide what fusion passes on.

    What was refused or came before says nothing itself; claims that were due are re-evaluated with it all the same.
    """
    _facts(outcome, message)
    refusal = message.refusal
    for revision in message.imports:
        refusal = import_revision(outcome, revision, message.relations, message.left_out) or refusal
    if outcome.workspace.tested:
        try_claims(outcome)
    if message.tick is not None:
        try_all(outcome)
        announce_dates(outcome)
        settle_loose_ends(outcome)
    _settle(outcome)
    answer = outcome.message(refusal, remaining=message.remaining, left_out=_left_out(outcome, message))
    return (
        msgspec.structs.replace(answer, repeated=True, first_seq=0, last_seq_answered=0) if message.repeated else answer
    )


def _left_out(outcome: Outcome, message: Beliefs) -> tuple[str, ...]:
    """Say what was observed and not taken: by extraction, and of a document also by the rules here."""
    said = [*(f"{one.what}: {one.why}" for one in message.left_out), *outcome.left_out, *unproposed(outcome)]
    for imported in outcome.imported:
        held = outcome.pending.record(imported.record_id)
        said += held.upstream.left_out if held is not None and held.upstream is not None else ()
    return tuple(dict.fromkeys(said))


def _facts(outcome: Outcome, message: Beliefs) -> None:
    """Take over what needs no deciding: how beliefs are worked out, beliefs, resolutions, findings, wishes."""
    if message.trust is not None:
        set_trust(outcome, message.trust, message.trust_before)
    if message.policy is not None:
        set_policy(outcome, message.policy)
    estimate(outcome, message.estimates)
    resolve(outcome, message)
    for update in message.updates:
        move_belief(outcome, update)
    find(outcome, message.findings)
    for intent in message.intents:
        record_intent(outcome, intent)
    if message.relations:
        state_relations(outcome, message.relations)


def _command(answers: Answers, workspace: Workspace, base: Vocabulary, command: Command) -> Changes:
    """Decide one command, or answer its repeat; what it brings about elsewhere is never what it is refused for."""
    nothing = Outcome(workspace, base, command.meta)
    before = answered(answers, command)
    if before is not None and before.digest != command.digest:
        return nothing.message(refused_key(command))
    if before is not None:
        return _repeat(nothing, before, command)
    oversized: Refusal | None = None
    for share in _SHARES:
        outcome = Outcome(workspace, base, command.meta, share)
        refusal = _refusal(outcome, command)
        if refusal is not None:
            return nothing.message(refusal)
        _settle(outcome)
        answer = outcome.message(left_out=unproposed(outcome))
        message = msgspec.structs.replace(answer, key=command.key, digest=command.digest)
        oversized = _oversized(command, message)
        if oversized is None:
            return message
    return nothing.message(oversized)


def _refusal(outcome: Outcome, command: Command) -> Refusal | None:
    """Decide a command's one part into the outcome, or say why it is refused."""
    if len(command.key) > KEY_CHARS:
        detail = f"the key has {len(command.key)} characters; the limit is {KEY_CHARS}"
        return Refusal(reason="TOO_LARGE", detail=detail, field="key")
    parts = [part for part in _PARTS if getattr(command, part) is not None]
    if len(parts) != 1:
        return Refusal(reason="FIELD_VALUE", detail=f"a command has exactly one of {', '.join(_PARTS)}")
    return _too_large(command) or _PARTS[parts[0]](outcome, getattr(command, parts[0]))


def _too_large(command: Command) -> Refusal | None:
    """Refuse writes that are larger together than a batch may be."""
    asked = command.write_batch or command.edit
    writes = asked.writes if asked is not None else ()
    size = sum(len(write.body or "") + len(write.label or "") for write in writes)
    if size <= _LOOK_CLOSER_CHARS and len(writes) <= 1:
        return None
    encoded = len(encode(command))
    if encoded <= ENCODED_BYTES:
        return None
    detail = f"the batch has {encoded} bytes encoded; the limit is {ENCODED_BYTES}"
    return Refusal(reason="TOO_LARGE", detail=detail, field="writes")


_PARTS: Final[dict[str, Callable[..., Refusal | None]]] = {
    "write_batch": write_batch,
    "affirm": affirm,
    "report": report,
    "publish": publish,
    "reject": reject,
    "edit": edit,
    "workspace": set_workspace,
}
"""What decides each part of a command; exactly one is present."""


def _settle(outcome: Outcome) -> None:
    """Follow up on what was written: references that find their target, statuses by evidence, proposals come true."""
    written = outcome.pending.touched()
    if not written:
        return
    if not outcome.imported:
        settle_references(outcome, written)
    try_records(outcome, outcome.pending.touched())
    settle_proposals(outcome, outcome.pending.touched())


def _repeat(outcome: Outcome, before: Answer, command: Command) -> Changes:
    """Answer a repeat as the first time, with no change."""
    return msgspec.structs.replace(
        outcome.message(),
        landed=before.landed,
        proposals=before.proposals,
        key=command.key,
        digest=command.digest,
        first_seq=before.first_seq,
        last_seq_answered=before.last_seq,
        repeated=True,
    )


def _oversized(command: Command, message: Changes) -> Refusal | None:
    """Refuse a batch or a publication whose changes would not fit a message."""
    if len(message.changes) == 1 or not any(change.record for change in message.changes):
        return None
    much = too_large(message)
    if not much:
        return None
    act, field = ("write", "writes") if command.publish is None else ("publish", "record_ids")
    return Refusal(reason="TOO_LARGE", detail=f"the changes have {much}: {act} fewer records at once", field=field)
