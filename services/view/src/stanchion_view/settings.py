"""Every knob of the view."""

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from stanchion_runtime.settings import ServerSettings, held_partitions


class ViewSettings(BaseSettings):
    """What a view keeps and where; prefix `STANCHION_VIEW_`.

    Attributes:
        home: folder of everything local; the default of `database` lies in it.
        database: the DuckDB file; empty is `<home>/view/view.duckdb`.
        partitions: which partitions of the ledger to hold, comma-separated (`0,1,2`); empty holds all.
        memory_mb: what DuckDB may use, 64 to 65,536 MiB.
        threads: threads of DuckDB for one statement, 1 to 64.
        readers: reads of the file at a time, 1 to 64.
        checkpoint_mb: size of the write-ahead file at which DuckDB folds it into the main one, 1 to 4,096 MiB.
        batch: ledger messages put into one transaction at most, 1 to 10,000.
        watch_buffer: change events kept for one slow watcher before it is sent back to the file, 16 to 100,000.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_VIEW_", frozen=True, extra="ignore")

    home: Path = Field(default=Path(".stanchion"), validation_alias="STANCHION_HOME")
    database: Path | None = None
    partitions: str = ""
    memory_mb: int = Field(default=160, ge=64, le=65_536)
    threads: int = Field(default=1, ge=1, le=64)
    readers: int = Field(default=2, ge=1, le=64)
    checkpoint_mb: int = Field(default=32, ge=1, le=4_096)
    batch: int = Field(default=500, ge=1, le=10_000)
    watch_buffer: int = Field(default=1_000, ge=16, le=100_000)

    def held(self, count: int) -> tuple[int, ...]:
        """Give the partitions this view holds, sorted.

        Args:
            count: how many the ledger has.

        Raises:
            ValueError: a part is no number, or one of those named is not there.
        """
        return held_partitions(self.partitions, count, "STANCHION_VIEW_PARTITIONS")

    @property
    def file(self) -> Path:
        """Where the DuckDB file lies."""
        return self.database if self.database is not None else self.home / "view" / "view.duckdb"


class ViewServerSettings(ServerSettings):
    """Where the view answers; `STANCHION_SERVER_PORT` and `STANCHION_SERVER_HTTP_PORT` override."""

    port: int = Field(default=7103, ge=0, le=65_535)
    http_port: int = Field(default=7123, ge=-1, le=65_535)
