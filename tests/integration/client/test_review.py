import asyncio
import json
import os
import pty
from pathlib import Path
from typing import TYPE_CHECKING

from google.protobuf.timestamp_pb2 import Timestamp

from stanchion_contracts.generated.stanchion.audit.v1 import audit_pb2
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2
from stanchion_runtime import rpc
from support.command_line import command, environment, stanchion
from support.services import BASE

if TYPE_CHECKING:
    from integration.client.conftest import World

ID = "prop_3fa9c1d2" + "0" * 24
OTHER = "prop_77" + "0" * 30
DIGEST = bytes(range(32))


def lay_out(world: "World") -> None:
    """Put an open proposal of two writes into the view, and one that was rejected."""
    parts = [types_pb2.PartDiff(part="field:status", before_json='"active"', after_json='"superseded"')]
    old = types_pb2.ProposedWrite(
        record_id="0004-topics", kind="decision", base_version=1, current_version=1, parts=parts
    )
    new = types_pb2.ProposedWrite(
        record_id="0011-two", kind="decision", parts=[types_pb2.PartDiff(part="label", after_json='"Two topics"')]
    )
    world.view.proposals[ID] = types_pb2.Proposal(
        id=ID,
        why="person_set",
        reason="it would change a status that person maya set",
        record_id="0004-topics",
        state="open",
        proposed_by=types_pb2.Actor(kind=types_pb2.ACTOR_KIND_AGENT, id="scout"),
        recorded_at=Timestamp(seconds=1_700_000_000),
        seq=7,
        digest=DIGEST,
        writes=[old, new],
    )
    world.view.proposals[OTHER] = types_pb2.Proposal(
        id=OTHER,
        why="approval_only",
        state="rejected",
        closed_by=types_pb2.Actor(kind=types_pb2.ACTOR_KIND_PERSON, id="jo"),
        closed_at=Timestamp(seconds=1_700_000_000),
    )


async def test_what_waits_is_listed(world: "World") -> None:
    """What waits is listed with its short id; --all brings what was closed, JSON the digest as people have it."""
    assert "nothing waits for a person" in (await stanchion(world, "review")).out
    lay_out(world)
    ran = await stanchion(world, "review")
    assert (0, "") == (ran.code, ran.err)
    assert (
        "3fa9c1d2  2023-11-14 22:13  0004-topics and 1 more  agent scout  a person set what it would change" in ran.out
    )
    assert "1 proposal · workspace docs\nNext: stanchion review show 3fa9c1d2\n" in ran.out
    ran = await stanchion(world, "review", "--all", "--json")
    assert [(ID, DIGEST.hex()), (OTHER, "")] == [
        (each["id"], each["digest"]) for each in map(json.loads, ran.out.splitlines())
    ]


async def test_it_is_shown_and_published_as_it_was_shown(world: "World") -> None:
    """Publishing shows the diff, and sends the digest of what it showed; a selection names its records."""
    lay_out(world)
    ran = await stanchion(world, "review", "show", "3fa9")
    assert "  status         active → superseded\n" in ran.out
    assert "Next: stanchion review publish 3fa9c1d2" in ran.out
    ran = await stanchion(world, "review", "publish", "3fa9", "--only", "0004", "--note", "so be it", "--yes")
    assert 0 == ran.code
    assert "active → superseded" in ran.out
    assert "Two topics" not in ran.out
    assert "the rest stays in proposal 3fa9c1d2: stanchion review show 3fa9c1d2\n" == ran.err
    sent = world.ingest.trouble.calls[0]
    assert (ID, DIGEST, ["0004-topics"], "so be it") == (
        sent.proposal_id,
        sent.digest,
        list(sent.record_ids),
        sent.note,
    )
    await stanchion(world, "review", "publish", ID, "--digest", DIGEST.hex()[:12])
    assert [] == list(world.ingest.trouble.calls[1].record_ids)


