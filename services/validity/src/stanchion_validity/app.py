"""Wiring: `beliefs` and `commands` in, `changes` out."""

import importlib.resources

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.change import Changes
from stanchion_contracts.command import Command
from stanchion_core.vocabulary import BASE_FILE, Vocabulary, parse
from stanchion_runtime import worker
from stanchion_runtime.stage import Stage, decoder
from stanchion_validity.handler import Message, State, decider, evolver
from stanchion_validity.settings import ValiditySettings


def base_vocabulary() -> Vocabulary:
    """Read the vocabulary that ships."""
    return parse(importlib.resources.files("stanchion_core").joinpath(BASE_FILE).read_text(encoding="utf-8"))


def build(vocabulary: Vocabulary | None = None) -> Stage[State, Message, Changes]:
    """Give the stage.

    Args:
        vocabulary: of all its workspaces; None for the base vocabulary.
    """
    known = vocabulary or base_vocabulary()
    return Stage(
        name="validity",
        inputs=("beliefs", "commands"),
        output="changes",
        initial=State,
        decode={"beliefs": decoder(Beliefs), "commands": decoder(Command)},
        decide=decider(known),
        evolve=evolver(known),
        dead_letters=True,
    )


def main() -> None:
    """Run until told to stop."""
    worker.run(build(), ValiditySettings())
