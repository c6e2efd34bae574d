"""Commands and beliefs for validity, and a workspace that decides and folds them."""

import hashlib
import json
from typing import Any

import msgspec

from stanchion_contracts.belief import Belief, Beliefs, BeliefUpdate, ValueState, likeliest
from stanchion_contracts.change import Changes, Proposal
from stanchion_contracts.claim import Contribution, Import, LeftOut, Reference
from stanchion_contracts.codec import decode, encode, encode_body
from stanchion_contracts.command import (
    Affirm,
    Command,
    EditProposal,
    LinkSet,
    PublishProposal,
    QuoteSeen,
    RejectProposal,
    ReportObservations,
    SetWorkspace,
    Write,
    WriteBatch,
)
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import Tick
from stanchion_contracts.proposal import digest_of
from stanchion_contracts.record import Citation, FieldValue, Link
from stanchion_contracts.relation import Relation
from stanchion_contracts.value import Value
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.ids import derived_id
from stanchion_core.vocabulary import Vocabulary
from stanchion_core.vocabulary_text import json_text
from stanchion_core.vocabulary_text import read as parse_text
from stanchion_core.walk import Head, Validity, validity
from stanchion_validity.core.held import Held
from stanchion_validity.core.workspace import Workspace
from stanchion_validity.handler import Message, State, decider, evolver

BASE: Vocabulary = base_vocabulary()
START_US = 1_796_042_000_000_000
DAY_US = 86_400 * 1_000_000

MAYA = Actor(kind="person", id="maya", capabilities=("read", "review", "write"))
ROSA = Actor(kind="person", id="rosa", capabilities=("approve", "read", "reject"))
OLGA = Actor(kind="person", id="olga", capabilities=("admin", "read"))
AGENT = Actor(kind="agent", id="coder", on_behalf_of="maya", capabilities=("read", "review", "write"))
UPSTREAM = Actor(kind="service", id="git")
CLAIM = ("checkout", "p99-latency")


def json_fields(**fields: object) -> tuple[FieldValue, ...]:
    """Give fields from plain values; None clears."""
    return tuple(
        FieldValue(name=name, value="" if value is None else json.dumps(value, ensure_ascii=False))
        for name, value in fields.items()
    )


def write(record_id: str, kind: str = "", *, links: dict[str, list[str]] | None = None, **parts: Any) -> Write:  # noqa: ANN401 - parts of a write, or plain values of fields
    """Give a write; keywords that are no part of a write are fields."""
    known = {name: value for name, value in parts.items() if name in Write.__struct_fields__}
    fields = {name: value for name, value in parts.items() if name not in Write.__struct_fields__}
    return Write(
        id=record_id,
        kind=kind,
        fields=json_fields(**fields),
        links=tuple(
            LinkSet(name=name, links=tuple(Link(name=name, to=to) for to in ids)) for name, ids in (links or {}).items()
        ),
        **known,
    )


def cite(uri: str, quote: str = "", token: str = "") -> Citation:
    """Give a citation."""
    return Citation(uri=uri, quote=quote, version_token=token)


def belief(
    probability: float, time_us: int, *, mass: float = 20.0, claim: tuple[str, str] = CLAIM, half_life_s: int = 0
) -> Belief:
    """Give a boolean belief with this probability of true."""
    total = mass + 2.0
    true = min(max(probability * total - 1.0, 0.0), mass)
    states = tuple(
        ValueState(value=Value(type="boolean", text=text), evidence=part, millionths=round(1e6 * (part + 1.0) / total))
        for text, part in (("true", true), ("false", mass - true))
    )
    return Belief(
        subject=claim[0],
        predicate=claim[1],
        values=tuple(sorted(states, key=lambda state: -state.evidence)),
        unnamed=0.0,
        undecayed=mass,
        vacuity_millionths=round(2e6 / total),
        dissonance_millionths=0,
        half_life_s=half_life_s,
        time_us=time_us,
        contributions=3,
    )


