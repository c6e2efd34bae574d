import asyncio
import json
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from stanchion_contracts.generated.stanchion.audit.v1 import audit_pb2
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_runtime import rpc
from support.command_line import command, environment, stanchion
from support.history import Line, commit, make_repository

if TYPE_CHECKING:
    from integration.client.conftest import World


def lay_out(world: "World") -> None:
    """Put a superseded decision, and one that rests on it, into the view."""
    world.view.seq = 61
    active, superseded = (types_pb2.Field(name="status", value_json=f'"{each}"') for each in ("active", "superseded"))
    world.view.records["0004-topics"] = types_pb2.Record(
        id="0004-topics",
        kind="decision",
        label="One topic per service",
        fields=[superseded],
        superseded_by=["0011-two"],
        validity=types_pb2.Validity(state=types_pb2.VALIDITY_STATE_CURRENT),
    )
    world.view.records["0007-tail"] = types_pb2.Record(
        workspace="docs",
        id="0007-tail",
        kind="decision",
        label="Tail the ledger",
        fields=[active],
        links=[types_pb2.Link(name="depends_on", to="0004-topics", state=types_pb2.LINK_STATE_CONFIRMED)],
        validity=types_pb2.Validity(
            state=types_pb2.VALIDITY_STATE_NEEDS_REVIEW,
            observed_through=61,
            reasons=[
                types_pb2.Reason(
                    kind="input_changed",
                    record_id="0004-topics",
                    path=[types_pb2.Step(link="depends_on", record_id="0004-topics")],
                    change=types_pb2.Moved(kind="field", name="status", to="superseded"),
                    seq=58,
                )
            ],
        ),
    )


async def test_stale_says_what_fell_and_fails_when_asked(world: "World") -> None:
    """The answer is on stdout, the exit code is 1 with --fail, and pipes get no colours."""
    lay_out(world)
    ran = await stanchion(world, "stale", "--fail")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("1 of 1 decision no longer stands")
    assert "depends on  0004  One topic per service    superseded by 0011" in ran.out
    assert "\x1b" not in ran.out


async def test_stale_for_machines(world: "World") -> None:
    """JSON carries the same answer with whole ids."""
    lay_out(world)
    ran = await stanchion(world, "stale", "--json")
    answer = json.loads(ran.out)
    assert (ran.code, answer["checked_through"]) == (0, 61)
    assert answer["fallen"][0]["causes"][0]["way"][0]["record_id"] == "0004-topics"


async def test_a_gate_that_asks_about_nothing_does_not_pass(world: "World") -> None:
    """A slip in a filter is refused under --fail, with the values that there are; so is a workspace without records."""
    lay_out(world)
    world.view.records["0007-tail"].fields.add(name="area", value_json='"reads"')
    world.view.records["0007-tail"].room = "core"
    for filters, said in (
        (["--area", "tpyo"], "no decision or rule of area tpyo; known areas are reads"),
        (["--owner", "nobody"], "no decision or rule of owner nobody; none has an owner"),
        (
            ["--room", "zzz", "--area", "reads"],
            "of area reads and room zzz; known areas are reads; known rooms are core",
        ),
    ):
        ran = await stanchion(world, "stale", "--fail", *filters)
        assert (3, True) == (ran.code, said in ran.err)
        assert 0 == (await stanchion(world, "stale", *filters)).code
    assert 1 == (await stanchion(world, "stale", "--fail", "--area", "reads")).code
    world.view.records.clear()
    ran = await stanchion(world, "stale", "--fail")
    assert (3, True) == (ran.code, ran.err.endswith("there is no decision or rule\n"))


async def test_stale_fails_for_what_rests_on_nothing(world: "World") -> None:
    """A record whose ground never was in force fails the gate, too, and JSON names it with the ground."""
    lay_out(world)
    record = world.view.records["0007-tail"]
    record.validity.ClearField("reasons")
    record.validity.state = types_pb2.VALIDITY_STATE_CURRENT
    record.validity.grounds_not_in_force.add(record_id="0004-topics", status="superseded")
    ran = await stanchion(world, "stale", "--fail", "--json")
    resting = json.loads(ran.out)["resting"]
    assert (1, ["0007-tail"]) == (ran.code, [each["id"] for each in resting])
    assert ("depends on", "superseded") == (resting[0]["grounds"][0]["link"], resting[0]["grounds"][0]["status"])


