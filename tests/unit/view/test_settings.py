from pathlib import Path

import pytest

from stanchion_runtime.log import Bounds
from stanchion_runtime.tail import Start
from stanchion_view.settings import ViewSettings
from stanchion_view.store import StoreError
from stanchion_view.view import check_positions


def test_every_partition_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """No list holds all; a list holds those, once each, in order; one that is not there is refused."""
    assert (0, 1, 2) == ViewSettings().held(3)
    monkeypatch.setenv("STANCHION_VIEW_PARTITIONS", "2,0,2")
    assert (0, 2) == ViewSettings().held(3)
    with pytest.raises(ValueError, match="names 2; the topics have 0 to 1"):
        ViewSettings().held(2)
    monkeypatch.setenv("STANCHION_VIEW_PARTITIONS", "0,,1")
    with pytest.raises(ValueError, match="STANCHION_VIEW_PARTITIONS: '' is no partition"):
        ViewSettings().held(3)


def test_the_file_lies_at_home_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The local home is where everything lies; a path of its own goes before."""
    monkeypatch.setenv("STANCHION_HOME", "/somewhere")
    assert Path("/somewhere/view/view.duckdb") == ViewSettings().file
    monkeypatch.setenv("STANCHION_VIEW_DATABASE", "/elsewhere/v.duckdb")
    assert Path("/elsewhere/v.duckdb") == ViewSettings().file


@pytest.mark.parametrize(
    ("begin", "end", "says"),
    [(0, 9, None), (0, 10, None), (0, 8, "the topic ends at 8"), (10, 12, "the topic begins at 10")],
)
def test_a_position_outside_the_topic_is_refused(begin: int, end: int, says: str | None) -> None:
    """A file ahead of the topic, or one whose next records are gone, does not go on."""
    bounds, positions = {0: Bounds(begin=begin, end=end)}, {0: Start(position=9)}
    if says is None:
        check_positions(positions, bounds)
        return
    with pytest.raises(StoreError, match=says):
        check_positions(positions, bounds)
