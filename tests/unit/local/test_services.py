"""The table of processes, against what their packages declare and read."""

import tomllib
from pathlib import Path

from stanchion_local import services
from stanchion_local.settings import LocalSettings

REPOSITORY = Path(__file__).resolve().parents[3]


def declared_scripts() -> set[str]:
    """The console scripts of every service."""
    found: set[str] = set()
    for path in REPOSITORY.glob("services/*/pyproject.toml"):
        found |= set(tomllib.loads(path.read_text())["project"].get("scripts", {}))
    return found


def test_every_declared_script_is_run() -> None:
    """The processes of a local run, and those that somebody must ask for, are exactly the scripts that are declared."""
    assert declared_scripts() == {service.script for service in (*services.TABLE, *services.OPTIONAL)}


def test_whom_a_process_waits_for_comes_before_it() -> None:
    """The table's order is one that can be started."""
    names = ["", *(service.name for service in services.TABLE)]
    assert [] == [service.name for service in services.TABLE if service.after not in names[: names.index(service.name)]]


def test_ports_are_apart() -> None:
    """No two processes share a port."""
    ports = [port for service in (*services.TABLE, *services.OPTIONAL) for port in (service.http, service.grpc) if port]
    assert len(ports) == len(set(ports))


def test_environment_overrides_what_is_inherited() -> None:
    """A port that the caller's shell has set does not reach all processes at once; the cluster's sign-in does."""
    inherited = {"PATH": "/bin", "STANCHION_SERVER_PORT": "1", "STANCHION_KAFKA_SASL_USERNAME": "ada"}
    found = services.environment(services.BY_NAME["view"], LocalSettings(home=Path("/h")), inherited)
    assert ("/bin", "7103", "7123", "ada") == (
        found["PATH"],
        found["STANCHION_SERVER_PORT"],
        found["STANCHION_SERVER_HTTP_PORT"],
        found["STANCHION_KAFKA_SASL_USERNAME"],
    )


def test_processors_are_told_their_page() -> None:
    """A processor has no gRPC server; its page's port goes by its own prefix."""
    settings = LocalSettings(home=Path("/h"), port_base=8000)
    found = services.environment(services.BY_NAME["fusion"], settings, {})
    assert "8013" == found["STANCHION_FUSION_HTTP_PORT"]
    assert "STANCHION_SERVER_PORT" not in found
