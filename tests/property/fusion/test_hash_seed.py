"""What extraction and fusion write does not depend on the order of sets."""

import hashlib

from stanchion_contracts.codec import encode
from stanchion_extraction.app import mappings_of
from stanchion_extraction.handler import decider as extracting
from stanchion_fusion.handler import State
from stanchion_fusion.handler import decider as fusing
from support.beliefs import HALF_LIFE_S, trust
from support.hash_seeds import digests_of
from support.observations import event


def digest() -> str:
    """Give the digest of the outputs of one long story: many values, sources, units and a trust setting."""
    extract, fuse, state = extracting(mappings_of(None)), fusing(HALF_LIFE_S), State()
    found = hashlib.sha256()
    for number in range(60):
        values = [number % 7, f"{number % 5}", number % 2 == 0, [1, number + 2]]
        stated = [
            {"subject": f"s{number % 11}", "predicate": "p", "value": value, "sample": f"{number % 3}", "unit": "h"}
            for value in values
        ]
        messages = [extract(None, event("stanchion.claims.v1", {"claims": stated}))]
        messages += [trust(number, "urn:plant", number / 60)] if number % 13 == 5 else []
        for message in messages:
            found.update(encode(message))
            decided = fuse(state, message)
            decided.fold(state)
            found.update(encode(decided.output))
    return found.hexdigest()


def test_same_bytes_under_two_hash_seeds() -> None:
    """The same observations give the same bytes in processes that order their sets differently."""
    assert {digest()} == digests_of(__file__)
