"""What a text names other documents by: a link, a path, a web address, a number, a name; nothing is guessed."""

import re
from functools import cache
from typing import Final

from msgspec import Struct

from stanchion_core.ids import RECORD_ID
from stanchion_core.limits import URI_CHARS
from stanchion_core.uri import ID_PREFIX, resolved
from stanchion_extraction.core.outline import LINK, Passage, plain_passage
from stanchion_extraction.core.place import Naming, Place, names_in, number_of

_BEFORE_BARE: Final = re.compile(r"[\s:(\[]*(?:(?:adrs?|decisions?|records?|numbers?|no\.?|nr\.?)\s*)*", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"[\s,;/&()\[\]`]*+(?:and)?[\s,;/&()\[\]`]*+", re.IGNORECASE)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE | re.ASCII)
_WORDED: Final = re.compile(r"\[[^\]\n]*\]\((?P<href>[^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)")
_QUOTES: Final = "\"'`<>"


class Target(Struct, frozen=True):
    """Another document as a text names it, and the names to try where that finds nothing."""

    uri: str
    otherwise: tuple[str, ...] = ()


def named_in(passage: Passage, place: Place, naming: Naming, *, bare: bool = True) -> list[Target]:
    """Give the documents that a line names first, one after the other: by link, path or number.

    Args:
        passage: what follows the relation.
        place: of the document it stands in.
        naming: of its mapping.
        bare: whether a number alone names a document.
    """
    targets: list[Target] = []
    end = 0
    for found in _named(naming.prefixes).finditer(passage.text):
        gap = passage.text[end : found.start()]
        if targets and _BETWEEN.fullmatch(gap) is None:
            break
        if found["bare"] and not (bare and (targets or _BEFORE_BARE.fullmatch(gap))):
            continue
        if target := _mentioned(found, passage, place, naming):
            targets.append(target)
            end = found.end()
    return list(dict.fromkeys(targets))


def named_by(value: str, place: Place, naming: Naming) -> list[Target]:
    """Give the documents that a value names: numbers, paths and ids of records; in a collection one address or name."""
    if naming.collection:
        target = _entry(value, place, naming)
        return [] if target is None else [target]
    identity = value.strip().removeprefix(ID_PREFIX)
    targets = [] if identity != value.strip() else named_in(plain_passage(value), place, naming)
    return targets or ([Target(ID_PREFIX + identity)] if RECORD_ID.fullmatch(identity) else [])


def _mentioned(found: re.Match[str], passage: Passage, place: Place, naming: Naming) -> Target | None:
    """Give the target of one mention; None for a link into the same document, and for what no uri is."""
    written = found["path"] if found[1] is None else passage.links[int(found[1])].href
    if written is not None:
        return _address(written, place, naming)
    return Target(number_of(place, int(found["numbered"] or found["bare"]), naming))


def _address(written: str, place: Place, naming: Naming) -> Target | None:
    """Give the target of a path or web address."""
    target = _collected(written, place, naming) if naming.collection else Target(resolved(place.uri, written))
    return None if not target.uri or len(target.uri) > URI_CHARS or "\x00" in target.uri else target


def _collected(written: str, place: Place, naming: Naming) -> Target:
    """Give the target of a path or address in a collection; what points elsewhere is as it is."""
    for pattern in naming.numbered:
        if (found := pattern.match(written)) is not None:
            return Target(number_of(place, int(found[1]), naming))
    begins = [found for pattern in naming.addresses if (found := pattern.match(written)) is not None]
    plain = resolved("", written[begins[0].end() :] if begins else written)
    parts = plain.split("/")
    if _SCHEME.match(plain) or naming.collection not in parts[:-1]:
        return Target(plain)
    if naming.is_folder_file(parts[-1]):
        parts.pop()
    path = "/".join(parts[parts.index(naming.collection) :])
    return Target(place.root + path, names_in(place.root, parts[-1], naming))


def _entry(value: str, place: Place, naming: Naming) -> Target | None:
    """Give the one document that an entry of a list names."""
    plain = value.strip().strip(_QUOTES)
    if (found := _WORDED.match(plain)) is not None:
        return _address(found["href"], place, naming)
    if plain.startswith("(") and plain.endswith(")"):
        plain = plain[1:-1].strip()
    if (number := _number(naming.prefixes).fullmatch(plain)) is not None:
        return Target(number_of(place, int(number[1]), naming))
    first = plain.split(maxsplit=1)[0] if plain else ""
    if first.startswith(ID_PREFIX):
        return Target(first) if RECORD_ID.fullmatch(first.removeprefix(ID_PREFIX)) else None
    if "/" in first or _SCHEME.match(first):
        return _address(first, place, naming)
    if first != plain or not plain or len(plain) > URI_CHARS // 2:
        return None
    name, *rest = names_in(place.root, plain, naming)
    return Target(name, tuple(rest))


@cache
def _named(prefixes: tuple[str, ...]) -> re.Pattern[str]:
    """Give the pattern of a mention: a link's place, a path, a number with or without letters before it."""
    letters = "|".join(map(re.escape, prefixes)) or r"(?!)"
    return re.compile(
        rf"{LINK.pattern}"
        r"|(?<![\w./%~@:+-])(?P<path>[\w./%~@:+-]+\.(?:md|markdown)\b(?:#\S*)?)"
        rf"|\b(?:{letters})[-_ ]?#?0{{0,32}}(?P<numbered>\d{{1,6}})\b"
        r"|(?<![\w.#-])#?0{0,32}(?P<bare>\d{1,6})(?![\w.-]*\w)",
        re.IGNORECASE,
    )


@cache
def _number(prefixes: tuple[str, ...]) -> re.Pattern[str]:
    """Give the pattern of a number that is the whole entry: `6090`, `#6090`, `KEP-32`."""
    letters = "|".join(map(re.escape, prefixes)) or r"(?!)"
    return re.compile(rf"(?:(?:{letters})[-_ ]?)?#?0{{0,32}}(\d{{1,9}})", re.IGNORECASE | re.ASCII)
