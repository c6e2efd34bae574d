from collections.abc import Callable
from typing import Any

import pytest

from stanchion_contracts.observation import Observation
from stanchion_core.errors import InvalidMessage
from stanchion_runtime.errors import Unanswerable
from stanchion_runtime.log import Record
from stanchion_runtime.partition import MAX_LETTERS_IN_A_ROW, Aside, Partition
from stanchion_runtime.stage import Stage, decoder


def refuse(_record: Record) -> Any:  # noqa: ANN401 - decodes nothing
    """Decode nothing.

    Raises:
        InvalidMessage: always.
    """
    raise InvalidMessage("UNREADABLE", "nothing can be read")


def a_stage(*inputs: str, output: str = "changes", dead_letters: bool = True) -> Stage[Any, Any, Any]:
    """Give a stage that reads nothing."""
    decode: dict[str, Callable[[Record], Any]] = dict.fromkeys(inputs, refuse)
    return Stage(
        name="validity",
        inputs=inputs,
        output=output,
        initial=dict,
        decode=decode,
        decide=lambda _state, _message: None,
        evolve=lambda _state, _output: None,
        dead_letters=dead_letters,
    )


def test_the_wiring_is_checked() -> None:
    """A stage that cannot keep the invariants is refused when it is made."""
    with pytest.raises(ValueError, match="not an owned topic"):
        a_stage("changes", output="receipts")
    with pytest.raises(ValueError, match="more than one owned input"):
        a_stage("beliefs", "claims")
    with pytest.raises(ValueError, match="decoders"):
        Stage(
            name="x",
            inputs=("claims",),
            output="beliefs",
            initial=dict,
            decode={},
            decide=lambda _state, _message: None,
            evolve=lambda _state, _output: None,
            dead_letters=False,
        )


def test_only_the_edge_sets_aside() -> None:
    """Validity sets commands aside and never beliefs; extraction, all of whose input is owned, sets that aside."""
    validity = a_stage("beliefs", "commands")
    assert (False, True) == (validity.dead_letters_of("beliefs"), validity.dead_letters_of("commands"))
    assert a_stage("observations", output="claims").dead_letters_of("observations")
    assert not a_stage("claims", output="beliefs", dead_letters=False).dead_letters_of("claims")
    assert ("beliefs", None) == (validity.owned_input, a_stage("inbox", output="observations").owned_input)


def test_a_decoder_reads_one_class() -> None:
    """Bytes that are not a message of the class are invalid, not an error of ours."""
    record = Record(topic="observations", partition=0, offset=0, timestamp_us=0, value=b"?", headers=())
    with pytest.raises(InvalidMessage, match="UNREADABLE"):
        decoder(Observation)(record)


@pytest.mark.parametrize(("topic", "stops"), [("commands", True), ("inbox", False)])
def test_too_many_dead_letters_in_a_row_stop_only_our_own_input(topic: str, stops: bool) -> None:  # noqa: FBT001
    """When nothing our own services write can be read, something is broken; a publisher must not stop the line."""
    output = "observations" if topic == "inbox" else "changes"
    partition, aside = Partition(a_stage(topic, output=output), 0, 1), Aside()
    inputs = (
        Record(topic=topic, partition=0, offset=n, timestamp_us=0, value=b"?", headers=())
        for n in range(MAX_LETTERS_IN_A_ROW + 1)
    )
    if stops:
        with pytest.raises(Unanswerable, match="in a row"):
            [partition.answer(record, aside) for record in inputs]
    else:
        [partition.answer(record, aside) for record in inputs]
        assert MAX_LETTERS_IN_A_ROW + 1 == len(aside.letters)
