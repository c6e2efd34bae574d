"""Two stages made to measure: what each output was decided on can be read from the output itself."""

import hashlib
from collections.abc import Callable

from stanchion_contracts.claim import Claims, LeftOut
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import Body, Observation
from stanchion_core.errors import UNREADABLE, InvalidMessage
from stanchion_core.ids import partition_of
from stanchion_core.rerouted import Rerouted
from stanchion_runtime.log import Record
from stanchion_runtime.stage import Stage, decoder

_ACTOR = Actor(kind="service", id="tests")


class Chain:
    """A state that remembers the order and content of everything folded into it."""

    def __init__(self) -> None:
        self.count = 0
        self.digest = b""

    def fold(self, text: str, nonce: str) -> None:
        """Add one output."""
        self.count += 1
        self.digest = hashlib.md5(self.digest + text.encode() + b"|" + nonce.encode(), usedforsecurity=False).digest()


def no_nonce() -> str:
    """What a deterministic stage adds to its outputs."""
    return ""


def _meta(workspace: str) -> Meta:
    """Give a head that says nothing."""
    return Meta(id="m", workspace=workspace, time_us=0, seed=b"", origin="observation:o", actor=_ACTOR)


def front(nonce: Callable[[], str] = no_nonce, partitions: int = 12) -> Stage[Chain, str, Observation]:
    """Give an edge stage over two open topics: text in UTF-8 in, observations out.

    The text `none` gets an empty output; `bad` is refused in `decide` and bytes that are no UTF-8 in `decode`;
    `move <workspace>` belongs on the workspace's partition.
    """

    def decode(record: Record) -> str:
        try:
            text = record.value.decode()
        except UnicodeDecodeError as error:
            raise InvalidMessage(UNREADABLE, "not UTF-8") from error
        workspace = text.removeprefix("move ")
        return workspace if partition_of(workspace, partitions) == record.partition else text

    def decide(state: Chain, text: str) -> Observation | Rerouted | None:
        if text == "none":
            return None
        if text == "bad":
            raise InvalidMessage("FIELD_VALUE", "text is bad")
        if text.startswith("move "):
            return Rerouted(workspace=text.removeprefix("move "), value=text.encode(), headers=(("moved", b"1"),))
        return Observation(
            meta=_meta("w"),
            publisher=state.digest.hex(),
            event_id=text,
            digest=b"",
            source="s",
            agent=nonce(),
            path="explicit-add",
            observed_at_us=0,
            body=Body(),
        )

    def evolve(state: Chain, output: Observation) -> None:
        state.fold(output.event_id, output.agent)

    return Stage(
        name="front",
        inputs=("inbox", "requests"),
        output="observations",
        initial=Chain,
        decode={"inbox": decode, "requests": decode},
        decide=decide,
        evolve=evolve,
        dead_letters=True,
    )


def back(nonce: Callable[[], str] = no_nonce) -> Stage[Chain, Observation, Claims]:
    """Give a stage past the edge: observations in, claims out."""

    def decide(state: Chain, message: Observation) -> Claims | None:
        if message.event_id == "drop":
            return None
        left_out = LeftOut(what=f"{message.event_id}/{message.agent}", why=nonce())
        return Claims(meta=_meta(state.digest.hex()), left_out=(left_out,))

    def evolve(state: Chain, output: Claims) -> None:
        state.fold(output.left_out[0].what, output.left_out[0].why)

    return Stage(
        name="back",
        inputs=("observations",),
        output="claims",
        initial=Chain,
        decode={"observations": decoder(Observation)},
        decide=decide,
        evolve=evolve,
        dead_letters=False,
    )


def workspace_on(partition: int, partitions: int) -> str:
    """Give a workspace that belongs on a partition."""
    return next(name for name in map(str, range(10_000)) if partition_of(name, partitions) == partition)