async def test_publishing_wants_a_persons_yes(world: "World") -> None:
    """Where nobody can be asked nothing is published; nor what is another by now than what somebody saw."""
    lay_out(world)
    for options, code, said in (
        ([], 2, "nobody is here to ask: say --yes, or name what you saw with --digest"),
        (["--json"], 2, "with --json nobody sees what is published"),
        (["--digest", "ff" * 6], 3, "was edited since: its digest is 000102030405; `stanchion review show"),
        (["--digest", "00"], 2, "--digest takes at least 8 digits"),
        (["--only", "0009"], 2, "--only 0009 is no write of it; there are 0004-topics, 0011-two"),
    ):
        ran = await stanchion(world, "review", "publish", "3fa9", *options)
        assert (code, True) == (ran.code, said in ran.err)
    assert [] == world.ingest.trouble.calls


async def test_a_race_is_said(world: "World") -> None:
    """An edit or a write that came between showing and publishing is named, with what to do next."""
    lay_out(world)
    for reason, hint in (
        ("REVISION_CONFLICT", "`stanchion review show 3fa9` shows it as it is now"),
        ("VERSION_CONFLICT", "`stanchion review edit 3fa9` makes it anew against what stands"),
    ):
        world.ingest.trouble.coming.append(rpc.Refused(reason, "something moved"))
        ran = await stanchion(world, "review", "publish", "3fa9", "--yes")
        assert (3, f"stanchion: something moved; {hint}\n") == (ran.code, ran.err)


async def test_what_is_outdated_is_said_before_anybody_is_asked(world: "World") -> None:
    """A write made against an older version is named with the way out; what was chosen beside it may still go."""
    lay_out(world)
    world.view.proposals[ID].writes[0].current_version = 2
    ran = await stanchion(world, "review", "publish", "3fa9", "--yes")
    said = "proposal 3fa9c1d2 is outdated: 0004-topics was written since; `stanchion review edit 3fa9` makes it anew"
    assert (3, True, []) == (ran.code, said in ran.err, world.ingest.trouble.calls)
    assert 0 == (await stanchion(world, "review", "publish", "3fa9", "--only", "0011-two", "--yes")).code


async def test_a_trace_knows_proposals(world: "World") -> None:
    """A proposal is traced by its short id, and a record's trace tells what was proposed for it and what came of it."""
    lay_out(world)
    world.view.records["0004-topics"] = types_pb2.Record(id="0004-topics", kind="decision")
    world.view.proposals[OTHER].writes.add(record_id="0004-topics")
    world.audit.entries = [
        audit_pb2.LedgerEntry(seq=1, subject_id="0004-topics", action="record.created", reason="maya wrote it"),
        audit_pb2.LedgerEntry(seq=7, subject_id=ID, action="proposal.opened", reason="scout proposed it"),
    ]
    assert "proposal.opened" in (await stanchion(world, "trace", "3fa9c1")).out
    ran = await stanchion(world, "trace", "4")
    assert "maya wrote it" in ran.out
    assert "3fa9c1d2  by agent scout on 2023-11-14 22:13:20, seq 7\n          waits for a person\n" in ran.out
    assert "          rejected by person jo on 2023-11-14 22:13:20\n" in ran.out


async def test_a_closed_proposal_takes_nothing(world: "World") -> None:
    """What was closed says how, and a name that fits nothing or too much says so."""
    lay_out(world)
    ran = await stanchion(world, "review", "reject", "77", "--reason", "no")
    assert (3, True) == (ran.code, "does not wait any more: rejected by person jo on 2023-11-14" in ran.err)
    ran = await stanchion(world, "review", "show", "88")
    assert (3, True) == (ran.code, "`stanchion review` lists what waits" in ran.err)
    world.view.proposals[ID.replace("d2", "d3")] = world.view.proposals[ID]
    ran = await stanchion(world, "review", "show", "3fa9")
    assert (3, True) == (ran.code, "3fa9 may mean" in ran.err)


async def test_a_rejection_has_a_reason(world: "World") -> None:
    """Without a reason it is a wrong command line; with one it says what stays."""
    lay_out(world)
    ran = await stanchion(world, "review", "reject", "3fa9")
    assert (2, True) == (ran.code, "--reason is missing" in ran.err)
    ran = await stanchion(world, "review", "reject", "3fa9", "--reason", "0011 stands")
    assert "rejected  proposal 3fa9c1d2  seq 1 · 0004-topics and 1 more stays as it is\n" == ran.out
    assert (DIGEST, "0011 stands") == (world.ingest.trouble.calls[0].digest, world.ingest.trouble.calls[0].reason)


