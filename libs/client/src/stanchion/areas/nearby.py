"""What is near in the graph, and the windows of a relation."""

from collections.abc import Sequence
from datetime import datetime

from stanchion.areas.area import Area
from stanchion.graph import Entity, RelationWindow, Traversal, entity_message
from stanchion.wire import result
from stanchion.writes import timestamp
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2


class Nearby(Area):
    """Walks the graph of records and names."""

    async def traverse(  # noqa: PLR0913 - a traverse has these parts
        self,
        start: Entity,
        *,
        hops: int = 2,
        names: Sequence[str] = (),
        at: datetime | None = None,
        both_directions: bool = False,
        workspace: str = "",
        min_seq: int | None = None,
    ) -> Traversal:
        """Give what is near a record or an entity, over links and relations, each with its shortest way.

        Args:
            start: an entity's type may be left out where its name has only one.
            hops: how far, 1 to 4.
            names: only links and relations of these names; none means all.
            at: only relations that hold at this time, aware; None for all that are current.
            both_directions: against their direction, too.
            workspace: whose.
            min_seq: wait for this position; None for this client's own last write.

        Raises:
            NotFound: nothing is called like that.
            StanchionError: it was refused otherwise, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        request = view_pb2.TraverseRequest(
            workspace=whose,
            hops=hops,
            names=names,
            at=timestamp(at),
            both_directions=both_directions,
            min_seq=self._calls.min_seq(whose, min_seq),
            **{"from": entity_message(start)},  # no Python argument is called `from`
        )
        return result(await self._calls.read(self._calls.view.Traverse, request), Traversal)

    async def relation_history(
        self, start: Entity, name: str, to: Entity, *, workspace: str = "", min_seq: int | None = None
    ) -> tuple[RelationWindow, ...]:
        """Give every window that was ever stated of a relation, oldest first.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        request = view_pb2.RelationHistoryRequest(
            workspace=whose,
            name=name,
            to=entity_message(to),
            min_seq=self._calls.min_seq(whose, min_seq),
            **{"from": entity_message(start)},
        )
        response = await self._calls.read(self._calls.view.RelationHistory, request)
        return tuple(result(each, RelationWindow) for each in response.windows)
