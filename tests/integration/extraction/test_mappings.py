"""The process with a mapping that somebody wrote, on a real broker."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from stanchion_broker.broker import Broker
from stanchion_contracts.claim import Claims
from stanchion_contracts.codec import decode, encode
from stanchion_contracts.observation import Body, Document
from stanchion_core.ids import partition_of
from stanchion_runtime.admin import create_topics
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import CAUSE, CLAIM, EPOCH, Outgoing, header
from support.changes import CLAIM_RECORD
from support.kafka_logs import PARTITIONS, kafka_settings
from support.observations import observation
from support.processes import ended, environment

SCRIPT = Path(sys.executable).with_name("stanchion-extraction")
HOME = partition_of("docs", PARTITIONS)
MAPPING = """
documents:
  memo:
    kind: decision
    paths: {"memos/*.txt": rfc822}
    label: head.subject
    status: {from: head.standing, words: {in effect: active}}
    links: [{name: replaces, from: head.instead_of}]
"""
MEMO = "Subject: Meet on Mondays\nStanding: In effect\nInstead-Of: id:meet-on-fridays\n\nFrom May on.\n"


async def test_a_document_of_ones_own_becomes_a_record(broker: Broker, topic_prefix: str, tmp_path: Path) -> None:
    """A file in a folder is all it takes: the next revision of such a document is a record."""
    kafka = kafka_settings(broker, topic_prefix)
    await create_topics(kafka)
    (tmp_path / "memo.yaml").write_text(MAPPING)
    document = Document(uri="memos/1-mondays.txt", text=MEMO, revision="abc", author="ann")
    async with KafkaLog(kafka, "test") as log:
        (epoch,) = await log.append("observations", HOME, [CLAIM_RECORD])
        headers = ((CAUSE, f"inbox:{HOME}:0".encode()), (EPOCH, b"%d" % epoch))
        observed = encode(observation(Body(document=document), path="document-revision"))
        await log.append("observations", HOME, [Outgoing(value=observed, headers=headers)])
        env = environment(kafka, STANCHION_EXTRACTION_MAPPINGS=str(tmp_path), STANCHION_EXTRACTION_HTTP_PORT="0")
        with ended(started(env, tmp_path / "log")):
            claims = await first_claims(log)
    (record,) = claims.imports
    assert ("decision", "Meet on Mondays", ["id:meet-on-fridays"], '"active"') == (
        record.kind,
        record.label,
        [reference.target for reference in record.references],
        record.fields[0].value,
    )


def started(env: dict[str, str], log: Path) -> "subprocess.Popen[bytes]":
    """Start the process; its log goes to a file."""
    with log.open("ab") as out:
        return subprocess.Popen([SCRIPT], env=env, stdout=out, stderr=out)  # noqa: S603 - our own script


async def first_claims(log: KafkaLog) -> Claims:
    """Give the first claims that somebody writes.

    Raises:
        AssertionError: nobody does.
    """
    async with asyncio.timeout(60):
        async for records in log.follow("claims", {HOME: 0}):
            for record in records:
                if header(record, CLAIM) is None and record.value:
                    return decode(record.value, Claims)
    raise AssertionError("the topic ended")


@pytest.mark.parametrize("text", ["documents: {memo: {kind: memo, paths: {}}}", "documents: {memo: [}"])
def test_a_wrong_mapping_refuses_to_start(text: str, tmp_path: Path) -> None:
    """The process ends at once, with file, place and reason; it needs no broker for that."""
    file = tmp_path / "memo.yaml"
    file.write_text(text)
    env = {"STANCHION_EXTRACTION_MAPPINGS": str(file), "STANCHION_KAFKA_BOOTSTRAP": "127.0.0.1:1"}
    done = subprocess.run([SCRIPT], env=env, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603 - our own script
    assert (78, "") == (done.returncode, done.stdout)
    (line,) = done.stderr.splitlines()
    assert json.loads(line)["detail"].startswith(f"mapping {file}")


CHECKED = """\
mappings: memo, report, kep, pep, adr, stanchion.measurement.v1, stanchion.claims.v1

memos/0007-tea.md: decision 0007-tea, Tea at four
  status: draft
  upstream_status: Agreed
  depends_on → memos/#3 (needs: 3)
  left out: status: Agreed: it is no word we know, so the decision is a draft

notes.md: no record
  left out: it has no status: neither Nygard's form nor MADR's

reports/market.md: statement market, Market
  claim: TAM · is: 5000000000 USD, says Gartner
  claim: Churn · is: not 7 %, says reports/market.md
"""


def test_a_check_before_a_start(tmp_path: Path) -> None:
    """It tells what each file would make, and what it leaves out; of a wrong mapping the same as a start."""
    (tmp_path / "memos").mkdir()
    (tmp_path / "memos" / "0007-tea.md").write_text("---\nstate: Agreed\nneeds: 3\n---\n# Tea at four\n")
    (tmp_path / "notes.md").write_text("Nothing.\n")
    (tmp_path / "memo.yaml").write_text(
        "documents: {memo: {kind: decision, paths: {'memos/*.md': markdown}, "
        "status: {from: head.state}, links: [{name: depends_on, from: head.needs}]}, "
        "report: {kind: statement, paths: {'reports/*.md': markdown}, claims: true}}"
    )
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "market.md").write_text(
        "# Market\n\nGartner reports that the TAM is $5B. Churn is not 7%.\n"
    )

    def checked(mapping: str, *files: str) -> tuple[int, str, str]:
        command, env = [str(SCRIPT), "--check", *files], {"STANCHION_EXTRACTION_MAPPINGS": mapping}
        done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603 - our own script
        return done.returncode, done.stdout, done.stderr

    assert (0, CHECKED, "") == checked("memo.yaml", "memos/0007-tea.md", "notes.md", "reports/market.md")
    (tmp_path / "wrong.yaml").write_text("documents: {memo: [}")
    code, out, err = checked("wrong.yaml")
    assert (78, "", 1) == (code, out, err.count("\n"))
    assert err.startswith("stanchion-extraction: mapping wrong.yaml: it is not YAML: ")
    assert 1 == checked("memo.yaml", "none.md")[0]
