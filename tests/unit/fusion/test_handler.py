"""What fusion does with a message."""

import msgspec
import pytest

from stanchion_contracts.belief import Belief, Beliefs, BeliefUpdate, ValueState, likeliest
from stanchion_contracts.claim import Claims, Import, Intent, LeftOut
from stanchion_contracts.codec import decode_folded, encode
from stanchion_contracts.finding import Finding
from stanchion_contracts.observation import Reassess, Tick
from stanchion_contracts.refusal import Refusal
from stanchion_contracts.relation import Entity, Relation
from stanchion_contracts.value import Value
from stanchion_core.decided import Decided
from stanchion_core.fusion import ClaimPolicy, fuse
from stanchion_fusion import handler
from stanchion_fusion.app import build
from stanchion_fusion.handler import MOST_REASSESSED, State, evolve
from stanchion_fusion.settings import FusionSettings
from support.beliefs import HALF_LIFE_S, NOW_US, claims, meta, said, trust
from support.fusing import DECIDE, fuse_all, only


def test_golden() -> None:
    """One measurement gives the belief of the design's first row; a second one the row's next state."""
    first, second = said("5"), said("5", source="lab", evidence="citation")
    _, outputs = fuse_all(claims(0, first), claims(0, second))
    before = Belief(
        subject="pump",
        predicate="temperature",
        values=(ValueState(value=Value(type="number", text="5"), evidence=5.6, millionths=868_421),),
        unnamed=0.0,
        undecayed=5.6,
        vacuity_millionths=263_158,
        dissonance_millionths=0,
        half_life_s=HALF_LIFE_S,
        time_us=NOW_US,
        contributions=1,
    )
    assert Beliefs(meta=meta(), updates=(BeliefUpdate(before=None, after=before, added=(first,)),)) == outputs[0]
    update = only(outputs[1])
    assert likeliest(before) == update.before
    assert (2, 903_846, (second,)) == (update.after.contributions, update.after.values[0].millionths, update.added)


def test_delivered_twice() -> None:
    """A message that comes again moves nothing and leaves the state as it was."""
    message = claims(0, said("5"), said("7", source="lab"))
    state, _ = fuse_all(message)
    expected = encode_state(state)
    assert [Beliefs(meta=message.meta)] == fuse_all(message, state=state)[1]
    assert expected == encode_state(state)


def test_repeat_inside_one_message() -> None:
    """The same contribution twice in one message counts once."""
    update = only(fuse_all(claims(0, said("5"), said("5")))[1][0])
    assert 1 == update.after.contributions == len(update.added)


def test_new_word_is_always_an_update() -> None:
    """A contribution that changes no number is stated all the same: somebody said it."""
    weak = said("5", evidence="assumption", at_us=NOW_US - 1)
    update = only(fuse_all(claims(0, said("5")), claims(0, weak))[1][1])
    assert update.before is not None
    assert (update.before.value, (weak,)) == (update.after.values[0].value, update.added)


def test_decide_does_not_write() -> None:
    """Deciding leaves the state as it was."""
    state, _ = fuse_all(claims(0, said("5")), trust(1, "plant", 0.5))
    before = encode_state(state)
    DECIDE(state, claims(2, said("7"), said("8", subject="valve")))
    DECIDE(state, trust(2, "plant", 0.9))
    assert before == encode_state(state)


MESSAGES = [
    claims(0, said("5"), said("6", subject="valve")),
    claims(1, said("7", source="lab"), said("5", at_us=NOW_US - 5)),
    trust(2, "lab", 0.25),
    claims(3, said("9", source="lab", at_us=NOW_US + 5), workspace="other"),
    Claims(meta=meta(4), tick=Tick(hour=7)),
    trust(5, "lab", None),
    claims(6, said("5", positive=False, source="x"), said("4", source="lab", at_us=NOW_US - 9)),
]


def test_fold_of_outputs_is_the_live_state() -> None:
    """What a process rebuilds from its own output, through the wire, is what it was."""
    live, outputs = fuse_all(*MESSAGES)
    rebuilt = State()
    for output in outputs:
        if output is not None:
            evolve(rebuilt, decode_folded(encode(output), Beliefs))
    assert live == rebuilt


@pytest.mark.parametrize("at", range(len(MESSAGES) + 1))
def test_halves(at: int) -> None:
    """Stopped anywhere and started again from its own output, the rest comes out the same."""
    _, whole = fuse_all(*MESSAGES)
    state = State()
    for output in whole[:at]:
        evolve(state, output)
    assert whole[at:] == fuse_all(*MESSAGES[at:], state=state)[1]


def test_everything_else_passes_on() -> None:
    """What concerns records goes down the line unchanged, whatever part of the message it is."""
    message = Claims(
        meta=meta(),
        intents=(Intent(kind="goal", gist="win"),),
        imports=(Import(uri="a.md", record_id="a", kind="decision"),),
        relations=(Relation(name="works_at", to_entity=Entity(name="acme")),),
        left_out=(LeftOut(what="x", why="y"),),
        tick=Tick(hour=1),
        reassess=Reassess(trust_seq=3, n=1),
        refusal=Refusal(reason="TOO_LARGE", detail="too large"),
        repeated=True,
        findings=(Finding(kind="stale", subject="pump", predicate="temperature", detail="old"),),
    )
    (output,) = fuse_all(message)[1]
    worked_out = {"meta", "trust", "policy", "resolution", "estimates"}
    passed = set(Claims.__struct_fields__) & set(Beliefs.__struct_fields__) - worked_out
    parts = {name: getattr(message, name) for name in passed}
    assert all(parts.values())
    assert msgspec.structs.replace(Beliefs(meta=meta()), **parts) == output


