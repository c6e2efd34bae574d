import json
from typing import TYPE_CHECKING

from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_runtime import rpc
from support.command_line import stanchion

if TYPE_CHECKING:
    from integration.client.conftest import World

FIVE = types_pb2.Value(type="money", text="5000000000", unit="USD")


def lay_out(world: "World") -> None:
    """Put two beliefs into the view, one of them stale."""
    for subject, stale in (("tam", False), ("churn", True)):
        world.view.beliefs[subject, "is"] = types_pb2.Belief(
            workspace="docs",
            subject=subject,
            predicate="is",
            values=[types_pb2.ValueState(value=FIVE, probability=0.868, evidence=5.6)],
            vacuity=0.26,
            stale=stale,
        )


async def test_beliefs_are_listed_as_a_gate(world: "World") -> None:
    """Filters narrow, --fail says by its exit code that one was found, and JSON is a page."""
    lay_out(world)
    ran = await stanchion(world, "believe")
    assert (0, True) == (ran.code, "0.868  5,000,000,000 USD  26%          tam · is\n" in ran.out)
    ran = await stanchion(world, "believe", "--stale", "--fail", "--json")
    assert (1, ["churn"]) == (ran.code, [each["subject"] for each in json.loads(ran.out)["beliefs"]])
    assert 0 == (await stanchion(world, "believe", "--contradicted", "--fail")).code
    ran = await stanchion(world, "believe", "show", "tam", "is")
    assert (0, True) == (ran.code, ran.out.startswith("tam · is\nworkspace docs"))
    ran = await stanchion(world, "believe", "show", "nope", "is")
    assert (3, "", True) == (ran.code, ran.out, "nothing is held of nope" in ran.err)


async def test_what_is_added_is_a_text_or_a_claim(world: "World") -> None:
    """The words say which; options go along; what moved is said, and a wrong command line sends nothing."""
    world.ingest.moves.append(ingest_pb2.MovedBelief(subject="tam", predicate="is", value=FIVE, probability=0.79))
    ran = await stanchion(world, "believe", "add", "The TAM is $5B", "--source", "gartner", "--assume")
    assert (0, "moved  tam · is  nothing → 5,000,000,000 USD 0.790  0% open\n") == (ran.code, ran.out)
    ran = await stanchion(world, "believe", "add", "churn", "is", "5%", "--not", "--evidence", "measurement", "--json")
    assert (0, "obs_1") == (ran.code, json.loads(ran.out)["observation_id"])
    text, claim = world.ingest.trouble.calls
    assert ("The TAM is $5B", "assumption", "gartner") == (text.text, text.evidence, text.source)
    (stated,) = claim.claims
    assert ("percent", True, "measurement") == (stated.value.type, stated.denial, stated.evidence)
    for words, said in (
        (["a", "b"], "one text, or a subject"),
        (["a", "--not"], "--not goes with a claim"),
        (["a", "--evidence", "rumour"], "there is no evidence of type rumour"),
        (["a", "--observed-at", "soon"], "is no time"),
        (["", "is", "5"], "is empty"),
        ([" "], "is empty"),
        (["caf\udce9 is open"], "is not UTF-8"),
    ):
        ran = await stanchion(world, "believe", "add", *words)
        assert (2, True) == (ran.code, said in ran.err)
    assert 2 == len(world.ingest.trouble.calls)


async def test_what_is_observed_says_how_it_came(world: "World") -> None:
    """A text from stdin goes by its path; an intent and what was left out are told."""
    world.ingest.notes.append("intent-1")
    world.ingest.leaves_out.append("it asks")
    ran = await stanchion(world, "observe", "-", "--path", "user-message", given="I want to target enterprise")
    assert (0, True) == (ran.code, "noted  1 intent: never evidence" in ran.out)
    assert "left out  it asks\n" in ran.out
    (sent,) = world.ingest.trouble.calls
    assert ("user-message", "I want to target enterprise") == (sent.path, sent.text)
    assert 2 == (await stanchion(world, "observe", "x", "--path", "rumour")).code
    assert 2 == (await stanchion(world, "observe", "-", given="\n")).code
    assert 1 == len(world.ingest.trouble.calls)


