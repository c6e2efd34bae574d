"""Wiring: `observations` in; `requests` and dead letters out; an endpoint beside."""

import argparse
import asyncio
import sys
import unicodedata
from pathlib import Path
from typing import Final

import msgspec

from stanchion_extraction.model.answer import NamedClaim
from stanchion_extraction.model.claim import stated
from stanchion_extraction.model.endpoint import Endpoint, Unanswered
from stanchion_extraction.model.extractor import NAME, Extractor
from stanchion_extraction.model.group import group_of
from stanchion_extraction.model.settings import ModelSettings
from stanchion_runtime import beside, clock, deadletter, metrics, worker
from stanchion_runtime.errors import EXIT_UNUSABLE
from stanchion_runtime.settings import KafkaSettings, read
from stanchion_runtime.side import Side

_ABOUT: Final = """\
Reads what people, agents and systems say, has a language model name the claims in it, and submits them to Stanchion,
each with the sentence it was read from. Runs beside the line and never delays it. Nothing runs, and no text leaves,
unless this process is started with an endpoint.
"""
_KNOBS: Final = """\
settings, from the environment (all of them: docs/model-extraction.md):
  STANCHION_EXTRACTION_MODEL_URL         base of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1
  STANCHION_EXTRACTION_MODEL_MODEL       the model's name there
  STANCHION_EXTRACTION_MODEL_KEY_FILE    file with the key, where one is needed (or _KEY, the key itself)
  STANCHION_EXTRACTION_MODEL_WORKSPACES  only these, comma-separated; all unless told
  STANCHION_EXTRACTION_MODEL_DOCUMENTS   true reads documents, too
  STANCHION_EXTRACTION_MODEL_BEGIN       first reads all there is; now, the default, what comes from now on
  STANCHION_KAFKA_BOOTSTRAP              where the line is

try it first, without Kafka:
  stanchion-extraction-model --try notes.md
"""
_FAILED: Final = 1


def build(settings: ModelSettings, endpoint: Endpoint) -> Side:
    """Give what runs beside the line.

    Args:
        settings: of this process.
        endpoint: where the model is asked.
    """
    extractor = Extractor(settings, endpoint, metrics.current(), clock.now_us)
    return Side(
        name=NAME,
        group=group_of(settings.called),
        topic="observations",
        outputs=("requests", deadletter.TOPIC),
        at_once=settings.at_once,
        begin=settings.begin,
        adopted=extractor.adopted,
        ahead=extractor.ahead,
        work=extractor.work,
        facts=lambda: {"model": settings.called, "failing": endpoint.failing},
    )


def main() -> None:
    """Run until told to stop; `--try` only prints what would be submitted."""
    parser = argparse.ArgumentParser(
        prog="stanchion-extraction-model",
        description=_ABOUT,
        epilog=_KNOBS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--try", dest="file", metavar="FILE", help="print what would be submitted of a text, and end")
    file: str | None = parser.parse_args().file
    if file is not None:
        sys.exit(_tried(file))
    with worker.prepared(NAME):
        settings = read(ModelSettings)
        kafka = read(KafkaSettings)
        side = build(settings, Endpoint(settings, metrics.current()))
    beside.run(side, settings, kafka)


def _tried(file: str) -> int:
    """Print what would be submitted of a text, a claim a line in JSON; give the exit code."""
    try:
        settings = read(ModelSettings)
        raw = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        text = unicodedata.normalize("NFC", raw)  # as ingest keeps it
        endpoint = Endpoint(settings, metrics.current())
    except (ValueError, OSError) as error:
        sys.stderr.write(f"stanchion-extraction-model: {error}\n")
        return EXIT_UNUSABLE
    try:
        found = stated(asyncio.run(_asked(endpoint, text)), text)
    except Unanswered as error:
        sys.stderr.write(f"stanchion-extraction-model: {error}\n")
        return _FAILED
    for source, claims in found.by_source.items():
        for claim in claims:
            sys.stdout.write(msgspec.json.encode({"source": source, **msgspec.to_builtins(claim)}).decode() + "\n")
    for why, count in sorted(found.dropped.items()):
        sys.stderr.write(f"dropped: {count} ({why})\n")
    return 0


async def _asked(endpoint: Endpoint, text: str) -> tuple[NamedClaim, ...]:
    """Ask the endpoint once.

    Raises:
        Unanswered: no claims came of it.
    """
    async with endpoint:
        return await endpoint.ask(text)
