"""One voice on one claim: what its words weigh, and which of them still stand.

A voice is a source (the agent, if it names none) or a named sample. Whatever order its words come in, what stands is a
function of the set of them: `thin` says what, `say` and `hear` grow it word by word to the same result.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Generic, Protocol, TypeVar

from msgspec import Struct

from stanchion_core.grouping import NO_GROUPS, Groups, group, join
from stanchion_core.policy import ClaimPolicy
from stanchion_core.quantity import FALSE, TRUE, ValueKey, ValueLike, is_boolean, value_key
from stanchion_core.trust import DEFAULT_TRUST

BASE_WEIGHT: Final[Mapping[str, float]] = {
    "measurement": 8.0,
    "citation": 4.0,
    "expert-judgment": 3.0,
    "user-assertion": 2.0,
    "inference": 1.0,
    "assumption": 0.5,
}
"""How much each type of evidence weighs."""

V_co = TypeVar("V_co", bound=ValueLike, covariant=True)
V = TypeVar("V", bound=ValueLike)

Slot = ValueKey | None
"""Where evidence gathers: a value, or None for a value that nobody has named; of a multi-valued claim also a denial."""

Voice = tuple[str, ...]
"""Source (the agent, where none is named) and sample: what speaks with one voice on a claim.

Of a multi-valued claim also the value: each is a claim of its own."""

_NOT: Final = "not\x1f"
_FEW: Final = 4  # words of a voice that stand


class ContributionLike(Protocol[V_co]):
    """What fusion reads of a contribution (`stanchion_contracts.claim.Contribution` is one)."""

    @property
    def id(self) -> str:
        """Give its id; the same id is the same contribution."""

    @property
    def value(self) -> V_co:
        """Give what it says."""

    @property
    def positive(self) -> bool:
        """Tell an assertion from a denial."""

    @property
    def evidence(self) -> str:
        """Give its type, a key of `BASE_WEIGHT`."""

    @property
    def source(self) -> str:
        """Give what it rests on, may be empty."""

    @property
    def agent(self) -> str:
        """Give who submitted it."""

    @property
    def sample(self) -> str:
        """Give the name of an independent reading, or nothing."""

    @property
    def strength(self) -> float:
        """Give 0 to 1."""

    @property
    def observed_at_us(self) -> int:
        """Give microseconds since the epoch."""


class Spoken(Struct, Generic[V], frozen=True, kw_only=True, gc=False):
    """One contribution that still stands inside its voice, weighed but not aged.

    Attributes:
        order: when it was said, then its id.
        value: as written.
        key: the value it names, or the group that is in.
        slot: where its weight goes.
        power: base · trust(agent) · strength: what it takes to displace it.
        weight: power · trust(source), the source's trust counted once where agent and source are the same.
    """

    order: tuple[int, str]
    value: V
    key: ValueKey
    slot: Slot
    power: float
    weight: float


class Reading(Struct, frozen=True, kw_only=True):
    """How the words on one claim are read.

    Attributes:
        groups: which values are one.
        multi_valued: each value that is no boolean is a boolean claim of its own: to deny it is its other value.
    """

    groups: Groups
    multi_valued: bool = False

    def denied(self, key: ValueKey) -> Slot:
        """Give where a denial's weight goes: to the value's other one where it has one, else to nobody's value."""
        if is_boolean(key):
            return FALSE if key == TRUE else TRUE
        return _NOT + key if self.multi_valued else None


PLAIN: Final = Reading(groups=NO_GROUPS)
"""One value is true, and none but equal ones are one."""

APART: Final = Reading(groups=NO_GROUPS, multi_valued=True)
"""Each value is a claim of its own."""


def read(contributions: Iterable[ContributionLike[ValueLike]], policy: ClaimPolicy) -> Reading:
    """Give how the words on a claim are read under a policy.

    Args:
        contributions: all of the claim, in any order.
        policy: of the claim.
    """
    if policy.plain:
        return PLAIN
    keys = (value_key(contribution.value) for contribution in contributions)
    return Reading(groups=group(keys, policy.tolerance), multi_valued=policy.multi_valued)


def read_more(reading: Reading, contributions: Iterable[ContributionLike[ValueLike]]) -> Reading | None:
    """Give how the words on a claim are read once new ones are there; None where old ones are read otherwise, too.

    Args:
        reading: what `read` or `read_more` gave.
        contributions: the new ones.
    """
    if reading.groups is NO_GROUPS:
        return reading
    groups: Groups | None = reading.groups
    for contribution in contributions:
        groups = None if groups is None else join(groups, value_key(contribution.value))
    if groups is None or groups is reading.groups:
        return None if groups is None else reading
    return Reading(groups=groups, multi_valued=reading.multi_valued)


def voice_of(contribution: ContributionLike[ValueLike], key: ValueKey = "") -> Voice:
    """Give the voice a contribution speaks with.

    Args:
        contribution: what was said.
        key: the value it names, as `weigh` gave it, where its claim is multi-valued.
    """
    if key and not is_boolean(key):
        return contribution.source or contribution.agent, contribution.sample, key
    return contribution.source or contribution.agent, contribution.sample


