"""Beliefs: what is held, by whom and how surely; and adding to it."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Literal, TypedDict, Unpack

from stanchion.areas.area import PAGE
from stanchion.areas.events import Events
from stanchion.believed import (
    Belief,
    BeliefPage,
    Learned,
    learned_of,
)
from stanchion.values import Given, value_of
from stanchion.wire import result
from stanchion.writes import Claim
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2

Evidence = Literal["measurement", "citation", "expert-judgment", "user-assertion", "inference", "assumption"]


class BeliefCriteria(TypedDict, total=False):
    """What `beliefs` looks for; see `beliefs_page`."""

    about: str
    subject: str
    predicate: str
    stale: bool
    contradicted: bool
    resolved: bool
    limit: int
    workspace: str
    min_seq: int | None


class Beliefs(Events):
    """Reads beliefs, and adds evidence."""

    async def belief(self, subject: str, predicate: str, *, workspace: str = "", min_seq: int | None = None) -> Belief:
        """Give what is held of one claim, now, with every voice.

        Raises:
            NotFound: nobody ever said anything about it.
            NotYetVisible: the view has not come that far in time.
            StanchionError: it was refused otherwise, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        response = await self._calls.read(
            self._calls.view.GetBelief,
            view_pb2.GetBeliefRequest(
                workspace=whose, subject=subject, predicate=predicate, min_seq=self._calls.min_seq(whose, min_seq)
            ),
        )
        return result(response.belief, Belief, as_of_seq=response.as_of_seq)

    get_belief = belief
    """The former name of `belief`."""

    async def beliefs_page(  # noqa: PLR0913 - a question has these parts
        self,
        *,
        about: str = "",
        subject: str = "",
        predicate: str = "",
        stale: bool = False,
        contradicted: bool = False,
        resolved: bool = False,
        limit: int = PAGE,
        cursor: str = "",
        workspace: str = "",
        min_seq: int | None = None,
    ) -> BeliefPage:
        """Give one page of the beliefs that match everything given, without their voices.

        Args:
            about: has one of these words in its subject, predicate or likeliest value; best match first.
            subject: exactly of this one.
            predicate: likewise.
            stale: only those whose evidence is old.
            contradicted: only those whose values contradict each other.
            resolved: only those that turned out.
            limit: beliefs of a page, 1 to 200.
            cursor: from the previous page.
            workspace: whose.
            min_seq: wait for this position; None for this client's own last write.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        response = await self._calls.read(
            self._calls.view.ListBeliefs,
            view_pb2.ListBeliefsRequest(
                workspace=whose,
                about=about,
                subject=subject,
                predicate=predicate,
                stale=stale,
                contradicted=contradicted,
                resolved=resolved,
                limit=limit,
                cursor=cursor,
                min_seq=self._calls.min_seq(whose, min_seq),
            ),
        )
        seq = response.as_of_seq
        return BeliefPage(
            beliefs=tuple(result(each, Belief, as_of_seq=seq) for each in response.beliefs),
            cursor=response.next_cursor,
            as_of_seq=seq,
            total=response.total,
        )

    async def beliefs(self, **criteria: Unpack[BeliefCriteria]) -> AsyncIterator[Belief]:
        """Give all beliefs that match, page after page; the arguments are those of `beliefs_page`.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        cursor = ""
        while True:
            page = await self.beliefs_page(cursor=cursor, **criteria)
            for belief in page.beliefs:
                yield belief
            if not (cursor := page.cursor):
                return

    async def add(  # noqa: PLR0913 - evidence has these parts
        self,
        text: str = "",
        *,
        subject: str = "",
        predicate: str = "",
        value: Given | None = None,
        unit: str = "",
        denial: bool = False,
        type: Literal["claim", "assumption"] = "claim",  # noqa: A002 - the word that people know
        evidence: Evidence | Literal[""] = "",
        source: str = "",
        strength: float | None = None,
        sample: str = "",
        observed_at: datetime | None = None,
        room: str = "",
        workspace: str = "",
        idempotency_key: str = "",
    ) -> Learned:
        """Add what somebody holds to be true: in a text, or stated outright as subject, predicate and value.

        Args:
            text: is read by rules; what it wishes, asks or supposes never counts as evidence.
            subject: of a claim that is stated outright, as written.
            predicate: likewise.
            value: likewise; see `stanchion.values.value_of`.
            unit: of a value that is a number: `%`, a currency, a unit.
            denial: the claim says that it is not so.
            type: an `assumption` counts least of all evidence.
            evidence: its type; empty for a citation where a source is named, else an inference.
            source: what it rests on; empty means the caller.
            strength: 0 to 1; None means 1.
            sample: names one of several independent readings of the source.
            observed_at: aware; None for now.
            room: inside the workspace.
            workspace: whose.
            idempotency_key: the same key with the same content is the same evidence.

        Raises:
            TypeError: neither a text nor a whole claim is given, or both; an assumption names other evidence; there is
                no such type, or no such value.
            StanchionError: it was refused, or nobody answers.
        """
        if bool(text) == bool(subject and predicate and value is not None) or (text and (subject or predicate)):
            raise TypeError("add takes a text, or subject, predicate and value")
        if type not in {"claim", "assumption"}:
            raise TypeError(f"type is claim or assumption, not {type!r}; evidence names what it counts as")
        if type == "assumption" and evidence not in {"", "assumption"}:
            raise TypeError(f"an assumption is no {evidence}: leave one of type and evidence out")
        counts = "assumption" if type == "assumption" else evidence
        stated: tuple[Claim, ...] = ()
        if not text and value is not None:
            claim = Claim(
                subject=subject,
                predicate=predicate,
                value=value_of(value, unit),
                denial=denial,
                evidence=counts,
                sample=sample,
                strength=strength,
            )
            stated = (claim,)
        observed = await self.observe(
            path="explicit-add",
            text=text,
            claims=stated,
            evidence=counts if text else "",
            sample=sample if text else "",
            strength=strength if text else None,
            source=source,
            observed_at=observed_at,
            room=room,
            workspace=workspace,
            idempotency_key=idempotency_key,
        )
        return learned_of(observed)
