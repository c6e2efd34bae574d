"""Every knob of reassessment."""

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


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

    @field_validator("partitions")
    @classmethod
    def _numbers(cls, text: str) -> str:
        """Refuse what is no list of numbers.

        Raises:
            ValueError: a part is no number.
        """
        for part in filter(None, text.split(",")):
            if not part.strip().isdecimal():
                raise ValueError(f"{part!r} is no partition")
        return text

    def held(self, partitions: int) -> tuple[int, ...]:
        """Give the partitions to look over, sorted.

        Args:
            partitions: how many the topic has.

        Raises:
            ValueError: one of those named is not there.
        """
        named = sorted({int(part) for part in self.partitions.split(",") if part.strip()})
        if named and named[-1] >= partitions:
            raise ValueError(
                f"STANCHION_REASSESSMENT_PARTITIONS names {named[-1]}; the beliefs have 0 to {partitions - 1}"
            )
        return tuple(named) or tuple(range(partitions))
