"""The call in hand: who makes it, what they may, how long it may still take."""

import asyncio
import math
from contextvars import ContextVar

from stanchion_runtime.auth import Principal
from stanchion_runtime.refused import refuse

_principal: ContextVar[Principal] = ContextVar("principal")
_deadline: ContextVar[float] = ContextVar("deadline", default=math.inf)


ANSWER_S = 0.1
"""What is kept back of a deadline, so that an answer that time is up still arrives in time."""


def enter(caller: Principal, deadline: float) -> None:
    """Begin a call; each has a task, and so a context, of its own.

    Args:
        caller: who makes it.
        deadline: on the event loop's clock, in seconds; infinite for none.
    """
    _principal.set(caller)
    _deadline.set(deadline)


def principal() -> Principal:
    """Give who is calling.

    Raises:
        LookupError: there is no call in hand.
    """
    return _principal.get()


def remaining_s() -> float:
    """Give the seconds left until the caller stops waiting, less `ANSWER_S`, at least 0.

    Infinite for a stream without a deadline.
    """
    return max(0.0, _deadline.get() - asyncio.get_running_loop().time() - ANSWER_S)


def require(capability: str, workspace: str) -> Principal:
    """Give the caller, who must hold a capability in a workspace.

    Args:
        capability: one of `auth.CAPABILITIES`.
        workspace: its name.

    Raises:
        Refused: `FIELD_VALUE` for no workspace, `WRONG_WORKSPACE`, `MISSING_CAPABILITY`.
    """
    caller = principal()
    if not workspace:
        refuse("FIELD_VALUE", "workspace is missing", field="workspace")
    if not caller.may_enter(workspace):
        refuse(
            "WRONG_WORKSPACE",
            f"{caller.named} has no access to workspace {workspace}: use a token that names it",
            workspace=workspace,
        )
    if capability not in caller.capabilities:
        refuse(
            "MISSING_CAPABILITY",
            f"{caller.named} lacks `{capability}` in workspace {workspace}: whoever holds it may",
            capability=capability,
            workspace=workspace,
        )
    return caller
