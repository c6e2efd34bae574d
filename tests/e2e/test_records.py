"""The records page, row by row, over gRPC on the whole line: kinds, links, writes, and what a person set."""

import asyncio
from typing import Any

import pytest

from stanchion.results import Link
from support.team import Team, cite, refused, write

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

CLAIM = {"subject": "annual plan", "predicate": "share of revenue"}
CONDITION = {"op": "at least", "value": {"type": "percent", "text": "50", "unit": "%", "op": ""}}

# Kinds, statuses and fields

WORDS = {
    "decision": ("active", "superseded", "withdrawn", "draft", "rejected", "archived"),
    "rule": ("active", "superseded", "withdrawn"),
    "hypothesis": ("open", "supported", "refuted", "abandoned"),
    "intent": ("standing", "dropped"),
    "document": ("",),
    "statement": ("accepted", "superseded"),
}
FIELDS: dict[str, dict[str, object]] = {
    "decision": {
        "area": "api",
        "owner": "Ada",
        "origin": "recurring",
        "decided_on": "2026-11-02",
        "decided_by": "person:maya-okafor",
    },
    "rule": {
        "area": "api",
        "owner": "Ada",
        "applies_to": ["api", "web"],
        "effective_on": "2027-01-01",
        "review_by": "2099-01-01",
    },
    "hypothesis": {"area": "api", "owner": "Ada", "review_by": "2099-01-01", "claim": CLAIM, "condition": CONDITION},
    "intent": {"intent_kind": "constraint", "holder": "Ada"},
    "document": {"uri": "https://example.org/handbook"},
    "statement": {},
}


@pytest.mark.parametrize("kind", WORDS)
async def test_kind_has_these_statuses_and_fields(kind: str, team: Team) -> None:
    """Each status and field of the kind is taken and read back; without a word a record gets the first status."""
    writes = [
        write(f"r{n}", kind, **FIELDS[kind], **({"status": word} if word else {})) for n, word in enumerate(WORDS[kind])
    ]
    await team.write(*writes, write("plain", kind))
    page = await team.clients["bo"].query_page(workspace=team.workspace, min_seq=team.seq)
    expected = {f"r{n}": FIELDS[kind] | ({"status": word} if word else {}) for n, word in enumerate(WORDS[kind])}
    expected["plain"] = {"status": WORDS[kind][0]} if WORDS[kind][0] else {}
    assert expected == {record.id: record.fields for record in page.records}


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("Maya Okafor", "person:maya-okafor"),
        ("person:maya", "person:maya"),
        ("model:acme/large@2026-10", "model:acme/large@2026-10"),
        ("system:payroll", "system:payroll"),
    ],
)
async def test_decided_by(said: str, stored: str, team: Team) -> None:
    """A plain name is written as a person's, and the answer reports it; the three forms stay as they are."""
    answer = await team.write(write("d", "decision", decided_by=said))
    record = await team.read("d")
    assert stored == record.fields["decided_by"]
    assert ["" if said == stored else stored] == [each.decided_by_normalized for each in answer.records]


async def test_statement_is_superseded_by_its_own_link(team: Team) -> None:
    """An accepted supersedes_statement makes the older statement superseded; both sides read it as one relation."""
    await team.write(write("s1", "statement"))
    await team.write(write("s2", "statement", links={"supersedes_statement": ["s1"]}))
    older, newer = await team.read("s1"), await team.read("s2")
    assert ("superseded", ("s2",), ()) == (older.status, older.superseded_by, older.supersedes)
    assert ("accepted", (), ("s1",)) == (newer.status, newer.superseded_by, newer.supersedes)


# Links

DECIDED = ("decision", "rule")
LINKS = {
    "based_on": (("rule",), ("decision",), True),
    "exception_to": (("rule",), ("rule",), True),
    "assumes": (DECIDED, ("hypothesis",), True),
    "replaces": (DECIDED, DECIDED, False),
    "depends_on": (("decision",), ("decision",), True),
    "refines": (("decision",), ("decision",), True),
    "amends": (DECIDED, DECIDED, False),
    "conflicts_with": (DECIDED, DECIDED, False),
    "is_a": (tuple(WORDS), tuple(WORDS), False),
    "relates_to": (tuple(WORDS), tuple(WORDS), False),
    "supersedes_statement": (("statement",), ("statement",), False),
}


