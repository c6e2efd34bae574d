"""The heads of a workspace's records, folded from its changes: the one fold that validity and the view share.

Pure: the same changes give the same heads, and the maps keep the order of the changes.
"""

import hashlib
import sys
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec
from msgspec import Struct

from stanchion_contracts.change import Change, Proposal, RecordChange
from stanchion_contracts.command import LinkSet, ReportObservations
from stanchion_contracts.meta import Actor
from stanchion_contracts.moves import readable
from stanchion_contracts.record import Citation, Link
from stanchion_core.vocabulary import CLAIM, STATUS, Vocabulary
from stanchion_core.walk import Cited, Claim, Ground, Head, Moved, Stood

_QUOTE_BYTES: Final = 16
MOST_ABSENT: Final = 1_024
"""How many quotes of one source are remembered as not found, each in one of its versions; those reported last."""


class Heads(Struct, frozen=True, kw_only=True):
    """What a workspace's reads and writes need at hand; the maps change in place, their values are frozen.

    Attributes:
        records: the head of each record ever written, by id; `records.get` is the walk's lookup.
        linked_from: for a record, the records that have a confirmed link to it, sorted.
        citing: for a uri or record id, the records that rest on a citation of it, sorted.
        absent: for a uri, the quotes that the last report of a version did not find, each with the version's token; in
            the order of those reports, the latest ones.
        proposals: open ones, by id, oldest first.
        claimed: for a record, open proposals by which another record would supersede it: {proposal id: the other}.
    """

    records: dict[str, Head] = {}
    linked_from: dict[str, tuple[str, ...]] = {}
    citing: dict[str, tuple[str, ...]] = {}
    absent: dict[str, tuple[tuple[bytes, str], ...]] = {}
    proposals: dict[str, Proposal] = {}
    claimed: dict[str, dict[str, str]] = {}


class _ClaimField(Struct, frozen=True):
    """The claim a record names."""

    subject: str
    predicate: str


class _When(Struct, frozen=True):
    """The seq of a change, when it was recorded, and whose it is."""

    seq: int
    at_us: int
    actor: Actor


def quote_digest(quote: str) -> bytes:
    """Give the short digest that heads keep of a quote; empty for no quote."""
    return hashlib.sha256(quote.encode()).digest()[:_QUOTE_BYTES] if quote else b""


def claim_of(value: str) -> Claim | None:
    """Give subject and predicate of a claim field's JSON text, None when it is not set."""
    if not value:
        return None
    plain = msgspec.json.decode(value, type=_ClaimField)
    return plain.subject, plain.predicate


def plain_text(value: str) -> str:
    """Give the text of a field whose JSON is a string; empty when it is not set, the JSON itself otherwise."""
    if not value:
        return ""
    plain = msgspec.json.decode(value)
    return plain if isinstance(plain, str) else value


def fold(heads: Heads, vocabulary: Vocabulary, change: Change, recorded_at_us: int, actor: Actor) -> None:
    """Fold one change into the heads.

    Args:
        heads: of the change's workspace, holding every earlier change.
        vocabulary: of the workspace.
        change: any; one that concerns no record, citation or proposal changes nothing.
        recorded_at_us: of its message or ledger entry, microseconds since the epoch.
        actor: of its message or ledger entry; `change.record.by` goes before it.
    """
    if change.record is not None:
        when = _When(change.seq, recorded_at_us, change.record.by or actor)
        _record(heads, vocabulary, change.record, when, deleted=change.action == "record.deleted")
    elif change.affirmation is not None:
        _affirm(heads, change.affirmation.record_id, _When(change.seq, recorded_at_us, actor))
    elif change.observed is not None:
        _observe(heads, change.observed, change.seq, recorded_at_us)
    elif change.proposal is not None:
        _propose(heads, vocabulary, change.proposal, waits=change.action != "proposal.closed")


