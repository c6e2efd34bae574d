"""Where a document lives, what it is called there, and what others may call it."""

import re
import unicodedata
from functools import cache
from typing import Final

from msgspec import Struct

from stanchion_core.ids import RECORD_ID, derived_id
from stanchion_core.uri import file_of, folder_of, number_in, numbered

_SUFFIX: Final = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,9}$", re.ASCII)
_FOLDER_NUMBER: Final = re.compile(r"0{0,32}(\d{1,9})[-_]", re.ASCII)
_ID_CHARS: Final = 128


class Naming(Struct, frozen=True):
    """How the documents of one mapping are named.

    Attributes:
        prefixes: letters that may stand before a document's number, in capitals.
        folder_files: names of files that stand for the folder they are in, the one that goes before the others first.
        collection: the folder that all of them lie in, by its name: paths are written from its parent, names and
            numbers are unique in it; empty where each folder has its own.
        addresses: how web addresses begin that go on with such a path.
        numbered: how web addresses begin that name a document by its number, a group.
        nothing: words that name no document, in small letters.
        examples: references that a template came with.
    """

    prefixes: tuple[str, ...] = ("ADR",)
    folder_files: tuple[str, ...] = ()
    collection: str = ""
    addresses: tuple[re.Pattern[str], ...] = ()
    numbered: tuple[re.Pattern[str], ...] = ()
    nothing: frozenset[str] = frozenset({"", "-", "none", "nothing", "n/a", "na", "null", "tbd", "~"})
    examples: frozenset[str] = frozenset()

    def is_folder_file(self, name: str) -> bool:
        """Tell whether a file of this name stands for its folder."""
        return any(name.casefold() == file.casefold() for file in self.folder_files)


class Place(Struct, frozen=True):
    """Where a document lives.

    Attributes:
        uri: of its file.
        home: the same, or the folder that the file stands for, without a slash at its end.
        chief: the same, or the file that goes before this one in standing for the folder.
        name: the last part of `home`.
        stem: the name without a file's ending.
        number: what the name begins with; None for none.
        root: what stands before the collection's name in `home`; empty without one.
        inside: whether it lies in the collection.
    """

    uri: str
    home: str
    chief: str
    name: str
    stem: str
    number: int | None
    root: str = ""
    inside: bool = False


def place_of(uri: str, naming: Naming) -> Place:
    """Give a document's place."""
    file, folder = file_of(uri), folder_of(uri)
    is_folder = naming.is_folder_file(file) and bool(file_of(folder[:-1]))
    home = folder[:-1] if is_folder else uri
    name = file_of(home)
    begins = _numbers(naming.prefixes).match(name)
    before, found, _ = f"/{home}".partition(f"/{naming.collection}/") if naming.collection else ("", "", "")
    return Place(
        uri=uri,
        home=home,
        chief=folder + naming.folder_files[0] if is_folder else uri,
        name=name,
        stem=name if is_folder else _SUFFIX.sub("", name),
        number=int(begins[1]) if begins else None,
        root=f"{before}/"[1:] if found else "",
        inside=bool(found),
    )


def names_of(place: Place, naming: Naming) -> tuple[str, ...]:
    """Give what others may call a document beside its uri (`stanchion_core.uri`)."""
    names = [place.home] if place.home != place.uri else []
    if place.inside:
        names += names_in(place.root, place.name, naming)
    elif place.number is not None and not naming.collection:
        names.append(number_in(place.home, place.number))
    return tuple(name for name in names if name != numbered(place.uri))


def names_in(root: str, name: str, naming: Naming) -> tuple[str, ...]:
    """Give the names that the last part of a path may be in a collection: itself, and a folder's number.

    Args:
        root: what stands before the collection's name.
        name: of a file or folder.
        naming: with a collection.
    """
    number = None if _SUFFIX.search(name) else _FOLDER_NUMBER.match(name)
    whole = f"{root}{naming.collection}/**/"
    return (whole + name,) if number is None else (whole + name, f"{whole}#{int(number[1])}")


def number_of(place: Place, number: int, naming: Naming) -> str:
    """Give the name of the document with a number, as a document at a place writes it."""
    return f"{place.root}{naming.collection}/**/#{number}" if naming.collection else number_in(place.home, number)


def record_id_of(stem: str, uri: str) -> str:
    """Give the id of the record a document becomes: the stem, made valid; a person can type it."""
    plain = unicodedata.normalize("NFKD", stem).casefold()
    plain = "".join(mark for mark in plain if not unicodedata.combining(mark))
    identity = re.sub(r"[^a-z0-9._:-]+", "-", plain).strip("-._:")[:_ID_CHARS].rstrip("-._:")
    return identity if RECORD_ID.fullmatch(identity) else derived_id("doc", uri)


@cache
def _numbers(prefixes: tuple[str, ...]) -> re.Pattern[str]:
    """Give how names begin that begin with a number."""
    letters = "|".join(map(re.escape, prefixes))
    before = f"(?:(?:{letters})[-_ ]?)?" if letters else ""
    return re.compile(rf"{before}0{{0,32}}(\d{{1,9}})(?!\d)", re.IGNORECASE | re.ASCII)