async def test_trust_and_policy_are_listed_and_set(world: "World") -> None:
    """Alone they list; what is set is shown as it stands; out of range is a wrong command line."""
    world.view.trust.append(types_pb2.Trust(name="crm", value=0.9, basis="setting", setting=0.9))
    assert "0.900  crm   a person set it\n" in (await stanchion(world, "trust")).out
    ran = await stanchion(world, "trust", "set", "crm", "0.4")
    assert (0, True) == (ran.code, ran.out.startswith("landed  seq 1\n"))
    assert 0 == (await stanchion(world, "trust", "unset", "crm")).code
    assert 2 == (await stanchion(world, "trust", "set", "crm", "1.4")).code
    world.view.settings.policies.add(predicate="tag", multi_valued=True)
    assert "tag        as above   several may be true" in (await stanchion(world, "policy")).out
    assert 0 == (await stanchion(world, "policy", "set", "tag", "--half-life", "unset", "--tolerance", "0.01")).code
    assert 2 == (await stanchion(world, "policy", "set", "tag", "--consensus")).code
    assert 2 == (await stanchion(world, "policy", "set")).code
    setting, unset, policy = world.ingest.trouble.calls
    assert (0.4, False) == (setting.value, unset.HasField("value"))
    assert ("tag", "", True, 0.01) == (
        policy.predicate,
        policy.half_life,
        policy.HasField("half_life"),
        policy.tolerance,
    )


async def test_who_may_not_calibrate_is_told(world: "World") -> None:
    """A refusal for want of a capability has its own exit code."""
    world.ingest.trouble.coming.append(rpc.Refused("MISSING_CAPABILITY", "agent bot lacks calibrate"))
    ran = await stanchion(world, "resolve", "tam", "is", "5")
    assert (4, "stanchion: agent bot lacks calibrate\n") == (ran.code, ran.err)


async def test_what_turned_out_is_said_and_measured(world: "World") -> None:
    """A claim is resolved with what a person types and opened again; calibration is text, JSON and a picture."""
    lay_out(world)
    world.view.beliefs["tam", "is"].resolved.CopyFrom(types_pb2.Value(type="money", text="5e9", unit="usd"))
    ran = await stanchion(world, "resolve", "tam", "is", "5,000,000,000 USD")
    assert (0, "landed  seq 1\nturned out  5e9 usd  held at P 0.868\n") == (ran.code, ran.out)
    world.view.beliefs["tam", "is"].ClearField("resolved")
    assert "open  nobody is judged by it any more\n" in (await stanchion(world, "reopen", "tam", "is")).out
    resolved, reopened = world.ingest.trouble.calls
    assert (FIVE, False) == (resolved.value, reopened.HasField("value"))
    world.view.calibration.resolved = 2
    bins = [types_pb2.CalibrationBin(begin=n / 10, end=(n + 1) / 10) for n in range(10)]
    world.view.calibration.calibrations.add(by="all", count=2, hits=1, brier=0.3, error=0.2, bins=bins)
    ran = await stanchion(world, "calibration", "--png", "out.png")
    assert (0, True) == (ran.code, ran.err.endswith("drawn to out.png\n"))  # matplotlib may say that it looks for fonts
    assert "2 claims resolved" in ran.out
    assert (world.home / "out.png").read_bytes().startswith(b"\x89PNG")
    assert 2 == json.loads((await stanchion(world, "calibration", "--json")).out)["resolved"]
    ran = await stanchion(world, "calibration", "--png", "no/such/folder.png")
    assert (2, True) == (ran.code, "no/such/folder.png cannot be written" in ran.err)


async def test_findings_and_intents_are_listed(world: "World") -> None:
    """Findings are a gate with --fail; dropped intents are shown when asked for."""
    world.view.findings.append(types_pb2.Finding(kind="contradiction", subject="tam", predicate="is", detail="5 and 7"))
    ran = await stanchion(world, "findings", "--kind", "contradiction", "--fail")
    assert (1, True) == (ran.code, "tam · is  5 and 7" in ran.out)
    assert 0 == (await stanchion(world, "findings", "--kind", "trust-moved", "--fail")).code
    assert 2 == (await stanchion(world, "findings", "--kind", "rumour")).code
    for status in ("standing", "dropped"):
        fields = {"status": status, "intent_kind": "goal", "holder": "maya"}
        world.view.records[status] = types_pb2.Record(
            id=status,
            kind="intent",
            label=f"it is {status}",
            fields=[types_pb2.Field(name=name, value_json=json.dumps(value)) for name, value in fields.items()],
        )
    assert "dropped" not in (await stanchion(world, "intents")).out
    assert (
        "goal  maya             it is dropped (dropped)  dropped\n" in (await stanchion(world, "intents", "--all")).out
    )
