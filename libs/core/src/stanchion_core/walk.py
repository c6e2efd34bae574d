"""Validity: whether a record still holds, worked out on read from the heads of what it rests on, never stored.

A record's grounds are its resting links and its citations. The walk goes breadth first over them, to three links and
at most 200 records, each record once by its shortest path; ties go by link order in the vocabulary (cited records after
the links), then by position in the list. A move counts when it is later than the record's baseline and than the adding
of every link on some path of at most three links: a link that is added takes no path away, so it clears nothing.
"""

from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct

MAX_DISTANCE: Final = 3
MAX_RECORDS: Final = 200
UNOBSERVED_US: Final = 30 * 86_400 * 1_000_000
CITES: Final = "cites"
"""How a path names the step from a record to a record that it cites."""


Claim = tuple[str, str]
"""Subject and predicate, normalised."""


class Ground(Struct, frozen=True, gc=False):
    """One confirmed link of a record.

    Attributes:
        name: of the link.
        to: id of the other end.
        seq: when it was added.
    """

    name: str
    to: str
    seq: int


class Cited(Struct, frozen=True, gc=False):
    """One citation that a record rests on.

    Attributes:
        uri: of the source, or the id of a record of the workspace.
        quote: the first 16 bytes of the quote's SHA-256, empty for no quote.
        version_token: the version that was read.
        seq: when it was added.
        seen_us: when it was last written or observed, microseconds since the epoch.
        absent: seq of the report that did not find the quote, 0 while nobody says so.
    """

    uri: str
    quote: bytes
    version_token: str
    seq: int
    seen_us: int
    absent: int


class Moved(Struct, frozen=True, gc=False):
    """One thing that moved in a record.

    Attributes:
        seq: of the change.
        version: of the record, after the change.
        kind: `field`, `body`, `citation`, `link` or `deleted`; in a reason also `pin`, a cited record's new text.
        name: the field, the link, or the uri; empty otherwise.
        to: the value it changed to, the other end of the link, or the cited record's new version.
    """

    seq: int
    version: int
    kind: Literal["field", "body", "citation", "link", "deleted", "pin"]
    name: str
    to: str


class Stood(Struct, frozen=True, gc=False):
    """Who last stood behind a record, and how.

    Attributes:
        how: `created` (this version), `approved` or `affirmed`.
        seq: of the change.
        at_us: when it was recorded, microseconds since the epoch.
        actor_kind: always a person today.
        actor_id: who.
        on_behalf_of: for whom, empty for nobody.
    """

    how: Literal["created", "approved", "affirmed"]
    seq: int
    at_us: int
    actor_kind: str
    actor_id: str
    on_behalf_of: str


class Head(Struct, frozen=True, kw_only=True, gc=False):
    """What must be in memory of one record, so that validity can be worked out for it and for what rests on it.

    Attributes:
        id: of the record.
        kind: of the record.
        room: of the record.
        status: the plain word, empty for a kind without status.
        in_force: whether the status is in force.
        deleted: it is a tombstone; it is still walked.
        version: that stands.
        seq: of the last change of the record.
        created: seq at which it came, the last time where it came back after a deletion.
        baseline: seq at which it was last stood behind.
        grounds: confirmed links it rests on, in vocabulary order, then by position.
        others: its other confirmed links, likewise.
        citations: the last explicit list.
        moves: those that a read may still tell of, oldest first.
        confirmed: a person stands behind this version.
        stood: who last did, None for nobody ever.
        claim: subject and predicate of the claim it names, None for none.
    """

    id: str
    kind: str
    room: str = ""
    status: str = ""
    in_force: bool = True
    deleted: bool = False
    version: int = 1
    seq: int = 0
    created: int = 0
    baseline: int = 0
    grounds: tuple[Ground, ...] = ()
    others: tuple[Ground, ...] = ()
    citations: tuple[Cited, ...] = ()
    moves: tuple[Moved, ...] = ()
    confirmed: bool = False
    stood: Stood | None = None
    claim: Claim | None = None


class Step(Struct, frozen=True):
    """One step of a path: the link, and the record it leads to."""

    link: str
    record_id: str


class Reason(Struct, frozen=True, kw_only=True):
    """One move that counts, and the way to it.

    Attributes:
        kind: `input_changed` at distance 1, `upstream_changed` beyond, `support_at_risk` for an absent quote.
        record_id: what moved.
        path: from the record to what moved; empty for its own citation.
        change: what moved in it.
        seq: when.
    """

    kind: Literal["input_changed", "upstream_changed", "support_at_risk"]
    record_id: str
    path: tuple[Step, ...]
    change: Moved
    seq: int


