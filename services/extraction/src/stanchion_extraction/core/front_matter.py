"""Front matter: the YAML between `---` lines at the head of a text, every scalar as it is written."""

from collections.abc import Mapping

import yaml
from frontmatter.default_handlers import YAMLHandler
from msgspec import Struct


class FrontMatter(Struct, frozen=True):
    """What a text's head says.

    Attributes:
        values: each key's values as written (`0010` stays `0010`); a nested value is left out.
        text: what follows.
        wrong: why the head could not be read, empty when it could or there is none.
    """

    values: Mapping[str, tuple[str, ...]]
    text: str
    wrong: str = ""


def front_matter(text: str) -> FrontMatter:
    """Split a text from its head."""
    handler = YAMLHandler()
    if not text.startswith("---") or not handler.detect(text):
        return FrontMatter({}, text)
    try:
        head, body = handler.split(text)
    except ValueError:  # never closed
        return FrontMatter({}, text)
    try:
        plain = yaml.load(head, Loader=yaml.CBaseLoader)
    except (yaml.YAMLError, RecursionError) as error:
        return FrontMatter({}, body, wrong=f"front matter is not YAML: {str(error).splitlines()[0][:200]}")
    if not plain:
        return FrontMatter({}, body)
    if not isinstance(plain, dict):
        return FrontMatter({}, body, wrong="front matter is no mapping of keys to values")
    return FrontMatter({str(key): _values(value) for key, value in plain.items()}, body)


def _values(value: object) -> tuple[str, ...]:
    """Give a key's plain values."""
    if isinstance(value, list):
        return tuple(item.strip() for item in value if isinstance(item, str) and item.strip())
    return (value.strip(),) if isinstance(value, str) and value.strip() else ()
