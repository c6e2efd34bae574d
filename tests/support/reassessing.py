"""Fusion with reassessment behind it: claims in, looks out, and what a look asks comes back down the line."""

from msgspec import structs

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.claim import Claims, Contribution
from stanchion_contracts.meta import OURSELVES
from stanchion_contracts.observation import Tick
from stanchion_core.ids import observation_id
from stanchion_fusion import handler as fusion
from stanchion_fusion.reassessment.handler import Asked, State, evolve, look
from support.beliefs import HALF_LIFE_S, NOW_US, claims, meta, said

HOUR_US = 3_600_000_000


class Beside:
    """One workspace `docs`.

    Attributes:
        outputs: of fusion, all of them.
        state: of reassessment.
    """

    def __init__(self) -> None:
        self.outputs: list[Beliefs] = []
        self.state = State()
        self._fused = fusion.State()
        self._decide = fusion.decider(HALF_LIFE_S)

    def tell(self, message: Claims) -> None:
        """Have fusion decide a message, and reassessment fold what comes of it."""
        decided = self._decide(self._fused, message)
        fusion.evolve(self._fused, decided.output)
        self.outputs.append(decided.output)
        evolve(self.state, decided.output)

    def say(self, *contributions: Contribution) -> None:
        """Tell contributions."""
        self.tell(claims(len(self.outputs), *contributions))

    def tick(self, hour: int = 1) -> tuple[Asked, ...]:
        """Have an hour come, and give what the look asks."""
        head = structs.replace(meta(len(self.outputs)), time_us=NOW_US + hour * HOUR_US)
        self.tell(Claims(meta=head, tick=Tick(hour=hour)))
        return look(self.state, "docs")

    def back(self, asked: tuple[Asked, ...], hour: int = 1) -> None:
        """Have what a look asked come down the line."""
        for one in asked:
            identity = observation_id("docs", OURSELVES, one.event_id)
            head = structs.replace(meta(len(self.outputs)), id=identity, time_us=NOW_US + hour * HOUR_US)
            self.tell(Claims(meta=head, estimates=one.body.estimates, findings=one.body.findings))

    def hour(self, hour: int) -> tuple[Asked, ...]:
        """Have an hour come and its look's questions come back; give them."""
        asked = self.tick(hour)
        self.back(asked, hour)
        return asked


def disagreeing(beside: Beside, claims_count: int = 20) -> None:
    """Have three sources agree on many claims and a fourth on none."""
    for number in range(claims_count):
        for source in ("ann", "ben", "cy"):
            beside.say(said(f"{number}", subject=f"pump {number}", source=source, evidence="citation"))
        beside.say(said("999", subject=f"pump {number}", source="odd", evidence="citation"))
