"""A markdown document as the mappings read it: title, what stands before the first section, sections, links in place.

Only blocks are parsed for the whole text (CommonMark, by markdown-it); inline markup only where a mapping looks.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import Struct

from stanchion_extraction.core.head import plain_name

_BLOCKS: Final = MarkdownIt("commonmark").enable("table").disable("inline")
_INLINES: Final = MarkdownIt("commonmark").enable("strikethrough")
_CODES: Final = MarkdownIt("commonmark").disable(["link", "image"])
"""To tell code from text, links as they are written: a text of brackets takes a tenth of the time."""

_MARK: Final = "\ufffc"  # the object replacement character stands for a link

_SECTIONS: Final = frozenset({"status", "date", "context", "context and problem statement", "decision", "deciders"})

LINK: Final = re.compile(f"{_MARK}(\\d+){_MARK}")
"""A link's place in a `Passage`'s text; the number is its index in `links`."""


class Anchor(Struct, frozen=True):
    """One link: where it points, and its words."""

    href: str
    words: str


class Passage(Struct, frozen=True):
    """One paragraph, list item line or heading: its text without markup, each link replaced by its place."""

    text: str
    links: tuple[Anchor, ...] = ()

    @property
    def words(self) -> str:
        """The text as a person reads it."""
        return LINK.sub(lambda found: self.links[int(found[1])].words, self.text)

    def alone(self) -> "Passage":
        """The same with the links that its text holds, and no others."""
        held = dict.fromkeys(int(found[1]) for found in LINK.finditer(self.text))
        places = {old: new for new, old in enumerate(held)}
        text = LINK.sub(lambda found: f"{_MARK}{places[int(found[1])]}{_MARK}", self.text)
        return Passage(text=text, links=tuple(self.links[old] for old in held))


def plain_passage(text: str) -> Passage:
    """Give a text that is no markup; what would read as a link's place is taken out of it."""
    return Passage(text=text.replace(_MARK, ""))


class Section(Struct, frozen=True):
    """What stands under one heading, up to the next of any level; `lines` are its first and the one after its last."""

    heading: str
    level: int
    blocks: tuple[str, ...]
    lines: tuple[int, int] = (0, 0)

    @property
    def name(self) -> str:
        """The heading as expressions name it."""
        return plain_name(self.heading)


class Outline(Struct, frozen=True):
    """A document.

    Attributes:
        title: the first heading, of level 1 or before anything else; empty when there is none.
        preamble: blocks before the first heading below the title.
        sections: in order, the title not among them.
        references: link definitions (`[1]: url`), for `passages`.
    """

    title: str
    preamble: tuple[str, ...]
    sections: tuple[Section, ...]
    references: Any

    def passages(self, block: str) -> list[Passage]:
        """Give a block's lines, markup read."""
        (token,) = _INLINES.parseInline(block, {"references": self.references})
        whole = _flat(token.children or [])
        return [Passage(text=line.strip(), links=whole.links) for line in whole.text.split("\n") if line.strip()]

    def prose(self, block: str) -> Passage:
        """Give a block as one passage, its lines joined."""
        (token,) = _INLINES.parseInline(block, {"references": self.references})
        whole = _flat(token.children or [])
        return Passage(text=" ".join(whole.text.split()), links=whole.links)


EMPTY: Final = Outline(title="", preamble=(), sections=(), references={})
"""Of a text that is no markdown."""


def outline_of(text: str) -> Outline:
    """Read a document's blocks."""
    env: dict[str, Any] = {}
    title = ""
    level = 0
    sections: list[tuple[str, int, list[str]]] = [("", 0, [])]
    starts: list[int] = [0]
    at = 0
    for token in _BLOCKS.parse(text, env):
        if token.type == "heading_open":
            level = int(token.tag[1:])
            at = token.map[0] if token.map else 0
        elif token.type == "heading_close":
            level = 0
        elif token.type != "inline" or not token.content.strip():
            continue
        elif level and not title and len(sections) == 1 and (level == 1 or _may_be_title(token.content, sections)):
            title = token.content
        elif level:
            sections.append((token.content, level, []))
            starts.append(at)
        else:
            sections[-1][2].append(token.content)
    references = env.get("references", {})
    (_, _, preamble), *rest = sections
    bounds = pairwise([*starts[1:], text.count("\n") + 1])
    named = Outline(title="", preamble=(), sections=(), references=references)
    return Outline(
        title=named.prose(title).words if title else "",
        preamble=tuple(preamble),
        sections=tuple(
            Section(named.prose(head).words, depth, tuple(blocks), lines)
            for (head, depth, blocks), lines in zip(rest, bounds, strict=True)
        ),
        references=references,
    )


def spoken(text: str) -> Iterator[str]:
    """Give what a text says, block by block, without its code."""
    blocks = [token.content for token in _BLOCKS.parse(text) if token.type == "inline"]
    for block in blocks:
        (token,) = _CODES.parseInline(block)
        said = (_MARK if part.type == "code_inline" else _plain(part) for part in token.children or ())
        yield "".join(said).replace("\n", " ")


def _may_be_title(heading: str, sections: list[tuple[str, int, list[str]]]) -> bool:
    """Tell whether a heading below level 1 stands where a title does: before everything, and is no section's."""
    return not sections[0][2] and heading.strip().casefold() not in _SECTIONS


def _flat(tokens: list[Token]) -> Passage:
    """Give inline tokens as text, links as places, what is struck through left out."""
    out: list[str] = []
    links: list[Anchor] = []
    struck = 0
    href, words = "", None
    for token in tokens:
        if token.type in {"s_open", "s_close"}:
            struck += token.nesting
        elif token.type == "link_open":
            href, words = str(token.attrs.get("href", "")), list[str]()
        elif token.type == "link_close" and words is not None:
            if not struck:
                out.append(f"{_MARK}{len(links)}{_MARK}")
                links.append(Anchor(href, "".join(words)))
            words = None
        elif not struck:
            (out if words is None else words).append(_plain(token))
    return Passage(text="".join(out), links=tuple(links))


def _plain(token: Token) -> str:
    """Give one inline token's text."""
    if token.type in {"softbreak", "hardbreak"}:
        return "\n"
    return token.content.replace(_MARK, "") if token.type in {"text", "code_inline", "image"} else ""
