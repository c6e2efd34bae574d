"""Plain values as YAML that a person reads and edits; `stanchion_core.yaml_text` reads the same back, scalars as texts.

Source: YAML 1.2.2, 5.1 (characters), 7.3 (flow scalars), 8.1.1 (block scalar headers).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

_INDENT: Final = "  "
_WIDE: Final = 100  # characters that a list or mapping in one line may take
_BARE: Final = re.compile(r"(?=[\w/(])[\w./()+=;~^'&%$@*!?-]+(?:[ :][\w./()+=;~^'&%$@*!?-]+)*")
_ODD: Final = re.compile(r"[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_ESCAPED: Final = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


def yaml_lines(value: Any, indent: int = 0, *, flow_from: int = 2) -> Iterator[str]:  # noqa: ANN401 - any plain value
    """Give the lines of a mapping or list, texts of several lines as they are.

    Args:
        value: dicts with texts as names, lists, texts, numbers, truths and None.
        indent: levels that the lines are indented by.
        flow_from: level from which a mapping of scalars and lists stands in one line where it fits.
    """
    begin = _INDENT * indent
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _one(f"{begin}{scalar(name)}:", inner, indent, flow_from)
        return
    for inner in value:
        if isinstance(inner, Mapping) and inner:
            first, *rest = yaml_lines(inner, indent + 1, flow_from=flow_from)
            yield f"{begin}- {first.lstrip()}"
            yield from rest
        else:
            yield from _one(f"{begin}-", inner, indent, flow_from)


def scalar(value: Any) -> str:  # noqa: ANN401 - any scalar
    """Give a scalar in one line; nothing for None."""
    text = text_of(value)
    return text if value is None or _BARE.fullmatch(text) else _quoted(text)


def text_of(value: Any) -> str:  # noqa: ANN401 - any scalar
    """Give a scalar as the text that it is read back as; nothing for None."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _one(head: str, value: Any, indent: int, flow_from: int) -> Iterator[str]:  # noqa: ANN401 - any plain value
    """Give the lines of what stands after a name or a dash."""
    if isinstance(value, str) and "\n" in value.strip("\n") and not _ODD.search(value.translate(_BREAKS)):
        yield from _block(head, value, indent + 1)
    elif not isinstance(value, Mapping | list | tuple):
        yield f"{head} {scalar(value)}".rstrip()
    elif not value or (_may_flow(value, indent, flow_from) and len(head) + len(flow(value)) < _WIDE):
        yield f"{head} {flow(value)}"
    else:
        yield head
        yield from yaml_lines(value, indent + 1, flow_from=flow_from)


_BREAKS: Final = {ord("\n"): None, ord("\t"): None}


def _may_flow(value: Any, indent: int, flow_from: int) -> bool:  # noqa: ANN401 - a mapping or list
    """Tell whether a mapping or list is plain enough for one line."""
    if isinstance(value, Mapping) and (indent < flow_from or any(isinstance(each, Mapping) for each in value.values())):
        return False
    inside = value.values() if isinstance(value, Mapping) else value
    return all(
        _may_flow(each, flow_from, flow_from) if isinstance(each, Mapping | list | tuple) else _in_flow(each)
        for each in inside
    )


def _in_flow(value: object) -> bool:
    """Tell whether a scalar is one in a line with others, too."""
    return value is not None and not (isinstance(value, str) and "\n" in value)


def flow(value: Any) -> str:  # noqa: ANN401 - any plain value
    """Give a value in one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(name)}: {flow(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    return scalar(value)


def _block(head: str, text: str, indent: int) -> Iterator[str]:
    """Give a text of several lines as they are, below a header that says how it begins and ends."""
    own = str(len(_INDENT)) if text[0] in " \t\n" else ""
    kept = "" if text.endswith("\n") and not text.endswith("\n\n") else "+" if text.endswith("\n") else "-"
    yield f"{head} |{own}{kept}"
    for each in text.removesuffix("\n").split("\n"):
        yield f"{_INDENT * indent}{each}" if each else ""


def _quoted(text: str) -> str:
    """Give a text in double quotes, what does not print as its number."""
    return '"' + "".join(_ESCAPED.get(char) or _ODD.sub(_escape, char) for char in text) + '"'


def _escape(found: re.Match[str]) -> str:
    """Give a character as its number."""
    return f"\\U{ord(found[0]):08x}"
