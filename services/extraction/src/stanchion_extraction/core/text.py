"""A free text: what it states as contributions, what it wants as intents, and what of it was not read."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from stanchion_contracts.claim import Contribution, Intent, LeftOut
from stanchion_contracts.observation import Observation, StatedClaim, TextEvidence
from stanchion_contracts.relation import Entity, Relation
from stanchion_core.errors import InvalidMessage
from stanchion_core.limits import NAME_CHARS
from stanchion_extraction.core.contribution import contribution, evidence_of
from stanchion_extraction.core.entity import relations_in
from stanchion_extraction.core.prose.found import Found, FoundClaim, FoundIntent
from stanchion_extraction.core.prose.reader import read
from stanchion_extraction.core.typed import checked

_CITED: Final = frozenset({"tool-result", "explicit-add"})
"""The paths by which a source named in the text makes a citation; whoever says so himself stays who says so."""


class Told(Struct, frozen=True):
    """What a text says.

    Attributes:
        contributions: each once, in the order of the text.
        intents: in the order of the text.
        relations: that it states outright.
        left_out: with the reason of each.
    """

    contributions: tuple[Contribution, ...] = ()
    intents: tuple[Intent, ...] = ()
    relations: tuple[Relation, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def told(observation: Observation, text: str) -> Told:
    """Give what an observed text says.

    Args:
        observation: whose text it is.
        text: prose, markdown, chat, or what a system printed.
    """
    found = read(text, observation.path)
    relations, left_out = _relations(observation, text)
    how = observation.body.text_evidence
    if how is not None and observation.path != "explicit-add":
        left_out.append(LeftOut(what="how the text counts", why="only an explicit add says so itself"))
        how = None
    made, unread = _contributions(observation, found, how or TextEvidence())
    return Told(made, tuple(map(_intent, found.intents)), relations, (*left_out, *unread))


def cited(observation: Observation, uri: str, text: str) -> Told:
    """Give the claims of a document's text: citations of it, or of whom it names. What it wants, its record has.

    Args:
        observation: of the revision.
        uri: where the document lives, the source of its claims.
        text: of the document; what stands before it is blank, so that places hold.
    """
    made, unread = _contributions(replace(observation, source=uri), read(text, observation.path), TextEvidence())
    return Told(made, left_out=unread)


def _contributions(
    observation: Observation, found: Found, how: TextEvidence
) -> tuple[tuple[Contribution, ...], tuple[LeftOut, ...]]:
    """Give what was found as contributions, each once, and what could not be kept or was not read."""
    made: dict[str, Contribution] = {}
    left_out = [LeftOut(what="text", why=why) for why in found.unread]
    for claim in found.claims:
        try:
            one = _contribution(observation, claim, how)
        except InvalidMessage as error:
            left_out.append(LeftOut(what=f"{claim.subject} {claim.predicate}"[:NAME_CHARS], why=error.detail))
        else:
            made.setdefault(one.id, one)
    return tuple(made.values()), tuple(left_out)


def _relations(observation: Observation, text: str) -> tuple[tuple[Relation, ...], list[LeftOut]]:
    """Give the relations that a text states; they begin at what the observation rests on, for it is no record's."""
    relations, left_out = relations_in(text)
    end = Entity(name=observation.source or observation.agent)
    return tuple(replace(relation, from_entity=end) for relation in relations), list(left_out)


def _contribution(observation: Observation, claim: FoundClaim, how: TextEvidence) -> Contribution:
    """Give one claim as a contribution.

    Raises:
        InvalidMessage: its subject, predicate or value is not one that can be kept.
    """
    stated = StatedClaim(
        subject=claim.subject,
        predicate=claim.predicate,
        value=claim.value,
        positive=claim.positive,
        evidence=how.evidence,
        sample=how.sample,
        strength=how.strength,
    )
    passed = observation.path == "explicit-add" and observation.source not in {"", observation.agent}
    cited = claim.source[:NAME_CHARS]
    evidence = evidence_of(observation, stated)
    if cited and observation.path in _CITED and not how.evidence:
        evidence = "citation"
    source = observation.source if passed or not cited else cited
    found = (claim.rule, claim.start, claim.end)
    return contribution(observation, stated, checked(claim.value), evidence, source, found=found)


def _intent(found: FoundIntent) -> Intent:
    """Give one intent as it is kept."""
    return Intent(
        kind=found.kind,
        holder=found.holder[:NAME_CHARS],
        gist=found.gist,
        rule=found.rule,
        begin=found.start,
        end=found.end,
    )
