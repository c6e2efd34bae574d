"""Names from outside."""

import pytest

from stanchion_core.errors import InvalidMessage
from stanchion_ingest.core.name import publisher_name, room_name, workspace_name


@pytest.mark.parametrize("name", ["acme", "A", "team-1.docs:eu_west", "0", "a" * 128])
def test_workspaces(name: str) -> None:
    """A workspace is ASCII letters and digits, then also dots, underscores, colons and hyphens."""
    assert name == workspace_name(name)


@pytest.mark.parametrize("name", ["-a", ".", "a b", "a/b", "ä", "a\n", "*", "a\x00", "a\ud800"])
def test_what_is_no_workspace(name: str) -> None:
    """Other names are refused, the field named."""
    with pytest.raises(InvalidMessage) as caught:
        workspace_name(name)
    assert ("FIELD_VALUE", "workspace") == (caught.value.code, caught.value.field)


@pytest.mark.parametrize("name", ["", "growth", "growth/pricing/eu", "Größe", "東京/営業", "r" * 256])
def test_rooms(name: str) -> None:
    """A room is a path of names in any script; empty is the root."""
    assert name == room_name(name)


@pytest.mark.parametrize("name", ["/", "a/", "/a", "a//b", "..", "a/../b", " a", "a b", "a\x00", "a\u202eb"])
def test_what_is_no_room(name: str) -> None:
    """Empty steps, steps up, spaces and invisible characters are refused."""
    with pytest.raises(InvalidMessage) as caught:
        room_name(name, "writes[3].room")
    assert ("FIELD_VALUE", "writes[3].room") == (caught.value.code, caught.value.field)


def test_our_own_name_is_reserved() -> None:
    """Nobody publishes as Stanchion: a tick's id could be taken before the tick comes."""
    assert "stanchion-bot" == publisher_name("stanchion-bot", "source")
    with pytest.raises(InvalidMessage, match="reserved"):
        publisher_name("stanchion", "source")
