"""What callers ask, checked: limits, cursors, filters, names; what is wrong is refused with reason and place."""

from collections.abc import Iterable
from typing import Final, get_args

from google.protobuf.timestamp_pb2 import Timestamp

from stanchion_contracts.finding import FindingKind
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_contracts.record import FieldValue
from stanchion_contracts.relation import Entity
from stanchion_core.errors import InvalidMessage
from stanchion_core.limits import FIELD_VALUE_BYTES, NAME_CHARS, YEAR_1_US, YEAR_10000_US
from stanchion_core.text import canonical_json, clean, parse_json
from stanchion_core.vocabulary import Vocabulary
from stanchion_runtime import rpc
from stanchion_view.core import cursor, listing
from stanchion_view.core.belief import claim_of
from stanchion_view.core.graph import MOST_HOPS, Wanted
from stanchion_view.core.query import Filters, State
from stanchion_view.core.state import Claim

DEFAULT_LIMIT: Final = 50
MOST: Final = 200
"""On one page."""
DEFAULT_HOPS: Final = 2
ABOUT_CHARS: Final = 10_000
"""Of a text whose words are looked for."""
MOST_NAMES: Final = 64
"""Names of links and relations that a traversal keeps to."""

_STATES: Final[dict[int, State]] = {
    types_pb2.VALIDITY_STATE_CURRENT: "current",
    types_pb2.VALIDITY_STATE_NEEDS_REVIEW: "needs_review",
    types_pb2.VALIDITY_STATE_MONITORING_INCOMPLETE: "monitoring_incomplete",
}
_FINDINGS: Final[tuple[str, ...]] = get_args(FindingKind)
_SEQ_DIGITS: Final = 18
_NANOS: Final = 1_000_000_000


def filters(request: pb.QueryRequest) -> Filters:
    """Read the filters; `check_names` checks them against the workspace.

    Raises:
        Refused: `FIELD_VALUE` where a value is no JSON, a state none of ours or a room no text; `TOO_LARGE`.
    """
    unknown = [state for state in request.states if state not in _STATES]
    if unknown:
        rpc.refuse("FIELD_VALUE", "states has one that is not a validity state: leave it out", field="states")
    return Filters(
        kinds=frozenset(request.kinds),
        room=name(request.room, "room", needed=False),
        fields=tuple(sorted(_field(field.name, field.value_json) for field in request.fields)),
        states=frozenset(_STATES[state] for state in request.states),
        deleted=request.include_deleted,
    )


def check_names(vocabulary: Vocabulary, asked: Filters) -> None:
    """Check that kinds and fields are of the workspace's vocabulary: what is mistyped is no empty page.

    Raises:
        Refused: `UNKNOWN_KIND`, `UNKNOWN_FIELD`.
    """
    for kind in sorted(asked.kinds):
        if kind not in vocabulary.kinds:
            known = ", ".join(sorted(vocabulary.kinds))
            rpc.refuse("UNKNOWN_KIND", f"the vocabulary has no kind {kind!r:.80}; it has {known}", field="kinds")
    fields = {name for kind in asked.kinds or vocabulary.kinds for name in vocabulary.kinds[kind].fields}
    for field in asked.fields:
        if field.name not in fields:
            known = ", ".join(sorted(fields))
            rpc.refuse(
                "UNKNOWN_FIELD", f"no kind asked for has a field {field.name!r:.80}; there are {known}", field="fields"
            )


def question_of(workspace: str, asked: Filters) -> bytes:
    """Give the digest of a query, for its cursors."""
    fields = [(field.name, field.value) for field in asked.fields]
    return cursor.question_of(workspace, sorted(asked.kinds), asked.room, fields, sorted(asked.states), asked.deleted)


def limit(asked: int, default: int = DEFAULT_LIMIT, most: int = MOST) -> int:
    """Check how many somebody wants on a page.

    Args:
        asked: 0 for the default.
        default: how many where nothing is said.
        most: on one page.

    Raises:
        Refused: `FIELD_VALUE`.
    """
    if not 0 <= asked <= most:
        rpc.refuse("FIELD_VALUE", f"limit is {asked}: give 1 to {most}, or 0 for {default}", field="limit")
    return asked or default


def place(text: str, question: bytes) -> cursor.Cursor:
    """Read a cursor; none is the first page.

    Raises:
        Refused: `BAD_CURSOR`.
    """
    if not text:
        return cursor.Cursor(after="", as_of_seq=0, question=question)
    try:
        return cursor.decode(text, question)
    except cursor.CursorError as error:
        rpc.refuse("BAD_CURSOR", str(error), field="cursor")


def after_seq(seen: cursor.Cursor) -> int:
    """Give the seq after which a page begins whose order is that of seqs.

    Raises:
        Refused: `BAD_CURSOR`.
    """
    if not seen.after:
        return 0
    if not seen.after.isdecimal() or len(seen.after) > _SEQ_DIGITS:
        rpc.refuse("BAD_CURSOR", "cursor is none of this service: pass next_cursor of the page before", field="cursor")
    return int(seen.after)


