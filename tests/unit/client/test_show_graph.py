import json
from datetime import UTC, datetime
from io import StringIO

from rich.console import Console
from rich.text import Text

from stanchion.graph import Entity, Hop, Reached, RelationWindow, Traversal
from stanchion.results import WorkspaceSettings
from stanchion.show import graph, workspace
from stanchion_core.base_vocabulary import base_text
from stanchion_core.vocabulary_text import json_text, read

TAIL = Entity(name="0007-tail", type="record")
TOPIC = Entity(name="0004-topic", type="record")
MAYA = Entity(name="Maya", type="person")
CREW = Entity(name="crew", type="team", room="eu")


def printed(text: Text) -> str:
    """Give a text as a terminal without colours shows it."""
    out = StringIO()
    Console(file=out, width=200, color_system=None).print(text, no_wrap=True, overflow="ignore", crop=False)
    return out.getvalue()


def test_a_traversal_is_a_tree() -> None:
    """Each thing stands under what it was reached from, with the relation, its direction, and what it is."""
    depends = Hop(from_=TAIL, name="depends_on", to=TOPIC)
    owned = Hop(from_=TOPIC, name="owned_by", to=CREW)
    leads = Hop(from_=MAYA, name="leads", to=TAIL, backwards=True)
    found = Traversal(
        reached=(
            Reached(entity=TOPIC, label="One topic", path=(depends,)),
            Reached(entity=MAYA, path=(leads,)),
            Reached(entity=CREW, path=(depends, owned)),
        ),
        truncated=True,
        as_of_seq=61,
    )
    assert """\
0007-tail
├─ depends on → 0004-topic  One topic
│  └─ owned by → crew  (team) · room eu
└─ ← leads of Maya  (person)

3 names · workspace docs · as of seq 61
there is more than is shown: fewer --hops, or only some --name
""" == printed(graph.tree(TAIL, found, "docs"))


def test_windows_are_listed() -> None:
    """What nobody said is said to be so, and the current window is told from those it superseded."""
    first, second = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 9, 1, 8, 30, tzinfo=UTC)
    past = RelationWindow(valid_at=first, created_at=first, created_seq=2, superseded_seq=5, stated_by="r1")
    rows = printed(
        graph.windows([past, RelationWindow(invalid_at=second, created_at=second, created_seq=5)])
    ).splitlines()
    assert ["2026-03-01", "not said", "2026-03-01 00:00:00", "2", "seq 5", "r1"] == _cells(rows[1])
    assert ["not said", "2026-09-01 08:30:00", "2026-09-01 08:30:00", "5", "current", "a caller"] == _cells(rows[2])


def _cells(row: str) -> list[str]:
    """Give the cells of a row."""
    return [each for each in (part.strip() for part in row.split("  ")) if each]


def test_a_vocabulary_comes_back_from_its_yaml() -> None:
    """The one that ships is printed with its comments; another one reads back as the same vocabulary."""
    shipped = json.loads(json_text(read(base_text())))
    assert base_text() == workspace.vocabulary(shipped)
    own = {**shipped, "name": "legal"}
    text = workspace.vocabulary(own)
    assert own == json.loads(json_text(read(text)))
    assert "agents         only propose" in printed(
        workspace.render(WorkspaceSettings(approval_only=True, vocabulary=own), "x")
    )
