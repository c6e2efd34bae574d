"""Which observations a model reads: texts that people, agents and systems give, never what a model said."""

from stanchion_contracts.meta import OURSELVES
from stanchion_contracts.observation import Observation
from stanchion_extraction.handler import MODEL


def is_ours(name: str) -> bool:
    """Tell whether a name is Stanchion's own or a model's."""
    return name == OURSELVES or name.startswith(MODEL)


def text_of(observation: Observation, *, documents: bool, only: frozenset[str]) -> str:
    """Give the text that is to be read; empty where there is none.

    Refusals and repeats hold none; ticks, settings, events, claims and all else that is typed already need no model;
    and a model that read its own claims, or another's, would go round in circles.

    Args:
        observation: as it counts by the reader rule.
        documents: whether documents are read.
        only: the workspaces that are read; empty for all.
    """
    body = observation.body
    if observation.refusal_code or observation.repeated or (only and observation.meta.workspace not in only):
        return ""
    if any(map(is_ours, (observation.publisher, observation.agent, observation.meta.actor.id))):
        return ""
    text = body.text or ""
    if documents and body.document is not None and not body.document.deleted:
        text = body.document.text
    return text if text.strip() else ""