async def test_query_takes_the_words_it_shows(world: "World") -> None:
    """A state may be typed as `query` and `stale` show it."""
    lay_out(world)
    for word in ("needs_review", "needs review", "needs-review"):
        ran = await stanchion(world, "query", "--state", word)
        assert "0007  decision  active  needs review  Tail" in ran.out
    assert "0004  decision  superseded  unmoved   One" in (await stanchion(world, "query", "--state", "unmoved")).out
    ran = await stanchion(world, "query", "--state", "wobbly")
    assert (2, True) == (ran.code, "there is no state wobbly" in ran.err)


async def test_query_knows_its_words(world: "World") -> None:
    """A field or a status that no record can have is refused with those that there are, not answered with nothing."""
    for options, said in (
        (["--field", "onwer=maya"], "no record has a field onwer; there are applies_to, area, claim"),
        (["--kind", "rule", "--field", "claim=x"], "no rule has a field claim; there are applies_to, area, eff"),
        (
            ["--kind", "rule", "--status", "actve"],
            "no rule has a status actve; there are active, superseded, withdrawn",
        ),
    ):
        ran = await stanchion(world, "query", *options)
        assert (3, True) == (ran.code, said in ran.err)


async def test_texts_are_given_or_left_out(world: "World") -> None:
    """JSON says nothing of a text that was not fetched; --bodies fetches it."""
    lay_out(world)
    world.view.records["0007-tail"].body = "Because."
    bare = json.loads((await stanchion(world, "query", "--json")).out)
    whole = json.loads((await stanchion(world, "query", "--json", "--bodies")).out)
    assert ["body" in each for each in bare["records"]] == [False, False]
    assert ["", "Because."] == [each["body"] for each in whole["records"]]
    assert 2 == (await stanchion(world, "query", "--bodies")).code


async def test_show_finds_a_record_by_its_number(world: "World") -> None:
    """A number is enough where it says which."""
    lay_out(world)
    ran = await stanchion(world, "show", "7")
    assert ran.code == 0
    assert ran.out.startswith("0007  Tail the ledger\ndecision · active")
    assert "rests on       depends on  0004  One topic per service" in ran.out


async def test_what_is_not_there_is_said(world: "World") -> None:
    """One sentence on stderr, exit code 3."""
    ran = await stanchion(world, "show", "nope")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err == ("stanchion: there is no record nope in workspace docs: `stanchion query` lists what there is\n")


async def test_query_in_a_pipe(world: "World") -> None:
    """Records come one a line, none cut at 80 cells."""
    lay_out(world)
    ran = await stanchion(world, "query", "--kind", "decision")
    assert "2 of 2 records · workspace docs · as of seq 61" in ran.out


async def test_without_a_token(world: "World") -> None:
    """No token is exit code 4, with the place where one would lie."""
    ran = await stanchion(world, "stale", STANCHION_TOKEN="")
    assert ran.code == 4
    assert "set STANCHION_TOKEN, or start a local run that makes .stanchion/tokens/person.jwt" in ran.err
    assert "STANCHION_HOME (there is no .stanchion here)" in ran.err


async def test_a_token_for_another_workspace(world: "World") -> None:
    """A token that does not name the workspace is exit code 4, and says so."""
    token = world.issuer.token(workspaces=["docs"])
    ran = await stanchion(world, "stale", "-w", "other", STANCHION_TOKEN=token)
    assert ran.code == 4
    assert "person maya has no access to workspace other" in ran.err


async def test_nobody_answers(world: "World") -> None:
    """Where nothing listens it says how to start it, exit code 5."""
    ran = await stanchion(world, "stale", STANCHION_VIEW="127.0.0.1:1")
    assert ran.code == 5
    assert "nobody answers at 127.0.0.1:1" in ran.err
    assert "`stanchion up`" in ran.err
    assert "STANCHION_HOME (there is no .stanchion here)" in ran.err
    assert "Traceback" not in ran.err


async def test_several_workspaces(world: "World") -> None:
    """With several workspaces one must be named; they are listed."""
    world.view.names = ["a", "b"]
    ran = await stanchion(world, "query")
    assert ran.code == 3
    assert "name one with --workspace: a, b" in ran.err


