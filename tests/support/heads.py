"""Heads of records by hand, for walks."""

from stanchion_core.walk import Cited, Ground, Head, Moved

DAY_US = 86_400 * 1_000_000


def head(record_id: str, *grounds: tuple[str, str, int], kind: str = "rule", **parts: object) -> Head:
    """Give a head with grounds (link, id, seq added at)."""
    links = tuple(Ground(*ground) for ground in grounds)
    return Head(id=record_id, kind=kind, grounds=links, **parts)  # type: ignore[arg-type]


def status(seq: int, to: str) -> Moved:
    """Give a move of the status."""
    return Moved(seq, 2, "field", "status", to)


def cited(uri: str, *, seq: int = 1, seen_us: int = 0, absent: int = 0) -> Cited:
    """Give a citation with a quote."""
    return Cited(uri, b"q" * 16, "", seq, seen_us, absent)


def lookup(*heads: Head) -> dict[str, Head]:
    """Give heads by id."""
    return {one.id: one for one in heads}
