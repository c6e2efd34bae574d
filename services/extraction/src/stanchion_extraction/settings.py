"""Every knob of extraction."""

from pathlib import Path

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from stanchion_runtime.settings import WorkerSettings


class ExtractionSettings(WorkerSettings):
    """Which events and documents are read; prefix `STANCHION_EXTRACTION_`. The rest are the knobs of every worker.

    Attributes:
        mappings: a mapping file, or a folder of them (`*.yaml`, `*.yml`), that adds to those that ship or replaces
            them (`docs/mappings.md`); none has only what ships.
        http_port: port of the health and metrics pages.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_EXTRACTION_", frozen=True, extra="ignore")

    mappings: Path | None = None
    http_port: int = Field(default=7112, ge=0, le=65_535)
