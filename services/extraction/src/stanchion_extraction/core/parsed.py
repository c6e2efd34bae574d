"""A document as the expressions of a mapping see it: one plain JSON object, whatever the text was written in.

- `place`: `uri`, `name`, `stem` and `number` of where it lives; `document`: `revision` and `author`.
- `title`: of a markdown text; `head`: see `core/head.py`.
- `lines`: by key, the `Key: value` lines between title and first section, each as a passage.
- `sections`: by heading, `heading`, `level` and `text` (as written). Those that an expression names have `lines` too,
  each a passage (`key` where it is a `Key: value` line), and `keyed`: by key, the values of those.
- `prose`: the paragraphs that no expression reads otherwise, as written, each with its `section`.

A passage is `text` as a person reads it, and its `links` (`href`, `words`).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from stanchion_contracts.observation import Document
from stanchion_extraction.core.expression import MOST_ITEMS
from stanchion_extraction.core.head import Head, front_matter, headers, plain_name, whole_yaml
from stanchion_extraction.core.outline import EMPTY, LINK, Anchor, Outline, Passage, Section, outline_of, plain_passage
from stanchion_extraction.core.place import Place

ROOTS: Final = ("place", "document", "title", "head", "lines", "sections", "prose")
"""What a document's expressions begin with."""

_KEYED: Final = re.compile(r"^[-*+]?\s*(?P<key>[A-Za-z][A-Za-z _-]{0,40}?)\s*:\s*(?P<value>.*)$", re.DOTALL)
_MARKED: Final = "marked"


class Parsed(Struct, frozen=True):
    """A text in its parts.

    Attributes:
        head: what it says before its text begins.
        outline: of a markdown text; None for another.
    """

    head: Head
    outline: Outline | None = None


def parse(text: str, parser: str) -> Parsed:
    """Parse a text.

    Args:
        text: as it came.
        parser: `markdown`, with or without front matter; `front_matter` before a text of any kind; `yaml`; `rfc822`.
    """
    if parser == "yaml":
        return Parsed(whole_yaml(text))
    if parser == "rfc822":
        return Parsed(headers(text))
    head = front_matter(text)
    return Parsed(head, outline_of(head.text) if parser == "markdown" else None)


def scope_of(document: Document, place: Place, parsed: Parsed, sections: frozenset[str] | None) -> dict[str, Any]:
    """Give a document as expressions see it.

    Args:
        document: the revision.
        place: where it lives.
        parsed: its text.
        sections: the names of those that are read; None for all.
    """
    outline = parsed.outline or EMPTY
    read: dict[str, dict[str, Any]] = {}
    texts: dict[str, list[str]] = {}
    prose: list[dict[str, Any]] = []
    lines: dict[str, list[dict[str, Any]]] = {}
    for block in outline.preamble:
        prose += _preamble(outline, block, lines)
    for section in outline.sections:
        name = section.name
        known = read.setdefault(name, {"heading": section.heading, "level": section.level})
        texts.setdefault(name, []).extend(section.blocks)
        if sections is None or name in sections:
            _read_section(outline, section, known)
        else:
            prose += ({"section": name, "text": block} for block in section.blocks)
    for name, blocks in texts.items():
        read[name]["text"] = "\n\n".join(blocks)
    return {
        "place": {"uri": place.uri, "name": place.name, "stem": place.stem, "number": place.number},
        "document": {"revision": document.revision, "author": document.author},
        "title": outline.title,
        "head": dict(parsed.head.values),
        "lines": lines,
        "sections": read,
        "prose": prose,
    }


def passages_of(value: Any) -> Iterator[Passage]:  # noqa: ANN401 - any JSON value
    """Give the passages that an expression gave: passages of the document, or plain texts; lists one after the other.

    Raises:
        ValueError: it gave what is no text, or too much.
    """
    left = [value]
    for _ in range(MOST_ITEMS):
        if not left:
            return
        item = left.pop()
        if isinstance(item, list):
            left += reversed(item[:MOST_ITEMS])
        elif item is not None and item is not False:  # what a condition gives that is not met
            yield passage_of(item)
    if left:
        raise ValueError(f"it gives more than {MOST_ITEMS} texts")


def passage_of(value: Any) -> Passage:  # noqa: ANN401 - any JSON value
    """Give one passage of the document, or one plain text.

    Raises:
        ValueError: it is no text.
    """
    if isinstance(value, dict) and isinstance(value.get("text"), str):
        return _marked(value) or plain_passage(value["text"])
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("it gives what is no text")  # noqa: TRY004 - told of the mapping
    return plain_passage(str(value))


def said(item: Any, name: str) -> str:  # noqa: ANN401 - any JSON value
    """Give a text of an object, empty where it has none."""
    text = item.get(name) if isinstance(item, dict) else None
    return text if isinstance(text, str) else ""


def _marked(value: Mapping[str, Any]) -> Passage | None:
    """Give a passage with its links; None where an expression made it of something else."""
    marked, links = value.get(_MARKED), value.get("links")
    if not isinstance(marked, str) or not isinstance(links, list):
        return None
    anchors = tuple(Anchor(said(link, "href"), said(link, "words")) for link in links)
    fits = all(int(found[1]) < len(anchors) for found in LINK.finditer(marked))
    return Passage(text=marked, links=anchors) if fits else None


def _json(passage: Passage, **more: str) -> dict[str, Any]:
    """Give a passage as JSON, with the links it holds and no others."""
    if not passage.links or (own := passage.alone()).links == ():
        return {"text": passage.text, "links": [], **more}
    links = [{"href": link.href, "words": link.words} for link in own.links]
    return {"text": own.words, "links": links, _MARKED: own.text, **more}


def _read_section(outline: Outline, section: Section, known: dict[str, Any]) -> None:
    """Add a section's lines to what is known of the sections with its heading."""
    lines = known.setdefault("lines", [])
    keyed = known.setdefault("keyed", {})
    for passage in (line for block in section.blocks for line in outline.passages(block)):
        found = _KEYED.match(passage.text)
        name = plain_name(found["key"]) if found else ""
        lines.append(_json(passage, key=name))
        if found:
            keyed.setdefault(name, []).append(_value(found, passage))


def _preamble(outline: Outline, block: str, lines: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Give what a block before the first section is as prose, and add its `Key: value` lines to those known."""
    passages = outline.passages(block)
    keys = [_KEYED.match(passage.text) for passage in passages]
    if not any(keys):
        return [{"section": "", "text": block}]
    for passage, found in zip(passages, keys, strict=True):
        if found:
            lines.setdefault(plain_name(found["key"]), []).append(_value(found, passage))
    return [
        _json(passage, section="", key=plain_name(found["key"]) if found else "")
        for passage, found in zip(passages, keys, strict=True)
    ]


def _value(found: re.Match[str], passage: Passage) -> dict[str, Any]:
    """Give what stands behind the key of a line."""
    return _json(Passage(text=found["value"].strip(), links=passage.links), written=found["key"].strip())