def contribution(number: int, claim: tuple[str, str] = CLAIM) -> Contribution:
    """Give a contribution."""
    return Contribution(
        id=f"con_{number:032x}",
        subject=claim[0],
        predicate=claim[1],
        value=Value(type="boolean", text="true"),
        evidence="measurement",
        source="prometheus",
        agent="collector",
        observed_at_us=START_US,
    )


class Line:
    """One partition of validity, fed message by message; what it decides crosses the wire and is folded."""

    def __init__(self, workspace: str = "docs") -> None:
        self.name = workspace
        self.state = State()
        self.inputs: list[Message] = []
        self.outputs: list[Changes] = []
        self.now_us = START_US
        self.decide, self.evolve = decider(BASE), evolver(BASE)

    @property
    def workspace(self) -> Workspace:
        """The workspace as it stands."""
        return self.state.workspaces.get(self.name) or Workspace()

    def feed(self, message: Message) -> Changes:
        """Decide and fold one message."""
        output = self.decide(self.state, message)
        assert output is not None
        assert output == decode(encode(output), Changes)
        self.evolve(self.state, output)
        self.inputs.append(message)
        self.outputs.append(output)
        return output

    def meta(self, actor: Actor, origin: str = "command", room: str = "") -> Meta:
        """Give the next message's head, a second later than the last one."""
        self.now_us += 1_000_000
        number = len(self.inputs) + 1
        name = derived_id("cmd" if origin == "command" else "obs", self.name, str(number))
        return Meta(
            id=name,
            workspace=self.name,
            room=room,
            time_us=self.now_us,
            seed=number.to_bytes(16, "big"),
            origin=f"{origin}:{name}",
            actor=actor,
        )

    def command(self, actor: Actor, key: str = "", **part: Any) -> Changes:  # noqa: ANN401 - one of a command's parts
        """Give a command of one part."""
        command = Command(meta=self.meta(actor), key=key, digest=b"", **part)
        content = msgspec.structs.replace(command, meta=BLANK, key="")
        return self.feed(msgspec.structs.replace(command, digest=hashlib.sha256(encode_body(content)).digest()))

    def write(self, *writes: Write, actor: Actor = MAYA, key: str = "") -> Changes:
        """Write a batch."""
        return self.command(actor, key, write_batch=WriteBatch(writes=writes))

    def affirm(self, record_id: str, through: int, actor: Actor = MAYA, **parts: Any) -> Changes:  # noqa: ANN401 - parts of an affirmation
        """Affirm a record."""
        return self.command(actor, affirm=Affirm(record_id=record_id, observed_through=through, **parts))

    def set(self, vocabulary: str | None = None, *, actor: Actor = OLGA, key: str = "", **parts: Any) -> Changes:  # noqa: ANN401 - parts of the settings
        """Set how the workspace works; a vocabulary in YAML, empty for the base one."""
        text = json_text(parse_text(vocabulary)) if vocabulary else vocabulary
        return self.command(actor, key, workspace=SetWorkspace(vocabulary=text, **parts))

    def relate(self, *relations: Relation, room: str = "", actor: Actor = AGENT) -> Changes:
        """State relations outright."""
        return self.feed(Beliefs(meta=self.meta(actor, "observation", room=room), relations=relations))

    def proposals(self) -> tuple[Proposal, ...]:
        """Give the open proposals, oldest first."""
        return tuple(self.workspace.heads.proposals.values())

    def publish(self, proposal: Proposal, *record_ids: str, actor: Actor = ROSA, note: str = "") -> Changes:
        """Publish a proposal as it is given here, all of it or a selection."""
        asked = PublishProposal(proposal_id=proposal.id, digest=digest_of(proposal), record_ids=record_ids, note=note)
        return self.command(actor, publish=asked)

    def edit(self, proposal: Proposal, *writes: Write, actor: Actor = ROSA) -> Changes:
        """Edit a proposal as it is given here."""
        asked = EditProposal(proposal_id=proposal.id, digest=digest_of(proposal), writes=writes)
        return self.command(actor, edit=asked)

    def reject(self, proposal: Proposal, reason: str = "no", *, actor: Actor = ROSA) -> Changes:
        """Reject a proposal as it is given here."""
        asked = RejectProposal(proposal_id=proposal.id, digest=digest_of(proposal), reason=reason)
        return self.command(actor, reject=asked)

    def report(self, uri: str, token: str = "", actor: Actor = AGENT, **quotes: str) -> Changes:
        """Report quotes as present or absent: `present="…"`, `absent="…"`."""
        seen = tuple(QuoteSeen(quote=quote, seen=word) for word, quote in quotes.items())  # type: ignore[arg-type]
        return self.command(actor, report=ReportObservations(uri=uri, version_token=token, quotes=seen))

    def believe(self, probability: float, **parts: Any) -> Changes:  # noqa: ANN401 - parts of a belief
        """Move the belief on the claim."""
        meta = self.meta(UPSTREAM, "observation")
        claim = parts.get("claim", CLAIM)
        after = belief(probability, meta.time_us, **parts)
        held = self.workspace.beliefs.get(claim)
        update = BeliefUpdate(
            before=None if held is None else likeliest(held),
            after=after,
            added=(contribution(len(self.inputs), claim),),
        )
        return self.feed(Beliefs(meta=meta, updates=(update,)))

    def tick(self) -> Changes:
        """Let an hour come."""
        meta = self.meta(Actor(kind="system", id="stanchion"), "observation")
        return self.feed(Beliefs(meta=meta, tick=Tick(hour=meta.time_us // 3_600_000_000)))

    def revise(  # noqa: PLR0913 - a revision's parts
        self,
        uri: str,
        text: str = "",
        *,
        references: tuple[Reference, ...] = (),
        relations: tuple[Relation, ...] = (),
        left_out: tuple[LeftOut, ...] = (),
        author: str = "ada",
        status: str | None = "active",
        actor: Actor = UPSTREAM,
        **parts: Any,  # noqa: ANN401 - parts of an import
    ) -> Changes:
        """Import a document revision."""
        revision = Import(
            uri=uri,
            record_id=parts.pop("record_id", uri.rsplit("/", 1)[-1].removesuffix(".md")),
            kind=parts.pop("kind", "decision"),
            label=parts.pop("label", f"Label of {uri.rsplit('/', 1)[-1]}"),
            body=text or f"Text of {uri.rsplit('/', 1)[-1]}\n",
            fields=json_fields(**{"status": status, "upstream_status": status, **parts.pop("fields", {})}),
            references=references,
            author=author,
            **parts,
        )
        meta = self.meta(actor, "observation", room="platform")
        return self.feed(Beliefs(meta=meta, imports=(revision,), relations=relations, left_out=left_out))

    def held(self, record_id: str) -> Held:
        """Give a record."""
        return self.workspace.held[record_id]

    def head(self, record_id: str) -> Head:
        """Give a record's head."""
        return self.workspace.heads.records[record_id]

    def read(self, record_id: str) -> Validity:
        """Work out whether a record still holds now."""
        return validity(self.workspace.heads.records.get, record_id, self.now_us, self.workspace.seq)

    def linked(self, record_id: str) -> list[tuple[str, str, str]]:
        """Give a record's links: name, other end, who states it."""
        return [(link.name, link.to, link.stated_by) for link in self.held(record_id).links]


BLANK = Meta(id="", workspace="", time_us=0, seed=b"", origin="", actor=MAYA)


def refused(output: Changes) -> str:
    """Give the reason of a refusal, empty for none."""
    return output.refusal.reason if output.refusal else ""


def actions(output: Changes) -> list[str]:
    """Give what happened."""
    return [change.action for change in output.changes]


def ref(name: str, target: str, direction: str = "out", *, text: str = "", partial: bool = False) -> Reference:
    """Give a reference as a text writes it."""
    return Reference(name=name, target=target, direction=direction, text=text or f"{name} {target}", partial=partial)  # type: ignore[arg-type]
