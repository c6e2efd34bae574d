"""Relations over gRPC: what is near in the graph, and every window that was ever stated of one relation."""

from collections.abc import Iterable
from typing import Any, Final, Never

from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_contracts.relation import RECORD, Entity, Triple, Window
from stanchion_runtime import rpc
from stanchion_view import present, question
from stanchion_view.core.graph import Hop, Node, Reached, matching, node_of, traverse
from stanchion_view.core.relation import Past, history
from stanchion_view.core.state import Workspace
from stanchion_view.reader import Reader

MOST_WINDOWS: Final = 10_000
"""Windows of one relation that are told, the latest; each has at most one end beside it in the file."""
_NAMED: Final = 8  # candidates that a refusal names


async def walk(reader: Reader, request: pb.TraverseRequest) -> pb.TraverseResponse:
    """Give what is near a record or an entity.

    Raises:
        Refused: as `Reader.workspace`; `FIELD_VALUE`, `TOO_MANY`, `TOO_LARGE`, `NOT_FOUND`.
    """
    (entity, room), wanted = question.entity(getattr(request, "from"), "from"), question.wanted(request)
    space = await reader.workspace(request.workspace, request.min_seq)
    found = traverse(space, _start(space, request.workspace, entity, room), wanted)
    return pb.TraverseResponse(
        reached=[_reached(space, each) for each in found.reached],
        truncated=found.truncated,
        as_of_seq=space.last_seq,
    )


async def windows(reader: Reader, request: pb.RelationHistoryRequest) -> pb.RelationHistoryResponse:
    """Give every window of one relation.

    Raises:
        Refused: as `Reader.workspace`; `FIELD_VALUE`, `TOO_LARGE`, `NOT_FOUND`.
    """
    (source, room), name = question.entity(getattr(request, "from"), "from"), question.name(request.name, "name")
    target, other_room = question.entity(request.to, "to")
    if room and other_room and room != other_room:
        rpc.refuse("FIELD_VALUE", "from and to are of two rooms; a relation is of one", field="to.room")
    wanted = Triple(room or other_room, source, name, target)
    as_of = (await reader.workspace(request.workspace, request.min_seq)).last_seq
    store, ends = reader.replica.store, (source.name, name, target.name)
    stated = await reader.read(store.triples, request.workspace, ends, as_of)
    meant = _meant(stated, wanted, request.workspace)
    rows, total = await reader.read(store.windows, request.workspace, meant, as_of, 2 * MOST_WINDOWS)
    past = history(
        (seq, at_us, Window(valid_at_us=since, invalid_at_us=until, stated_by=by) if stands else None)
        for seq, at_us, stands, since, until, by in reversed(rows)
    )
    return pb.RelationHistoryResponse(
        windows=[_window(each) for each in past[-MOST_WINDOWS:]], as_of_seq=as_of, total=total
    )


def _start(space: Workspace, workspace: str, entity: Entity, room: str) -> Node:
    """Find what somebody means.

    Raises:
        Refused: `NOT_FOUND`; `FIELD_VALUE` where there are several.
    """
    found = matching(space, entity, room)
    if not found:
        card = space.cards.get(entity.name) if entity.type in {"", RECORD} else None
        what = "was deleted" if card is not None else "is neither a record nor an end of a relation that is current"
        rpc.refuse(
            "NOT_FOUND",
            f"{entity.name} {what} in workspace {workspace} at seq {space.last_seq}",
            field="from",
            workspace=workspace,
        )
    if len(found) > 1:
        _ambiguous(f"{len(found)} have the name {entity.name}", map(_said, found), "from")
    return found[0]


def _meant(stated: Iterable[Triple], wanted: Triple, workspace: str) -> Triple:
    """Find which relation somebody means: exactly that, or the only one that differs in what they left out.

    Raises:
        Refused: `NOT_FOUND`; `FIELD_VALUE` where there are several.
    """
    found = sorted(triple for triple in stated if _fits(triple, wanted))
    if not found:
        rpc.refuse("NOT_FOUND", f"nobody ever stated {wanted.words} in workspace {workspace}", workspace=workspace)
    if len(found) > 1 and wanted not in found:
        ends = (
            f"{_said(node_of(each.room, each.from_entity))} to {_said(node_of(each.room, each.to_entity))}"
            for each in found
        )
        _ambiguous(f"{len(found)} relations are {wanted.words}", ends, "from")
    return wanted if wanted in found else found[0]


def _fits(triple: Triple, wanted: Triple) -> bool:
    """Tell whether a relation has the types and the room that somebody named."""
    return (
        wanted.room in {"", triple.room}
        and wanted.from_entity.type in {"", triple.from_entity.type}
        and wanted.to_entity.type in {"", triple.to_entity.type}
    )


def _ambiguous(what: str, ones: Iterable[str], field: str) -> Never:
    """Say that several are meant, and which.

    Raises:
        Refused: `FIELD_VALUE`.
    """
    named = list(ones)
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    rpc.refuse("FIELD_VALUE", f"{what}: {', '.join(named[:_NAMED])}{more}; name type and room", field=field)


def _said(node: Node) -> str:
    """Say which one a record or an entity is."""
    kind = f"type {node.type}" if node.type else "without type"
    where = f" in room {node.room}" if node.room else " in the root"
    return kind if node.type == RECORD else kind + where


def _entity(node: Node) -> types_pb2.Entity:
    """Give a record or an entity."""
    return types_pb2.Entity(name=node.name, type=node.type, room=node.room)


def _reached(space: Workspace, reached: Reached) -> pb.Reached:
    """Give what was reached, and by which way."""
    card = space.cards.get(reached.node.name) if reached.node.type == RECORD else None
    return pb.Reached(
        entity=_entity(reached.node),
        label=card.label if card is not None else "",
        path=[_hop(hop) for hop in reached.path],
    )


def _hop(hop: Hop) -> pb.Hop:
    """Give one hop; `from` is a word of Python's."""
    ends: dict[str, Any] = {"from": _entity(hop.source), "to": _entity(hop.target)}
    return pb.Hop(name=hop.name, backwards=hop.backwards, **ends)


def _window(past: Past) -> pb.RelationWindow:
    """Give one window; what nobody said is absent."""
    said = past.stated.window
    times = {
        "valid_at": said.valid_at_us,
        "invalid_at": said.invalid_at_us,
        "created_at": past.stated.at_us,
        "superseded_at": past.superseded_at_us,
    }
    shown: dict[str, Any] = {name: present.timestamp(at_us) for name, at_us in times.items() if at_us}
    return pb.RelationWindow(
        created_seq=past.stated.seq, superseded_seq=past.superseded_seq, stated_by=said.stated_by, **shown
    )
