"""Proposals: writes that wait for a person, and what a person is shown of them."""

from datetime import datetime
from typing import Any

from msgspec import Struct

from stanchion.results import Actor

OPEN = "open"
"""The state of a proposal that waits."""


class PartDiff(Struct, frozen=True, kw_only=True):
    """One part of a record in which a proposed write differs from what stands.

    Attributes:
        part: `label`, `body`, `evidence`, `tags`, `valid_from`, `valid_to`, `deleted`, `field:<name>`, `link:<name>`.
        before: a JSON value; None where there is nothing.
        after: likewise.
    """

    part: str
    before: Any = None
    after: Any = None


class ProposedWrite(Struct, frozen=True, kw_only=True):
    """One write of a proposal against the record as it stands.

    Attributes:
        room: of a record that does not exist yet.
        base_version: the version it was made against; 0 for a record that did not exist.
        current_version: the version that stands now.
    """

    record_id: str
    kind: str = ""
    room: str = ""
    label: str = ""
    base_version: int = 0
    current_version: int = 0
    parts: tuple[PartDiff, ...] = ()

    @property
    def outdated(self) -> bool:
        """Whether the record has been written since."""
        return self.base_version != self.current_version


class Proposal(Struct, frozen=True, kw_only=True):
    """A write that waits for a person, or waited.

    Attributes:
        why: `person_set`, `consequence`, `approval_only`, `evidence_disagrees` or `import_refused`.
        reason: the same in a sentence.
        record_id: the record it is chiefly about.
        state: `open`, `published`, `rejected`, `in_force` or `overtaken`.
        edited_by: the person who changed it last; None for nobody.
        digest: names exactly what is shown here; publishing, editing and rejecting carry it.
        outdated: a record was written since, so that it cannot be published as it stands.
        note: the words of whoever closed it.
        as_of_seq: the position the read was answered from.
    """

    id: str
    why: str = ""
    reason: str = ""
    record_id: str = ""
    state: str = OPEN
    proposed_by: Actor | None = None
    edited_by: Actor | None = None
    seq: int = 0
    recorded_at: datetime | None = None
    origin: str = ""
    digest: bytes = b""
    writes: tuple[ProposedWrite, ...] = ()
    outdated: bool = False
    closed_by: Actor | None = None
    closed_at: datetime | None = None
    note: str = ""
    as_of_seq: int = 0
