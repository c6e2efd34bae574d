"""Where in a caller's request a refusal from down the line has its cause."""

from stanchion_contracts.command import EditProposal, Write, WriteBatch
from stanchion_contracts.refusal import Refusal


def place_of(refusal: Refusal, asked: object) -> str:
    """Give the field of the request that a refusal is about, as `writes[3].links[0]`; empty where it names none.

    Args:
        refusal: names a record, and of it a field, a link (`assumes h-1`) or a part.
        asked: the part of the command that was refused.
    """
    if not isinstance(asked, WriteBatch | EditProposal):
        return refusal.field
    numbers = [number for number, write in enumerate(asked.writes) if write.id == refusal.record_id]
    if not numbers:
        return refusal.field
    last = numbers[-1]  # of a record that stands twice the second one is too much
    return f"writes[{last}]{_within(asked.writes[last], refusal.field)}"


def _within(write: Write, named: str) -> str:
    """Give where in a write something is named; empty for the write itself."""
    for number, field in enumerate(write.fields):
        if field.name == named:
            return f".fields[{number}]"
    name, _, to = named.partition(" ")
    for number, links in enumerate(write.links):
        if links.name == name:
            ends = [link.to for link in links.links]
            return f".links[{number}].links[{ends.index(to)}]" if to in ends else f".links[{number}]"
    return f".{named}" if named in Write.__struct_fields__ else ""