class Bound(Struct, frozen=True):
    """A limit of what could be said.

    Attributes:
        kind: `depth`, `size`, `unobserved` or `stale_evidence`.
        name: the source or the record; empty for depth and size.
    """

    kind: Literal["depth", "size", "unobserved", "stale_evidence"]
    name: str = ""


class NotInForce(Struct, frozen=True):
    """A ground that is not in force now: its status, or `deleted`."""

    record_id: str
    status: str


class Validity(Struct, frozen=True, kw_only=True):
    """Whether a record still holds.

    Attributes:
        state: `needs_review`, `monitoring_incomplete` or `current`.
        reasons: moves that count, oldest first.
        bounds: limits of what could be said.
        records: how many grounds were looked at, the record itself not among them.
        links: how many resting links were looked at.
        citations: how many of the record's own citations were looked at.
        observed_through: the seq up to which it was checked.
        grounds_not_in_force: the record's own grounds that are not in force now, moved or not.
    """

    state: Literal["current", "needs_review", "monitoring_incomplete"]
    reasons: tuple[Reason, ...]
    bounds: tuple[Bound, ...]
    records: int
    links: int
    citations: int
    observed_through: int
    grounds_not_in_force: tuple[NotInForce, ...]


class _Visit:
    """One record on the walk: how it was reached, and from which seq on its moves count, whichever way they come."""

    __slots__ = ("floor", "head", "link", "parent")

    def __init__(self, head: Head, floor: int, parent: "_Visit | None", link: str) -> None:
        self.head = head
        self.floor = floor
        self.parent = parent
        self.link = link


class _Walked(Struct, frozen=True):
    """The walk's result: visits by distance, the root alone at 0."""

    levels: list[list[_Visit]]
    links: int
    deep: bool
    cut: bool


Lookup = Callable[[str], Head | None]


def fresh(_claim: Claim) -> bool:
    """Say that no claim is stale: for callers that hold no beliefs."""
    return False


def validity(
    heads: Lookup,
    record_id: str,
    now_us: int,
    through_seq: int,
    stale: Callable[[Claim], bool] = fresh,
) -> Validity:
    """Work out whether a record still holds.

    Args:
        heads: gives the head of a record, deleted ones too; None for an id that was never written (`dict.get`).
        record_id: which record.
        now_us: microseconds since the epoch; citations age by it.
        through_seq: the last seq that the heads hold.
        stale: tells of a claim whether its belief is stale at `now_us`.

    Raises:
        KeyError: there is no such record.
    """
    root = heads(record_id)
    if root is None:
        raise KeyError(record_id)
    walked = _walk(heads, root, root.baseline)
    reasons = _reasons(walked.levels)
    bounds = [Bound("depth")] if walked.deep else []
    if walked.cut:
        bounds.append(Bound("size"))
    bounds += _unobserved(heads, root, now_us)
    bounds += [
        Bound("stale_evidence", visit.head.id)
        for level in walked.levels
        for visit in level
        if visit.head.claim is not None and stale(visit.head.claim)
    ]
    return Validity(
        state="needs_review" if reasons else "monitoring_incomplete" if bounds else "current",
        reasons=tuple(reasons),
        bounds=tuple(bounds),
        records=sum(map(len, walked.levels)) - 1,
        links=walked.links,
        citations=len(root.citations),
        observed_through=through_seq,
        grounds_not_in_force=_not_in_force(heads, root),
    )


def moved_after(heads: Lookup, record_id: str, seq: int) -> bool:
    """Tell whether a record came, or it or what it rests on moved or lost its support, after a seq.

    Whatever its baseline: it asks what somebody cannot have seen who read the record at that seq.

    Raises:
        KeyError: there is no such record.
    """
    root = heads(record_id)
    if root is None:
        raise KeyError(record_id)
    own = (root.created, *(move.seq for move in root.moves), *(cited.absent for cited in root.citations))
    if max(own) > seq:
        return True
    walked = _walk(heads, root, seq)
    return any(move.seq > visit.floor for level in walked.levels[1:] for visit in level for move in visit.head.moves)


def grounds(heads: Lookup, head: Head) -> tuple[Ground, ...]:
    """Give what a record rests on inside the workspace: its resting links, then the records it cites."""
    if not head.citations:
        return head.grounds
    cited = tuple(Ground(CITES, cited.uri, cited.seq) for cited in head.citations if heads(cited.uri) is not None)
    return head.grounds + cited


