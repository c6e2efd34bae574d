"""Wiring."""

from stanchion_validity.app import base_vocabulary, build
from stanchion_validity.handler import State


def test_stage_is_the_lines() -> None:
    """Beliefs and commands in, changes out; only commands are dead-lettered."""
    stage = build()
    assert ("validity", ("beliefs", "commands"), "changes") == (stage.name, stage.inputs, stage.output)
    assert (False, True) == (stage.dead_letters_of("beliefs"), stage.dead_letters_of("commands"))
    assert State() == stage.initial()


def test_base_vocabulary_ships() -> None:
    """The vocabulary is read from the package."""
    assert "base" == base_vocabulary().name
