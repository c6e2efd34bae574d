"""The generated code and fastavro are the same codec."""

import io
import json
import types
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import fastavro
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from stanchion_contracts.codec import MESSAGE_OF, decode, decode_folded, encode, encode_body
from stanchion_contracts.messages import UNFOLDED
from stanchion_contracts.meta import Actor
from stanchion_contracts.receipt import Receipt
from stanchion_core.errors import InvalidMessage

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
LONGS = st.integers(-(2**63), 2**63 - 1)
EMPTY = replace(decode(bytes.fromhex((SCHEMAS / "receipts/v1.hex").read_text()), Receipt), as_of_seq=0, served=())
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=80),
    int: LONGS | st.integers(-70, 70),
    float: st.floats(allow_nan=False),
    bool: st.booleans(),
    bytes: st.binary(max_size=80),
}


def values(kind: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401 - any annotation of a message
    """Give values of a type, as a message may hold them."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Struct):
        fields = {field.name: values(field.type) for field in msgspec.structs.fields(kind)}
        return st.builds(kind, **fields)
    if origin is tuple:
        return st.lists(values(arguments[0]), max_size=3).map(tuple)
    if origin is typing.Literal:
        return st.sampled_from(arguments)
    if origin in {typing.Union, types.UnionType}:
        return st.one_of(*(st.none() if part is types.NoneType else values(part) for part in arguments))
    return PLAIN[kind]


def by_fastavro(name: str, message: Struct) -> bytes:
    """Give the body fastavro writes with the newest schema."""
    newest = max((SCHEMAS / name).glob("v*.avsc"), key=lambda path: int(path.stem[1:]))
    out = io.BytesIO()
    schema = fastavro.parse_schema(json.loads(newest.read_text()))
    plain = msgspec.to_builtins(message, builtin_types=(bytes,))
    fastavro.schemaless_writer(out, schema, plain, disable_tuple_notation=True)
    return out.getvalue()


@pytest.mark.parametrize("name", sorted(MESSAGE_OF))
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_generated_code_writes_what_fastavro_writes(name: str, data: st.DataObject) -> None:
    """Whatever a message holds, both give the same bytes, and reading gives the message back."""
    message = data.draw(values(MESSAGE_OF[name]))
    assert by_fastavro(name, message) == encode_body(message)
    assert decode(encode(message), MESSAGE_OF[name]) == message


def folded(value: Any, unfolded: frozenset[tuple[type[Struct], str]]) -> Any:  # noqa: ANN401 - any part of a message
    """Give a message with what no fold looks at left empty."""
    if isinstance(value, tuple):
        return tuple(folded(item, unfolded) for item in value)
    if not isinstance(value, Struct):
        return value
    found = {}
    for field in msgspec.structs.fields(type(value)):
        part = getattr(value, field.name)
        spared = (type(value), field.name) in unfolded
        found[field.name] = (() if isinstance(part, tuple) else None) if spared else folded(part, unfolded)
    return type(value)(**found)


@pytest.mark.parametrize("cls", UNFOLDED)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_a_fold_reads_all_but_what_it_does_not_look_at(cls: type[Struct], data: st.DataObject) -> None:
    """Whatever a message holds, its own stage's fold gets it with just the parts empty that `UNFOLDED` names."""
    message = data.draw(values(cls))
    assert folded(message, frozenset(UNFOLDED[cls])) == decode_folded(encode(message), cls)


@pytest.mark.parametrize("name", sorted(MESSAGE_OF))
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_damaged_bytes_are_refused_or_read(name: str, data: st.DataObject) -> None:
    """Flipped, missing or added bytes of any message never raise anything but UNREADABLE, nor take for ever."""
    damaged = bytearray.fromhex((SCHEMAS / name / "v1.hex").read_text())
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(10, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(damaged[: data.draw(st.integers(10, len(damaged)))])
    for read in (decode, decode_folded):
        assert outcome(cut, MESSAGE_OF[name], read) in {"", "UNREADABLE"}


def outcome(data: bytes, cls: type[Struct], read: Callable[[bytes, type[Struct]], Struct]) -> str:
    """Give the code that a reader refuses with, empty when it reads."""
    try:
        read(data, cls)
    except InvalidMessage as error:
        return error.code
    return ""


def receipt_bytes(served: bytes) -> bytes:
    """Give a receipt's bytes with another array of what was served."""
    message = MESSAGE_OF["receipts"]
    pinned = bytes.fromhex((SCHEMAS / "receipts/v1.hex").read_text())
    one = encode(decode(pinned, message))
    empty = encode(replace(decode(pinned, message), served=()))
    assert one.startswith(empty[:-1])
    return empty[:-1] + served


def test_array_blocks_with_sizes_are_read() -> None:
    """Other writers may state a block's size behind a negative count, and split an array into blocks."""
    item = b"\x02a\x02\x00"  # record_id "a", version 1, validity ""
    sized = receipt_bytes(b"\x01" + bytes((len(item) * 2,)) + item + b"\x02" + item + b"\x00")
    assert [served.record_id for served in decode(sized, Receipt).served] == ["a", "a"]


@pytest.mark.parametrize(
    ("served", "what"),
    [
        (b"\x02\x01", "negative"),  # a text of length -1
        (b"\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", "longer than its message"),  # an array of 2^62 items
        (b"\x02" + b"\xff" * 12, "too many bytes"),
        (b"\x02\x02a\x02\x02x\x00", "not one of its words"),
        (b"\x02\x02\xff\x02\x00\x00", "can't decode"),
    ],
)
def test_hostile_numbers_and_words_are_refused(served: bytes, what: str) -> None:
    """Lengths below zero, endless arrays and numbers, unknown words, wrong text: refused, and quickly."""
    with pytest.raises(InvalidMessage, match=what):
        decode(receipt_bytes(served), MESSAGE_OF["receipts"])


def test_a_long_word_is_not_repeated() -> None:
    """What is wrong with a word is said without the whole of it: it stands in logs, where no payload belongs."""
    word = b"x" * 1_000_000
    with pytest.raises(InvalidMessage, match="not one of its words") as caught:
        decode(receipt_bytes(b"\x02\x02a\x02" + b"\x80\x89\x7a" + word + b"\x00"), Receipt)
    assert len(caught.value.detail) < 120


@pytest.mark.parametrize("size", range(1, 11))
@given(data=st.data())
def test_a_number_of_any_length(size: int, data: st.DataObject) -> None:
    """Numbers of one to ten bytes, at both ends of what as many bytes hold, are written as fastavro does, and read."""
    low, high = 1 << 7 * size - 8 if size > 1 else 0, (1 << min(63, 7 * size - 1)) - 1
    number = data.draw(st.integers(low, high) | st.sampled_from([low, high]))
    for seq in (number, -number - 1):
        message = replace(EMPTY, as_of_seq=seq)
        assert seq == decode(encode(message), Receipt).as_of_seq
        assert by_fastavro("receipts", message) == encode_body(message)
        assert len(encode(EMPTY)) + size - 1 == len(encode(message))


def test_number_beyond_64_bits_is_not_written() -> None:
    """A number the wire cannot hold fails where it is written, not where it is read."""
    pinned = bytes.fromhex((SCHEMAS / "receipts/v1.hex").read_text())
    message = decode(pinned, MESSAGE_OF["receipts"])
    with pytest.raises(ValueError, match="64 bits"):
        encode(replace(message, as_of_seq=2**63))


def test_a_word_that_is_none_is_not_written() -> None:
    """A text outside its closed words fails where it is written, not where it is read."""
    with pytest.raises(KeyError, match="nobody"):
        encode(replace(EMPTY, meta=replace(EMPTY.meta, actor=Actor(kind=cast("Any", "nobody"), id="x"))))