def name(text: str, field: str, *, needed: bool = True, chars: int = NAME_CHARS) -> str:
    """Read a name or an id as it is stored.

    Raises:
        Refused: `FIELD_VALUE` where it is missing or no text of ours; `TOO_LARGE`.
    """
    if needed and not text:
        rpc.refuse("FIELD_VALUE", f"{field} is missing", field=field)
    try:
        return clean(text, field, chars=chars)
    except InvalidMessage as error:
        rpc.refuse(error.code, error.detail, field=field)


def claim(request: pb.GetBeliefRequest) -> Claim:
    """Read which claim somebody means.

    Raises:
        Refused: `FIELD_VALUE`, `TOO_LARGE`.
    """
    return claim_of(name(request.subject, "subject"), name(request.predicate, "predicate"))


def beliefs(request: pb.ListBeliefsRequest) -> listing.Wanted:
    """Read which beliefs somebody wants.

    Raises:
        Refused: `FIELD_VALUE` also where there is no word to look for; `TOO_LARGE`.
    """
    subject, predicate = (
        name(request.subject, "subject", needed=False),
        name(request.predicate, "predicate", needed=False),
    )
    words = listing.words_of(name(request.about, "about", needed=False, chars=ABOUT_CHARS))
    if request.about and not words:
        rpc.refuse("FIELD_VALUE", "about has no word to look for", field="about")
    asked_subject, asked_predicate = claim_of(subject, predicate)
    return listing.Wanted(
        subject=asked_subject,
        predicate=asked_predicate,
        words=words,
        stale=request.stale,
        contradicted=request.contradicted,
        resolved=request.resolved,
    )


def question_of_beliefs(workspace: str, wanted: listing.Wanted) -> bytes:
    """Give the digest of a question for beliefs, for its cursors."""
    filters = (
        wanted.subject,
        wanted.predicate,
        sorted(wanted.words),
        wanted.stale,
        wanted.contradicted,
        wanted.resolved,
    )
    return cursor.question_of("beliefs", workspace, *filters)


def belief_place(seen: cursor.Cursor) -> listing.Place | None:
    """Give the place after which a page of beliefs begins.

    Raises:
        Refused: `BAD_CURSOR`.
    """
    try:
        return listing.place_of(seen.after)
    except ValueError:
        rpc.refuse("BAD_CURSOR", "cursor is none of this service: pass next_cursor of the page before", field="cursor")


def finding_kinds(kinds: Iterable[str]) -> frozenset[str]:
    """Read which kinds of findings somebody wants.

    Raises:
        Refused: `FIELD_VALUE`.
    """
    for kind in kinds:
        if kind not in _FINDINGS:
            known = ", ".join(_FINDINGS)
            rpc.refuse("FIELD_VALUE", f"no finding is a {kind!r:.80}; there are {known}", field="kinds")
    return frozenset(kinds)


def entity(asked: types_pb2.Entity, field: str) -> tuple[Entity, str]:
    """Read an entity, and the room it is said to be of.

    Raises:
        Refused: `FIELD_VALUE`, `TOO_LARGE`.
    """
    kind = name(asked.type, f"{field}.type", needed=False)
    return Entity(name=name(asked.name, f"{field}.name"), type=kind), name(asked.room, f"{field}.room", needed=False)


def wanted(request: pb.TraverseRequest) -> Wanted:
    """Read which way a traversal goes.

    Raises:
        Refused: `FIELD_VALUE`, `TOO_MANY`, `TOO_LARGE`.
    """
    if not 0 <= request.hops <= MOST_HOPS:
        rpc.refuse(
            "FIELD_VALUE", f"hops is {request.hops}: give 1 to {MOST_HOPS}, or 0 for {DEFAULT_HOPS}", field="hops"
        )
    if len(request.names) > MOST_NAMES:
        rpc.refuse("TOO_MANY", f"names has {len(request.names)}; the limit is {MOST_NAMES}", field="names")
    return Wanted(
        hops=request.hops or DEFAULT_HOPS,
        names=frozenset(name(each, f"names[{at}]") for at, each in enumerate(request.names)),
        at_us=_moment(request.at, "at") if request.HasField("at") else None,
        both=request.both_directions,
    )


def _moment(at: Timestamp, field: str) -> int:
    """Read a time, microseconds since the epoch.

    Raises:
        Refused: `FIELD_VALUE`.
    """
    if not (YEAR_1_US <= at.seconds * 1_000_000 < YEAR_10000_US and 0 <= at.nanos < _NANOS):
        rpc.refuse("FIELD_VALUE", f"{field} is no time between the years 1 and 9999", field=field)
    return at.ToMicroseconds()


def _field(field: str, value: str) -> FieldValue:
    """Read one field filter into the canonical text that fields are kept in.

    Raises:
        Refused: `FIELD_VALUE`.
    """
    try:
        plain = parse_json(value, f"fields.{field}", utf8_bytes=FIELD_VALUE_BYTES)
        return FieldValue(name=field, value=canonical_json(plain))
    except InvalidMessage as error:
        rpc.refuse(error.code, f'{error.detail}: a text is "quoted"', field=f"fields.{field}")