@pytest.mark.parametrize("link", LINKS)
async def test_link_goes_between_these_kinds_and_rests_or_not(link: str, team: Team) -> None:
    """Every pair of kinds is tried: the row's ends are taken, all others refused; what rests is reopened by a move."""
    from_kinds, to_kinds, rests = LINKS[link]
    out_of_force = {kind: words[-1] for kind, words in WORDS.items() if len(words) > 1}
    await team.write(*(write(f"to-{kind}", kind, **_status(out_of_force, kind)) for kind in WORDS))
    pairs = [(one, other) for one in WORDS for other in WORDS]
    tried = await asyncio.gather(
        *(team.write(write(f"{one}-{other}", one, links={link: [f"to-{other}"]})) for one, other in pairs),
        return_exceptions=True,
    )
    fitting = {pair for pair, answer in zip(pairs, tried, strict=True) if not isinstance(answer, BaseException)}
    assert {(one, other) for one in from_kinds for other in to_kinds} == fitting
    assert {"LINK_END_KIND"} >= {getattr(answer, "reason", "LINK_END_KIND") for answer in tried}
    await team.write(*(write(f"to-{kind}", body="moved") for kind in to_kinds))
    states = {f"{one}-{other}": await team.state(f"{one}-{other}") for one, other in sorted(fitting)[:4]}
    assert {"needs_review" if rests else "current"} == set(states.values())


def _status(words: dict[str, str], kind: str) -> dict[str, str]:
    return {"status": words[kind]} if kind in words else {}


@pytest.mark.parametrize("state", ["proposed", "revoked"])
async def test_only_confirmed_links_rest(state: Any, team: Team) -> None:  # noqa: ANN401 - a literal of the client's
    """A link that is not confirmed is kept and read, and nothing rests on it."""
    link = Link(name="based_on", to="d", state=state)
    await team.write(write("d", "decision"), write("r", "rule", links={"based_on": [link]}))
    await team.write(write("d", status="withdrawn"))
    record = await team.read("r")
    assert record.validity is not None
    assert ("current", [state]) == (record.validity.state, [each.state for each in record.links])


# Writes


async def test_merge_clear_and_no_change(team: Team) -> None:
    """What is present replaces, null clears, absent stays; a write that changes nothing makes no version and no seq."""
    await team.write(write("a", "decision"), write("b", "decision"))
    first = write("d", "decision", label="L", owner="Ada", area="api", links={"depends_on": ["a"], "amends": ["b"]})
    await team.write(first)
    await team.write(write("d", owner=None, area="web", links={"depends_on": []}))
    again = await team.write(write("d", area="web", label="L"))
    record = await team.read("d")
    assert ("L", {"area": "web", "status": "active"}, ["amends"], 2) == (
        record.label,
        record.fields,
        [link.name for link in record.links],
        record.version,
    )
    assert (0, 0, [2]) == (again.first_seq, again.last_seq, [each.version for each in again.records])


async def test_deleted_and_back(team: Team) -> None:
    """A deleted record is a tombstone that is read; written again, it starts afresh and goes on counting."""
    await team.write(write("d", "decision", label="L", body="text"))
    await team.write(write("d", delete=True))
    gone = await team.read("d")
    await team.write(write("d", "decision"))
    back = await team.read("d")
    assert (True, 2, False, 3, "", "") == (
        gone.deleted,
        gone.version,
        back.deleted,
        back.version,
        back.label,
        back.body,
    )


HALVES = {
    "new active, old active": ([], {"status": "active"}, None, True),
    "new active, old made superseded": ([], {"status": "active"}, "superseded", False),
    "new active, old made withdrawn instead": ([], {"status": "active"}, "withdrawn", True),
    "old superseded before": (["superseded"], {"status": "active"}, None, False),
    "old withdrawn before": (["withdrawn"], {"status": "active"}, None, False),
    "a draft may carry it": ([], {"status": "draft"}, None, False),
}


@pytest.mark.parametrize("case", HALVES)
async def test_reversal_is_one_change(case: str, team: Team) -> None:
    """What replaces something in force supersedes it in the same batch; otherwise the missing write is named."""
    before, new, old, half = HALVES[case]
    await team.write(write("old", "decision"))
    for status in before:
        await team.write(write("old", status=status))
    batch = [write("new", "decision", links={"replaces": ["old"]}, **new)]
    batch += [write("old", status=old)] if old else []
    if half:
        error = await refused(team.write(*batch))
        assert ("HALF_WRITTEN_REVERSAL", "old") == (error.reason, error.metadata["record_id"])
        assert "old with status superseded" in error.detail
        assert "active" == (await team.read("old")).status
    else:
        await team.write(*batch)
        old_one = await team.read("old")
        assert ("new",) == old_one.superseded_by + old_one.replacement_claimed_by
        assert ("active" == old_one.status) == bool(old_one.replacement_claimed_by)


