"""Whatever ingest accepts goes down the whole line: nothing stops a stage, nothing outgrows a message."""

import hashlib
import json
from typing import Any, get_args

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stanchion_contracts.command import Affirm, Command, QuoteSeen, ReportObservations, Write, WriteBatch
from stanchion_contracts.finding import ClaimName, Finding, FindingKind
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import (
    Body,
    Observation,
    Reassess,
    Resolution,
    StatedClaim,
    Tick,
    TrustSetting,
)
from stanchion_contracts.policy import HalfLife, PolicySetting
from stanchion_contracts.receipt import Receipt, Served
from stanchion_contracts.record import FieldValue
from stanchion_contracts.trust import Estimate
from stanchion_contracts.value import Value
from stanchion_core.errors import FIELD_VALUE, TOO_MANY
from stanchion_ingest.core.asked import OURS
from stanchion_ingest.core.content import DOCUMENT_REVISED
from stanchion_ingest.handler import Arrival, State
from support.arrivals import ANNOUNCED, arrival, asked, cloud_event, request, run
from support.chain import Chain
from support.hash_seeds import digests_of

MAYA = Actor(kind="person", id="maya", capabilities=("read", "review", "write"))
BOT = Actor(kind="agent", id="bot", capabilities=("read", "write"))
HOUR_US = 3_600_000_000

TIMES = st.sampled_from([0, 1, 1_796_042_000_000_000, 1_796_042_000_000_000 + 400 * 24 * HOUR_US, 2**62]) | st.integers(
    0, 2**62
)
NAMES = st.sampled_from(
    ["pump"] * 6 + ["Pump ", "p\u200bump", "\ufdfa", "\u200b", "temperature", "checkout", "é", "𐐀"]
) | st.text(max_size=6)
SOURCES = st.sampled_from(["plant", "maya", "bot", "/crm"] * 4 + ["\u200b", "𐐀" * 256])
NUMBERS = st.sampled_from(["5", "7", "5.0"] * 8 + [
    "-0", "0e0", ".5", "5.", "1e99", "-1e-99", "9" * 60, "9" * 61, "0x1", "٣", "NaN", "Infinity", "1e999", "",
])  # fmt: skip
TEXT_OF: dict[str, st.SearchStrategy[str]] = {
    "boolean": st.sampled_from(["true", " FALSE", "true", "yes"]),
    "number": NUMBERS,
    "money": NUMBERS,
    "percent": NUMBERS,
    "duration": NUMBERS,
    "date": st.sampled_from(["2026", "0001-01", "9999-12-31", "0000", "2026-02-30", "٢٠٢٦"]),
    "range": st.tuples(NUMBERS, NUMBERS).map("..".join),
    "string": st.text(max_size=8),
}
UNITS = st.sampled_from(["", "", "", "", "", "USD", "%", "min", "GB", "\u00b5s", "month", "parsec"])
OPS = st.sampled_from(["", "", "~", "<", ">="])


@st.composite
def values(draw: st.DrawFn) -> Value:
    """Give a value, right or wrong."""
    kind: Any = draw(st.sampled_from(["number"] * 4 + sorted(TEXT_OF)))
    return Value(type=kind, text=draw(TEXT_OF[kind]), unit=draw(UNITS), op=draw(OPS))


@st.composite
def stated(draw: st.DrawFn) -> StatedClaim:
    """Give a claim as a caller states it; strengths may be no number."""
    return StatedClaim(
        subject=draw(NAMES),
        predicate=draw(NAMES),
        value=draw(values()),
        positive=draw(st.booleans()),
        evidence=draw(st.sampled_from(["", "measurement", "assumption"])),
        sample=draw(st.sampled_from(["", "a"])),
        strength=draw(st.sampled_from([1.0] * 12 + [0.0, 1e-300, 0.5, float("nan"), float("inf"), -1.0])),
    )