async def test_publish_from_stdin(world: "World") -> None:
    """Events come from stdin; the answer counts them."""
    lines = "\n".join(json.dumps({"id": f"e{n}", "source": "crm", "type": "t", "data": {"n": n}}) for n in range(3))
    ran = await stanchion(world, "publish", "-", "--workspace", "docs", given=lines)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "published 3 events, 3 changed something  workspace docs\n"
    assert [each.data for each in world.ingest.published] == [b'{"n":0}', b'{"n":1}', b'{"n":2}']


async def test_publish_follows_a_pipe(world: "World") -> None:
    """An event that comes through a pipe goes out at once, not with the next one: `tail -f … | stanchion publish -`."""
    process = await asyncio.create_subprocess_exec(
        *command("publish", "-", "--no-wait", "--json", "-w", "docs"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=world.home,
        env=environment(world),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b'{"id": "1", "source": "crm", "type": "deal.lost"}\n')
    async with asyncio.timeout(20):
        assert "1" == json.loads(await process.stdout.readline())["id"]
    process.stdin.close()
    assert 0 == await process.wait()


@pytest.mark.parametrize("arguments", [("query", "-w", "docs"), ("query", "-w", "docs", "--json"), ("token", "list")])
async def test_nobody_reads_on(world: "World", arguments: tuple[str, ...]) -> None:
    """Output that nobody reads on is no error: `stanchion query | head -1` ends with 0, and says nothing."""
    lay_out(world)
    (world.home / ".stanchion/tokens").mkdir(parents=True)
    (world.home / ".stanchion/tokens/person.jwt").write_text(world.issuer.token())
    reading, writing = os.pipe()
    os.close(reading)
    process = await asyncio.create_subprocess_exec(
        *command(*arguments), stdout=writing, stderr=asyncio.subprocess.PIPE, cwd=world.home, env=environment(world)
    )
    os.close(writing)
    _, err = await process.communicate()
    assert (0, b"") == (process.returncode, err)


async def test_publish_names_a_bad_line(world: "World") -> None:
    """A line that is no event ends the command with its number, exit code 2; what came before is published."""
    ran = await stanchion(world, "publish", "-", given='{"id": "1", "source": "s", "type": "t"}\nnonsense\n')
    said = "line 2 is no event: Expecting value at column 1; 1 event before it is published\n"
    assert (2, f"stanchion: {said}") == (ran.code, ran.err)
    assert [each.id for each in world.ingest.published] == ["1"]


async def test_import_a_folder(world: "World", tmp_path: Path) -> None:
    """A folder's history goes out in order; what is not committed is named."""
    history = [a_line(n, path, f"# {path}\n") for n, path in enumerate(("d/0001-a.md", "d/0002-b.md"))]
    make_repository(tmp_path / "repo", history)
    (tmp_path / "repo/d/0003-new.md").write_text("new")
    ran = await stanchion(world, "import", "git", str(tmp_path / "repo"), "--dir", "d")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "imported 2 events of 2 files from 2 commits of git:repo, 2 new  workspace docs · through seq 2\n"
        "not committed, so not imported:\n"
        "  d/0003-new.md\n"
        "no decision found in: d/0001-a.md, d/0002-b.md\n"
        "\n"
        "Next: stanchion stale · stanchion query --kind decision\n"
    )
    assert [each.subject for each in world.ingest.published] == ["d/0001-a.md", "d/0002-b.md"]
    world.view.names = ["docs", "other"]
    ran = await stanchion(world, "import", "git", str(tmp_path / "repo"), "--dir", "d", "-w", "docs")
    assert "of git:repo, 0 new  workspace docs" in ran.out
    assert "Next: stanchion stale -w docs · stanchion query --kind decision -w docs" in ran.out