def _walk(heads: Lookup, root: Head, floor: int) -> _Walked:
    """Visit the grounds breadth first, within the bounds."""
    seen = {root.id}
    levels = [[_Visit(root, floor, None, "")]]
    links, cut = 0, False
    while len(levels) <= MAX_DISTANCE and levels[-1] and not cut:
        level: list[_Visit] = []
        for visit in levels[-1]:
            below = grounds(heads, visit.head)
            links += len(visit.head.grounds)
            cut = _visit(heads, visit, below, seen, level) or cut
        levels.append(level)
    _lower_floors(heads, root, floor, levels)
    last = levels[MAX_DISTANCE] if len(levels) > MAX_DISTANCE else []
    deep = any(
        ground.to not in seen and heads(ground.to) is not None
        for visit in last
        for ground in grounds(heads, visit.head)
    )
    return _Walked(levels, links, deep, cut)


def _visit(heads: Lookup, visit: _Visit, below: tuple[Ground, ...], seen: set[str], level: list[_Visit]) -> bool:
    """Visit the grounds of one record that were not seen before; tell whether the walk had to stop for its size."""
    for ground in below:
        to = ground.to
        if to in seen:
            continue
        head = heads(to)
        if head is None:
            continue
        if len(seen) > MAX_RECORDS:  # the root is among them
            return True
        seen.add(to)
        level.append(_Visit(head, max(visit.floor, ground.seq), visit, ground.name))
    return False


def _hides(levels: list[list[_Visit]], floor: int) -> bool:
    """Tell whether a move on the walk does not count only because a link on its shortest path is newer."""
    for level in levels[1:]:
        for visit in level:
            moves = visit.head.moves
            if moves and moves[0].seq <= visit.floor and any(floor < move.seq <= visit.floor for move in moves):
                return True
    return False


def _lower_floors(heads: Lookup, root: Head, floor: int, levels: list[list[_Visit]]) -> None:
    """Let moves count that a longer path has known for as long as the baseline, though the shortest is newer."""
    if not _hides(levels, floor):
        return
    visits = {visit.head.id: visit for level in levels[1:] for visit in level}
    ways = {root.id: floor}
    for _ in range(MAX_DISTANCE):
        following: dict[str, int] = {}
        for record_id, since in ways.items():
            head = root if record_id == root.id else visits[record_id].head
            for ground in grounds(heads, head):
                if ground.to in visits:
                    way = max(since, ground.seq)
                    following[ground.to] = min(way, following.get(ground.to, way))
        for record_id, way in following.items():
            visits[record_id].floor = min(way, visits[record_id].floor)
        ways = following


def _reasons(levels: list[list[_Visit]]) -> list[Reason]:
    """Give the moves that count, oldest first; moves of one seq in the order of the walk."""
    root = levels[0][0].head
    found = [
        Reason(
            kind="support_at_risk",
            record_id=root.id,
            path=(),
            change=Moved(cited.absent, root.version, "citation", cited.uri, "absent"),
            seq=cited.absent,
        )
        for cited in root.citations
        if cited.absent
    ]
    for distance, level in enumerate(levels[1:], start=1):
        for visit in level:
            moves = visit.head.moves
            if moves and moves[-1].seq > visit.floor:
                found += [_reason(visit, move, distance) for move in moves if move.seq > visit.floor]
    found.sort(key=lambda reason: reason.seq)
    return found


def _reason(visit: _Visit, move: Moved, distance: int) -> Reason:
    """Say what moved and how the walk came to it."""
    pinned = visit.link == CITES and move.kind == "body"
    return Reason(
        kind="input_changed" if distance == 1 else "upstream_changed",
        record_id=visit.head.id,
        path=_path(visit),
        change=Moved(move.seq, move.version, "pin", visit.head.id, str(move.version)) if pinned else move,
        seq=move.seq,
    )


def _path(visit: _Visit) -> tuple[Step, ...]:
    """Give the steps from the root to a visited record."""
    steps: list[Step] = []
    at: _Visit | None = visit
    while at is not None and at.parent is not None:
        steps.append(Step(at.link, at.head.id))
        at = at.parent
    return tuple(reversed(steps))


def _unobserved(heads: Lookup, root: Head, now_us: int) -> list[Bound]:
    """Name the record's own outside sources that nobody wrote or observed for 30 days, each once."""
    names = {
        cited.uri: None
        for cited in root.citations
        if now_us - cited.seen_us > UNOBSERVED_US and heads(cited.uri) is None
    }
    return [Bound("unobserved", name) for name in names]


def _not_in_force(heads: Lookup, root: Head) -> tuple[NotInForce, ...]:
    """Name the record's own grounds that are not in force, each once, in the order of the walk."""
    found: dict[str, NotInForce] = {}
    for ground in grounds(heads, root):
        head = heads(ground.to)
        if head is not None and (head.deleted or not head.in_force):
            found[head.id] = NotInForce(head.id, "deleted" if head.deleted else head.status)
    return tuple(found.values())