TRUST = st.none() | st.sampled_from([0.0, 1.0, 1e-300, 0.3, float("nan"), 2.0])
FINDINGS = st.builds(
    Finding,
    kind=st.sampled_from(get_args(FindingKind)),
    subject=NAMES,
    predicate=st.just("") | NAMES,
    related=st.lists(st.builds(ClaimName, subject=NAMES, predicate=NAMES), max_size=2).map(tuple),
    detail=st.sampled_from(["found", "found again", ""]),
    closed=st.booleans(),
)
BODIES = st.one_of(
    st.lists(stated(), min_size=1, max_size=4).map(lambda claims: Body(claims=tuple(claims))),
    st.builds(TrustSetting, name=SOURCES, value=TRUST).map(lambda trust: Body(trust=trust)),
    st.builds(Resolution, subject=NAMES, predicate=NAMES, value=st.none() | values()).map(
        lambda resolution: Body(resolution=resolution)
    ),
    st.integers(-(2**63), 2**63 - 1).map(lambda hour: Body(tick=Tick(hour=hour))),
    st.builds(Reassess, trust_seq=st.integers(-1, 9), n=st.integers(-1, 9)).map(lambda again: Body(reassess=again)),
    st.text(max_size=20).map(lambda text: Body(text=text)),
    st.sampled_from([
        "The TAM is $5B.", "We want to target enterprise.", "The pump is not 5 bar, and is it 7?", "pump: 5\npump: 7",
    ]).map(lambda text: Body(text=text)),
    st.builds(
        PolicySetting,
        predicate=st.just("") | NAMES,
        half_life=st.none() | st.sampled_from(get_args(HalfLife)),
        multi_valued=st.none() | st.booleans(),
        tolerance=st.none() | st.sampled_from([0.0, 0.1, 0.5, 1e-300, float("nan"), 0.6]),
        consensus=st.none() | st.booleans(),
    ).map(lambda policy: Body(policy=policy)),
    st.lists(
        st.builds(
            Estimate,
            name=SOURCES,
            trust=st.none() | st.sampled_from([0.0, 0.3, 1.0, float("nan")]),
            accuracy=st.just(0.5),
            claims=st.integers(-1, 3),
        ),
        min_size=1,
        max_size=3,
    ).map(lambda estimates: Body(estimates=tuple(estimates))),
    st.lists(FINDINGS, min_size=1, max_size=3).map(lambda findings: Body(findings=tuple(findings))),
)  # fmt: skip


@st.composite
def requests(draw: st.DrawFn) -> Arrival:
    """Give a gateway's request as it reaches ingest."""
    at_us, body = draw(TIMES), draw(BODIES)
    message = request(
        body,
        event_id=draw(st.uuids()).hex,
        publisher="stanchion" if any(getattr(body, part) for part in OURS) else "anna",
        source=draw(SOURCES),
        path=draw(st.sampled_from(["tool-result", "user-message", "agent-output", "explicit-add"])),
        observed_at_us=draw(st.sampled_from([0, 0, 0, at_us, -62_135_596_800_000_000, at_us + HOUR_US])),
    )
    return asked(message, waiting=draw(st.booleans()), at_us=at_us)


PIECES = st.sampled_from([
    "# 7. Use X\n", "\n", "\n\n", "## Status\n\n", "---\n", "* Status: ", "status: ", "Superseded by ", "[15](2-b.md)",
    "ADR-3", "* ", "Accepted", "Partly ", "Depends on: ", "Amends ", "date: 2020-01-01\n", "This ADR supersedes ",
    "[a][1]\n", "[1]: 1-a.md\n", "`", "|", "<b>", "<!--", "![x](y)", "> " * 30, "- " * 30, "\t", "\r\n",
    "\ufffc0\ufffc", "\ufffc99999999999999999999\ufffc", "&a [*a]", "? [x]\n", "{" * 40, "[" * 200,
    "!!python/object:os.system x\n",
    "depends-on: [", "superseded_by: ", "not ", ", ", "and ", "0" * 60, "٣", "~~", "**", "(a%00b.md)", "\u200b",
    "\ufeff", "﷽" * 5, "x" * 400, "%", "decided_by: ", "- Deciders: ",
])  # fmt: skip
ANYTHING = st.lists(PIECES | st.text(max_size=8), max_size=25).map("".join)
LINES = st.sampled_from([
    "Accepted", "Proposed", "Rejected", "Superseded by [2](2-b.md)", "Superseded by 3", "Supersedes [1](1-a.md)",
    "Amends 2", "Depends on: 1, [3](3-c.md)", "Amended by [1](1-a.md)", "Partly superseded by 1", "Assumes: h1",
])  # fmt: skip
TEXTS = st.one_of(
    st.lists(LINES, max_size=4).map(lambda lines: "# 1. T\n\n## Status\n\n" + "\n\n".join(lines) + "\n"),
    st.lists(LINES | PIECES, max_size=6).map(lambda lines: "# 1. T\n\n## Status\n\n" + "\n\n".join(lines) + "\n"),
    st.tuples(st.sampled_from(["", "---\n", "---\nstatus: accepted\ndepends-on: "]), ANYTHING).map("".join),
)
URIS = st.sampled_from(
    ["a/1-a.md", "a/2-b.md", "a/3-c.md"] * 5
    + ["a/1-a.md", "a/2-b.md", "a/3-c.md", "a/0-x.md", "A/README.md", "a/%00.md", "x", "a/٣.md", ""]
)


