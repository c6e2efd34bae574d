"""What a reader is told of a record, worked out from all its versions and all events, as the page on records says."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from stanchion_contracts.record import Citation
from support.naive import Naive
from support.naive_kept import KINDS, RESTS, Content, Version

DAY_US: Final = 86_400_000_000
CITES: Final = "cites"
"""What a step of a path is called that goes to a cited record."""
SUPERSEDES: Final = ("replaces", "supersedes_statement")
STEPS: Final = 3
MOST: Final = 200

Path = tuple[tuple[str, str], ...]


class Reason(Struct, frozen=True, order=True):
    """Why a record needs review; `change` says what moved: kind, name, to."""

    seq: int
    kind: str
    record_id: str
    path: Path
    change: tuple[str, str, str]


class Read(Struct, frozen=True, kw_only=True):
    """What a reader is told.

    Attributes:
        state: the word.
        reasons: oldest first; those of one seq sorted.
        bounds: kind and name.
        monitored: how many records, links and citations were looked at.
        observed_through: up to which seq.
        not_in_force: grounds that are not, and their statuses.
        confirmed: a person stands behind this version.
        stood: seq, who and how, of the person who last did; None for nobody ever.
        superseded_by: records that took its place.
        supersedes: records whose place it took.
        claimed_by: records that claim to replace it while it is in force, or would in a proposal.
    """

    state: str
    reasons: tuple[Reason, ...]
    bounds: frozenset[tuple[str, str]]
    monitored: tuple[int, int, int]
    observed_through: int
    not_in_force: tuple[tuple[str, str], ...]
    confirmed: bool
    stood: tuple[int, str, str] | None
    superseded_by: tuple[str, ...]
    supersedes: tuple[str, ...]
    claimed_by: tuple[str, ...]


class Walked(Struct):
    """What one walk found: the way to each record, and the seq from which on its moves count."""

    paths: dict[str, Path]
    since: dict[str, int]
    links: int = 0
    deep: bool = False
    cut: bool = False


def read(naive: Naive, record_id: str) -> Read:
    """Tell of a record whether it still holds."""
    walked = walk(naive, record_id, baseline(naive, record_id))
    reasons = tuple(sorted([*_moved(naive, walked), *_at_risk(naive, record_id)]))
    bounds = frozenset(_bounds(naive, record_id, walked))
    stood = _stood(naive, record_id)
    return Read(
        state="needs_review" if reasons else "monitoring_incomplete" if bounds else "current",
        reasons=reasons,
        bounds=bounds,
        monitored=(len(walked.paths) - 1, walked.links, len(naive.versions[record_id][-1].resting)),
        observed_through=naive.seq,
        not_in_force=tuple(_not_in_force(naive, record_id)),
        confirmed=stood is not None and not _says_else_since(naive, record_id, stood[0]),
        stood=stood,
        superseded_by=() if binds(naive, record_id) else tuple(sorted(_replacing(naive, record_id))),
        supersedes=tuple(sorted(to for to in _superseded(naive, record_id) if not binds(naive, to))),
        claimed_by=tuple(sorted(_claiming(naive, record_id))),
    )


def moved_since(naive: Naive, record_id: str, seq: int) -> bool:
    """Whether somebody who read a record at a seq has not seen a move that landed since."""
    own = [naive.life(record_id)[0].seq, *(move for move, *_ in moves(naive, record_id))]
    risks = [reason.seq for reason in _at_risk(naive, record_id)]
    return max([*own, *risks]) > seq or any(_moved(naive, walk(naive, record_id, seq)))


def moves(naive: Naive, record_id: str) -> Iterator[tuple[int, str, str, str]]:
    """Everything that ever moved in a record: seq, kind, name, to. A new record is no move."""
    for before, after in pairwise(naive.versions[record_id]):
        if not before.content.deleted:
            yield from ((after.seq, *moved) for moved in _moved_between(before, after))


def _moved_between(before: Version, after: Version) -> Iterator[tuple[str, str, str]]:
    """What of a version counts as a move."""
    was, now = before.content, after.content
    if now.deleted:
        yield "deleted", "", ""
        return
    if was.body != now.body:
        yield "body", "", ""
    back = (now.kind, was.status, now.status) == ("decision", "active", "draft")
    if was.status != now.status and (now.status in KINDS[now.kind].moves or back):
        yield "field", "status", now.status
    if now.kind == "rule" and was.part("field:applies_to") != now.part("field:applies_to"):
        yield "field", "applies_to", str(now.part("field:applies_to"))
    yield from (("link", *link) for link in {*was.linked(*RESTS)} ^ {*now.linked(*RESTS)})
    if after.explicit:
        yield from (("citation", uri, "") for uri in {one.uri for one in {*before.resting} ^ {*after.resting}})


def _grounds_differ(before: Version, after: Version) -> bool:
    """Whether a version rests on something else than the one before; silence about citations is no difference."""
    return {*before.content.linked(*RESTS)} != {*after.content.linked(*RESTS)} or {*before.resting} != {*after.resting}


def _approved(version: Version) -> bool:
    """Whether a person had a proposal come into force by this version."""
    return version.how == "approved" and not version.content.deleted


def baseline(naive: Naive, record_id: str) -> int:
    """The seq at which a record was last stood behind: its creation, a person's change of body or grounds, …."""
    life = naive.life(record_id)
    found = [life[0].seq, *(one.seq for one in naive.affirmed if one.record_id == record_id)]
    found += [
        after.seq
        for before, after in pairwise(life)
        if after.actor.kind == "person"
        and (_approved(after) or before.content.body != after.content.body or _grounds_differ(before, after))
    ]
    return max(found)


