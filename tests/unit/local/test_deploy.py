"""Compose file, chart and image recipe against the processes and the settings that they are for."""

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import AliasChoices
from pydantic_settings import BaseSettings
from ruamel.yaml import YAML

from stanchion_local import services
from stanchion_local.services import OPTIONAL, TABLE, Service
from stanchion_runtime.settings import AuthSettings, KafkaSettings

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"
CHART = DEPLOY / "helm" / "stanchion"
ALL = (*TABLE, *OPTIONAL)
PACKAGES = {
    "gateway": "ingest",
    "audit-reader": "audit",
    "reassessment": "fusion",
    "extraction-model": "extraction",
}
MODULES = {
    "extraction-model": "stanchion_extraction.model.settings",
    "reassessment": "stanchion_fusion.reassessment.settings",
}
BASE = 7100


def load(path: Path) -> Any:  # noqa: ANN401 - what a YAML file holds
    """A YAML file's content."""
    return YAML(typ="safe").load(path)


def package(service: Service) -> str:
    """Which of the six services a process belongs to."""
    return PACKAGES.get(service.name, service.name)


def settings_classes(service: Service) -> Iterator[type[BaseSettings]]:
    """The classes that the process reads its environment with."""
    yield KafkaSettings
    if service.grpc:
        yield AuthSettings
    module = importlib.import_module(MODULES.get(service.name, f"stanchion_{package(service)}.settings"))
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, BaseSettings) and value.__module__ == module.__name__:
            yield value


def variables(service: Service) -> set[str]:
    """Every environment variable that the process reads."""
    found = {"STANCHION_HOME"}
    for each in settings_classes(service):
        for name, field in each.model_fields.items():
            alias = field.validation_alias
            assert not isinstance(alias, AliasChoices)
            found.add(alias if isinstance(alias, str) else f"{each.model_config['env_prefix']}{name}".upper())
    return found


def default_ports(service: Service) -> set[int]:
    """The ports that the process's own settings name."""
    fields = [each.model_fields for each in settings_classes(service)]
    return {int(found[name].default) for found in fields for name in ("http_port", "port") if name in found}


@pytest.mark.parametrize("service", ALL, ids=lambda service: service.name)
def test_ports_are_the_settings_defaults(service: Service) -> None:
    """Alone, a process listens where a local run has it."""
    assert {BASE + offset for offset in (service.http, service.grpc) if offset} <= default_ports(service)


@pytest.mark.parametrize("service", TABLE, ids=lambda service: service.name)
def test_local_environment_is_read(service: Service) -> None:
    """Every variable that a local run sets is one that the process reads."""
    from stanchion_local.settings import LocalSettings  # noqa: PLC0415 - beside its one use

    given = set(services.environment(service, LocalSettings(home=Path("/h")), {}))
    shared = {"STANCHION_AUTH_JWKS", "STANCHION_AUTH_ISSUER", "STANCHION_AUTH_AUDIENCE"}
    shared |= {"STANCHION_AUDIT_READER_CHECKPOINT_KEY"}
    assert set() == given - variables(service) - shared


def test_compose_has_every_process() -> None:
    """The compose file runs the processes, Kafka, and the job that makes the topics; others where asked for."""
    found = load(DEPLOY / "compose.yaml")["services"]
    assert {"kafka", "topics", *services.BY_NAME} == {name for name, each in found.items() if "profiles" not in each}
    assert {each.name for each in OPTIONAL} == {name for name, each in found.items() if "profiles" in each}


@pytest.mark.parametrize("service", ALL, ids=lambda service: service.name)
def test_compose_process(service: Service) -> None:
    """Each has its image, its script, its ports, secrets that exist, and only variables that it reads."""
    compose = load(DEPLOY / "compose.yaml")
    found = compose["services"][service.name]
    assert package(service) == found["build"]["args"]["SERVICE"]
    script = found.get("command", [f"stanchion-{package(service)}"])
    assert [service.script] == script
    assert f"http://127.0.0.1:{BASE + service.http}/healthz" in found["healthcheck"]["test"][-1]
    grpc = BASE + service.grpc
    assert ([f"127.0.0.1:{grpc}:{grpc}"] if service.grpc else []) == found.get("ports", [])
    assert set() == set(found["environment"]) - variables(service)
    secrets = {value.removeprefix("/run/secrets/") for value in found["environment"].values() if "/run/" in value}
    assert secrets == set(found.get("secrets", []))
    assert secrets <= set(compose["secrets"])


def test_chart_has_every_process() -> None:
    """The chart's values name each process with its image, ports and script."""
    values = load(CHART / "values.yaml")
    processors = {name: (each["service"], each["http"]) for name, each in values["processors"].items()}
    line = [each for each in TABLE if not each.grpc and not each.beside]
    assert {each.name: (package(each), BASE + each.http) for each in line} == processors
    assert {each.name: BASE + each.http for each in TABLE if each.beside} == {
        "reassessment": values["reassessment"]["http"]
    }
    servers = {
        name: (each["service"], each["script"], each["grpc"], each["http"]) for name, each in values["servers"].items()
    }
    expected = {
        each.name: (package(each), each.script, BASE + each.grpc, BASE + each.http) for each in TABLE if each.grpc
    }
    assert expected == servers


def test_chart_sets_only_what_is_read() -> None:
    """Every variable in the chart's templates is one that some process reads."""
    text = "".join(path.read_text() for path in sorted((CHART / "templates").iterdir()))
    named = set(re.findall(r"name: (STANCHION_[A-Z_]+)\b", text))
    suffixes = set(re.findall(r"\$prefix }}_([A-Z_]+)", text))
    known = set().union(*(variables(service) for service in ALL))
    assert set() == named - known
    for service in TABLE:
        if not service.grpc and not service.beside:
            assert {f"{service.prefix}{suffix}" for suffix in suffixes} <= variables(service)


def test_image_recipe_copies_what_the_workspace_needs() -> None:
    """The image is made from the lock file and the three folders of members."""
    text = (DEPLOY / "Dockerfile").read_text()
    for line in ("COPY pyproject.toml uv.lock ./", "COPY libs libs", "COPY services services", "COPY deploy deploy"):
        assert line in text
    assert "--locked" in text
