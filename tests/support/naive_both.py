"""The product's pure core and the naive implementation, told the same commands, and what each then says."""

from stanchion_contracts.change import Changes, Proposal
from stanchion_contracts.command import (
    PublishProposal,
    QuoteSeen,
    RejectProposal,
    ReportObservations,
    SetWorkspace,
    Write,
)
from stanchion_contracts.meta import Actor
from stanchion_contracts.proposal import digest_of
from stanchion_core.aged import stale_at
from stanchion_core.walk import Claim, validity
from stanchion_view.core.query import around
from support.naive import Naive
from support.naive_kept import Believed, Outcome, Waiting
from support.naive_reads import Read, Reason, moved_since, read
from support.validity import AGENT, BASE, CLAIM, DAY_US, Line, refused

ADA, BO = (
    Actor(kind="person", id=name, capabilities=("admin", "approve", "read", "reject", "review", "write"))
    for name in ("ada", "bo")
)


class Both:
    """The product's pure core and the naive implementation, told the same.

    Args:
        watched: the records that are read after each step; none means all.
    """

    def __init__(self, *watched: str) -> None:
        self.line = Line()
        self.naive = Naive()
        self.watched = watched

    def write(self, actor: Actor, writes: tuple[Write, ...]) -> None:
        """Write a batch."""
        output = self.line.write(*writes, actor=actor)
        self._agree(output, self._naive().write(actor, writes))

    def affirm(self, actor: Actor, record_id: str, through: int) -> None:
        """Affirm a record as it was read at a seq."""
        output = self.line.affirm(record_id, through, actor=actor)
        naive = self._naive()
        content = naive.content(record_id)
        moved = content is not None and not content.deleted and moved_since(naive, record_id, through)
        self._agree(output, naive.affirm(actor, record_id, moved))

    def report(self, uri: str, token: str, quotes: tuple[QuoteSeen, ...]) -> None:
        """Report on a source."""
        asked = ReportObservations(uri=uri, version_token=token, quotes=quotes)
        output = self.line.command(AGENT, report=asked)
        self._agree(output, self._naive().report(uri, token, quotes))

    def publish(self, actor: Actor, waiting: Waiting, ids: tuple[str, ...]) -> None:
        """Publish what waits, or a part of it."""
        proposal = self._proposal(waiting)
        asked = PublishProposal(proposal_id=proposal.id, digest=digest_of(proposal), record_ids=ids)
        self._agree(self.line.command(actor, publish=asked), self._naive().publish(actor, waiting, ids))

    def reject(self, waiting: Waiting) -> None:
        """Reject what waits."""
        proposal = self._proposal(waiting)
        asked = RejectProposal(proposal_id=proposal.id, digest=digest_of(proposal), reason="no")
        self._agree(self.line.command(BO, reject=asked), self._naive().reject(waiting))

    def believe(self, probability: float, mass: float, half_life_s: int) -> None:
        """Move the belief on the one claim."""
        output = self.line.believe(probability, mass=mass, half_life_s=half_life_s)
        held = self.line.workspace.beliefs[CLAIM]
        mass_of = {state.value.text: state.evidence for state in held.values}
        believed = Believed(held.time_us, mass_of["true"], mass_of["false"], held.undecayed, held.half_life_s)
        self._agree(output, self._naive().believe(believed))

    def approve_agents(self, approval_only: bool) -> None:  # noqa: FBT001 - the setting
        """Set whether every write of an agent waits."""
        output = self.line.command(ADA, workspace=SetWorkspace(approval_only=approval_only))
        self._agree(output, self._naive().approve_agents(approval_only))

    def wait(self, days: int) -> None:
        """Let days pass, and an hour be told."""
        self.line.now_us += days * DAY_US
        output = self.line.tick()
        self._agree(output, self._naive().tick())

    def _proposal(self, waiting: Waiting) -> Proposal:
        """The product's proposal that the naive one knows by its place: both keep them in the order of opening."""
        return list(self.line.workspace.heads.proposals.values())[self.naive.waiting.index(waiting)]

    def _naive(self) -> Naive:
        """The naive one, at the time of the message that the product has just had."""
        self.naive.now_us = self.line.now_us
        return self.naive

    def _agree(self, output: Changes, outcome: Outcome) -> None:
        """Both say the same of the command, of what waits, and then of every record.

        Raises:
            AssertionError: they do not.
        """
        opened = any(change.action == "proposal.opened" for change in output.changes)
        heads = self.line.workspace.heads
        reasons = outcome.refused or {""}
        _same("the refusal", min(reasons), refused(output) if refused(output) not in reasons else min(reasons))
        _same("a proposal", outcome.proposed, opened)
        _same("the last seq", self.naive.seq, output.last_seq)
        _same("what waits", [one.writes for one in self.naive.waiting], [*map(_writes, heads.proposals.values())])
        for record_id in [one for one in self.naive.versions if one in self.watched or not self.watched]:
            expected, actual = self._expected(record_id), self._actual(record_id)
            for name, value in expected.items():
                _same(f"{name} of {record_id}", value, actual[name])

    def _expected(self, record_id: str) -> dict[str, object]:
        """What the naive implementation says of a record."""
        last = self.naive.versions[record_id][-1]
        content, told = last.content, read(self.naive, record_id)
        return {name: getattr(told, name) for name in Read.__struct_fields__} | {
            "version": len(self.naive.versions[record_id]),
            "content": (content.kind, content.label, content.deleted, content.fields, content.links),
            "evidence": (last.evidence, last.resting),
            "what a person set": self.naive.person_set(record_id),
        }

    def _actual(self, record_id: str) -> dict[str, object]:
        """What the product says of it."""
        held, told = self.line.held(record_id), self._read(record_id)
        return {name: getattr(told, name) for name in Read.__struct_fields__} | {
            "version": held.version,
            "content": (held.kind, held.label, held.deleted, tuple(sorted(held.fields.items())), held.links),
            "evidence": (held.evidence, held.resting),
            "what a person set": held.person_set,
        }

    def _read(self, record_id: str) -> Read:
        """What the product's reads say of it."""
        workspace, heads = self.line.workspace, self.line.workspace.heads
        head = heads.records[record_id]
        related = around(heads, BASE, record_id)
        now = validity(heads.records.get, record_id, self.line.now_us, workspace.seq, self._stale)
        reasons = [
            Reason(
                reason.seq,
                reason.kind,
                reason.record_id,
                tuple((step.link, step.record_id) for step in reason.path),
                (reason.change.kind, reason.change.name, reason.change.to),
            )
            for reason in now.reasons
        ]
        _same("oldest first", sorted(reason.seq for reason in reasons), [reason.seq for reason in reasons])
        return Read(
            state=now.state,
            reasons=tuple(sorted(reasons)),
            bounds=frozenset((bound.kind, bound.name) for bound in now.bounds),
            monitored=(now.records, now.links, now.citations),
            observed_through=now.observed_through,
            not_in_force=tuple((ground.record_id, ground.status) for ground in now.grounds_not_in_force),
            confirmed=head.confirmed,
            stood=(head.stood.seq, head.stood.actor_id, head.stood.how) if head.stood else None,
            superseded_by=related.superseded_by,
            supersedes=related.supersedes,
            claimed_by=related.claimed_by,
        )

    def _stale(self, claim: Claim) -> bool:
        """Tell of a claim whether its belief is stale now, as the view does."""
        held = self.line.workspace.beliefs.get(claim)
        return held is not None and stale_at(held, self.line.now_us)


def _same(what: str, expected: object, actual: object) -> None:
    """Check that the product says what the page says.

    Raises:
        AssertionError: it does not.
    """
    assert expected == actual, f"{what}: by the page {expected!r}, by the product {actual!r}"


def _writes(proposal: Proposal) -> tuple[Write, ...]:
    """What a proposal would write."""
    return proposal.batch.writes
