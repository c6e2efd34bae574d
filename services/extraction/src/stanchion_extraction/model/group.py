"""The consumer group of a model: two models read the same observations, two copies of one share them."""

import re

from stanchion_core.ids import content_digest

_PLAIN = re.compile(r"[^A-Za-z0-9.]+")


def group_of(called: str) -> str:
    """Give a group's name, behind the topics' prefix: readable, and another for every model.

    Args:
        called: `model:<name>`.
    """
    digest = content_digest([called.encode()]).hex()[:8]
    return f"extraction-model.{_PLAIN.sub('-', called.removeprefix('model:'))}.{digest}"
