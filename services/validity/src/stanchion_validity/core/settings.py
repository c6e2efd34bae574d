"""A person changes how a workspace works: its vocabulary, and whether agents only propose."""

from typing import Final

from stanchion_contracts.change import Change, WorkspaceChange, WorkspaceSettings
from stanchion_contracts.command import SetWorkspace
from stanchion_contracts.refusal import Refusal
from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_core.vocabulary import Vocabulary
from stanchion_core.vocabulary_text import from_json, json_text
from stanchion_validity.core.actor import require_person
from stanchion_validity.core.fit import in_use, misfits
from stanchion_validity.core.outcome import Outcome
from stanchion_validity.core.refused import Refused, refusal_of

ADMIN: Final = "admin"
"""The capability it takes to change settings."""


def set_workspace(outcome: Outcome, asked: SetWorkspace) -> Refusal | None:
    """Decide new settings: their change into the outcome, or why they are refused; what they are already is none."""
    stands = outcome.workspace.settings
    try:
        require_person(outcome.meta.actor, "change how a workspace works", ADMIN)
        _check_asked(asked, stands)
        vocabulary = None if asked.vocabulary is None else _vocabulary(outcome, asked.vocabulary)
    except InvalidMessage as error:
        return refusal_of(error)
    text = stands.vocabulary if vocabulary is None else json_text(vocabulary) if asked.vocabulary else ""
    approval_only = stands.approval_only if asked.approval_only is None else asked.approval_only
    if (approval_only, text) == (stands.approval_only, stands.vocabulary):
        return None
    refusal = None if vocabulary is None else in_use(misfits(outcome.workspace, outcome.vocabulary, vocabulary))
    if refusal is not None:
        return refusal
    after = WorkspaceSettings(version=stands.version + 1, approval_only=approval_only, vocabulary=text)
    _add(outcome, after, vocabulary)
    return None


def _check_asked(asked: SetWorkspace, stands: WorkspaceSettings) -> None:
    """Check what is asked against what stands.

    Raises:
        Refused: the settings are at another version, or nothing is asked.
    """
    if asked.if_match is not None and asked.if_match != stands.version:
        detail = f"the settings stand at version {stands.version}, not {asked.if_match}"
        raise Refused("VERSION_CONFLICT", detail, "if_match", version=stands.version)
    if asked.approval_only is None and asked.vocabulary is None:
        raise Refused(FIELD_VALUE, "neither approval_only nor vocabulary is present; nothing would be set")


def _vocabulary(outcome: Outcome, text: str) -> Vocabulary:
    """Give the vocabulary of a text; no text takes the base one back.

    Raises:
        InvalidMessage: it is none; the place is named.
    """
    return from_json(text) if text else outcome.base


def _add(outcome: Outcome, after: WorkspaceSettings, vocabulary: Vocabulary | None) -> None:
    """Add the change of the settings, with its sentence."""
    before, said = outcome.workspace.settings, []
    if after.approval_only != before.approval_only:
        said.append("agents only propose" if after.approval_only else "agents write by themselves")
    if after.vocabulary != before.vocabulary and vocabulary is not None:
        said.append(f"vocabulary {outcome.vocabulary.name} → {vocabulary.name}")
    name = outcome.meta.workspace
    outcome.add(
        Change(
            seq=outcome.next_seq,
            action="workspace.set",
            subject_kind="workspace",
            subject_id=name,
            reason=f"workspace {name}, settings version {after.version}: {'; '.join(said)}",
            workspace=WorkspaceChange(before=before, after=after),
        )
    )
