"""What ingest makes of a record, once."""

import copy

import msgspec
import pytest

from stanchion_contracts import codec
from stanchion_contracts.finding import ClaimName, Finding
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import (
    Body,
    Event,
    Observation,
    Reassess,
    Request,
    Resolution,
    StatedClaim,
    TextEvidence,
    Tick,
    TrustSetting,
)
from stanchion_contracts.policy import PolicySetting
from stanchion_contracts.relation import Entity, Relation
from stanchion_contracts.trust import Estimate
from stanchion_contracts.value import Value
from stanchion_core.errors import InvalidMessage
from stanchion_core.ids import observation_id
from stanchion_core.rerouted import Rerouted
from stanchion_ingest.handler import REMEMBERED, REMEMBERED_US, Arrival, State, decide, evolve
from support.arrivals import (
    ACME,
    ANNA,
    ANNOUNCED,
    NOW_US,
    PARTITIONS,
    SEED,
    Outcome,
    arrival,
    asked,
    cloud_event,
    inbox_event,
    observed,
    request,
    run,
)

CLAIM = StatedClaim(subject="tam", predicate="size", value=Value(type="money", text="5", unit="USD"))

RELATION = Relation(from_entity=Entity(name="maya"), name="works_at", to_entity=Entity(name="acme"), valid_at_us=5)


ESTIMATE = Estimate(name="crm", trust=0.4, accuracy=0.6, claims=12)
FINDING = Finding(kind="contradiction", subject="tam", predicate="size", detail="two values")
NAMED = ClaimName(subject="tam", predicate="growth")
OURS = [
    Body(tick=Tick(hour=498_900)),
    Body(reassess=Reassess(trust_seq=4, n=1)),
    Body(estimates=(ESTIMATE, Estimate(name="erp", trust=None, accuracy=0.0, claims=0))),
    Body(findings=(FINDING, Finding(kind="trust_moved", subject="crm", detail="it fell", closed=True))),
]


def event(offset: int = 0, at_us: int = NOW_US, **members: object) -> Arrival:
    """A CloudEvent of workspace acme."""
    return arrival(cloud_event(**members), ANNOUNCED, offset=offset, at_us=at_us)


def code(outcome: Outcome) -> str:
    """Give why a record was refused, however it was."""
    if isinstance(outcome, InvalidMessage):
        return outcome.code
    assert isinstance(outcome, Observation)
    return outcome.refusal_code


def test_golden_event() -> None:
    """An upstream event becomes an observation by its source, stamped once and named after publisher and id."""
    identity = observation_id("acme", "/crm", "e-1")
    expected = Observation(
        meta=Meta(
            id=identity,
            workspace="acme",
            room="growth",
            time_us=NOW_US,
            seed=SEED,
            origin=f"observation:{identity}",
            actor=Actor(kind="service", id="/crm"),
        ),
        publisher="/crm",
        event_id="e-1",
        digest=bytes.fromhex("9e8f0ecde3742047a0692f6b00afd4d295d534bc36f2cce3b036cba0a8d93a1e"),
        source="/crm",
        agent="/crm",
        path="system-event",
        observed_at_us=NOW_US,
        body=Body(event=Event(type="crm.account.updated", data=b'{"plan":"pro"}')),
    )
    assert expected == observed(State(), event(room="growth"))


def test_golden_request() -> None:
    """A request becomes an observation of its caller, stamped anew, resting on what it names."""
    identity = observation_id("acme", "anna", "key-1")
    found = observed(State(), asked(request(Body(text="e\u0301"), source="crm", observed_at_us=5), at_us=NOW_US + 7))
    expected = Observation(
        meta=Meta(
            id=identity,
            workspace="acme",
            time_us=NOW_US + 7,
            seed=SEED,
            origin=f"observation:{identity}",
            actor=ANNA,
        ),
        publisher="anna",
        event_id="key-1",
        digest=found.digest,
        source="crm",
        agent="anna",
        path="explicit-add",
        observed_at_us=5,
        body=Body(text="é"),
    )
    assert expected == found


def test_published_event_is_its_sources_and_its_callers() -> None:
    """An event published through a gateway shares ids with its source on the inbox; its agent is the caller."""
    state = State()
    through_gateway = asked(request(event=inbox_event(), event_id="e-1"))
    found = observed(state, through_gateway)
    assert ("/crm", "/crm", "anna") == (found.publisher, found.source, found.agent)
    assert [None] == run(state, event(offset=1))


