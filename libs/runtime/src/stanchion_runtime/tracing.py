"""W3C trace context: one `traceparent` goes with a request down the whole line.

Source: W3C Trace Context, section 3.2 (version 00).
"""

import re
import secrets
from contextvars import ContextVar, Token
from typing import Final

HEADER: Final = "traceparent"
_FORM: Final = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")
_MOST: Final = 256  # characters taken from a caller

_current: ContextVar[str] = ContextVar("traceparent", default="")


def valid(text: str) -> bool:
    """Tell whether a text is a traceparent that a reader must accept."""
    return len(text) <= _MOST and _FORM.fullmatch(text) is not None


def new() -> str:
    """Give a traceparent for a request that came without one; not sampled."""
    return f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-00"


def current() -> str:
    """Give the traceparent of what is being done, empty outside of a request."""
    return _current.get()


def enter(incoming: str) -> Token[str]:
    """Take over a caller's traceparent, or make one when it gave none or a malformed one.

    Args:
        incoming: as received, may be empty.

    Returns:
        What `leave` needs.
    """
    return _current.set(incoming if valid(incoming) else new())


def leave(token: Token[str]) -> None:
    """Undo `enter`."""
    _current.reset(token)
