"""The client: everything Stanchion does for callers, asynchronous and typed.

    async with Client() as stanchion:
        record = await stanchion.get_record("adr-0007", workspace="docs")
        print(record.validity.state)

Writes take an `idempotency_key`, or make one; every retry carries it, so a write lands once. A client reads its own
writes: each read waits until the view has what this client wrote last, unless `min_seq` says otherwise.

`stanchion.areas` has the methods, one module for each area; `SyncClient` has the same ones for code without an event
loop.
"""

from types import TracebackType
from typing import Self

from stanchion.areas.area import PAGE
from stanchion.areas.events import WINDOW
from stanchion.areas.ledger import Ledger
from stanchion.areas.nearby import Nearby
from stanchion.areas.outcomes import Outcomes
from stanchion.areas.policies import Policies
from stanchion.areas.records import Criteria
from stanchion.areas.review import Review
from stanchion.areas.trusting import Trusting
from stanchion.areas.turns import Turns
from stanchion.calls import Calls
from stanchion.results import Answer
from stanchion.retry import Retry, Sleep, pause
from stanchion.settings import ClientSettings

__all__ = ["PAGE", "WINDOW", "Client", "Criteria"]


class Client(Turns, Outcomes, Review, Nearby, Ledger):
    """A connection to the gateway, the view and the ledger, with one token.

    Attributes:
        trust: how far sources and agents are trusted.
        policy: how beliefs are worked out.

    Args:
        settings: where and who; from the environment when left out.
        retry: how often and how patiently.
        sleep: how to wait between tries; tests give their own.

    Raises:
        NotSignedIn: there is no token.
        NotAllowed: the token would be sent to another machine in the clear.
    """

    def __init__(
        self, settings: ClientSettings | None = None, *, retry: Retry | None = None, sleep: Sleep = pause
    ) -> None:
        super().__init__(Calls(settings or ClientSettings(), retry or Retry(), sleep))
        self.trust = Trusting(self._calls)
        self.policy = Policies(self._calls)

    async def __aenter__(self) -> Self:
        """Give the client; channels connect with the first call."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the channels."""
        await self.close()

    async def close(self) -> None:
        """Close the channels."""
        await self._calls.connection.close()

    async def set_trust(
        self, name: str, value: float | None, *, workspace: str = "", idempotency_key: str = ""
    ) -> Answer:
        """Set how far a source or agent is trusted, as `trust.set` does."""
        return await self.trust.set(name, value, workspace=workspace, idempotency_key=idempotency_key)
