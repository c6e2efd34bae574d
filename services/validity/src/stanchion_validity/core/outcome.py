"""What one input comes to, gathered in order: changes with their seqs, and what the answer says."""

from typing import Literal

import msgspec

from stanchion_contracts.belief import Belief
from stanchion_contracts.change import Action, Change, Changes, Imported, Landed, Proposal, RecordChange
from stanchion_contracts.meta import Meta
from stanchion_contracts.refusal import Refusal
from stanchion_contracts.relation import Triple, Window
from stanchion_core.ids import derived_id
from stanchion_core.text import clean
from stanchion_core.vocabulary import Vocabulary
from stanchion_core.walk import Claim
from stanchion_validity.core.change import Author, change_of
from stanchion_validity.core.draft import Draft, Pending
from stanchion_validity.core.held import set_parts
from stanchion_validity.core.workspace import Workspace

State = Literal["published", "rejected", "in_force", "overtaken"]
"""How a proposal is closed."""


class Outcome:
    """The changes of one input while it is decided; nothing of the workspace is touched."""

    def __init__(self, workspace: Workspace, base: Vocabulary, meta: Meta, share: int = 1) -> None:
        """Begin with nothing.

        Args:
            workspace: as it stands.
            base: the vocabulary of a workspace that has none of its own.
            meta: of the input.
            share: what most this input may bring about elsewhere is divided by; 0 for nothing.
        """
        self.workspace = workspace
        self._share = share
        self.base = base
        self.vocabulary = workspace.vocabulary or base
        self.meta = meta
        self.pending = Pending(workspace)
        self.changes: list[Change] = []
        self.landed: list[Landed] = []
        self.opened: list[Proposal] = []
        self.proposals: list[str] = []
        self.unproposed: dict[str, None] = {}
        self.edited: dict[str, Proposal] = {}
        self.closed: dict[str, Proposal] = {}
        self.imported: list[Imported] = []
        self.relations: dict[Triple, Window | None] = {}
        self.left_out: list[str] = []
        self.beliefs: dict[Claim, Belief] = {}
        self.crossings = 0
        self._confirmed: dict[str, bool] = {}

    def most(self, limit: int) -> int:
        """Give how many things of a kind this input may bring about, where a message ordinarily has up to `limit`."""
        return limit // self._share if self._share else 0

    @property
    def next_seq(self) -> int:
        """The seq of the next change."""
        return self.workspace.seq + len(self.changes) + 1

    def add(self, change: Change) -> None:
        """Add a change made at `next_seq`."""
        self.changes.append(change)

    def write(self, draft: Draft, author: Author, why: str = "") -> None:
        """Add a draft as a change; what comes later is decided on it.

        Args:
            draft: that changes something.
            author: whose write it is.
            why: goes to the end of the change's sentence, may be empty.
        """
        head = self.workspace.heads.records.get(draft.id)
        confirmed = self._confirmed.get(draft.id, head is not None and head.confirmed)
        change = change_of(self.vocabulary, draft, self.next_seq, author, confirmed=confirmed)
        if change.record is not None and change.record.confirmation != "kept":
            self._confirmed[draft.id] = change.record.confirmation == "given"
        self.add(msgspec.structs.replace(change, reason=f"{change.reason}: {why}") if why else change)
        self.pending.add(self._set_by(draft, change.record) if author.person else draft)

    def propose(self, proposal: Proposal) -> None:
        """Open a proposal."""
        self.opened.append(proposal)
        self.proposals.append(proposal.id)
        self._proposal("proposal.opened", proposal, proposal.reason)

    def edit(self, proposal: Proposal, reason: str) -> None:
        """Leave an open proposal waiting as it is now."""
        self.edited[proposal.id] = proposal
        self._proposal("proposal.edited", proposal, reason)

    def close(self, proposal: Proposal, state: State, reason: str, note: str = "") -> None:
        """Close a proposal, once.

        Args:
            proposal: an open one.
            state: how.
            reason: why, in a sentence.
            note: the words of the person who closes it.
        """
        if proposal.id not in self.closed:
            self.closed[proposal.id] = msgspec.structs.replace(proposal, state=state, note=note)
            self._proposal("proposal.closed", self.closed[proposal.id], reason)

    def waiting(self, proposal_id: str) -> Proposal | None:
        """Give a proposal that was open before this input and is still, as it is now."""
        if proposal_id in self.closed:
            return None
        return self.edited.get(proposal_id) or self.workspace.heads.proposals.get(proposal_id)

    def window(self, triple: Triple) -> Window | None:
        """Give what is current between two entities by now; None for nothing."""
        if triple in self.relations:
            return self.relations[triple]
        return self.workspace.related.windows.get(triple)

    def proposal_id(self) -> str:
        """Give the id of the next proposal, derived from what asked for it."""
        return derived_id("prop", self.meta.workspace, self.meta.origin, str(len(self.opened)))

    def message(self, refusal: Refusal | None = None, *, remaining: int = 0, left_out: tuple[str, ...] = ()) -> Changes:
        """Give the message of it all.

        Args:
            refusal: why nothing of it happened; what changes there are follow from something else.
            remaining: how many claims are still to be re-evaluated.
            left_out: what was observed and not taken, in sentences.
        """
        return Changes(
            meta=self.meta,
            recorded_at_us=max(self.meta.time_us, self.workspace.recorded_at_us),
            last_seq=self.workspace.seq + len(self.changes),
            changes=tuple(self.changes),
            imported=tuple(self.imported),
            landed=tuple(self._standing(landed) for landed in self.landed),
            proposals=tuple(self.proposals),
            refusal=refusal,
            first_seq=self.changes[0].seq if self.changes else 0,
            last_seq_answered=self.changes[-1].seq if self.changes else 0,
            remaining=remaining,
            left_out=left_out,
        )

    def _set_by(self, draft: Draft, record: RecordChange | None) -> Draft:
        """Give a person's draft with what it sets as set by a person, as the fold will have it."""
        parts = set_parts(self.vocabulary, record) if record is not None else frozenset()
        after = msgspec.structs.replace(draft.after, person_set=draft.after.person_set | parts)
        return msgspec.structs.replace(draft, after=after)

    def _standing(self, landed: Landed) -> Landed:
        """Give a record's answer with the version that stands after all that followed from its write."""
        held = self.pending.record(landed.record_id)
        return landed if held is None else msgspec.structs.replace(landed, version=held.version)

    def _proposal(self, action: Action, proposal: Proposal, reason: str) -> None:
        """Add a proposal's change."""
        self.add(
            Change(
                seq=self.next_seq,
                action=action,
                subject_kind="proposal",
                subject_id=proposal.id,
                room=self._room_of(proposal),
                reason=reason,
                proposal=proposal,
            )
        )

    def _room_of(self, proposal: Proposal) -> str:
        """Give the room of the record that a proposal is about, or would create."""
        held = self.pending.record(proposal.record_id)
        rooms = (clean(write.room, "room") for write in proposal.batch.writes if write.id == proposal.record_id)
        return held.room if held is not None else next(rooms, "")
