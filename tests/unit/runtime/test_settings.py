"""What a process is told."""

import pytest

from stanchion_runtime.settings import held_partitions


@pytest.mark.parametrize(("listed", "held"), [("", (0, 1, 2)), ("2, 0,2", (0, 2))])
def test_a_list_of_partitions_is_a_set_and_none_is_all(listed: str, held: tuple[int, ...]) -> None:
    """Order and repetition say nothing."""
    assert held == held_partitions(listed, 3, "STANCHION_X_PARTITIONS")


@pytest.mark.parametrize(
    ("listed", "why"),
    [
        ("0,x", "STANCHION_X_PARTITIONS: 'x' is no partition"),
        ("3", "STANCHION_X_PARTITIONS names 3"),
        ("²", "is no"),
        ("0,,1", "'' is no partition"),
    ],
)
def test_a_partition_that_is_not_there_is_named(listed: str, why: str) -> None:
    """Whoever set it reads which variable, and what of it cannot be."""
    with pytest.raises(ValueError, match=why):
        held_partitions(listed, 3, "STANCHION_X_PARTITIONS")
