"""The head of a text as one plain JSON object: its front matter, the whole of a YAML text, or its RFC-822 headers.

Every scalar is a text as it is written (`0010` stays `0010`), every key is in small letters with one `_` for what
stands between its words, so that `Superseded-By`, `superseded-by` and `superseded_by` are one key.
"""

import re
from collections.abc import Iterable, Mapping
from email.parser import HeaderParser
from typing import Any, Final

import yaml
from frontmatter.default_handlers import YAMLHandler
from msgspec import Struct

from stanchion_core.limits import JSON_DEPTH

VALUES: Final = 20_000
"""Values, lists and objects of a head, those that an alias repeats counted again."""

_HEADER: Final = re.compile(r"[!-9;-~]+:")
_BETWEEN_WORDS: Final = re.compile(r"[\W_]+")


class Head(Struct, frozen=True):
    """What a text's head says.

    Attributes:
        values: by key; texts, lists and objects of them.
        written: each key as it is written.
        text: what follows the head.
        wrong: why the head could not be read, empty when it could or there is none.
        lines: the head's lines.
        spans: which lines of it each key and its value take: the first, and the one after the last.
        remarks: keys as written and the comments beside their values.
        repeated: keys as written that stand twice; the first one counts.
    """

    values: Mapping[str, Any] = {}
    written: Mapping[str, str] = {}
    text: str = ""
    wrong: str = ""
    lines: tuple[str, ...] = ()
    spans: Mapping[str, tuple[int, int]] = {}
    remarks: tuple[tuple[str, str], ...] = ()
    repeated: tuple[str, ...] = ()

    def without(self, keys: Iterable[str]) -> str:
        """Give the head's text without some of its keys."""
        gone = {number for key in keys if key in self.spans for number in range(*self.spans[key])}
        return "\n".join(line for number, line in enumerate(self.lines) if number not in gone).strip("\n")


def plain_name(text: str) -> str:
    """Give a key or heading as expressions name it."""
    return _BETWEEN_WORDS.sub("_", text.lower()).strip("_")


def front_matter(text: str) -> Head:
    """Split a text from the YAML between `---` lines at its beginning; a text without any has no head."""
    handler = YAMLHandler()
    if not text.startswith("---") or not handler.detect(text):
        return Head(text=text)
    try:
        head, rest = handler.split(text)
    except ValueError:  # never closed
        return Head(text=text)
    return _of_yaml(head, rest, "front matter")


def whole_yaml(text: str) -> Head:
    """Read a text that is YAML as a whole."""
    return _of_yaml(text, "", "the text")


def headers(text: str) -> Head:
    """Read headers as RFC 822 has them: `Key: value` lines up to the first empty one; a value may go on, indented."""
    lines = text.lstrip("\n").split("\n")
    size = next((number for number, line in enumerate(lines) if not line.strip()), len(lines))
    rest = "\n".join(lines[size + 1 :])
    if _HEADER.match(lines[0]) is None:
        return Head(text=text, wrong="the text does not begin with headers")
    starts = [number for number, line in enumerate(lines[:size]) if not line[:1].isspace()]
    spans = list(zip(starts, [*starts[1:], size], strict=True))
    parsed = HeaderParser().parsestr("\n".join(lines[:size])).items()
    if len(parsed) != len(spans):
        return Head(text=text, wrong="the headers hold a line that is none")
    entries = ((key, " ".join(str(value).split()), span) for (key, value), span in zip(parsed, spans, strict=True))
    return _head(entries, rest, tuple(lines[:size]), ())


def _of_yaml(source: str, rest: str, what: str) -> Head:
    """Read a YAML mapping."""
    try:
        node = yaml.CBaseLoader(source).get_single_node()
        if node is None:
            return Head(text=rest)
        if not isinstance(node, yaml.MappingNode):
            return Head(text=rest, wrong=f"{what} is no mapping of keys to values")
        plain = _Plain()
        named = [(key.value, key, value) for key, value in node.value if isinstance(key, yaml.ScalarNode)]
        values = [plain.of(value) for _, _, value in named]
    except (yaml.YAMLError, RecursionError) as error:
        return Head(text=rest, wrong=f"{what} is not YAML: {str(error).splitlines()[0][:200]}")
    lines = tuple(source.split("\n"))
    entries = [(name, of, _span(key, value, lines)) for (name, key, value), of in zip(named, values, strict=True)]
    remarks = tuple((name, remark) for name, _, value in named for remark in _remarks(value, lines) if remark)
    return _head(entries, rest, lines, remarks)


def _head(
    entries: Iterable[tuple[str, Any, tuple[int, int]]],
    rest: str,
    lines: tuple[str, ...],
    remarks: tuple[tuple[str, str], ...],
) -> Head:
    """Give a head of its keys, in order."""
    values: dict[str, Any] = {}
    written: dict[str, str] = {}
    spans: dict[str, tuple[int, int]] = {}
    repeated: list[str] = []
    for key, value, span in entries:
        name = plain_name(key)
        if name in values:
            repeated.append(key)
        elif name:
            values[name], written[name], spans[name] = value, key, span
    return Head(values, written, rest, "", lines, spans, remarks, tuple(repeated))


class _Plain:
    """Gives YAML nodes as plain values, so many and no more."""

    def __init__(self) -> None:
        self._left = VALUES

    def of(self, node: Any, depth: int = 0) -> Any:  # noqa: ANN401 - any node, any JSON value
        """Give one node's value.

        Raises:
            YAMLError: it nests too deeply, or repeats too much.
        """
        self._left -= 1
        if self._left < 0 or depth > JSON_DEPTH:
            raise yaml.YAMLError(f"it nests deeper than {JSON_DEPTH}, or has more than {VALUES} values")
        if isinstance(node, yaml.SequenceNode):
            return [self.of(item, depth + 1) for item in node.value]
        if isinstance(node, yaml.MappingNode):
            named = ((key.value, value) for key, value in node.value if isinstance(key, yaml.ScalarNode))
            return {plain_name(name): self.of(value, depth + 1) for name, value in named}
        return node.value.strip()


def _span(key: Any, value: Any, lines: tuple[str, ...]) -> tuple[int, int]:  # noqa: ANN401 - two nodes
    """Give the lines of a key and its value, without the comments that lead to the next key."""
    first, end = key.start_mark.line, value.end_mark.line + bool(value.end_mark.column)
    while end > first + 1 and (end > len(lines) or not lines[end - 1].strip() or lines[end - 1].startswith("#")):
        end -= 1
    return first, max(end, first + 1)


def _remarks(value: Any, lines: tuple[str, ...]) -> Iterable[str]:  # noqa: ANN401 - a node
    """Give the comments beside a value, or beside the items of a list."""
    for node in value.value if isinstance(value, yaml.SequenceNode) else (value,):
        mark = node.end_mark
        if isinstance(node, yaml.ScalarNode) and mark.line < len(lines):
            before, found, remark = lines[mark.line][mark.column :].partition("#")
            yield remark.strip() if found and not before.strip() else ""
