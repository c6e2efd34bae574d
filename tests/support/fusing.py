"""Puts messages through fusion, each of them twice and all of them in halves."""

import copy
from collections.abc import Callable, Iterable, Sequence

from stanchion_contracts.belief import Belief, Beliefs, BeliefUpdate
from stanchion_contracts.claim import Claims, Contribution
from stanchion_contracts.codec import decode_folded, encode
from stanchion_contracts.policy import BeliefPolicy
from stanchion_contracts.trust import Judgement
from stanchion_core.fusion import fuse
from stanchion_core.policy import policy_of
from stanchion_core.trust import TrustTable, tally
from stanchion_fusion.core.belief import state_belief
from stanchion_fusion.core.terms import ClaimKey
from stanchion_fusion.handler import State, decider, evolve
from stanchion_runtime.state_digest import state_digest
from support.beliefs import HALF_LIFE_S

DECIDE = decider(HALF_LIFE_S)
_MANY = 12  # of more messages than these only the halves are tried, not every cut, and the state is not looked into


def fuse_all(*messages: Claims, state: State | None = None) -> tuple[State, list[Beliefs]]:
    """Give the state and the outputs of messages, as the runtime would.

    Every message is delivered again at once and must move nothing; wherever the process is stopped and started again
    from its outputs, the rest comes out the same; and what the outputs fold to is the live state.

    Args:
        messages: in their order.
        state: before them; written to.
    """
    state, outputs = state or State(), list[Beliefs]()
    begun = copy.deepcopy(state)
    for message in messages:
        decided = DECIDE(state, message)
        decided.fold(state)
        outputs.append(decided.output)
        _deliver_again(state, message, whole=len(messages) <= _MANY)
    for cut in range(len(messages) + 1) if len(messages) <= _MANY else (0, len(messages) // 2, len(messages)):
        _start_again(copy.deepcopy(begun), messages, outputs, cut, state)
    return state, outputs


def believed(
    outputs: Iterable[Beliefs], words: Iterable[Contribution], *, now_us: Callable[[ClaimKey], int]
) -> dict[ClaimKey, Belief]:
    """Give what is to be believed of all words on one workspace's claims, worked out in one go.

    Args:
        outputs: all of the workspace, in order; what they last say of trust, policies and the like stands.
        words: all of the workspace, in any order, each once.
        now_us: gives for a claim the time to work it out for.
    """
    settings, agreed, policies = dict[str, float | None](), dict[str, float | None](), dict[str, BeliefPolicy]()
    judged = dict[ClaimKey, tuple[Judgement, ...]]()
    for output in outputs:
        if output.trust is not None:
            settings[output.trust.name] = output.trust.value
        if output.policy is not None:
            policies[output.policy.after.predicate] = output.policy.after
        if output.resolution is not None:
            judged[output.resolution.subject, output.resolution.predicate] = output.judged
        agreed.update({one.name: one.trust for one in output.estimates})
    if not ("" in policies and policies[""].consensus):
        agreed.clear()
    trust = TrustTable(
        settings={name: share for name, share in settings.items() if share is not None},
        outcomes=tally(one for each in judged.values() for one in each),
        estimates={name: share for name, share in agreed.items() if share is not None},
    ).effective()
    said: dict[ClaimKey, list[Contribution]] = {}
    for word in words:
        said.setdefault((word.subject, word.predicate), []).append(word)
    found = {}
    for key, each in said.items():
        policy, now = policy_of(key[1], policies, half_life_s=HALF_LIFE_S), now_us(key)
        opinion = fuse(each, trust, now_us=now, policy=policy)
        found[key] = state_belief(key, opinion, contributions=len(each), policy=policy, now_us=now)
    return found


def only(output: Beliefs) -> BeliefUpdate:
    """Give the one update of an output."""
    (update,) = output.updates
    return update


def _deliver_again(state: State, message: Claims, *, whole: bool) -> None:
    """See that a message that comes again moves nothing and leaves the state as it is, nothing being due."""
    if state.workspaces[message.meta.workspace].due:
        return
    before = state_digest(state) if whole else ""
    again = DECIDE(state, message)
    assert ((), None, None, None, ()) == (
        again.output.updates,
        again.output.trust,
        again.output.policy,
        again.output.resolution,
        again.output.estimates,
    )
    again.fold(state)
    assert before == (state_digest(state) if whole else "")


def _start_again(state: State, messages: Sequence[Claims], outputs: Sequence[Beliefs], cut: int, live: State) -> None:
    """See that a process that is stopped after so many messages and started again goes on as if nothing had been."""
    for output in outputs[:cut]:
        evolve(state, decode_folded(encode(output), Beliefs))
    for message, output in zip(messages[cut:], outputs[cut:], strict=True):
        decided = DECIDE(state, message)
        assert output == decided.output
        decided.fold(state)
    assert live == state
    assert state_digest(live) == state_digest(state)