async def test_an_edit_from_a_file(world: "World", tmp_path: Path) -> None:
    """What `show --yaml` printed, changed, is what the proposal would write from now on; slips are said, not sent."""
    lay_out(world)
    text = (await stanchion(world, "review", "show", "3fa9", "--yaml")).out
    (tmp_path / "writes.yaml").write_text(text.replace("Two topics", "Two topics: one each"))
    ran = await stanchion(world, "review", "edit", "3fa9", str(tmp_path / "writes.yaml"))
    assert (2, True) == (ran.code, "the edit cannot be read as YAML: line" in ran.err)
    (tmp_path / "writes.yaml").write_text(text.replace("Two topics", "Two"))
    ran = await stanchion(world, "review", "edit", "3fa9", str(tmp_path / "writes.yaml"))
    assert (0, "") == (ran.code, ran.err)
    sent = world.ingest.trouble.calls[0]
    assert (DIGEST, ["0004-topics", "0011-two"]) == (sent.digest, [each.id for each in sent.writes])
    assert ('"superseded"', "Two", "decision") == (
        sent.writes[0].fields[0].value_json,
        sent.writes[1].label,
        sent.writes[1].kind,
    )


async def in_terminal(world: "World", *arguments: str, typed: str, **changed: str) -> tuple[int, str]:
    """Run the command line with a terminal to type into; give its exit code and what it said beside its answer."""
    ours, theirs = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        *command(*arguments),
        stdin=theirs,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=world.home,
        env={**environment(world), **changed},
    )
    os.close(theirs)
    os.write(ours, typed.encode())
    _, err = await process.communicate()
    os.close(ours)
    return process.returncode or 0, err.decode()


async def test_a_person_is_asked(world: "World") -> None:
    """In a terminal a yes publishes, and anything else does not."""
    lay_out(world)
    code, err = await in_terminal(world, "review", "publish", "3fa9", typed="n\n")
    assert (130, True, []) == (code, "nothing was published" in err, world.ingest.trouble.calls)
    code, err = await in_terminal(world, "review", "publish", "3fa9", typed="y\n")
    assert (0, True, 1) == (code, "Publish these 2 writes?" in err, len(world.ingest.trouble.calls))


async def test_an_edit_in_an_editor(world: "World") -> None:
    """The editor opens on the writes; what it leaves is sent, nothing changed sends nothing, and a refusal keeps it."""
    lay_out(world)
    code, err = await in_terminal(world, "review", "edit", "3fa9", typed="", EDITOR="true")
    assert (0, "nothing was changed\n", []) == (code, err, world.ingest.trouble.calls)
    world.ingest.trouble.coming.append(rpc.Refused("FIELD_VALUE", "no such status"))
    code, err = await in_terminal(world, "review", "edit", "3fa9", typed="", EDITOR="sed -i s/Two/Three/")
    assert (3, True) == (code, "your edit is kept: mend it, then stanchion review edit 3fa9c1d2 /" in err)
    kept = err.split("3fa9c1d2 ")[1].split("\n")[0]
    assert 0 == (await stanchion(world, "review", "edit", "3fa9", kept)).code
    assert "Three topics" == world.ingest.trouble.calls[-1].writes[1].label


async def test_an_editor_that_fails_is_said(world: "World") -> None:
    """What is wrong with the editor is said in a sentence: not there, failed, or nobody at a terminal to use it."""
    lay_out(world)
    ran = await stanchion(world, "review", "edit", "3fa9", EDITOR="true")
    assert (2, True) == (ran.code, "there is no terminal here for an editor: take it in two steps" in ran.err)
    for editor, said in (
        ("false", "the editor false failed with exit code 1; your edit is in /"),
        ("/no/such", "the editor /no/such cannot be started: No such file or directory; your edit is in /"),
        ("'open", "the editor that VISUAL or EDITOR names cannot be read: no closing quotation"),
    ):
        code, shown = await in_terminal(world, "review", "edit", "3fa9", typed="", EDITOR=editor)
        assert (2, True) == (code, said in " ".join(shown.split()))


