"""A claim that somebody states becomes a contribution: who says it, how good the evidence is, and which id it has."""

from typing import Final

from stanchion_contracts.claim import Contribution
from stanchion_contracts.observation import Observation, StatedClaim
from stanchion_contracts.value import Evidence, Path, Value
from stanchion_core.claim_key import claim_key
from stanchion_core.errors import FIELD_VALUE, TOO_LARGE, InvalidMessage
from stanchion_core.ids import derived_id
from stanchion_core.limits import NAME_CHARS

EVIDENCE_OF: Final[dict[Path, Evidence]] = {
    "tool-result": "measurement",
    "user-message": "user-assertion",
    "agent-output": "inference",
    "explicit-add": "inference",
    "document-revision": "citation",
    "system-event": "measurement",
}
"""The evidence type of each path; an explicit add with a source of its own is a `citation`."""


def evidence_of(observation: Observation, stated: StatedClaim) -> Evidence:
    """Give the evidence type of a stated claim: its own on an explicit add, else what the path gives."""
    if observation.path == "explicit-add":
        if stated.evidence:
            return stated.evidence
        if observation.source not in {"", observation.agent}:
            return "citation"
    return EVIDENCE_OF[observation.path]


def key_of(text: str, field: str) -> str:
    """Give a subject or predicate as a key.

    Raises:
        InvalidMessage: `FIELD_VALUE`: nothing of it can be seen; `TOO_LARGE`: the key is too long.
    """
    key = claim_key(text)
    if not key:
        raise InvalidMessage(FIELD_VALUE, f"{field} is missing", field)
    if len(key) > NAME_CHARS:
        raise InvalidMessage(TOO_LARGE, f"{field} has {len(key)} characters as a key; the limit is {NAME_CHARS}", field)
    return key


def contribution(  # noqa: PLR0913 - all of them its parts
    observation: Observation,
    stated: StatedClaim,
    value: Value,
    evidence: Evidence,
    source: str,
    *,
    found: tuple[str, int, int] = ("", 0, 0),
) -> Contribution:
    """Give the contribution of a stated claim.

    Args:
        observation: whose it is.
        stated: subject and predicate as written.
        value: canonical.
        evidence: its type.
        source: what it rests on.
        found: by which rule, and where in the text it begins and ends; nothing of these for what is stated outright.

    Raises:
        InvalidMessage: subject or predicate gives no key.
    """
    subject, predicate = key_of(stated.subject, "subject"), key_of(stated.predicate, "predicate")
    polarity = "+" if stated.positive else "-"
    parts = (observation.meta.id, subject, predicate, value.type, value.text, value.unit, value.op, source, evidence)
    sample = (stated.sample,) if stated.sample else ()  # two readings of one value are two contributions
    return Contribution(
        id=derived_id("con", *parts, polarity, *sample),
        subject=subject,
        predicate=predicate,
        value=value,
        positive=stated.positive,
        evidence=evidence,
        source=source,
        agent=observation.agent,
        sample=stated.sample,
        strength=stated.strength,
        observed_at_us=observation.observed_at_us,
        rule=found[0],
        begin=found[1],
        end=found[2],
    )