async def test_import_of_nothing(world: "World", tmp_path: Path) -> None:
    """A folder without documents is refused in one sentence, and nothing is said to be done next."""
    ran = await stanchion(world, "import", "git", str(tmp_path))
    assert (3, "") == (ran.code, ran.out)
    assert f"there is nothing to import in {tmp_path}: no file there ends in .md" in ran.err
    (tmp_path / "a.md").write_text("# A\n")
    for options, wanted in (
        (["--follow"], "--follow needs a git repository"),
        (["--follow", "--dry-run"], "leave one of them out"),
        (["--since", "2026-03-01T09:00:00"], "--since 2026-03-01T09:00:00 has no offset"),
        (["--since", "March"], "--since March is no time"),
    ):
        ran = await stanchion(world, "import", "git", str(tmp_path), *options)
        assert (2, True) == (ran.code, wanted in ran.err)
    assert [] == world.ingest.published


async def test_follow_a_branch(world: "World", tmp_path: Path) -> None:
    """New commits go out as they come, trouble on the way is said and outlived, and Ctrl-C ends it with a word."""
    root = tmp_path / "repo"
    make_repository(root, [a_line(1, "d/0001-a.md", "one")])
    process = await asyncio.create_subprocess_exec(
        *command("import", "git", str(root), "--dir", "d", "-w", "docs", "--follow", "--interval", "0.1", "--json"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=world.home,
        env=environment(world),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    async with asyncio.timeout(30):
        first = json.loads(await process.stdout.readline())
        (root / ".git").rename(root / "away")
        trouble = (await process.stderr.readline()).decode()
        (root / "away").rename(root / ".git")
        commit(root, [a_line(2, "d/0002-b.md", "two"), a_line(3, "other/c.md", "three")])
        second = json.loads(await process.stdout.readline())
        process.send_signal(signal.SIGINT)
        _, err = await process.communicate()
    assert (1, 1, "") == (first["count"], second["count"], "".join(second["left_out"]))
    assert "cannot be read" in trouble
    assert ["d/0001-a.md", "d/0002-b.md"] == [each.subject for each in world.ingest.published]
    assert (130, f"ended at {second['head'][:12]}; started anew, it goes on from there\n") == (
        process.returncode,
        err.decode(),
    )


def a_line(n: int, path: str, text: str) -> Line:
    """Give one line of a history, a commit of its own."""
    time = Timestamp(seconds=1_700_000_000 + n).ToDatetime().astimezone()
    return Line(n=n, commit=f"c{n}", time=time, author="maya", path=path, change="added", text=text)


async def test_write_and_affirm(world: "World") -> None:
    """A write carries what was given and nothing else; an affirmation the seq that was read."""
    lay_out(world)
    ran = await stanchion(
        world, "write", "r1", "--kind", "rule", "--label", "Signed", "--status", "active", "--link", "based_on=0007"
    )
    assert ran.out == "landed  seq 1\n  r1  version 1\n"
    write = world.ingest.trouble.calls[0].writes[0]
    assert (write.label, write.HasField("body"), write.links[0].links[0].to) == ("Signed", False, "0007-tail")
    ran = await stanchion(world, "affirm", "0007", "--through", "61", "--note", "still so")
    assert ran.code == 0
    assert world.ingest.trouble.calls[1].observed_through == 61


async def test_a_refused_write(world: "World") -> None:
    """A refusal is one sentence, exit code 3."""
    world.ingest.trouble.coming.append(rpc.Refused("LINK_TARGET_MISSING", "depends_on names 0099, which is not there"))
    ran = await stanchion(world, "write", "r1", "--kind", "rule")
    assert (ran.code, ran.err) == (3, "stanchion: depends_on names 0099, which is not there\n")


async def test_a_reversal_is_written_whole(world: "World") -> None:
    """--supersede sends both halves in one batch, and keeps what else the record replaces; a refused half names it."""
    lay_out(world)
    refused = rpc.Refused("HALF_WRITTEN_REVERSAL", "half of it is missing", metadata={"record_id": "0004-topics"})
    world.ingest.trouble.coming.append(refused)
    ran = await stanchion(world, "write", "0012", "--kind", "decision", "--link", "replaces=4")
    next_line = "Next: stanchion write 0012 --supersede 0004-topics, with what you gave beside it"
    assert (3, ["stanchion: half of it is missing", next_line]) == (ran.code, ran.err.splitlines())
    world.view.records["0007-tail"].links.add(name="replaces", to="0001-old", state=types_pb2.LINK_STATE_CONFIRMED)
    ran = await stanchion(world, "write", "7", "--supersede", "4", "--field", "area=reads")
    assert (0, "") == (ran.code, ran.err)
    by, ended = world.ingest.trouble.calls[-1].writes
    assert ("0007-tail", ["0001-old", "0004-topics"]) == (by.id, [each.to for each in by.links[0].links])
    assert ("0004-topics", '"superseded"') == (ended.id, ended.fields[0].value_json)
    ran = await stanchion(world, "write", "h", "--kind", "hypothesis", "--supersede", "4")
    assert (3, True) == (ran.code, "a hypothesis replaces nothing" in ran.err)


async def test_a_write_names_its_record(world: "World") -> None:
    """An empty name is no record, and nothing is sent."""
    ran = await stanchion(world, "write", "", "--kind", "rule")
    assert (2, True, []) == (ran.code, "RECORD is empty" in ran.err, world.ingest.trouble.calls)


async def test_write_says_what_it_misses(world: "World") -> None:
    """A new record without its kind, and a field typed as an option, are said in one sentence with what to type."""
    ran = await stanchion(world, "write", "r9", "--label", "New")
    assert (ran.code, ran.err) == (
        3,
        "stanchion: there is no record r9 in workspace docs: to create it, give its --kind, as --kind decision\n",
    )
    for typed, wanted in ((["--owner=maya"], "owner=maya"), (["--set", "a=b"], "a=b"), (["--area", "x"], "area=VALUE")):
        ran = await stanchion(world, "write", "r9", *typed)
        assert (2, True) == (ran.code, f"write --field {wanted}\n" in ran.err)


async def test_nothing_is_written_that_was_not_named(world: "World") -> None:
    """The beginning of a name is enough to look, and never to write: not to it, not to what it would be linked to."""
    lay_out(world)
    assert 0 == (await stanchion(world, "show", "0007-t")).code
    for typed in (
        ("write", "0007-t", "--status", "withdrawn"),
        ("write", "r1", "--kind", "rule", "--link", "based_on=0007-t"),
        ("affirm", "0007-t", "--through", "61"),
    ):
        ran = await stanchion(world, *typed)
        assert (3, True) == (ran.code, "0007-tail begins so, type the whole name" in ran.err)
    assert [] == world.ingest.trouble.calls
    assert 0 == (await stanchion(world, "write", "7", "--status", "withdrawn")).code
    assert "0007-tail" == world.ingest.trouble.calls[0].writes[0].id


async def test_the_version(world: "World") -> None:
    """The version is one line."""
    ran = await stanchion(world, "--version")
    assert (0, ["stanchion"]) == (ran.code, ran.out.split()[:1])


async def test_affirm_wants_the_seq(world: "World") -> None:
    """An affirmation without the seq that was read is a wrong command line that says what to read."""
    ran = await stanchion(world, "affirm", "0007")
    assert ran.code == 2
    assert "read `stanchion show 0007`" in ran.err


async def test_trace_and_watch(world: "World") -> None:
    """The ledger's entries as a table, changes as JSON lines that end when told."""
    world.audit.entries = [audit_pb2.LedgerEntry(seq=1, subject_id="trust", action="trust.set", reason="maya said so")]
    world.view.events = [types_pb2.ChangeEvent(seq=seq, kind="record.written") for seq in (1, 2, 3)]
    ran = await stanchion(world, "trace")
    assert ran.out.splitlines()[1].split() == ["1", "trust.set", "trust", "maya", "said", "so"]
    assert 0 == (await stanchion(world, "trace", "trust")).code
    ran = await stanchion(world, "trace", "nope")
    assert (3, "", True) == (ran.code, ran.out, "the ledger of workspace docs has nothing of nope" in ran.err)
    ran = await stanchion(world, "watch", "--from-seq", "1", "--count", "2", "--json")
    assert [json.loads(each)["seq"] for each in ran.out.splitlines()] == [1, 2]


async def test_help_teaches(world: "World") -> None:
    """Help has examples, and a gate's exit codes."""
    ran = await stanchion(world, "stale", "--help")
    assert (0, "") == (ran.code, ran.err)
    assert "    stanchion stale --area pricing --fail ||" in ran.out
    assert "    1  something no longer does\n" in ran.out