@pytest.mark.parametrize(
    "body",
    [
        Body(claims=(CLAIM,)),
        Body(relations=(RELATION,)),
        Body(claims=(CLAIM,), relations=(RELATION,)),
        Body(trust=TrustSetting(name="crm", value=0.5)),
        Body(trust=TrustSetting(name="crm", value=None)),
        Body(resolution=Resolution(subject="tam", predicate="size", value=CLAIM.value)),
        Body(resolution=Resolution(subject="tam", predicate="size", value=None)),
        Body(policy=PolicySetting(half_life="", multi_valued=False, tolerance=0.5, consensus=True)),
        Body(policy=PolicySetting(predicate="tam", tolerance=0.0)),
        Body(text="the TAM is $5B", text_evidence=TextEvidence(evidence="assumption", strength=0.0)),
        *OURS,
    ],
)
def test_every_kind_of_request_passes(body: Body) -> None:
    """What a gateway may ask comes through unchanged, and survives its encoding."""
    found = observed(State(), asked(request(body, publisher="stanchion" if body in OURS else "anna")))
    assert body == found.body
    assert found == codec.decode(codec.encode(found), Observation)


@pytest.mark.parametrize("body", OURS)
def test_only_stanchion_says_what_it_found(body: Body) -> None:
    """Ticks, requests for more work, estimates and findings of anybody else are refused, the part named."""
    (refused,) = run(State(), asked(request(body)))
    assert isinstance(refused, InvalidMessage)
    (part,) = [name for name in body.__struct_fields__ if getattr(body, name)]
    assert ("FIELD_VALUE", part) == (refused.code, refused.field)


def test_a_content_is_what_it_was_before_the_class_grew() -> None:
    """What came before an update and comes again after it is a repeat: what was added and is absent is no content."""
    bodies = {
        "13a8a9e8b7e3a3b93deb8e3d148cb2f6": (Body(text="the TAM é"), "anna"),
        "0528bf70cc6888e2c244980d85aabd48": (Body(claims=(CLAIM, CLAIM), relations=(RELATION,)), "anna"),
        "8543c1fa8c2e348a9514de1e1abbcbfd": (Body(tick=Tick(hour=498_900)), "stanchion"),
    }
    digests = [
        observed(State(), asked(request(body, publisher=publisher))).digest.hex()[:32]
        for body, publisher in bodies.values()
    ]
    assert list(bodies) == digests


def test_delivered_twice() -> None:
    """A repeat, by inbox or by request, is absorbed."""
    state = State()
    first = run(state, event(), asked(request(Body(text="hi"))))
    again = run(state, event(offset=1, at_us=NOW_US + 9), asked(request(Body(text="hi")), offset=1, at_us=NOW_US + 9))
    assert all(isinstance(outcome, Observation) for outcome in first)
    assert [None, None] == again


def test_waiting_caller_hears_that_it_came_before() -> None:
    """A repeat whose caller waits goes down the line as that and nothing more, and renews nothing."""
    state = State()
    run(state, asked(request(Body(text="hi"))))
    before = copy.deepcopy(state)
    again = observed(state, asked(request(Body(text="hi")), offset=1, waiting=True, at_us=NOW_US + 9))
    assert (True, Body(), "acme", "key-1") == (again.repeated, again.body, again.meta.workspace, again.event_id)
    assert observation_id("acme", "anna", "key-1") != again.meta.id
    assert before == state


def test_relations_are_content() -> None:
    """The same key with other relations beside the same claims is another content."""
    other = msgspec.structs.replace(RELATION, invalid_at_us=6)
    outcomes = run(
        State(), *(asked(request(Body(claims=(CLAIM,), relations=(each,)))) for each in (RELATION, RELATION, other))
    )
    assert outcomes[1] is None
    assert "EVENT_ID_REUSED" == code(outcomes[2])


def test_reused_id_is_dead_lettered() -> None:
    """An id that comes with other content is refused, and the first content stays remembered."""
    state = State()
    outcomes = run(state, event(), event(1, data={"plan": "free"}), event(2, room="growth"), event(3))
    assert ["EVENT_ID_REUSED"] * 2 == [code(outcome) for outcome in outcomes[1:3]]
    assert outcomes[3] is None


def test_ids_belong_to_workspace_and_publisher() -> None:
    """The same id of another publisher or in another workspace is another event."""
    state = State()
    found = run(state, event(), event(1, source="/erp"))
    other = decide(state, arrival(cloud_event(workspace="beta"), ANNOUNCED, partition=0), partitions=1)
    ids = {outcome.meta.id for outcome in (*found, other) if isinstance(outcome, Observation)}
    assert 3 == len(ids)