async def test_what_makes_a_draft_active_supersedes_its_targets(team: Team) -> None:
    """A draft that carries replaces is refused while it becomes active alone, and lands with its other half."""
    await team.write(write("old", "decision"), write("new", "decision", status="draft", links={"replaces": ["old"]}))
    error = await refused(team.write(write("new", status="active")))
    assert "HALF_WRITTEN_REVERSAL" == error.reason
    await team.write(write("new", status="active"), write("old", status="superseded"))
    assert ("new",) == (await team.read("old")).superseded_by


PERSON_SET: dict[str, dict[str, Any]] = {
    "label": {"label": "B"},
    "body": {"body": "two"},
    "field": {"owner": "Bo"},
    "status": {"status": "withdrawn"},
    "links": {"links": {"depends_on": []}},
    "evidence": {"evidence": [cite("w")]},
    "tags": {"tags": ["b"]},
    "deletion": {"delete": True},
}


@pytest.mark.parametrize("part", PERSON_SET)
@pytest.mark.parametrize("by", ["agent", "service"])
async def test_what_a_person_set_waits_for_a_person(by: str, part: str, team: Team) -> None:
    """A write over it does not land: the whole batch is one proposal, named in the answer; published, it is hers."""
    first = write(
        "d",
        "decision",
        label="A",
        body="one",
        owner="Ada",
        links={"depends_on": ["e"]},
        evidence=[cite("u")],
        tags=["a"],
    )
    await team.write(write("e", "decision"), first)
    answer = await team.write(write("beside", "rule"), write("d", **PERSON_SET[part]), by=by)
    record = await team.read("d")
    assert (1, answer.proposals) == (record.version, record.proposals)
    assert 1 == len(answer.proposals)
    assert "NOT_FOUND" == (await refused(team.read("beside"))).reason
    proposal = await team.clients["maya"].proposal(answer.proposals[0], workspace=team.workspace, min_seq=team.seq)
    published = await team.clients["maya"].publish_proposal(
        proposal.id, digest=proposal.digest, workspace=team.workspace
    )
    team.took(published)
    record = await team.read("d")
    assert (2, "maya") == (record.version, record.written_by.id if record.written_by else "")


async def test_half_of_a_proposed_reversal(team: Team) -> None:
    """Publishing one half of a reversal is refused as writing it is; nothing of it lands, and the whole does."""
    await team.write(write("old", "decision"))
    batch = [write("new", "decision", links={"replaces": ["old"]}), write("old", status="superseded")]
    waits = await team.write(*batch, by="agent")
    maya = team.clients["maya"]
    proposal = await maya.proposal(waits.proposals[0], workspace=team.workspace, min_seq=team.seq)
    shown: dict[str, Any] = {"digest": proposal.digest, "workspace": team.workspace}
    error = await refused(maya.publish_proposal(proposal.id, record_ids=["new"], **shown))
    assert ("HALF_WRITTEN_REVERSAL", "old") == (error.reason, error.metadata["record_id"])
    assert "NOT_FOUND" == (await refused(team.read("new"))).reason
    team.took(await maya.publish_proposal(proposal.id, **shown))
    assert ("new",) == (await team.read("old")).superseded_by


async def test_open_by_creation_is_not_person_set(team: Team) -> None:
    """Only the open that a hypothesis is created with may be written over; the active of a decision may not."""
    await team.write(write("h", "hypothesis"), write("d", "decision"))
    landed = await team.write(write("h", status="abandoned"), by="agent")
    waits = await team.write(write("d", status="withdrawn"), by="agent")
    assert ((), 1) == (landed.proposals, len(waits.proposals))


async def test_approval_only(team: Team) -> None:
    """Where a workspace chose so, every write of an agent waits, also a new record; persons and services write."""
    team.took(await team.clients["maya"].set_workspace(approval_only=True, workspace=team.workspace))
    waits = await team.write(write("a", "decision"), by="agent")
    await team.write(write("b", "decision"), by="service")
    await team.write(write("c", "decision"))
    page = await team.clients["bo"].query_page(workspace=team.workspace, min_seq=team.seq)
    assert (1, {"b", "c"}) == (len(waits.proposals), {record.id for record in page.records})
