"""Everything of a local run, without a word to anybody: keys, broker, topics, services; up and down again."""

import asyncio
import getpass
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from stanchion_broker import process as ports
from stanchion_broker.broker import Broker
from stanchion_local import health, keys, orphans, services, state
from stanchion_local.child import Child, Spec
from stanchion_local.services import TABLE, Service
from stanchion_local.settings import LocalSettings
from stanchion_local.state import RunState
from stanchion_local.supervisor import Supervisor
from stanchion_runtime import admin, clock
from stanchion_runtime.settings import KafkaSettings

Told = Callable[[str, int, int], None]
"""Told how much of a step is done: `left` `keys` `jars` `format` `broker` `cluster` `topics` `services`, done, all."""

BROKER_TIMEOUT_S: Final = 120.0
BROKER_STOP_S: Final = 90.0


@asynccontextmanager
async def running(settings: LocalSettings, told: Told = lambda _step, _done, _total: None) -> AsyncIterator[Supervisor]:
    """A run, for as long as the context lasts: entered when every process is ready, left when all have ended.

    Args:
        settings: of the run.
        told: is told of each step.

    Raises:
        LocalError: something keeps it from standing.
        BrokerError: the broker can't run.
        Inconsistent: the cluster's topics are not those of the register.
        Transient: the cluster can't be reached.
    """
    home = settings.home.absolute()
    with state.locked(home):
        if (known := state.read(home)) is not None:
            told("left", len(orphans.end_left_behind(home, known)), len(known.processes))
        _prepare(settings, told)
        supervisor = Supervisor(home, _new_run(settings))
        try:
            if settings.kafka_bootstrap:
                told("cluster", 1, 1)
            else:
                await _start_broker(supervisor, settings, told)
            await _make_topics(settings, told)
            await _start_services(supervisor, settings, told)
            yield supervisor
        finally:
            await supervisor.stop()


def _prepare(settings: LocalSettings, told: Told) -> None:
    for service in TABLE:
        for offset in filter(None, (service.http, service.grpc)):
            ports.check_free(services.HOST, settings.port_base + offset, service.name, "STANCHION_LOCAL_PORT_BASE")
    told("keys", 0, 1)
    keys.ensure(settings.home)
    for name, grant in keys.standard_grants(_person()).items():
        keys.ensure_token(settings.home, name, grant, now_us=clock.now_us(), days=settings.token_days)
    told("keys", 1, 1)


def _person() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no name for this user, as in some containers
        return "person"


def _new_run(settings: LocalSettings) -> RunState:
    pid = os.getpid()
    return RunState(
        pid=pid,
        born=state.born(pid),
        started_at_us=clock.now_us(),
        bootstrap=settings.bootstrap,
        own_broker=not settings.kafka_bootstrap,
    )


async def _start_broker(supervisor: Supervisor, settings: LocalSettings, told: Told) -> None:
    broker = Broker(settings.home, settings.broker_port, lib=settings.broker_lib)
    await asyncio.to_thread(broker.prepare, told)
    told("broker", 0, 1)

    async def ready() -> bool:
        return await asyncio.to_thread(broker.is_ready)

    child = supervisor.start(
        Spec(
            name="broker",
            command=tuple(broker.command()),
            environment=dict(os.environ),
            log_file=broker.log_file,
            ready=ready,
            started=broker.adopt,
            ended=broker.ended,
            stop_s=BROKER_STOP_S,
            tier=0,
        )
    )
    await supervisor.ready([child], BROKER_TIMEOUT_S)
    told("broker", 1, 1)


async def _make_topics(settings: LocalSettings, told: Told) -> None:
    told("topics", 0, 1)
    await admin.create_topics(KafkaSettings(bootstrap=settings.bootstrap))
    told("topics", 1, 1)


async def _start_services(supervisor: Supervisor, settings: LocalSettings, told: Told) -> None:
    line = {service.name for service in TABLE if not service.beside}
    told("services", 0, len(line))
    children: dict[str, Child] = {}

    async def ready(names: set[str]) -> None:
        await supervisor.ready(
            [children[name] for name in names],
            settings.ready_timeout_s,
            lambda _count: told("services", sum(children[name].is_ready for name in line & children.keys()), len(line)),
        )

    for service in TABLE:
        await ready({service.after} if service.after else set())
        children[service.name] = supervisor.start(_spec(service, settings))
    await ready(line)


def _spec(service: Service, settings: LocalSettings) -> Spec:
    http, grpc = settings.port_base + service.http, services.port_of(settings, service.grpc)

    async def ready() -> bool:
        return await health.is_ready(http, grpc)

    return Spec(
        name=service.name,
        command=(str(services.script_path(service)),),
        environment=services.environment(service, settings, os.environ),
        log_file=settings.home.absolute() / "logs" / f"{service.name}.log",
        ready=ready,
        http_port=http,
        grpc_port=grpc,
        tier=service.tier,
        beside=service.beside,
    )