def test_waiting_caller_is_refused_down_the_line() -> None:
    """A reused key and a bad body answer a waiting caller with a refusal, which is not remembered."""
    state = State()
    first = asked(request(Body(text="hi")), waiting=True)
    reused = asked(request(Body(text="ho")), offset=1, waiting=True)
    empty = asked(request(Body(), event_id="key-2"), offset=2, waiting=True)
    mended = asked(request(Body(text="ho"), event_id="key-2"), offset=3, waiting=True)
    outcomes = run(state, first, reused, empty, mended)
    assert ["", "EVENT_ID_REUSED", "FIELD_VALUE", ""] == [code(outcome) for outcome in outcomes]
    refused = outcomes[1]
    assert isinstance(refused, Observation)
    assert (Body(), "acme", "key-1") == (refused.body, refused.meta.workspace, refused.event_id)
    assert refused == codec.decode(codec.encode(refused), Observation)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (request(), "FIELD_VALUE"),
        (request(Body()), "FIELD_VALUE"),
        (request(Body(text=" ")), "FIELD_VALUE"),
        (request(Body(text="a\x00")), "FIELD_VALUE"),
        (request(Body(text="a" * 262_145)), "TOO_LARGE"),
        (request(Body(text="hi", tick=Tick(hour=1))), "FIELD_VALUE"),
        (request(Body(event=Event(type="t", data=b"{}"))), "FIELD_VALUE"),
        (request(Body(claims=(CLAIM,) * 201)), "TOO_MANY"),
        (request(Body(relations=(RELATION,) * 201)), "TOO_MANY"),
        (request(Body(text="hi", relations=(RELATION,))), "FIELD_VALUE"),
        (request(Body(claims=(msgspec.structs.replace(CLAIM, strength=1.5),))), "FIELD_VALUE"),
        (request(Body(claims=(msgspec.structs.replace(CLAIM, subject=""),))), "FIELD_VALUE"),
        (
            request(Body(claims=(msgspec.structs.replace(CLAIM, value=Value(type="number", text="5", op="!")),))),
            "FIELD_VALUE",
        ),
        (request(Body(trust=TrustSetting(name="crm", value=float("nan")))), "FIELD_VALUE"),
        (request(Body(claims=(msgspec.structs.replace(CLAIM, quote="q" * 2_001),))), "TOO_LARGE"),
        (request(Body(claims=(msgspec.structs.replace(CLAIM, quote="q" * 2_000),) * 33)), "TOO_LARGE"),
        (request(Body(policy=PolicySetting(predicate="tam", consensus=True))), "FIELD_VALUE"),
        (request(Body(text="hi", text_evidence=TextEvidence()), path="tool-result"), "FIELD_VALUE"),
        (request(Body(text_evidence=TextEvidence())), "FIELD_VALUE"),
        (request(Body(text="hi"), observed_at_us=NOW_US + 300_000_001), "FIELD_VALUE"),
        (request(Body(text="hi"), event_id=""), "FIELD_VALUE"),
        (request(Body(text="hi"), event_id="k" * 1_025), "TOO_LARGE"),
        (request(Body(text="hi"), publisher=""), "FIELD_VALUE"),
        (request(event=inbox_event(data=b"{"), event_id="e-1"), "UNREADABLE"),
        *(
            (request(body, publisher="stanchion"), code)
            for body, code in (
                (Body(estimates=(ESTIMATE,) * 501), "TOO_MANY"),
                (Body(estimates=(ESTIMATE,) * 2), "FIELD_VALUE"),
                (Body(estimates=(msgspec.structs.replace(ESTIMATE, trust=float("nan")),)), "FIELD_VALUE"),
                (Body(estimates=(msgspec.structs.replace(ESTIMATE, accuracy=1.5),)), "FIELD_VALUE"),
                (Body(estimates=(msgspec.structs.replace(ESTIMATE, claims=-1),)), "FIELD_VALUE"),
                (Body(findings=(FINDING,) * 201), "TOO_MANY"),
                (Body(findings=(msgspec.structs.replace(FINDING, predicate=""),)), "FIELD_VALUE"),
                (Body(findings=(msgspec.structs.replace(FINDING, kind="trust_moved"),)), "FIELD_VALUE"),
                (Body(findings=(msgspec.structs.replace(FINDING, detail="d" * 2_001),)), "TOO_LARGE"),
                (Body(findings=(msgspec.structs.replace(FINDING, related=(NAMED,) * 11),)), "TOO_MANY"),
            )
        ),
    ],
)
def test_bad_request(message: Request, expected: str) -> None:
    """A request that no gateway should have let through is dead-lettered, or refused where a caller waits."""
    dead, refused = run(State(), asked(message), asked(message, offset=1, waiting=True))
    assert isinstance(dead, InvalidMessage)
    assert isinstance(refused, Observation)
    assert (expected, expected) == (dead.code, refused.refusal_code)