def test_nothing_to_say() -> None:
    """A message without content passes on: who waits for it hears from further down how far the workspace has come."""
    assert [Beliefs(meta=meta())] == fuse_all(Claims(meta=meta()))[1]


def test_trust_setting_re_evaluates_what_it_touches() -> None:
    """Halved trust halves one source's weight at once; claims it never spoke on stay as they were."""
    _, outputs = fuse_all(
        claims(0, said("5"), said("5", source="lab", subject="valve")), trust(0, "plant", 0.35), trust(0, "plant", None)
    )
    lowered, back = outputs[1], outputs[2]
    assert (None, 0.35) == (lowered.trust_before, back.trust_before)
    assert [2.8, 5.6] == [only(lowered).after.values[0].evidence, only(back).after.values[0].evidence]
    assert ((), 0) == (only(lowered).added, lowered.remaining)


def test_setting_that_changes_nothing() -> None:
    """A repeated setting, or taking back one that never was, sets nothing."""
    again = fuse_all(trust(0, "plant", 0.5), trust(1, "plant", 0.5))[1][1]
    assert [Beliefs(meta=meta(0)), Beliefs(meta=meta(1))] == [*fuse_all(trust(0, "plant", None))[1], again]


def test_setting_of_an_unknown_name_is_kept() -> None:
    """Somebody may be judged before a word is heard of them."""
    state, _ = fuse_all(trust(0, "plant", 0.35))
    assert 2.8 == only(fuse_all(claims(1, said("5", at_us=NOW_US + 10**6)), state=state)[1][0]).after.values[0].evidence


def test_later_messages_finish_what_a_setting_began() -> None:
    """At most 200 claims a message, in sorted order, by whatever message comes next, and each says how many remain."""
    names = [f"pump {n:03}" for n in range(2 * MOST_REASSESSED + 10)]
    state, _ = fuse_all(*(claims(0, said("5", subject=name)) for name in names))
    _, outputs = fuse_all(
        trust(1, "plant", 0.35),
        Claims(meta=meta(2, "other"), tick=Tick(hour=1)),
        claims(3, said("5", subject=names[-1], at_us=NOW_US + 1), said("5", subject="new")),
        claims(0, said("5", subject=names[0])),
        Claims(meta=meta(5)),
        state=state,
    )
    assert [210, 0, 9, 0, 0] == [output.remaining for output in outputs]
    touched = [[update.after.subject for update in output.updates] for output in outputs]
    assert [names[:200], [], ["new", *names[200:400], names[-1]], names[400:409], []] == touched


def test_large_beliefs_are_re_evaluated_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only the count, the size of a message is bounded too."""
    monkeypatch.setattr(handler, "MOST_REASSESSED_BYTES", 200_000)
    long = [
        claims(0, *(said("x" * 500 + str(v), subject=f"s{n:03}", source=f"s{v}") for v in range(20)))
        for n in range(100)
    ]
    state, _ = fuse_all(*long)
    (output,) = fuse_all(trust(1, "s1", 0.1), state=state)[1]
    assert len(output.updates) + output.remaining == 100
    assert 100_000 < len(encode(output)) < 400_000
    assert output.remaining > 0


def test_crowded_claims_are_re_evaluated_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a setting makes one message weigh anew is bounded, too, or the process would not answer its broker."""
    monkeypatch.setattr(handler, "MOST_REASSESSED_CONTRIBUTIONS", 100)
    crowds = [
        claims(0, *(said(str(v), subject=f"s{n}", source=f"s{v}", agent="all") for v in range(60))) for n in range(5)
    ]
    state, _ = fuse_all(*crowds)
    _, outputs = fuse_all(
        trust(1, "all", 0.1), Claims(meta=meta(2), tick=Tick(hour=1)), trust(3, "x", 0.5), state=state
    )
    assert [(2, 3), (2, 1), (1, 0)] == [(len(output.updates), output.remaining) for output in outputs if output]


def test_belief_lists_its_heaviest_values() -> None:
    """A crowd of values is summed up past the first fifty, and nothing of the evidence is lost."""
    crowd = [said(str(n), source=f"s{n}") for n in range(300)]
    after = only(fuse_all(claims(0, *crowd))[1][0]).after
    whole = fuse(crowd, {}, now_us=NOW_US, policy=ClaimPolicy(half_life_s=HALF_LIFE_S))
    assert (50, 250) == (len(after.values), after.unlisted_values)
    assert sum(stance.evidence for stance in whole.values) == pytest.approx(
        after.unlisted + sum(state.evidence for state in after.values)
    )


def test_stage() -> None:
    """The wiring is of the line, and a half-life is a word."""
    stage = build(FusionSettings(half_life="none"))
    assert (("claims",), "beliefs", False) == (stage.inputs, stage.output, stage.dead_letters)
    decided = stage.decide(stage.initial(), claims(0, said("5", at_us=0)))
    assert isinstance(decided, Decided)
    assert (0, 5.6) == (only(decided.output).after.half_life_s, only(decided.output).after.values[0].evidence)


def encode_state(state: State) -> bytes:
    """Give a state's bytes."""
    return repr(msgspec.structs.asdict(state)).encode()
