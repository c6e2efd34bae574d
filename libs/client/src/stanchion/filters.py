"""What was asked for and is not there: filters that match nothing, and words that a vocabulary does not have.

A slip in a filter finds nothing, which reads like good news; so it is said, with what there is.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from stanchion.results import Record
from stanchion.stale import Asked
from stanchion_core.vocabulary import STATUS, Vocabulary

_MOST: Final = 8  # values that are named


def unmatched(asked: Asked, records: Iterable[Record]) -> str:
    """Say that no record is asked about, and which values of the filters there are.

    Args:
        asked: what matched nothing.
        records: of the kinds asked about, whatever their area, owner and room.
    """
    there = list(records)
    known = {
        "area": {str(each.fields.get("area", "")) for each in there},
        "owner": {str(each.fields.get("owner", "")) for each in there},
        "room": {each.room for each in there},
    }
    given = [name for name in known if getattr(asked, name)]
    said = [" of ".join([f"there is no {' or '.join(asked.about)}", " and ".join(asked.only)][: 1 + bool(asked.only)])]
    said += [_known(name, known[name]) for name in given if there]
    return "; ".join(["nothing was asked about", *said])


def unknown(vocabulary: Vocabulary, kinds: Iterable[str], fields: Mapping[str, Any]) -> str:
    """Say which field or status no record can have, and which there are; empty where each is known.

    Args:
        vocabulary: of the workspace.
        kinds: asked about; none for all.
        fields: that are to match.
    """
    asked = [vocabulary.kinds[each] for each in kinds or vocabulary.kinds if each in vocabulary.kinds]
    if not asked:
        return ""  # the view names the kinds that there are
    which = " or ".join(kinds) or "record"
    names = {name for kind in asked for name in kind.fields}
    for name in fields:
        if name not in names:
            return f"no {which} has a field {name}; there are {_few(names)}"
    statuses = [each.name for kind in asked for each in kind.statuses]
    if (status := fields.get(STATUS)) is not None and status not in statuses:
        return f"no {which} has a status {status}; there are {', '.join(dict.fromkeys(statuses))}"
    return ""


def _known(name: str, values: set[str]) -> str:
    """Say which values of a filter there are."""
    found = values - {""}
    return f"known {name}s are {_few(found)}" if found else f"none has {'an' if name != 'room' else 'a'} {name}"


def _few(values: Iterable[str]) -> str:
    """Give the first few of some values, in order."""
    ordered = sorted(values)
    rest = f" and {len(ordered) - _MOST} more" if len(ordered) > _MOST else ""
    return ", ".join(ordered[:_MOST]) + rest
