"""Every knob of extraction."""

from pathlib import Path

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from stanchion_runtime.settings import WorkerSettings


class ExtractionSettings(WorkerSettings):
    """Which events are read; prefix `STANCHION_EXTRACTION_`. The process's own knobs are those of every worker.

    Attributes:
        mappings: a folder of mapping files (`*.yaml`, `*.yml`) that add event types to those that ship, or replace
            them; none has only what ships.
        http_port: port of the health and metrics pages.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_EXTRACTION_", frozen=True, extra="ignore")

    mappings: Path | None = None
    http_port: int = Field(default=7112, ge=0, le=65_535)
