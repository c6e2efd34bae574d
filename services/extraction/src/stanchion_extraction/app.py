"""Wiring: `observations` in, `claims` out."""

import sys
from importlib.resources import files
from pathlib import Path

from stanchion_contracts.claim import Claims
from stanchion_contracts.observation import Observation
from stanchion_extraction.core.mapping import Rules, parse_mappings
from stanchion_extraction.handler import decider, evolve
from stanchion_extraction.settings import ExtractionSettings
from stanchion_runtime import worker
from stanchion_runtime.stage import Stage, decoder


def build(settings: ExtractionSettings) -> Stage[None, Observation, Claims]:
    """Give the stage.

    Raises:
        ValueError: a mapping file is wrong, or two files declare one event type.
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


def mappings_of(folder: Path | None) -> dict[str, Rules]:
    """Give the rules by event type: what ships, and what a folder adds or replaces.

    Raises:
        ValueError: the folder cannot be read, a file in it is wrong, or two files declare one event type.
    """
    shipped = parse_mappings(files("stanchion_extraction").joinpath("stanchion.yaml").read_text(), "stanchion.yaml")
    if folder is None:
        return shipped
    own: dict[str, Rules] = {}
    try:
        texts = {path: path.read_text() for path in sorted(folder.iterdir()) if path.suffix in {".yaml", ".yml"}}
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"STANCHION_EXTRACTION_MAPPINGS: {error}") from error
    for path, text in texts.items():
        declared = parse_mappings(text, str(path))
        if twice := sorted(own.keys() & declared.keys()):
            raise ValueError(f"mapping {path}: another file declares {', '.join(twice)} already")
        own |= declared
    return {**shipped, **own}


def main() -> None:
    """Run until told to stop; a wrong mapping refuses to start."""
    settings = ExtractionSettings()
    try:
        stage = build(settings)
    except ValueError as error:
        sys.exit(f"stanchion-extraction: {error}")
    worker.run(stage, settings)