@st.composite
def revisions(draw: st.DrawFn) -> dict[str, object]:
    """Give the data of a document's revision."""
    return {
        "uri": draw(URIS),
        "former_uri": draw(st.none() | URIS),
        "deleted": draw(st.sampled_from([False, False, False, True])),
        "text": draw(TEXTS),
        "author": draw(st.sampled_from(["", "ada", "\u200b"])),
        "format": draw(st.sampled_from(["auto", "adr-madr", "adr-nygard", "auto", "auto", "?"])),
    }


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -(10**30), 1e308, 5e-324])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["claims", "subject", "predicate", "value", "unit", "type", "strength", "op"]), inner
        )
    ),
    max_leaves=12,
)
CLAIMS = st.fixed_dictionaries(
    {"subject": NAMES | JSON, "predicate": NAMES, "value": JSON},
    optional={"unit": UNITS, "type": st.sampled_from(["number", "money", "x"]), "strength": JSON, "positive": JSON},
)
DATA = JSON | CLAIMS | st.lists(CLAIMS, max_size=5).map(lambda claims: {"claims": claims})
RAW = st.sampled_from([b'{"a":NaN}', b"[" * 100 + b"]" * 100, b'{"value":1e999}', b'"\\ud800"', b"1" * 5_000, b"\xff"])


@st.composite
def events(draw: st.DrawFn) -> Arrival:
    """Give an event of the inbox: a document's revision, claims by the mappings that ship, or any JSON."""
    kind = draw(
        st.sampled_from([DOCUMENT_REVISED, DOCUMENT_REVISED, "stanchion.claims.v1", "stanchion.measurement.v1"])
    )
    data = draw(revisions() if kind == DOCUMENT_REVISED else DATA)
    whole = cloud_event(type=kind, id=draw(st.uuids()).hex, source=draw(SOURCES), data=None)
    raw = draw(RAW) if draw(st.integers(0, 15)) == 0 else json.dumps(data).encode()
    return arrival(whole[:-1] + b',"data":' + raw + b"}", ANNOUNCED, at_us=draw(TIMES))


RECORDS = ["h1", "r1", "1-a", "2-b"]
RIGHT = [("claim", '{"predicate":"pump","subject":"pump"}'), ("condition", '{"op":"at least","value":5}')]
FIELDS = st.sampled_from(RIGHT * 6 + [
    ("claim", '{"predicate":"temperature","subject":"pump"}'), ("condition", '{"op":"at least","value":5}'),
    ("condition", '{"op":"true"}'), ("condition", '{"op":"equals","value":1e999}'), ("status", '"open"'),
    ("status", '"abandoned"'), ("status", '"superseded"'), ("status", '"active"'), ("review_by", '"9999-12-31"'),
    ("review_by", '"0001-01-01T00:00:00+23:59"'), ("owner", '"\\u0000"'), ("owner", '"x"'), ("owner", ""),
    ("status", ""),
])  # fmt: skip
WRITES = st.builds(
    Write,
    id=st.sampled_from(RECORDS),
    kind=st.sampled_from(["", "hypothesis", "hypothesis", "hypothesis", "rule", "decision"]),
    fields=st.lists(FIELDS, max_size=3, unique_by=lambda pair: pair[0]).map(
        lambda pairs: tuple(FieldValue(name=one, value=two) for one, two in pairs)
    ),
    body=st.none() | st.sampled_from(["", "text"]),
)
PARTS: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.lists(WRITES, max_size=3, unique_by=lambda write: write.id).map(
        lambda writes: {"write_batch": WriteBatch(writes=tuple(writes))}
    ),
    st.builds(Affirm, record_id=st.sampled_from(RECORDS), observed_through=st.integers(-1, 40)).map(
        lambda affirm: {"affirm": affirm}
    ),
    st.sampled_from(["present", "absent"]).map(
        lambda seen: {"report": ReportObservations(uri="a/1-a.md", quotes=(QuoteSeen(quote="q", seen=seen),))}  # type: ignore[arg-type]
    ),
    st.just({}),
)
COMMANDS = st.tuples(PARTS, st.sampled_from([MAYA, BOT]), st.sampled_from(["", "", "", "k"]), TIMES)
RECEIPTS = st.builds(lambda number, at_us: (number, at_us), st.integers(0, 3), TIMES)
STEPS = st.one_of(requests(), events(), COMMANDS, RECEIPTS)


def meta(name: str, at_us: int, actor: Actor) -> Meta:
    """Give the head of what does not come through ingest."""
    return Meta(id=name, workspace="acme", time_us=at_us, seed=bytes(16), origin=f"command:{name}", actor=actor)


def tell(chain: Chain, ingest: State, step: object, number: int) -> None:
    """Let one step happen."""
    if isinstance(step, Arrival):
        (outcome,) = run(ingest, step)
        if isinstance(outcome, Observation):
            chain.observe(outcome)
        return
    assert isinstance(step, tuple)
    if len(step) == 2:
        served = (Served(record_id="h1", version=1),)
        head = meta(f"rcp{step[0]}", step[1], BOT)
        chain.receipt(Receipt(meta=head, method="GetRecord", as_of_seq=1, served=served))
        return
    part, actor, key, at_us = step
    whole = Command(meta=meta(f"cmd{number}", at_us, actor), key=key, digest=b"", **part)
    digest = hashlib.sha256(msgspec.json.encode(part)).digest()
    chain.command(msgspec.structs.replace(whole, digest=digest))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.lists(STEPS, max_size=14))
