"""What a person is shown of a proposal and what they publish are the same: both name its digest."""

import hashlib

import msgspec

from stanchion_contracts.change import Proposal


def digest_of(proposal: Proposal) -> bytes:
    """Give the SHA-256 of what a proposal would write, and of the versions it was made against.

    Who proposed it and why do not enter: the digest stands for the content that comes into force.
    """
    return hashlib.sha256(msgspec.json.encode((proposal.batch, proposal.base))).digest()
