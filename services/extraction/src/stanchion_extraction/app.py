"""Wiring: `observations` in, `claims` out."""

import argparse
import sys
from importlib.resources import files
from pathlib import Path
from typing import Final

from stanchion_contracts.claim import Claims
from stanchion_contracts.observation import Observation
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_extraction import check
from stanchion_extraction.core.mapping import Mappings, parse_mappings
from stanchion_extraction.handler import decider, evolve
from stanchion_extraction.settings import ExtractionSettings
from stanchion_runtime import worker
from stanchion_runtime.errors import EXIT_UNUSABLE
from stanchion_runtime.settings import read
from stanchion_runtime.stage import Stage, decoder

_SHIPPED: Final = ("events.yaml", "kep.yaml", "pep.yaml", "adr.yaml")
"""Mapping files that ship, those of documents in the order they are tried."""
_ENDINGS: Final = frozenset({".yaml", ".yml"})


def build(settings: ExtractionSettings) -> Stage[None, Observation, Claims]:
    """Give the stage.

    Raises:
        ValueError: a mapping file is wrong, or two files declare one event type or one mapping of documents.
    """
    return Stage(
        name="extraction",
        inputs=("observations",),
        output="claims",
        initial=lambda: None,
        decode={"observations": decoder(Observation)},
        decide=decider(mappings_of(settings.mappings)),
        evolve=evolve,
        dead_letters=True,
    )


def mappings_of(own: Path | None) -> Mappings:
    """Give the mappings: what a file or folder adds or replaces, before what ships.

    Raises:
        ValueError: the file or folder cannot be read, a file is wrong, or two files declare the same.
    """
    folder = files("stanchion_extraction").joinpath("mappings")
    shipped = _merged({name: folder.joinpath(name).read_text(encoding="utf-8") for name in _SHIPPED})
    return shipped if own is None else _merged(_texts(own)).over(shipped)


def _texts(own: Path) -> dict[str, str]:
    """Give the texts of a mapping file, or of all in a folder.

    Raises:
        ValueError: they cannot be read.
    """
    try:
        paths = sorted(path for path in own.iterdir() if path.suffix in _ENDINGS) if own.is_dir() else [own]
        return {str(path): path.read_text(encoding="utf-8") for path in paths}
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"STANCHION_EXTRACTION_MAPPINGS: {error}") from error


def _merged(texts: dict[str, str]) -> Mappings:
    """Give what several files declare.

    Raises:
        ValueError: a file is wrong, or two declare the same.
    """
    merged, vocabulary = Mappings(), base_vocabulary()
    for name, text in texts.items():
        declared = parse_mappings(text, name, vocabulary)
        if twice := sorted(merged.names & declared.names):
            raise ValueError(f"mapping {name}: another file declares {', '.join(twice)} already")
        merged = merged.over(declared)
    return merged


def main() -> None:
    """Run until told to stop; a wrong mapping refuses to start. `--check` only tells what files would make."""
    parser = argparse.ArgumentParser(prog="stanchion-extraction", description="Finds claims and records in events.")
    parser.add_argument("--check", nargs="*", metavar="FILE", help="check the mappings, tell what files make, and end")
    paths: list[str] | None = parser.parse_args().check
    if paths is not None:
        sys.exit(_checked(paths))
    with worker.prepared("extraction"):
        settings = read(ExtractionSettings)
        stage = build(settings)
    worker.run(stage, settings)


def _checked(paths: list[str]) -> int:
    """Check the mappings and tell what they make of files; give the exit code."""
    try:
        mappings = mappings_of(read(ExtractionSettings).mappings)
    except ValueError as error:
        sys.stderr.write(f"stanchion-extraction: {error}\n")
        return EXIT_UNUSABLE
    return check.run(mappings, paths)