def weigh(contribution: ContributionLike[V], trust: Mapping[str, float], reading: Reading = PLAIN) -> Spoken[V]:
    """Weigh one contribution, unaged.

    Args:
        contribution: what was said.
        trust: by name of agent or source; who is not in it has the default.
        reading: how the words on its claim are read.
    """
    agent, source = contribution.agent, contribution.source
    key = value_key(contribution.value)
    if reading is not PLAIN:
        key = reading.groups.of(key)
    power = BASE_WEIGHT[contribution.evidence] * trust.get(agent, DEFAULT_TRUST) * contribution.strength
    apart = source not in {"", agent}
    return Spoken(
        order=(contribution.observed_at_us, contribution.id),
        value=contribution.value,
        key=key,
        slot=key if contribution.positive else reading.denied(key),
        power=power,
        weight=power * trust.get(source, DEFAULT_TRUST) if apart else power,
    )


def _gives_way(older: Spoken[V], newer: Spoken[V]) -> bool:
    """Tell whether a later word of the same voice displaces, or says again at least as strongly, an earlier one."""
    if older.power > newer.power:
        return False
    if older.slot == newer.slot:
        return older.key == newer.key and older.weight <= newer.weight
    return newer.slot is not None or older.key == newer.key  # to deny another value takes nothing back


def say(standing: tuple[Spoken[V], ...], newest: Spoken[V]) -> tuple[Spoken[V], ...]:
    """Add the latest word of a voice to what stands of it, in order of time; the same as `thin` over the whole.

    Args:
        standing: what `thin` or `say` gave.
        newest: later (by time, then id) than anything the voice has said.
    """
    return (*[older for older in standing if not _gives_way(older, newest)], newest)


def hear(standing: tuple[Spoken[V], ...], late: Spoken[V]) -> tuple[Spoken[V], ...] | None:
    """Add a word that comes after later ones; the same as `thin` over the whole, None where only the whole can tell.

    A later word that no longer stands was displaced or repeated by one at least as strong, and so on to one that
    stands. So a word is out when a later one that stands displaces or repeats it, and it stands when none is as strong.

    Args:
        standing: what `thin`, `say` or `hear` gave.
        late: not among what the voice has said.
    """
    later = tuple(word for word in standing if word.order > late.order)
    older = tuple(word for word in standing if word.order < late.order and not _gives_way(word, late))
    rivals = [word for word in later if word.power >= late.power]
    if not rivals:
        return (*older, late, *later)
    return (*older, *later) if any(_gives_way(late, rival) for rival in rivals) else None


def thin(words: Iterable[Spoken[V]]) -> tuple[Spoken[V], ...]:
    """Give what still stands of everything one voice said, oldest first.

    A word is displaced by a later one with another value and at least its power (a displaced one displaces too), and
    one that was said again at least as strongly is dropped: it can neither weigh nor displace more than its repetition.
    """
    said = sorted(words, key=_order)
    standing: tuple[Spoken[V], ...] = ()
    for word in said:
        standing = say(standing, word)
        if len(standing) > _FEW:
            return _thin_many(said)
    return standing


def _thin_many(said: Sequence[Spoken[V]]) -> tuple[Spoken[V], ...]:
    """Give what `thin` gives, each word looked at once: quicker where many stand, slower where few do.

    Args:
        said: in order of time.
    """
    later = _Later()
    standing = []
    for word in reversed(said):
        if not later.have_displaced(word):
            standing.append(word)
        later.add(word)
    return tuple(reversed(standing))


class _Later:
    """The most that can be held against a word by those that came after it, so that each word is looked at once.

    A voice may have thousands of words that all stand (each weaker than the one before, or denials of so many values):
    word against word they would stop the line.
    """

    def __init__(self) -> None:
        self._slot: Slot = None  # of the strongest that names a value
        self._power = self._other_power = -1.0  # its, and that of the strongest with another slot
        self._denied: dict[ValueKey, float] = {}  # by value, the strongest denial whose weight goes to nobody's value
        self._same: dict[tuple[Slot, ValueKey], list[tuple[float, float]]] = {}  # power and weight, none below another

    def have_displaced(self, word: Spoken[V]) -> bool:
        """Tell whether `_gives_way` holds for a word against any of them."""
        same = self._same.get((word.slot, word.key), ())
        if any(word.power <= power and word.weight <= weight for power, weight in same):
            return True
        if word.slot is not None and word.power <= self._denied.get(word.key, -1.0):
            return True
        return word.power <= (self._other_power if word.slot == self._slot else self._power)

    def add(self, word: Spoken[V]) -> None:
        """Add one that is earlier than all of them."""
        power, weight = word.power, word.weight
        same = self._same.setdefault((word.slot, word.key), [])
        if not any(power <= other[0] and weight <= other[1] for other in same):
            same[:] = [other for other in same if other[0] > power or other[1] > weight] + [(power, weight)]
        if word.slot is None:
            self._denied[word.key] = max(self._denied.get(word.key, -1.0), power)
        elif word.slot == self._slot:
            self._power = max(self._power, power)
        elif power > self._power:
            self._slot, self._power, self._other_power = word.slot, power, self._power
        else:
            self._other_power = max(self._other_power, power)


def _order(word: Spoken[V]) -> tuple[int, str]:
    """Give when a word was said."""
    return word.order


def by_voice(
    contributions: Iterable[ContributionLike[V]], trust: Mapping[str, float], reading: Reading = PLAIN
) -> dict[Voice, tuple[Spoken[V], ...]]:
    """Give what stands of each voice on one claim.

    Args:
        contributions: all of the claim, in any order, repeats allowed.
        trust: by name of agent or source.
        reading: how they are read.
    """
    words: dict[Voice, dict[str, Spoken[V]]] = {}
    for contribution in contributions:
        word = weigh(contribution, trust, reading)
        voice = voice_of(contribution, word.key if reading.multi_valued else "")
        words.setdefault(voice, {})[contribution.id] = word
    return {voice: thin(said.values()) for voice, said in words.items()}