def test_unreadable_request_is_dead_lettered() -> None:
    """What no gateway of ours writes, in bytes, names or place, is a dead letter though a caller waits."""
    good = request(Body(text="hi"))
    nameless = msgspec.structs.replace(good, meta=msgspec.structs.replace(good.meta, workspace=""))
    misplaced = msgspec.structs.replace(asked(good, waiting=True), partition=(ACME + 1) % PARTITIONS)
    noise = arrival(b"\xc3\x01noise", (("reply_to", b"gateway-1"),), topic="requests")
    outcomes = run(State(), noise, asked(nameless, waiting=True), misplaced)
    assert ["UNREADABLE", "WORKSPACE_MISSING", "FIELD_VALUE"] == [
        outcome.code for outcome in outcomes if isinstance(outcome, InvalidMessage)
    ]


def test_wrong_partition_is_rerouted() -> None:
    """An event on another workspace's partition goes where it belongs, bytes unchanged, named where it had no id."""
    wrong = (ACME + 1) % PARTITIONS
    named = arrival(cloud_event(), ANNOUNCED, partition=wrong, offset=4)
    nameless = arrival(cloud_event(id=None), ANNOUNCED, partition=wrong, offset=5)
    place = (("event_id", f"inbox:{wrong}:5".encode()),)
    assert [
        Rerouted(workspace="acme", value=named.value, headers=ANNOUNCED),
        Rerouted(workspace="acme", value=nameless.value, headers=ANNOUNCED + place),
    ] == run(State(), named, nameless)


def test_rerouted_event_keeps_its_first_place() -> None:
    """What was rerouted twice by mistake is one observation, named after where it first stood."""
    state = State()
    value, wrong = cloud_event(id=None), (ACME + 1) % PARTITIONS
    (moved,) = run(state, arrival(value, ANNOUNCED, partition=wrong, offset=5))
    assert isinstance(moved, Rerouted)
    first = observed(state, arrival(moved.value, moved.headers, offset=90))
    assert f"inbox:{wrong}:5" == first.event_id
    assert [None] == run(state, arrival(moved.value, moved.headers, offset=91))


def test_ids_are_forgotten_after_a_day() -> None:
    """An id is remembered for 24 hours of message time: on the hour it repeats, past it it is new."""
    state = State()
    observed(state, event())
    assert [None] == run(state, event(1, at_us=NOW_US + REMEMBERED_US))
    observed(state, event(2, at_us=NOW_US + REMEMBERED_US + 1, data={"plan": "free"}))
    assert 1 == len(state.seen) == len(state.order)


def test_old_id_behind_a_younger_one_is_renewed() -> None:
    """An id too old to count that still waits behind a younger one is renewed, not kept twice."""
    state = State()
    observed(state, event(at_us=NOW_US + 1_000, id="young"))
    observed(state, event(1, at_us=NOW_US, id="old"))  # the clock of the next owner was behind
    observed(state, event(2, at_us=NOW_US + REMEMBERED_US + 500, id="old", data={}))
    assert 2 == len(state.seen) == len(state.order)
    assert set(state.seen) == set(state.order)


def test_memory_is_bounded() -> None:
    """A partition remembers its latest 100,000 ids."""
    state = State()
    template = observed(State(), event())
    for number in range(REMEMBERED + 10):
        meta = msgspec.structs.replace(template.meta, id=f"obs_{number:032x}")
        evolve(state, msgspec.structs.replace(template, meta=meta))
    assert REMEMBERED == len(state.seen) == len(state.order)
    assert (10).to_bytes(16, "big") == state.order[0]


def test_decide_reads_only() -> None:
    """Deciding changes nothing in the state."""
    state = State()
    observed(state, event())
    before = copy.deepcopy(state)
    for each in (event(1), event(2, id="e-2"), event(3, data={}), asked(request(Body(text="hi")))):
        try:
            decide(state, each, partitions=PARTITIONS)
        except InvalidMessage as error:
            assert "EVENT_ID_REUSED" == error.code  # noqa: PT017 - the one kind that refuses, among others that do not
    assert before == state
