"""What extraction makes of documents does not depend on the order of sets."""

import hashlib

from stanchion_contracts.codec import encode
from stanchion_contracts.observation import Body, Document
from stanchion_extraction.app import mappings_of
from stanchion_extraction.handler import decider
from support.hash_seeds import digests_of
from support.observations import observation

ADR = """---
date: 2020-01-02
deciders: [Ann, Bo]
consulted: Cy
informed: Di
depends-on: [1, 2]
conflicts-with: x.md
---
# 7. Use X

Owner: Ann

## Status

Accepted, supersedes ADR-3 and [4](4.md), amends 5

Depends on: 8

## Context

This ADR supersedes [9](9.md). [[a::b]] [[c::d]]
"""
KEP = "title: T\nkep-number: 7\nstatus: replaced # by 8\nsee-also: [/keps/a/1-b, KEP-3]\nreplaces: [2-c]\nx: 1\ny: 2\n"
PEP = "PEP: 7\nTitle: T\nStatus: Final\nReplaces: 5, 6\nRequires: 4\nX: 1\nY: 2\n\ntext\n"


def digest() -> str:
    """Give the digest of what documents of each kind become."""
    decide, found = decider(mappings_of(None)), hashlib.sha256()
    for uri, text in (("adr/0007-x.md", ADR), ("keps/sig-a/7-t/kep.yaml", KEP), ("peps/pep-0007.rst", PEP)):
        found.update(encode(decide(None, observation(Body(document=Document(uri=uri, text=text))))))
    return found.hexdigest()


def test_same_bytes_under_two_hash_seeds() -> None:
    """The same documents give the same bytes in processes that order their sets differently."""
    assert {digest()} == digests_of(__file__)
