"""Every knob of validity."""

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from stanchion_runtime.settings import WorkerSettings


class ValiditySettings(WorkerSettings):
    """Prefix `STANCHION_VALIDITY_`; the process's own knobs are those of every worker.

    Attributes:
        http_port: port of the health and metrics pages.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_VALIDITY_", frozen=True, extra="ignore")

    http_port: int = Field(default=7114, ge=0, le=65_535)