def _says_else(was: Content, now: Content) -> bool:
    """Whether what a version says differs: body, grounds link, monitored field."""
    status = bool(KINDS[now.kind].moves) and was.status != now.status
    scope = now.kind == "rule" and was.part("field:applies_to") != now.part("field:applies_to")
    return was.body != now.body or {*was.linked(*RESTS)} != {*now.linked(*RESTS)} or status or scope


def _stood(naive: Naive, record_id: str) -> tuple[int, str, str] | None:
    """The last time a person stood behind a version: seq, who, how."""
    life = naive.life(record_id)
    found = [
        (one.seq, one.actor.id, "affirmed")
        for one in naive.affirmed
        if one.record_id == record_id and one.seq > life[0].seq
    ]
    for number, after in enumerate(life):
        before = life[number - 1]
        said = number == 0 or _says_else(before.content, after.content) or _grounds_differ(before, after)
        if after.actor.kind == "person" and (said or _approved(after)) and not after.content.deleted:
            found.append((after.seq, after.actor.id, after.how))
    return max(found, default=None)


def _says_else_since(naive: Naive, record_id: str, seq: int) -> bool:
    """Whether what a record says changed after a seq, by anybody."""
    return any(
        after.seq > seq and _says_else(before.content, after.content)
        for before, after in pairwise(naive.life(record_id))
    )


def _since(versions: Sequence[Version], ground: tuple[str, str] | Citation) -> int:
    """The seq at which a link or citation that is there was added: since when it has been there without a break."""
    found = versions[-1].seq
    for version in reversed(versions):
        there = version.resting if isinstance(ground, Citation) else version.content.linked(*RESTS)
        if ground not in there:
            break
        found = version.seq
    return found


def _grounds(naive: Naive, record_id: str) -> list[tuple[str, str, int]]:
    """What a record rests on inside the workspace, with the seq of its adding: links, then the records it cites."""
    life = naive.life(record_id)
    links = [(name, to, _since(life, (name, to))) for name, to in life[-1].content.linked(*RESTS)]
    cited = [(CITES, one.uri, _since(life, one)) for one in life[-1].resting if one.uri in naive.versions]
    return [*links, *cited]


def _since_when(naive: Naive, record_id: str, since: int) -> dict[str, int]:
    """For each record that some path comes to, the seq since which all links of its oldest path are there."""
    found, ends = {record_id: since}, {record_id: {since}}
    for _ in range(STEPS):
        further: dict[str, set[int]] = {}
        for one, at in ends.items():
            for _, to, added in _grounds(naive, one):
                further.setdefault(to, set()).update(max(way, added) for way in at)
        for to, at in further.items():
            found[to] = min(found.get(to, min(at)), *at)
        ends = further
    return found


