"""What a processor promises, on the memory log and on Kafka alike. A test class mixes it in; `log` is its fixture.

Each test has topics of its own, two partitions wide.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from msgspec import structs
from structlog.testing import capture_logs

from stanchion_contracts import codec
from stanchion_contracts.deadletter import DeadLetter, DeadLetterHeader
from stanchion_contracts.observation import Observation
from stanchion_contracts.topics import MAX_MESSAGE_BYTES
from stanchion_core.rerouted import Rerouted
from stanchion_runtime.errors import Inconsistent, Superseded, Unanswerable
from stanchion_runtime.log import CLAIM, EPOCH, Log, Outgoing, Record, Span, header
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.processor import Options, Processor
from stanchion_runtime.stage import Stage
from stanchion_runtime.tail import Start, Tail, from_the_end
from support.stages import back, front, workspace_on

PARTITIONS = 2
NOW_US = 1_796_042_000_000_000
TRACE = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
ASKED = (("correlation_id", b"c1"), ("reply_to", b"gateway-1"), ("traceparent", TRACE))


def processor(log: Log, stage: Stage[Any, Any, Any], *, owner: str = "one", claim_every: int = 10_000) -> Processor:
    """Give a processor that owns nothing yet."""
    options = Options(partitions=PARTITIONS, owner=owner, now_us=lambda: NOW_US, claim_every=claim_every)
    return Processor(stage, log, options, Metrics())


async def publish(log: Log, topic: str, *values: bytes, headers: tuple[tuple[str, bytes], ...] = ()) -> None:
    """Write inputs to partition 0."""
    await log.append(topic, 0, [Outgoing(value=value, headers=headers) for value in values])


async def records(log: Log, topic: str, partition: int = 0) -> list[Record]:
    """Read a whole partition."""
    end = (await log.bounds(topic, [partition]))[partition].end
    spans = [Span(topic=topic, partition=partition, start=0, stop=end)]
    return [record async for batch in log.read(spans) for record in batch]


async def answer_all(log: Log, owner: Processor) -> None:
    """Have an owner answer everything that is there."""
    for (topic, number), place in owner.places().items():
        await owner.process([record for record in await records(log, topic, number) if record.offset >= place])


async def run(log: Log, stage: Stage[Any, Any, Any]) -> Processor:
    """Have a fresh owner of partition 0 answer everything that is there."""
    owner = processor(log, stage)
    await owner.adopt([0])
    await answer_all(log, owner)
    return owner


def heads(found: Sequence[Record], *names: str) -> list[Mapping[str, bytes]]:
    """Give the named headers of records."""
    return [{name: value for name, value in record.headers if name in names} for record in found]


class ProcessorSuite:
    """Tests of the five invariants that a processor keeps."""

    @pytest.fixture(autouse=True)
    def quiet(self) -> Iterator[None]:
        """Keep the log lines out of the report."""
        with capture_logs():
            yield

    async def test_each_input_gets_one_output_in_order(self, log: Log) -> None:
        """Behind its claim an owner writes one output an input, with its cause and the claim's offset as epoch."""
        await publish(log, "inbox", b"a", b"none", b"c")
        await run(log, front())
        claim, *outputs = await records(log, "observations")
        assert b"one" == header(claim, CLAIM)
        assert [{"cause": b"inbox:0:%d" % n, "epoch": b"0"} for n in range(3)] == heads(outputs, "cause", "epoch", "up")
        assert [False, True, False] == [not record.value for record in outputs]

    async def test_the_next_owner_goes_on_where_the_last_one_ended(self, log: Log) -> None:
        """State and next causes come from the output alone; nothing is answered twice or left out."""
        await publish(log, "inbox", b"a", b"b")
        first = await run(log, front())
        await publish(log, "requests", b"c")
        second = processor(log, front(), owner="two")
        places = await second.adopt([0])
        assert {("inbox", 0): 2, ("requests", 0): 0} == places
        assert first.owned[0].state.digest == second.owned[0].state.digest
        await answer_all(log, second)
        outputs = await records(log, "observations")
        assert [b"inbox:0:0", b"inbox:0:1", b"requests:0:0"] == [
            dict(record.headers)["cause"] for record in outputs if header(record, CLAIM) is None
        ]
        assert b"3" == header(outputs[-1], EPOCH)
        assert first.owned[0].state.count + 1 == second.owned[0].state.count

    async def test_an_input_delivered_twice_is_answered_once(self, log: Log) -> None:
        """A record from before the place an owner stands at is passed over."""
        await publish(log, "inbox", b"a", b"b")
        owner = await run(log, front())
        await owner.process(await records(log, "inbox"))
        assert 3 == len(await records(log, "observations"))

    async def test_a_superseded_owner_ends(self, log: Log) -> None:
        """An owner that finds a foreign claim among its outputs stops, and what it wrote behind it does not count."""
        await publish(log, "inbox", b"a")
        old, new = processor(log, front(), owner="old"), processor(log, front(), owner="new")
        await old.adopt([0])
        await new.adopt([0])
        with pytest.raises(Superseded, match="new"):
            await answer_all(log, old)
        await answer_all(log, new)
        tail = Tail(log, "observations", {0: Start()})
        accepted = [record async for batch in tail.through({0: 4}) for record in batch.records]
        assert [b"1"] == [header(record, EPOCH) for record in accepted]

    async def test_foreign_records_that_are_no_claims_do_no_harm(self, log: Log) -> None:
        """Whoever else writes into an owned partition, the owner goes on and readers pass it over."""
        owner = await run(log, front())
        await log.append("observations", 0, [Outgoing(value=b"x"), Outgoing(value=b"y", headers=((EPOCH, b"9"),))])
        await publish(log, "inbox", b"a", b"b")
        await answer_all(log, owner)
        again = processor(log, front(), owner="two")
        assert {("inbox", 0): 2, ("requests", 0): 0} == await again.adopt([0])
        assert 2 == again.owned[0].state.count

    async def test_an_owner_claims_anew(self, log: Log) -> None:
        """After so many outputs an owner claims again at the end of a batch and writes with the new epoch."""
        owner = processor(log, front(), claim_every=2)
        await owner.adopt([0])
        await publish(log, "inbox", b"a", b"b", b"c")
        await answer_all(log, owner)
        await publish(log, "inbox", b"d")
        await answer_all(log, owner)
        outputs = await records(log, "observations")
        assert [0, 4] == [record.offset for record in outputs if header(record, CLAIM) is not None]
        assert [b"0", b"0", b"0", b"4"] == [header(r, EPOCH) for r in outputs if header(r, CLAIM) is None]
        assert (await from_the_end(log, "observations", [0]))[0].position == 4

    async def test_an_owner_that_claims_anew_notices_another(self, log: Log) -> None:
        """A claim that does not land right behind the own outputs shows a newer owner."""
        owner = processor(log, front(), claim_every=1)
        await owner.adopt([0])
        await publish(log, "inbox", b"a")
        other = processor(log, front(), owner="other")
        inner = log.append

        async def append(topic: str, partition: int, batch: Sequence[Outgoing]) -> Sequence[int]:
            offsets = await inner(topic, partition, batch)
            if topic == "observations" and batch[0].value and not other.owned:
                await other.adopt([0])
            return offsets

        owner._log = _Appending(log, append)
        with pytest.raises(Superseded, match="other"):
            await answer_all(log, owner)

    async def test_invalid_input_is_set_aside_whole(self, log: Log) -> None:
        """At the edge a dead letter with raw bytes, headers, cause and reason is written, then the empty output."""
        sent = (("workspace", b"docs"), ("x", b"\x00"))
        await publish(log, "inbox", b"\xff", b"bad", headers=sent)
        await run(log, front())
        letters = [codec.decode(record.value, DeadLetter) for record in await records(log, "deadletters")]
        kept = tuple(DeadLetterHeader(name=name, value=value) for name, value in sent)
        assert [
            DeadLetter(
                stage="front",
                cause=f"inbox:0:{n}",
                code=code,
                detail=detail,
                workspace="docs",
                time_us=NOW_US,
                raw=raw,
                headers=kept,
            )
            for n, (code, detail, raw) in enumerate([
                ("UNREADABLE", "not UTF-8", b"\xff"),
                ("FIELD_VALUE", "text is bad", b"bad"),
            ])
        ] == letters
        assert [b"", b"", b""] == [record.value for record in await records(log, "observations")]

    async def test_past_the_edge_an_unreadable_message_stops_the_process(self, log: Log) -> None:
        """What a later stage cannot decode is not skipped: nothing is written and the message says where it is."""
        claim = Outgoing(value=b"", headers=((CLAIM, b"x"),))
        output = Outgoing(value=b"garbage", headers=(("cause", b"inbox:0:0"), ("epoch", b"0")))
        await log.append("observations", 0, [claim, output])
        with pytest.raises(Unanswerable, match="observations:0:1"):
            await run(log, back())
        assert 1 == len(await records(log, "claims"))
        assert [] == await records(log, "deadletters")

    async def test_a_record_on_a_wrong_partition_is_rerouted(self, log: Log) -> None:
        """It is republished where its workspace belongs, unchanged, and answered with an empty output that says so."""
        workspace = workspace_on(1, PARTITIONS)
        await publish(log, "inbox", f"move {workspace}".encode())
        await run(log, front(partitions=PARTITIONS))
        moved = (await records(log, "inbox", 1))[0]
        assert (f"move {workspace}".encode(), (("moved", b"1"),)) == (moved.value, moved.headers)
        answer = (await records(log, "observations"))[1]
        assert (b"", b"1") == (answer.value, header(answer, "rerouted"))

    async def test_a_record_that_cannot_be_moved_is_set_aside(self, log: Log) -> None:
        """What no longer fits its topic with the headers it gets on the way is a dead letter, and the line goes on."""
        large = Rerouted(workspace=workspace_on(1, PARTITIONS), value=b"x" * (MAX_MESSAGE_BYTES - 60), headers=())
        stage = structs.replace(front(), decide=lambda _, text: large if text == "large" else None)
        await publish(log, "inbox", b"large", b"b")
        await run(log, stage)
        letter = codec.decode((await records(log, "deadletters"))[0].value, DeadLetter)
        assert ("TOO_LARGE", "inbox:0:0") == (letter.code, letter.cause)
        assert ([], 3) == (await records(log, "inbox", 1), len(await records(log, "observations")))

    async def test_who_asked_is_passed_down(self, log: Log) -> None:
        """Correlation, reply and trace headers go down the line with every output, an empty one too."""
        await publish(log, "requests", b"a", b"none", b"bad", headers=ASKED)
        await run(log, front())
        await run(log, back())
        names = ("correlation_id", "reply_to", "traceparent")
        for topic in ("observations", "claims"):
            found = heads(await records(log, topic), *names)
            assert [dict(ASKED)] * 3 == [head for head in found if head]

    async def test_why_an_input_was_set_aside_is_passed_down(self, log: Log) -> None:
        """The empty output of a dead letter says why, to the end of the line; no other output does."""
        await publish(log, "requests", b"a", b"none", b"bad", headers=ASKED)
        await run(log, front())
        await run(log, back())
        for topic in ("observations", "claims"):
            found = [header(record, "dead_letter") for record in await records(log, topic)]
            assert [b"FIELD_VALUE text is bad"] == [why for why in found if why is not None]
            assert found[-1] is not None

    async def test_an_upstream_publisher_cannot_say_whom_to_answer(self, log: Log) -> None:
        """From the inbox only the trace is passed down: an answer to somebody else's call could be forged."""
        await publish(log, "inbox", b"a", headers=ASKED)
        await run(log, front())
        output = (await records(log, "observations"))[1]
        assert [{"traceparent": TRACE}] == heads([output], "correlation_id", "reply_to", "traceparent")

    async def test_an_upstream_publisher_cannot_fill_our_headers(self, log: Log) -> None:
        """Of a header that comes many times only the first is passed down: an answer must not outgrow its topic."""
        await publish(log, "inbox", b"a", headers=(("traceparent", TRACE),) * 100)
        await run(log, front())
        output = (await records(log, "observations"))[1]
        assert [TRACE] == [value for name, value in output.headers if name == "traceparent"]

    async def test_dropped_inputs_get_empty_outputs(self, log: Log) -> None:
        """Claims and late outputs of a superseded owner are answered emptily, whoever asked, so causes stay dense."""
        old = processor(log, front(), owner="old")
        await old.adopt([0])
        await processor(log, front(), owner="new").adopt([0])
        await publish(log, "requests", b"late", headers=ASKED)
        with pytest.raises(Superseded):
            await answer_all(log, old)
        await run(log, back())
        outputs = (await records(log, "claims"))[1:]
        assert [b"observations:0:%d" % n for n in range(3)] == [header(record, "cause") for record in outputs]
        assert [b""] * 3 == [record.value for record in outputs]
        assert [None] * 3 == [header(record, "correlation_id") for record in outputs]

    async def test_the_upstream_rule_is_resumed_from_the_last_output(self, log: Log) -> None:
        """A new owner of the second stage knows the epoch and causes of the first one's output, from `up`."""
        await publish(log, "inbox", b"a")
        await run(log, front())
        first = await run(log, back())
        await publish(log, "inbox", b"b")
        await run(log, front())
        second = await run(log, back())
        assert ["0|inbox=1", "2|inbox=2"] == [owner.owned[0].upstream.encode() for owner in (first, second)]
        assert b"2|inbox=2" == header((await records(log, "claims"))[-1], "up")
        assert 2 == second.owned[0].state.count

    async def test_an_output_that_is_too_large_is_not_sent(self, log: Log) -> None:
        """At the edge the input is set aside with the limit named; the state has not taken part of it."""
        await publish(log, "inbox", b"x" * (8 * 1024 * 1024 - 200), b"b")
        owner = await run(log, front())
        letter = codec.decode((await records(log, "deadletters"))[0].value, DeadLetter)
        assert ("TOO_LARGE", "inbox:0:0") == (letter.code, letter.cause)
        outputs = await records(log, "observations")
        assert "" == codec.decode(outputs[2].value, Observation).publisher
        assert 1 == owner.owned[0].state.count

    async def test_an_input_that_was_created_anew_is_noticed(self, log: Log) -> None:
        """An output that answers more than the input holds belongs to another input; the process says so and stops."""
        claim = Outgoing(value=b"", headers=((CLAIM, b"x"),))
        answers = [Outgoing(value=b"", headers=(("cause", b"inbox:0:%d" % n), ("epoch", b"0"))) for n in range(3)]
        await log.append("observations", 0, [claim, *answers])
        with pytest.raises(Inconsistent, match="created anew"):
            await processor(log, front()).adopt([0])


class _Appending:
    """A log with another way to append."""

    def __init__(self, log: Log, append: Any) -> None:  # noqa: ANN401 - a function of the port
        self.append = append
        self.partitions = log.partitions
        self.bounds = log.bounds
        self.read = log.read
        self.follow = log.follow
