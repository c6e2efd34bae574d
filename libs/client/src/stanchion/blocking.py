"""The client for code without an event loop: the same names, arguments and results; calls wait for their answers.

    with SyncClient() as stanchion:
        record = stanchion.get_record("adr-0007", workspace="docs")
        print(record.validity.state)

An event loop in a thread of its own does the work, with the very methods of `Client`: none is written twice. A client
may be used from several threads; not from a child process that was forked after it was made.
"""

from collections.abc import Callable
from functools import wraps
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

from stanchion.areas.policies import Policies
from stanchion.areas.trusting import Trusting
from stanchion.background import Background, Outer, iterating, waiting
from stanchion.believed import Learned
from stanchion.briefing import Briefing
from stanchion.client import Client
from stanchion.results import MovedBelief
from stanchion.retry import Retry, Sleep, pause
from stanchion.settings import ClientSettings
from stanchion.turn import Turn

Inner = TypeVar("Inner")
Args = ParamSpec("Args")


class SyncTrust:
    """`Client.trust`, waiting."""

    def __init__(self, inner: Trusting, background: Background) -> None:
        self._inner = inner
        self._background = background

    set = waiting(Trusting.set)
    get = waiting(Trusting.get)
    list = waiting(Trusting.list)


class SyncPolicy:
    """`Client.policy`, waiting."""

    def __init__(self, inner: Policies, background: Background) -> None:
        self._inner = inner
        self._background = background

    set = waiting(Policies.set)
    list = waiting(Policies.list)


class SyncTurn:
    """A `Turn`, entered by `with`."""

    def __init__(self, inner: Turn, background: Background) -> None:
        self._inner = inner
        self._background = background

    after = waiting(Turn.after)
    refresh = waiting(Turn.refresh)

    @property
    def briefing(self) -> Briefing:
        """What was known at the beginning, or at the last `refresh`."""
        return self._inner.briefing

    @property
    def learned(self) -> tuple[Learned, ...]:
        """What became of everything that was taken up, in order."""
        return self._inner.learned

    @property
    def moved(self) -> tuple[MovedBelief, ...]:
        """The beliefs that moved in this turn."""
        return self._inner.moved

    def say(self, text: str) -> None:
        """Keep what the agent says at the end of its turn."""
        self._inner.say(text)

    def __enter__(self) -> Self:
        """Begin the turn with a briefing."""
        self._background.call(self._inner.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take up what was said, when the turn ends well."""
        self._background.call(self._inner.__aexit__(kind, error, trace))


def turning(
    method: Callable[Concatenate[Inner, Args], Turn],
) -> Callable[Concatenate[Outer[Inner], Args], SyncTurn]:
    """Give a method that makes a turn as one that makes a turn to enter by `with`."""

    @wraps(method)
    def turn(self: Outer[Inner], /, *args: Args.args, **kwargs: Args.kwargs) -> SyncTurn:
        return SyncTurn(method(self._inner, *args, **kwargs), self._background)

    return turn


class SyncClient:
    """What `Client` does, for code without an event loop.

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
        self._background = Background()
        try:
            self._inner = self._background.call(_made(settings, retry, sleep))
        except BaseException:
            self._background.end()
            raise
        self.trust = SyncTrust(self._inner.trust, self._background)
        self.policy = SyncPolicy(self._inner.policy, self._background)

    def __enter__(self) -> Self:
        """Give the client; channels connect with the first call."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the channels."""
        self.close()

    def close(self) -> None:
        """Close the channels and end the thread; again is no harm."""
        if not self._background.ended:
            try:
                self._background.call(self._inner.close())
            finally:
                self._background.end()

    before = waiting(Client.before)
    after = waiting(Client.after)

    turn = turning(Client.turn)

    belief = waiting(Client.belief)
    get_belief = belief
    beliefs_page = waiting(Client.beliefs_page)
    beliefs = iterating(Client.beliefs)
    add = waiting(Client.add)
    resolve = waiting(Client.resolve)
    reopen = waiting(Client.reopen)
    intents = iterating(Client.intents)
    findings = iterating(Client.findings)
    calibration = waiting(Client.calibration)

    publish = iterating(Client.publish)
    observe = waiting(Client.observe)
    report_observations = waiting(Client.report_observations)
    set_trust = waiting(Client.set_trust)

    write_batch = waiting(Client.write_batch)
    affirm = waiting(Client.affirm)
    get_record = waiting(Client.get_record)
    query_page = waiting(Client.query_page)
    query = iterating(Client.query)

    proposals = iterating(Client.proposals)
    proposal = waiting(Client.proposal)
    publish_proposal = waiting(Client.publish_proposal)
    reject_proposal = waiting(Client.reject_proposal)
    edit_proposal = waiting(Client.edit_proposal)

    workspaces = waiting(Client.workspaces)
    workspace = waiting(Client.workspace)
    set_workspace = waiting(Client.set_workspace)

    traverse = waiting(Client.traverse)
    relation_history = waiting(Client.relation_history)

    watch = iterating(Client.watch)
    trace = iterating(Client.trace)
    checkpoint = waiting(Client.checkpoint)


async def _made(settings: ClientSettings | None, retry: Retry | None, sleep: Sleep) -> Client:
    """Make a client where its loop is: its channels belong to it."""
    return Client(settings, retry=retry, sleep=sleep)
