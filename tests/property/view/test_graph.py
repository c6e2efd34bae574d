"""A traversal gives what looking at every way there is gives."""

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from stanchion_contracts import codec
from stanchion_contracts.ledger import Ledger, Payload
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_view import handler
from stanchion_view.core.graph import Node, Wanted, traverse
from stanchion_view.core.output import Output
from stanchion_view.core.state import Draft, Workspace
from support.ledgers import Scribe, related
from support.view_steps import Step, ledger, steps

BASE = base_vocabulary()
Edge = tuple[Node, str, Node]
Way = tuple[tuple[bool, str, Node], ...]


def folded(messages: list[Ledger]) -> Workspace:
    """The workspace after a ledger."""
    workspace = Workspace.empty(BASE)
    draft = Draft(workspace)
    for message in messages:
        handler.apply(draft, Output(), BASE, message)
    draft.settle()
    return workspace


def edges(messages: list[Ledger], workspace: Workspace, at_us: int | None) -> list[Edge]:
    """Every link of every record that is there, and the last word on every relation, where it holds at a time."""
    found = [
        (Node("record", card.id, ""), link.name, Node("record", link.to, ""))
        for card in workspace.cards.values()
        for link in card.links
    ]
    current = {}
    for message in messages:
        for change in (codec.decode(payload, Payload).change for payload in message.payloads):
            if change.relation is not None:
                source, target = (
                    Node(end.type, end.name, "" if end.type == "record" else change.room)
                    for end in (change.relation.from_entity, change.relation.to_entity)
                )
                current[change.room, source, change.relation.name, target] = change.relation.after
    for (_, source, name, target), window in current.items():
        late = window is not None and at_us is not None and window.valid_at_us > at_us
        over = window is not None and at_us is not None and 0 < window.invalid_at_us <= at_us
        if window is not None and not late and not over:
            found.append((source, name, target))
    gone = {Node("record", card.id, "") for card in workspace.cards.values() if card.deleted}
    return [(source, name, target) for source, name, target in found if not {source, target} & gone]


def ways(all_edges: list[Edge], start: Node, wanted: Wanted, so_far: Way = ()) -> Iterator[Way]:
    """Every way from a node with at most so many hops, loops and all."""
    if len(so_far) == wanted.hops:
        return
    for source, name, target in all_edges:
        if wanted.names and name not in wanted.names:
            continue
        for backwards, here, there in ((False, source, target), *([(True, target, source)] if wanted.both else [])):
            if here == start:
                way = (*so_far, (backwards, name, there))
                yield way
                yield from ways(all_edges, there, wanted, way)


@settings(max_examples=150, deadline=None)
@given(
    steps("write", "link", "relate", "end", "delete", "settle", most=12),
    st.integers(0, 30),
    st.sampled_from([None, 5, 10, 20, 25]),
    st.builds(
        Wanted,
        hops=st.integers(1, 4),
        names=st.sampled_from([frozenset(), frozenset({"r0", "depends_on"}), frozenset({"r1"})]),
        both=st.booleans(),
    ),
)
def test_a_traversal_is_the_shortest_ways_in_order(
    taken: list[Step], begin: int, at_us: int | None, wanted: Wanted
) -> None:
    """Of every way to each record and entity the shortest, then the first; nearest first, then in the order of ways."""
    messages = ledger(taken)
    workspace = folded(messages)
    all_edges = edges(messages, workspace, at_us)
    nodes = sorted({end for source, _, target in all_edges for end in (source, target)})
    if not nodes:
        return
    start = nodes[begin % len(nodes)]
    best: dict[Node, tuple[int, Way]] = {}
    for way in ways(all_edges, start, wanted):
        end = way[-1][2]
        best[end] = min(best.get(end, (len(way), way)), (len(way), way))
    best.pop(start, None)
    found = traverse(workspace, start, Wanted(hops=wanted.hops, names=wanted.names, both=wanted.both, at_us=at_us))
    shown = [(len(each.path), tuple((hop.backwards, hop.name, hop.end) for hop in each.path)) for each in found.reached]
    assert sorted(best.values()) == shown
    assert not found.truncated
    for each in found.reached:
        ends = [start, *(hop.end for hop in each.path)]
        assert ends[:-1] == [hop.target if hop.backwards else hop.source for hop in each.path]


def test_a_traversal_ends_at_256() -> None:
    """The first 256 in order, and that there was more; with exactly 256 there was not."""
    scribe = Scribe()
    many = [scribe.message(*(related("hub", "has", f"n{at:03}") for at in range(count))) for count in (256, 257)]
    start = Node("", "hub", "")
    exactly, more = (traverse(folded([message]), start, Wanted(hops=2)) for message in (many[0], _first(many[1])))
    names = [f"n{at:03}" for at in range(256)]
    assert (names, False) == ([each.node.name for each in exactly.reached], exactly.truncated)
    assert (names, True) == ([each.node.name for each in more.reached], more.truncated)


def _first(message: Ledger) -> Ledger:
    """The same changes as the first of a ledger."""
    scribe = Scribe()
    return scribe.message(*(codec.decode(payload, Payload).change for payload in message.payloads))