def reword(heads: Heads, vocabulary: Vocabulary) -> None:
    """Work out anew what heads hold by the vocabulary, when a workspace gets another one.

    What moved, who stood behind what and since when a link is there are facts of their time and stay. Only heads that
    read otherwise are put anew, so that a layer over them writes no others.

    Args:
        heads: as folded under any vocabularies before; changes in place.
        vocabulary: of the workspace from now on.
    """
    for head in tuple(heads.records.values()):
        grounds, others = _sorted_links(vocabulary, head.grounds + head.others)
        in_force = vocabulary.in_force(head.kind, head.status)
        if (grounds, others, in_force) != (head.grounds, head.others, head.in_force):
            heads.records[head.id] = msgspec.structs.replace(head, grounds=grounds, others=others, in_force=in_force)
    for target in tuple(heads.claimed):
        del heads.claimed[target]
    for proposal in tuple(heads.proposals.values()):
        _claim(heads, vocabulary, proposal)


def superseded_by(heads: Heads, vocabulary: Vocabulary, record_id: str) -> tuple[str, ...]:
    """Name the records that supersede a record, whichever side stated it, sorted."""
    found = {
        other
        for other in heads.linked_from.get(record_id, ())
        for link in heads.records[other].others
        if link.to == record_id and vocabulary.supersedes(link.name)
    }
    return tuple(sorted(found))


def supersedes(heads: Heads, vocabulary: Vocabulary, record_id: str) -> tuple[str, ...]:
    """Name the records that a record supersedes, whichever side stated it, sorted."""
    head = heads.records.get(record_id)
    links = head.others if head else ()
    return tuple(sorted({link.to for link in links if vocabulary.supersedes(link.name)}))


def claimed_by(heads: Heads, record_id: str) -> tuple[str, ...]:
    """Name the records that claim, in an open proposal, to supersede a record, sorted."""
    return tuple(sorted(set(heads.claimed.get(record_id, {}).values())))


def resting_on(heads: Heads, record_id: str) -> tuple[str, ...]:
    """Name the records that rest on a record directly, by a resting link or by citing its id, first come first."""
    linked = {
        other: None
        for other in heads.linked_from.get(record_id, ())
        if any(ground.to == record_id for ground in heads.records[other].grounds)
    }
    return tuple(linked | dict.fromkeys(heads.citing.get(record_id, ())))


def _record(heads: Heads, vocabulary: Vocabulary, record: RecordChange, when: _When, *, deleted: bool) -> None:
    """Fold what happened to one record."""
    before = heads.records.get(record.id)
    old = _blank(record, before) if before is None or record.before is None else before
    grounds, others = _links(heads, vocabulary, old, record, when.seq)
    fields = {field.name: field.value for field in record.after.fields}
    status = plain_text(fields[STATUS]) if STATUS in fields else old.status
    moves = tuple(Moved(when.seq, record.version, move.kind, move.name, move.to) for move in record.moves)
    head = Head(
        id=record.id,
        kind=sys.intern(record.kind),
        room=sys.intern(record.room),
        status=sys.intern(status),
        in_force=vocabulary.in_force(record.kind, status),
        deleted=deleted,
        version=record.version,
        seq=when.seq,
        created=when.seq if record.before is None else old.created,
        baseline=when.seq if record.baseline else old.baseline,
        grounds=grounds,
        others=others,
        citations=_citations(heads, old, record, when),
        moves=readable(heads.records, (heads.linked_from, heads.citing), record.id, old.moves + moves)
        if moves
        else old.moves,
        confirmed=old.confirmed if record.confirmation == "kept" else record.confirmation == "given",
        stood=_stood(when, "approved" if record.proposal_id else "created")
        if record.confirmation == "given"
        else old.stood,
        claim=claim_of(fields[CLAIM]) if CLAIM in fields else old.claim,
    )
    put_head(heads, head)