def test_whatever_is_accepted_goes_down_the_line(story: list[object]) -> None:
    """Only extraction finds anything invalid, outputs fit, and what was written makes each live state anew."""
    chain, ingest = Chain(), State()
    for number, step in enumerate(story):
        tell(chain, ingest, step, number)
    assert {FIELD_VALUE, TOO_MANY} >= set(chain.dead)
    chain.check()


def digest() -> str:
    """Give the digest of all that the four stages write in one long story of many sources, records and texts."""
    chain, ingest = Chain(), State()
    for number in range(40):
        at_us = 1_796_042_000_000_000 + number * HOUR_US
        claims = tuple(
            StatedClaim(
                subject=f"s{n % 5}", predicate="p", value=Value(type="number", text=str(n % 3)), sample=f"{n % 4}"
            )
            for n in range(number, number + 6)
        )
        bodies = [Body(claims=claims), Body(tick=Tick(hour=number))]
        bodies += [Body(trust=TrustSetting(name=f"src{number % 3}", value=number / 40))] if number % 7 == 3 else []
        bodies += [Body(text=f"The TAM of s{number % 5} is ${number}B. We want to win.")]
        truth = None if number % 10 == 9 else Value(type="number", text="1")
        bodies += [Body(resolution=Resolution(subject=f"s{number % 5}", predicate="p", value=truth))]
        bodies += [Body(policy=PolicySetting(predicate="p", tolerance=number / 100, multi_valued=number % 8 == 5))]
        bodies += [Body(estimates=(Estimate(name=f"src{number % 3}", trust=number / 40, accuracy=0.5, claims=3),))]
        found = Finding(kind="stale", subject=f"s{number % 5}", predicate="p", detail="old", closed=number % 3 == 2)
        bodies += [Body(findings=(found,)), Body(reassess=Reassess(trust_seq=number, n=1))]
        steps = [
            asked(
                request(
                    body,
                    event_id=f"{number}/{n}",
                    source=f"src{number % 3}",
                    publisher="stanchion" if any(getattr(body, part) for part in OURS) else "anna",
                ),
                at_us=at_us,
            )
            for n, body in enumerate(bodies)
        ]
        status = ("Accepted", f"Superseded by [x]({(number + 1) % 9}-x.md)", "Proposed")[number % 3]
        lines = f"{status}\n\nAmends {(number + 4) % 9}\n\nDepends on: {(number + 2) % 9}"
        text = f"# {number % 9}. T\n\n## Status\n\n{lines}\n"
        data = {"uri": f"a/{number % 9}-x.md", "text": text, "author": "ada" if number % 2 else ""}
        steps.append(arrival(cloud_event(type=DOCUMENT_REVISED, id=f"d{number}", data=data), ANNOUNCED, at_us=at_us))
        for step in steps:
            tell(chain, ingest, step, number)
        fields = (
            FieldValue(name="claim", value=json.dumps({"subject": f"s{number % 5}", "predicate": "p"})),
            FieldValue(name="condition", value='{"op":"at least","value":1}'),
        )
        batch = WriteBatch(writes=(Write(id=f"h{number % 6}", kind="hypothesis", fields=fields),))
        tell(chain, ingest, ({"write_batch": batch}, MAYA if number % 2 else BOT, "", at_us), number)
    chain.check()
    assert all(chain.outputs)
    return hashlib.sha256(b"".join(value for outputs in chain.outputs for value in outputs)).hexdigest()


def test_same_bytes_under_two_hash_seeds() -> None:
    """The same observations and commands give the same bytes at every stage, however a process orders its sets."""
    assert {digest()} == digests_of(__file__)


def test_the_largest_claims_fit() -> None:
    """Two hundred claims with the longest names and values fit a message at every stage, whatever was held before."""
    chain, ingest, wide = Chain(), State(), "\U00010400"
    for number in range(4):
        for start in (0, 100):
            claims = tuple(
                StatedClaim(
                    subject=wide * 250 + f"{place:06}",
                    predicate=wide * 256,
                    value=Value(type="string", text=f"{number}{wide * 1_020}"),
                )
                for place in range(start if number < 1 else 0, start + 100 if number < 1 else 200)
            )
            message = request(
                Body(claims=claims), event_id=f"{number}/{start}", source=wide * 250 + str(number), path="tool-result"
            )
            tell(chain, ingest, asked(message), number)
    assert all(len(outputs) >= 5 for outputs in chain.outputs)
