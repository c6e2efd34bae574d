"""The formula is a function of the set: order, repeats, batches and splits cannot show, bit for bit."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, structs

from stanchion_core.fusion import (
    BASE_WEIGHT,
    ClaimPolicy,
    Spoken,
    Voice,
    fuse,
    hear,
    opinion,
    say,
    thin,
    voice_of,
    weigh,
)
from stanchion_core.grouping import group, join
from stanchion_core.quantity import value_key

HALF_LIFE_S = 86_400
POLICY = ClaimPolicy(half_life_s=HALF_LIFE_S)
NAMES = ["a", "b", "c"]


class Said(Struct, frozen=True, kw_only=True, order=True):
    """A value."""

    type: str
    text: str
    unit: str = ""
    op: str = ""


class Word(Struct, frozen=True, kw_only=True):
    """A contribution."""

    id: str
    value: Said
    positive: bool
    evidence: str
    source: str
    agent: str
    sample: str
    strength: float
    observed_at_us: int


def words() -> st.SearchStrategy[Word]:
    """Give contributions that meet often: few values, sources and times."""
    numbers = st.builds(Said, type=st.just("number"), text=st.sampled_from(["5", "5.0", "5.2", "7", "7.3", "9"]))
    durations = st.builds(
        Said, type=st.just("duration"), text=st.sampled_from(["1", "60"]), unit=st.sampled_from(["h", "min"])
    )
    booleans = st.builds(Said, type=st.just("boolean"), text=st.sampled_from(["true", "false"]))
    return st.builds(
        Word,
        id=st.integers(0, 10**9).map(str),
        value=st.one_of(numbers, durations, booleans),
        positive=st.booleans(),
        evidence=st.sampled_from(sorted(BASE_WEIGHT)),
        source=st.sampled_from(["", *NAMES]),
        agent=st.sampled_from(NAMES),
        sample=st.sampled_from(["", "1"]),
        strength=st.floats(0, 1),
        observed_at_us=st.integers(0, 20) | st.integers(0, 10**12),
    )


SETS = st.lists(words(), max_size=25, unique_by=lambda word: word.id)
POLICIES = st.builds(
    ClaimPolicy,
    half_life_s=st.sampled_from([0, HALF_LIFE_S]),
    multi_valued=st.booleans(),
    tolerance=st.sampled_from([0.0, 0.03, 0.05, 0.3]),
)
TRUST = st.dictionaries(st.sampled_from(NAMES), st.floats(0, 1))


@given(SETS, TRUST, POLICIES, st.integers(0, 10**12), st.data())
def test_order_and_repeats_do_not_show(
    said: list[Word], trust: dict[str, float], policy: ClaimPolicy, now_us: int, data: st.DataObject
) -> None:
    """Any permutation with any repeats gives the same bits, whatever the policy."""
    again = data.draw(st.permutations(said + data.draw(st.lists(st.sampled_from(said)) if said else st.just([]))))
    expected = fuse(said, trust, now_us=now_us, policy=policy)
    assert expected == fuse(again, trust, now_us=now_us, policy=policy)


@given(SETS, st.sampled_from([0.03, 0.05, 0.3]))
def test_values_join_as_the_whole_groups_them(said: list[Word], tolerance: float) -> None:
    """Groups that grow value by value are those of all values, or it is said that only the whole can tell."""
    keys = [value_key(word.value) for word in said]
    groups = group([], tolerance)
    for at, key in enumerate(keys):
        whole = group(keys[: at + 1], tolerance)
        joined = join(groups, key)
        renamed = any(whole.of(one) != groups.of(one) for one in keys[:at])
        assert (None if renamed else whole) == joined
        groups = whole


@given(SETS, TRUST, st.integers(0, 10**12))
def test_one_at_a_time_is_the_whole(said: list[Word], trust: dict[str, float], now_us: int) -> None:
    """What grows word by word, as the service keeps it, is bitwise what the whole set gives."""
    voices: dict[Voice, tuple[Spoken[Said], ...]] = {}
    for word in sorted(said, key=lambda word: (word.observed_at_us, word.id)):
        voices[voice_of(word)] = say(voices.get(voice_of(word), ()), weigh(word, trust))
    expected = fuse(said, trust, now_us=now_us, policy=POLICY)
    assert expected == opinion(voices.values(), now_us=now_us, half_life_s=HALF_LIFE_S)


@given(SETS, TRUST, st.data())
def test_late_words(said: list[Word], trust: dict[str, float], data: st.DataObject) -> None:
    """Words in any order leave standing what they leave in order, or it is said that only the whole can tell."""
    one_voice = [word for word in said if voice_of(word) == ("a", "")]
    standing: tuple[Spoken[Said], ...] = ()
    heard: list[Spoken[Said]] = []
    for word in data.draw(st.permutations(one_voice)):
        heard.append(weigh(word, trust))
        standing = hear(standing, heard[-1]) or thin(heard)
        assert thin(heard) == standing


@given(st.lists(words(), min_size=10, max_size=60, unique_by=lambda word: word.id), TRUST, st.booleans())
def test_many_that_stand(said: list[Word], trust: dict[str, float], fading: bool) -> None:  # noqa: FBT001 - drawn
    """However many words of a voice stand, they are those that stand when each is heard in turn."""
    if fading:  # each weaker than the one before: all stand
        said = [
            structs.replace(word, evidence="inference", strength=1.0 - at / 100, observed_at_us=at)
            for at, word in enumerate(said)
        ]
    spoken = [weigh(structs.replace(word, source="a", sample=""), trust) for word in said]
    standing: tuple[Spoken[Said], ...] = ()
    for word in sorted(spoken, key=lambda word: word.order):
        standing = say(standing, word)
    assert standing == thin(spoken)


def _by_the_page(said: list[Word], trust: dict[str, float]) -> list[Spoken[Said]]:
    """Give what the page says still stands of one voice, word against word: nothing dropped but what is displaced."""
    weighed = [weigh(word, trust) for word in said]

    def displaces(newer: Spoken[Said], older: Spoken[Said]) -> bool:
        other = newer.slot != older.slot and (newer.slot is not None or newer.key == older.key)
        return newer.order > older.order and other and newer.power >= older.power

    return [word for word in weighed if not any(displaces(other, word) for other in weighed)]


@given(SETS, TRUST)
def test_dropped_words_never_mattered(said: list[Word], trust: dict[str, float]) -> None:
    """Of each slot and value, the heaviest at any age is among what `thin` keeps."""
    one_voice = [word for word in said if voice_of(word) == ("a", "")]
    kept = thin(weigh(word, trust) for word in one_voice)
    standing = _by_the_page(one_voice, trust)
    assert {(word.slot, word.key) for word in standing} == {(word.slot, word.key) for word in kept}
    for word in standing:
        rivals = [other for other in kept if (other.slot, other.key) == (word.slot, word.key)]
        assert any(other.weight >= word.weight and other.order >= word.order for other in rivals)


@given(SETS, st.floats(0, 1), st.sampled_from(NAMES))
def test_halved_trust_halves_its_own_weights(said: list[Word], trust: float, name: str) -> None:
    """Halving one name's trust halves the weights it bears on and no other, exactly."""
    for word in said:
        before = weigh(word, {name: trust}).weight
        factor = 0.5 if name in {word.agent, word.source} else 1.0
        after = weigh(word, {name: trust / 2}).weight
        assert before * factor == after or before < 1e-300  # below that halving is not exact for any float


@given(SETS, TRUST, POLICIES, st.integers(0, 10**12))
def test_probabilities_are_probabilities(
    said: list[Word], trust: dict[str, float], policy: ClaimPolicy, now_us: int
) -> None:
    """Everything lies between 0 and 1."""
    state = fuse(said, trust, now_us=now_us, policy=policy)
    for share in (state.vacuity, state.dissonance, *(stance.probability for stance in state.values)):
        assert 0.0 <= share <= 1.0
