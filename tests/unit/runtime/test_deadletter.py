from stanchion_contracts import codec
from stanchion_contracts.deadletter import DeadLetter
from stanchion_contracts.topics import MAX_MESSAGE_BYTES
from stanchion_runtime.deadletter import HEADROOM_BYTES, letter, tally
from stanchion_runtime.log import Record


def record(value: bytes, *headers: tuple[str, bytes]) -> Record:
    """Give an input."""
    return Record(topic="inbox", partition=4, offset=7, timestamp_us=0, value=value, headers=headers)


def read(source: Record, detail: str = "why") -> DeadLetter:
    """Write and read a letter."""
    return codec.decode(letter("ingest", source, "UNREADABLE", detail, 5).value, DeadLetter)


def test_the_workspace_is_taken_from_the_headers() -> None:
    """An operator finds a workspace's letters where its headers name one."""
    assert "docs" == read(record(b"x", ("ce_workspace", b"docs"))).workspace
    assert "docs" == read(record(b"x", ("workspace", b"docs"))).workspace
    assert "\ufffd" == read(record(b"x", ("workspace", b"\xff"))).workspace
    assert "" == read(record(b"x", ("workspace", b""))).workspace


def test_a_letter_always_fits_its_topic() -> None:
    """What decompresses to more than a message may hold is cut, and the letter says so: it must not stop the line."""
    found = read(record(bytes(MAX_MESSAGE_BYTES + 1)))
    assert MAX_MESSAGE_BYTES == len(found.raw)
    assert f"cut from {MAX_MESSAGE_BYTES + 1}" in found.detail
    most = record(bytes(MAX_MESSAGE_BYTES + 1), *[("h", bytes(100_000))] * 100)
    assert len(letter("ingest", most, "UNREADABLE", "x" * 10_000, 5).value) < MAX_MESSAGE_BYTES + HEADROOM_BYTES


def test_headers_are_kept_in_order_up_to_a_limit() -> None:
    """Headers over the limit are left out from the first that does not fit, and counted."""
    found = read(record(b"x", ("a", b"1"), ("a", b"2"), ("b", bytes(300_000)), ("c", b"3")))
    assert [("a", b"1"), ("a", b"2")] == [(header.name, header.value) for header in found.headers]
    assert "2 headers left out" in found.detail


def test_letters_are_tallied() -> None:
    """The watcher counts by stage and reason; bytes that are no letter count as unreadable."""
    one, two = letter("ingest", record(b"x"), "A", "", 0).value, letter("validity", record(b"x"), "B", "", 0).value
    assert {("ingest", "A"): 2, ("validity", "B"): 1, ("", "UNREADABLE"): 1} == tally([one, two, b"?", one])
