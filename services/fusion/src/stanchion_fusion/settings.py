"""Every knob of fusion."""

from typing import Literal

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from stanchion_core.fusion import HALF_LIVES_S
from stanchion_runtime.settings import WorkerSettings


class FusionSettings(WorkerSettings):
    """How beliefs age; prefix `STANCHION_FUSION_`. The process's own knobs are those of every worker.

    Attributes:
        half_life: how fast evidence ages: `fast` 14 days, `standard` 90, `slow` 365, or `none`. A change holds for
            beliefs worked out from then on.
        http_port: port of the health and metrics pages.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_FUSION_", frozen=True, extra="ignore")

    half_life: Literal["fast", "standard", "slow", "none"] = "standard"
    http_port: int = Field(default=7113, ge=0, le=65_535)

    @property
    def half_life_s(self) -> int:
        """The half-life in seconds, 0 for none."""
        return HALF_LIVES_S[self.half_life]