def _blank(record: RecordChange, gone: Head | None) -> Head:
    """Give the head of a new record; one that comes back after a deletion keeps only what moved in it."""
    return Head(id=record.id, kind=record.kind, room=record.room, moves=gone.moves if gone else ())


def _stood(when: _When, how: Literal["created", "approved", "affirmed"]) -> Stood:
    """Say who stands behind a version."""
    actor = when.actor
    return Stood(
        how, when.seq, when.at_us, sys.intern(actor.kind), sys.intern(actor.id), sys.intern(actor.on_behalf_of)
    )


def _links(
    heads: Heads, vocabulary: Vocabulary, old: Head, record: RecordChange, seq: int
) -> tuple[tuple[Ground, ...], tuple[Ground, ...]]:
    """Give the record's resting and other confirmed links after the change; a link that stays keeps its seq."""
    if not record.after.link_names:
        return old.grounds, old.others
    since = {(ground.name, ground.to): ground.seq for ground in old.grounds + old.others}
    kept = [ground for ground in old.grounds + old.others if ground.name not in record.after.link_names]
    changed = [_ground(heads, link, since, seq) for link in record.after.links if link.state == "confirmed"]
    return _sorted_links(vocabulary, kept + changed)


def _sorted_links(vocabulary: Vocabulary, links: Iterable[Ground]) -> tuple[tuple[Ground, ...], tuple[Ground, ...]]:
    """Give links in vocabulary order, those of one name as they come: first those that rest, then the others."""
    ordered = sorted(links, key=lambda link: vocabulary.place(link.name))
    rests = tuple(link for link in ordered if vocabulary.rests(link.name))
    return rests, tuple(link for link in ordered if not vocabulary.rests(link.name))


def _ground(heads: Heads, link: Link, since: dict[tuple[str, str], int], seq: int) -> Ground:
    """Give one link with the seq it was added at; ids and names are kept once, however many links have them."""
    target = heads.records.get(link.to)
    return Ground(sys.intern(link.name), target.id if target else link.to, since.get((link.name, link.to), seq))


def _citations(heads: Heads, old: Head, record: RecordChange, when: _When) -> tuple[Cited, ...]:
    """Give what the record's citations are after the change: silence leaves the last explicit list standing."""
    if not record.evidence_explicit:
        return old.citations
    if record.after.evidence is None:
        return tuple(msgspec.structs.replace(cited, seen_us=when.at_us) for cited in old.citations)
    standing = {(cited.uri, cited.quote, cited.version_token): cited for cited in old.citations}
    return tuple(_cited(heads, standing, citation, when) for citation in record.after.evidence)


def _cited(heads: Heads, standing: dict[tuple[str, bytes, str], Cited], citation: Citation, when: _When) -> Cited:
    """Give one citation: one that stood keeps its seq and its absence, a new one is absent where a report says so."""
    quote = quote_digest(citation.quote)
    before = standing.get((citation.uri, quote, citation.version_token))
    if before is not None:
        return msgspec.structs.replace(before, seen_us=when.at_us)
    missing = (quote, citation.version_token) in heads.absent.get(citation.uri, ())
    return Cited(
        citation.uri, quote, sys.intern(citation.version_token), when.seq, when.at_us, when.seq if missing else 0
    )


def put_head(heads: Heads, head: Head) -> None:
    """Keep a head, and what points at what."""
    before = heads.records.get(head.id)
    heads.records[head.id] = head
    _point(heads.linked_from, head.id, _linked(before), _linked(head))
    _point(heads.citing, head.id, _sources(before), _sources(head))


def _linked(head: Head | None) -> dict[str, None]:
    """Give the other ends of a record's links."""
    return {link.to: None for links in ((head.grounds, head.others) if head else ()) for link in links}


def _sources(head: Head | None) -> dict[str, None]:
    """Give what a record cites."""
    return {cited.uri: None for cited in head.citations} if head else {}


