"""Every knob of reassessment."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from stanchion_runtime.settings import held_partitions


class ReassessmentSettings(BaseSettings):
    """Which beliefs it looks over and where its pages are; prefix `STANCHION_REASSESSMENT_`.

    Attributes:
        partitions: which partitions of `beliefs` to look over, comma-separated (`0,1,2`); empty takes all.
        http_host: the address of `/metrics` and `/healthz`; loopback unless an operator says otherwise.
        http_port: their port, 0 for any free one.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_REASSESSMENT_", frozen=True, extra="ignore")

    partitions: str = ""
    http_host: str = Field(default="127.0.0.1", min_length=1)
    http_port: int = Field(default=7117, ge=0, le=65_535)

    def held(self, partitions: int) -> tuple[int, ...]:
        """Give the partitions to look over, sorted.

        Args:
            partitions: how many the topic has.

        Raises:
            ValueError: a part is no number, or one of those named is not there.
        """
        return held_partitions(self.partitions, partitions, "STANCHION_REASSESSMENT_PARTITIONS")