async def test_settings_are_shown_and_set(world: "World", tmp_path: Path) -> None:
    """What is set is what was given; a vocabulary with a slip in it is said here, with its place, and not sent."""
    ran = await stanchion(world, "workspace", "show")
    assert "vocabulary     the one that ships" in ran.out
    ran = await stanchion(world, "workspace", "vocabulary")
    assert ran.out.startswith("#")
    (tmp_path / "own.yaml").write_text(ran.out.replace("depends_on: {from: [decision]", "depends_on: {from: [dogma]"))
    assert (tmp_path / "own.yaml").read_text() != ran.out
    for options, said in (
        (["--vocabulary", str(tmp_path / "own.yaml")], "is no vocabulary"),
        (["--vocabulary", str(tmp_path / "nope.yaml")], "cannot be read"),
        ([], "nothing to set"),
    ):
        ran = await stanchion(world, "workspace", "set", *options)
        assert (2, True) == (ran.code, said in ran.err)
    assert [] == world.ingest.trouble.calls
    (tmp_path / "own.json").write_text(BASE)
    ran = await stanchion(world, "workspace", "set", "--no-approval-only", "--vocabulary", str(tmp_path / "own.json"))
    assert (0, True) == (ran.code, ran.out.startswith("landed  seq 1\n"))
    sent = world.ingest.trouble.calls[0]
    assert (True, False, BASE) == (sent.HasField("approval_only"), sent.approval_only, sent.vocabulary)
    await stanchion(world, "workspace", "set", "--base-vocabulary")
    sent = world.ingest.trouble.calls[1]
    assert (False, True, "") == (sent.HasField("approval_only"), sent.HasField("vocabulary"), sent.vocabulary)


async def test_relations_are_stated_and_walked(world: "World") -> None:
    """A relation carries its ends and its window; a record is named by its whole name, and walked from by any."""
    world.view.records["0007-tail"] = types_pb2.Record(id="0007-tail", kind="decision", label="Tail the ledger")
    ran = await stanchion(
        world,
        *("relate", "7", "concerns", "Platform", "--from-type", "record", "--to-type", "team"),
        *("--valid-at", "2026-03-01", "--invalid-at", "2026-09-01T08:00:00+02:00"),
    )
    assert (0, "landed  seq 1\n") == (ran.code, ran.out)
    sent = world.ingest.trouble.calls[0].relations[0]
    start = getattr(sent, "from")
    assert ("0007-tail", "record", "team", "2026-03-01T00:00:00Z", "2026-09-01T06:00:00Z") == (
        start.name,
        start.type,
        sent.to.type,
        sent.valid_at.ToJsonString(),
        sent.invalid_at.ToJsonString(),
    )
    for arguments, code, said in (
        (["0007-t", "x", "y", "--from-type", "record"], 3, "0007-tail begins so, type the whole name"),
        (["a", "x", "b", "--valid-at", "2026-03-02", "--invalid-at", "2026-03-01"], 2, "before it begins"),
    ):
        ran = await stanchion(world, "relate", *arguments)
        assert (code, True) == (ran.code, said in ran.err)
    hop = view_pb2.Hop(name="concerns", to=types_pb2.Entity(name="Platform", type="team"))
    getattr(hop, "from").CopyFrom(start)
    reached = view_pb2.Reached(entity=hop.to, path=[hop])
    world.view.graph = view_pb2.TraverseResponse(reached=[reached], as_of_seq=1)
    ran = await stanchion(world, "traverse", "0007-t", "--type", "record", "--hops", "3", "--both")
    assert ran.out.startswith("0007-tail\n└─ concerns → Platform  (team)\n")
    asked = world.view.trouble.calls[-1]
    assert (3, True, "0007-tail") == (asked.hops, asked.both_directions, getattr(asked, "from").name)
    world.view.trouble.coming.append(rpc.Refused("NOT_FOUND", "nothing is called so"))
    assert 0 == (await stanchion(world, "traverse", "7", "-w", "docs")).code