def walk(naive: Naive, record_id: str, since: int) -> Walked:
    """Walk breadth first, to three links and 200 records; each record once, by its shortest path."""
    walked = Walked(paths={record_id: ()}, since=_since_when(naive, record_id, since))
    level = [record_id]
    for _ in range(STEPS):
        following: list[str] = []
        for one in level:
            for name, to, _ in _grounds(naive, one):
                walked.links += name != CITES
                if to not in walked.paths and len(walked.paths) > MOST:
                    walked.cut = True
                elif to not in walked.paths:
                    walked.paths[to] = (*walked.paths[one], (name, to))
                    following.append(to)
        level = following
        if walked.cut:
            break
    farthest = [one for one in level if len(walked.paths[one]) == STEPS]
    walked.deep = any(to not in walked.paths for one in farthest for _, to, _ in _grounds(naive, one))
    return walked


def _moved(naive: Naive, walked: Walked) -> Iterator[Reason]:
    """The moves that count: later than the baseline and than the adding of every link on some path to them."""
    for one, path in walked.paths.items():
        for seq, kind, name, to in moves(naive, one) if path else ():
            if seq > walked.since[one]:
                change = (kind, name, to)
                if kind == "body" and path[-1][0] == CITES:
                    versions = [version.seq for version in naive.versions[one]]
                    change = ("pin", one, str(versions.index(seq) + 1))
                yield Reason(seq, "input_changed" if len(path) == 1 else "upstream_changed", one, path, change)


def _at_risk(naive: Naive, record_id: str) -> Iterator[Reason]:
    """The record's own citations that were reported absent, until a person affirms or it is cited again."""
    affirmed = max((one.seq for one in naive.affirmed if one.record_id == record_id), default=0)
    life = naive.life(record_id)
    for cited in life[-1].resting:
        added = _since(life, cited)
        said = [
            (one.seq, one.token, quote.seen == "absent")
            for one in naive.reported
            for quote in one.quotes
            if (one.uri, quote.quote) == (cited.uri, cited.quote)
        ]
        before = [absent for seq, token, absent in said if seq < added and token == cited.version_token]
        risks = [seq for seq, _, absent in said if seq > max(added, affirmed) and absent]
        risks += [added] if before and before[-1] and added > affirmed else []
        if risks:
            yield Reason(min(risks), "support_at_risk", record_id, (), ("citation", cited.uri, "absent"))


def _bounds(naive: Naive, record_id: str, walked: Walked) -> Iterator[tuple[str, str]]:
    """What is not known."""
    if walked.deep:
        yield "depth", ""
    if walked.cut:
        yield "size", ""
    life = naive.life(record_id)
    for cited in life[-1].resting:
        written = [one.time_us for one in life if one.explicit and cited in one.resting]
        observed = [
            one.time_us
            for one in naive.reported
            if one.uri == cited.uri and (not cited.quote or cited.quote in {quote.quote for quote in one.quotes})
        ]
        if cited.uri not in naive.versions and naive.now_us - max(written + observed) > 30 * DAY_US:
            yield "unobserved", cited.uri
    for one in walked.paths:
        if naive.versions[one][-1].content.part("field:claim") and naive.believed:
            believed = naive.believed[-1]
            if sum(believed.aged(naive.now_us)) < believed.undecayed / 4:
                yield "stale_evidence", one


def _not_in_force(naive: Naive, record_id: str) -> Iterator[tuple[str, str]]:
    """The grounds that are not in force now, moved or not, each once."""
    for to in dict.fromkeys(to for _, to, _ in _grounds(naive, record_id)):
        content = naive.versions[to][-1].content
        if content.deleted:
            yield to, "deleted"
        elif content.status and not content.in_force:
            yield to, content.status


def binds(naive: Naive, record_id: str) -> bool:
    """Whether a record is in force; one of a kind without a status is while it is there."""
    content = naive.versions[record_id][-1].content
    return content.in_force or not (content.deleted or content.status)


def _superseded(naive: Naive, record_id: str) -> set[str]:
    """What a record says that it supersedes, whichever link says so."""
    content = naive.versions[record_id][-1].content
    return {to for _, to in content.linked(*SUPERSEDES)} if content.links else set()


def _replacing(naive: Naive, record_id: str) -> set[str]:
    """The records that say that they supersede a record."""
    return {one for one in naive.versions if record_id in _superseded(naive, one)}


def _claiming(naive: Naive, record_id: str) -> set[str]:
    """The records that claim to: what is in force is not superseded, and what waits in Review has not landed."""
    waiting = {
        write.id
        for proposal in naive.waiting
        for write in proposal.writes
        for links in write.links
        if links.name in SUPERSEDES and record_id in {link.to for link in links.links}
    }
    return waiting | (_replacing(naive, record_id) if binds(naive, record_id) else set())
