"""Who calls a gateway under test."""

import asyncio

import msgspec

from stanchion_runtime import call
from stanchion_runtime.auth import CAPABILITIES, Principal

MAYA = Principal(sub="maya", kind="person", workspaces=frozenset({"acme", "beta"}), capabilities=CAPABILITIES)
SCOUT = msgspec.structs.replace(MAYA, sub="scout", kind="agent")


def calling(principal: Principal = MAYA, *, deadline_s: float = 30.0) -> None:
    """Begin a call of a principal in this task, as the guard does; needs a running loop."""
    call.enter(principal, asyncio.get_running_loop().time() + deadline_s)
