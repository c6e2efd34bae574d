"""Every knob of audit's two processes."""

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from stanchion_runtime.settings import ServerSettings, WorkerSettings, held_partitions


class AuditSettings(WorkerSettings):
    """The processor; prefix `STANCHION_AUDIT_`. It has no knobs but those of every worker: its output is fixed.

    Attributes:
        http_port: port of the health and metrics pages.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_AUDIT_", frozen=True, extra="ignore")

    http_port: int = Field(default=7115, ge=0, le=65_535)


class ReaderSettings(BaseSettings):
    """What the reader keeps and where; prefix `STANCHION_AUDIT_READER_`.

    Attributes:
        home: folder of everything local; the defaults of the two paths lie in it.
        database: the DuckDB file; empty is `<home>/audit/audit.duckdb`.
        checkpoint_key: Ed25519 private key (PEM, mode 0600) that signs checkpoints; empty is
            `<home>/keys/checkpoint.pem`.
        partitions: which partitions of the ledger to hold, comma-separated (`0,1,2`); empty holds all.
        memory_mb: what DuckDB may use, 32 to 65,536 MiB.
        readers: calls that read the file at a time, 1 to 64.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_AUDIT_READER_", frozen=True, extra="ignore")

    home: Path = Field(default=Path(".stanchion"), validation_alias="STANCHION_HOME")
    database: Path | None = None
    checkpoint_key: Path | None = None
    partitions: str = ""
    memory_mb: int = Field(default=64, ge=32, le=65_536)
    readers: int = Field(default=2, ge=1, le=64)

    def held(self, partitions: int) -> tuple[int, ...]:
        """Give the partitions this reader holds, sorted.

        Args:
            partitions: how many the ledger has.

        Raises:
            ValueError: a part is no number, or one of those named is not there.
        """
        return held_partitions(self.partitions, partitions, "STANCHION_AUDIT_READER_PARTITIONS")

    @property
    def file(self) -> Path:
        """Where the DuckDB file lies."""
        return self.database if self.database is not None else self.home / "audit" / "audit.duckdb"

    @property
    def key_file(self) -> Path:
        """Where the checkpoint key lies."""
        return self.checkpoint_key if self.checkpoint_key is not None else self.home / "keys" / "checkpoint.pem"


class ReaderServerSettings(ServerSettings):
    """Where the reader answers; `STANCHION_SERVER_PORT` and `STANCHION_SERVER_HTTP_PORT` override."""

    port: int = Field(default=7102, ge=0, le=65_535)
    http_port: int = Field(default=7122, ge=-1, le=65_535)
