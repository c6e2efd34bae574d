"""Logs: one JSON object a line on stderr, or coloured lines when a person watches. Configured here and nowhere else.

The event is a constant string and facts are keys: `log.info("batch sent", records=12)`. Payloads are never logged.
"""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import structlog
from structlog.types import Processor

_QUIET: Final = ("aiokafka", "faust", "mode", "grpc", "asyncio", "httpx", "httpcore")
"""Libraries that say at INFO what nobody needs."""


def configure(service: str, *, level: str = "INFO") -> None:
    """Set up logging for this process; call it first in `main()`.

    Args:
        service: the process's name, in every line.
        level: the least level that is written.
    """
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(service=service)
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, _name_service(service)],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_render()],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelName(level)))


def logger() -> structlog.stdlib.BoundLogger:
    """Give the logger; safe to keep, also from before `configure`."""
    bound: structlog.stdlib.BoundLogger = structlog.get_logger()
    return bound


@contextmanager
def bind(**facts: str) -> Iterator[None]:
    """Put facts (`workspace`, `cause` …) into every line that is written inside."""
    with structlog.contextvars.bound_contextvars(**facts):
        yield


def _name_service(service: str) -> Processor:
    """Give a processor that names the service in lines from threads that no context reached."""

    def name(_logger: object, _method: str, line: structlog.types.EventDict) -> structlog.types.EventDict:
        line.setdefault("service", service)
        return line

    return name


def _render() -> list[Processor]:
    """Give what turns a line into text: for a person, or for a machine."""
    if sys.stderr.isatty():
        return [structlog.dev.ConsoleRenderer()]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(sort_keys=True)]
