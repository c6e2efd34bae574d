"""What happens to a message: one observation becomes everything that is found in it."""

from collections.abc import Callable
from typing import Final

import msgspec

from stanchion_contracts.claim import Claims, LeftOut
from stanchion_contracts.meta import Meta
from stanchion_contracts.observation import Document, Event, Observation, Resolution
from stanchion_contracts.policy import PolicySetting
from stanchion_contracts.refusal import Refusal
from stanchion_core.errors import InvalidMessage
from stanchion_extraction.core.contribution import contribution, evidence_of, key_of
from stanchion_extraction.core.document import read_document
from stanchion_extraction.core.event import mapped
from stanchion_extraction.core.mapping import Mappings
from stanchion_extraction.core.prose.quote import why_not
from stanchion_extraction.core.text import Told, cited, told
from stanchion_extraction.core.typed import checked

MODEL: Final = "model:"
"""What the name of a language model begins with, as publisher and as agent."""

Decide = Callable[[None, Observation], Claims]


def decider(mappings: Mappings) -> Decide:
    """Give `decide` for the declared mappings."""

    def decide(_state: None, observation: Observation) -> Claims:
        """Give what is found in one observation.

        Raises:
            InvalidMessage: an event's data cannot be read.
        """
        if observation.refusal_code:
            return _refused(observation.meta, observation.refusal_code, observation.refusal_detail)
        body = observation.body
        if body.event is not None:
            return _event(mappings, observation, body.event)
        if body.document is not None:
            return _document(mappings, observation, body.document)
        if body.claims or body.relations:
            return _stated(observation)
        return _text(observation, body.text) if body.text is not None else _asked(observation)

    return decide


def evolve(_state: None, _output: Claims) -> None:
    """Keep nothing: the same observation always gives the same claims."""


def _event(mappings: Mappings, observation: Observation, event: Event) -> Claims:
    """Give the claims of a structured event.

    Raises:
        InvalidMessage: its data cannot be read, or makes too many claims.
    """
    rules = mappings.rules_for(event.type)
    if rules is None:
        unknown = LeftOut(what=event.type, why="no mapping is declared for this type of event")
        return Claims(meta=observation.meta, left_out=(unknown,))
    found = mapped(rules, observation, event)
    return Claims(meta=observation.meta, contributions=found.contributions, left_out=found.left_out)


def _document(mappings: Mappings, observation: Observation, document: Document) -> Claims:
    """Give the record that a document's revision becomes; one without a time of its own was stamped when it came."""
    meta, said_us = observation.meta, observation.observed_at_us
    read = read_document(mappings.forms, document)
    revised_at_us = said_us if said_us != meta.time_us else 0
    imports = () if read.record is None else (msgspec.structs.replace(read.record, revised_at_us=revised_at_us),)
    found = cited(observation, document.uri, read.evidence) if read.evidence.strip() else Told()
    return Claims(
        meta=meta,
        contributions=found.contributions,
        imports=imports,
        relations=read.relations,
        left_out=(*read.left_out, *found.left_out),
    )


def _text(observation: Observation, text: str) -> Claims:
    """Give what a free text states and wants."""
    found = told(observation, text)
    return Claims(
        meta=observation.meta,
        contributions=found.contributions,
        intents=found.intents,
        relations=found.relations,
        left_out=found.left_out,
    )


def _stated(observation: Observation) -> Claims:
    """Give what is stated outright; a claim's wrong value or name refuses all of it, for a caller waits."""
    made = []
    left_out = []
    rule = observation.publisher if observation.publisher.startswith(MODEL) else ""  # who read it, somewhere
    for place, stated in enumerate(observation.body.claims, start=1):
        evidence = evidence_of(observation, stated)
        try:
            one = contribution(
                observation, stated, checked(stated.value), evidence, observation.source, found=(rule, 0, 0)
            )
        except InvalidMessage as error:
            detail = f"claim {place}: {error.detail}"
            field = f"claims[{place - 1}].{error.field or 'value'}"
            return _refused(observation.meta, error.code, detail, field=field)
        if stated.quote and (why := why_not(stated.quote, one.value, positive=stated.positive)):
            left_out.append(LeftOut(what=f"claim {place}: {stated.subject} {stated.predicate}", why=why))
            continue
        made.append(one)
        if stated.evidence and stated.evidence != evidence:
            why = f"only an explicit add names its evidence; by {observation.path} it is {evidence}"
            left_out.append(LeftOut(what=f"claim {place}: evidence {stated.evidence}", why=why))
    relations = observation.body.relations
    return Claims(meta=observation.meta, contributions=tuple(made), relations=relations, left_out=tuple(left_out))


def _asked(observation: Observation) -> Claims:
    """Give what is not about claims, passed on; what names a claim, by its key."""
    body, meta = observation.body, observation.meta
    if body.resolution is not None:
        return _resolved(meta, body.resolution)
    if body.policy is not None:
        return _policy(meta, body.policy)
    return Claims(
        meta=meta,
        trust=body.trust,
        tick=body.tick,
        reassess=body.reassess,
        estimates=body.estimates,
        findings=body.findings,
        repeated=observation.repeated,
    )


def _resolved(meta: Meta, resolution: Resolution) -> Claims:
    """Give a resolution with its claim's key and a canonical value."""
    try:
        value = None if resolution.value is None else checked(resolution.value)
        subject, predicate = key_of(resolution.subject, "subject"), key_of(resolution.predicate, "predicate")
    except InvalidMessage as error:
        return _refused(meta, error.code, error.detail, field=error.field or "value")
    return Claims(
        meta=meta, resolution=msgspec.structs.replace(resolution, subject=subject, predicate=predicate, value=value)
    )


def _policy(meta: Meta, policy: PolicySetting) -> Claims:
    """Give a policy with its predicate as a key; without one it is the workspace's."""
    try:
        predicate = key_of(policy.predicate, "predicate") if policy.predicate else ""
    except InvalidMessage as error:
        return _refused(meta, error.code, error.detail, field=error.field)
    return Claims(meta=meta, policy=msgspec.structs.replace(policy, predicate=predicate))


def _refused(meta: Meta, reason: str, detail: str, field: str = "") -> Claims:
    """Give a refusal to pass down the line to whoever waits."""
    return Claims(meta=meta, refusal=Refusal(reason=reason, detail=detail, field=field))
