"""Wiring: `claims` in, `beliefs` out."""

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.claim import Claims
from stanchion_fusion.handler import State, decider, evolve
from stanchion_fusion.settings import FusionSettings
from stanchion_runtime import worker
from stanchion_runtime.settings import read
from stanchion_runtime.stage import Stage, decoder


def build(settings: FusionSettings) -> Stage[State, Claims, Beliefs]:
    """Give the stage."""
    return Stage(
        name="fusion",
        inputs=("claims",),
        output="beliefs",
        initial=State,
        decode={"claims": decoder(Claims)},
        decide=decider(settings.half_life_s),
        evolve=evolve,
        dead_letters=False,
    )


def main() -> None:
    """Run until told to stop."""
    with worker.prepared("fusion"):
        settings = read(FusionSettings)
    worker.run(build(settings), settings)