def _point(index: dict[str, tuple[str, ...]], record_id: str, before: dict[str, None], now: dict[str, None]) -> None:
    """Have a record stand at what it points at, once each; nothing is left of what nobody points at."""
    for target in before:
        if target not in now:
            rest = tuple(other for other in index[target] if other != record_id)
            if rest:
                index[target] = rest
            else:
                del index[target]
    for target in now:
        if target not in before:
            others = index.get(target, ())
            place = bisect_left(others, record_id)
            index[target] = (*others[:place], record_id, *others[place:])


def _affirm(heads: Heads, record_id: str, when: _When) -> None:
    """Fold an affirmation: a new baseline, confirmed, and nothing at risk any more."""
    head = heads.records[record_id]
    heads.records[record_id] = msgspec.structs.replace(
        head,
        seq=when.seq,
        baseline=when.seq,
        confirmed=True,
        stood=_stood(when, "affirmed"),
        citations=tuple(msgspec.structs.replace(cited, absent=0) for cited in head.citations),
    )


def _observe(heads: Heads, report: ReportObservations, seq: int, at_us: int) -> None:
    """Fold a report: what was seen is fresh, what was absent puts every record that cites it at risk."""
    seen = {quote_digest(quote.quote): quote.seen for quote in report.quotes}
    citing = [heads.records[record_id] for record_id in heads.citing.get(report.uri, ())]
    _remember(heads, report.uri, report.version_token, seen)
    for head in citing:
        citations = tuple(_seen(cited, report.uri, seen, seq, at_us) for cited in head.citations)
        heads.records[head.id] = msgspec.structs.replace(head, citations=citations)


def _remember(heads: Heads, uri: str, token: str, seen: Mapping[bytes, str]) -> None:
    """Keep in which versions of a source a quote was not found; the last report of a version is the one that counts."""
    told = {(quote, token) for quote in seen}
    missing = [known for known in heads.absent.get(uri, ()) if known not in told]
    missing += ((quote, token) for quote, verdict in seen.items() if verdict == "absent")
    if missing:
        heads.absent[uri] = tuple(missing[-MOST_ABSENT:])
    else:
        heads.absent.pop(uri, None)


def _seen(cited: Cited, uri: str, seen: Mapping[bytes, str], seq: int, at_us: int) -> Cited:
    """Give one citation after a report; a citation without a quote is seen whenever its source is."""
    if cited.uri != uri or (cited.quote and cited.quote not in seen):
        return cited
    absent = seq if seen.get(cited.quote) == "absent" and not cited.absent else cited.absent
    return msgspec.structs.replace(cited, seen_us=at_us, absent=absent)


def _propose(heads: Heads, vocabulary: Vocabulary, proposal: Proposal, *, waits: bool) -> None:
    """Keep a proposal as it is now, or drop one that is closed, and who claims in it to supersede whom."""
    before = heads.proposals.get(proposal.id)
    for target in () if before is None else {link.to for _, links in _links_in(before) for link in links.links}:
        claims = heads.claimed.get(target, {})
        claims.pop(proposal.id, None)
        if not claims:
            heads.claimed.pop(target, None)
    if not waits:
        heads.proposals.pop(proposal.id, None)
        return
    heads.proposals[proposal.id] = proposal
    _claim(heads, vocabulary, proposal)


def _claim(heads: Heads, vocabulary: Vocabulary, proposal: Proposal) -> None:
    """Keep whom an open proposal would have superseded, and by whom."""
    for record_id, links in _links_in(proposal):
        for link in links.links if vocabulary.supersedes(links.name) else ():
            if link.state == "confirmed":
                heads.claimed.setdefault(link.to, {})[proposal.id] = record_id


def _links_in(proposal: Proposal) -> Iterable[tuple[str, LinkSet]]:
    """Give the links that a proposal would write, and the record that would carry them."""
    return ((write.id, links) for write in proposal.batch.writes for links in write.links)
