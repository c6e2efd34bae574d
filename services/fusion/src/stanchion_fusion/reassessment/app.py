"""Wiring: `beliefs` in, `requests` out; in no group, for it needs the whole of its partitions and owns none."""

import asyncio
import signal

import uvloop

from stanchion_core.errors import InvalidMessage, Transient
from stanchion_fusion.reassessment.follower import NAME, OUTPUT, TOPIC, Follower
from stanchion_fusion.reassessment.settings import ReassessmentSettings
from stanchion_runtime import http, lag, logs, metrics
from stanchion_runtime.admin import check_widths
from stanchion_runtime.errors import EXIT_TRANSIENT, EXIT_UNUSABLE, Denied, Inconsistent
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Log
from stanchion_runtime.logs import logger
from stanchion_runtime.settings import KafkaSettings, read


async def run(log: Log, settings: ReassessmentSettings, partitions: int, stop: asyncio.Event) -> None:
    """Follow and look until told to stop, or until following fails.

    Args:
        log: where beliefs are.
        settings: of this process.
        partitions: how many each topic has.
        stop: set to end.

    Raises:
        InvalidMessage: an output of fusion cannot be read.
        OSError: the port is taken.
        Transient: the log could not be reached.
        ValueError: a partition is named that is not there.
    """
    follower = Follower(log, settings.held(partitions), partitions=partitions)
    page = await http.serve(metrics.current(), follower.health, port=settings.http_port, host=settings.http_host)
    async with page:
        following = asyncio.create_task(follower.run())
        stopping = asyncio.create_task(stop.wait())
        measuring = asyncio.create_task(
            lag.keep_measured(log, metrics.current(), stage=NAME, topic=TOPIC, positions=follower.positions)
        )
        parts = {following, stopping, measuring}
        done, waiting = await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        for task in done:
            task.result()


async def serve(kafka: KafkaSettings, settings: ReassessmentSettings) -> None:
    """Connect, and run until SIGTERM or SIGINT.

    Args:
        kafka: where the cluster is.
        settings: of this process.

    Raises:
        Denied: Kafka does not let us.
        Inconsistent: a topic is not as wide as it must be.
        InvalidMessage: an output of fusion cannot be read: an older version, or our bug.
        OSError: the port is taken.
        Transient: the log could not be reached.
    """
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with KafkaLog(kafka, f"stanchion-{NAME}") as log:
        await check_widths(log, [TOPIC, OUTPUT], kafka.partitions)
        await run(log, settings, kafka.partitions, stop)


def main() -> None:
    """Run until told to stop.

    Raises:
        SystemExit: with one of the exit codes above when something is wrong. What nobody foresaw comes out as it is.
    """
    logs.configure(NAME)
    try:
        kafka, settings = read(KafkaSettings), read(ReassessmentSettings)
        settings.held(kafka.partitions)
    except ValueError as error:
        logger().critical("cannot run", detail=str(error))
        raise SystemExit(EXIT_UNUSABLE) from error
    try:
        uvloop.run(serve(kafka, settings))
    except (Denied, Inconsistent, InvalidMessage, OSError) as error:
        logger().critical("cannot run", detail=str(error), notes=getattr(error, "__notes__", []))
        raise SystemExit(EXIT_UNUSABLE) from error
    except Transient as error:
        logger().error("kafka away", detail=str(error))
        raise SystemExit(EXIT_TRANSIENT) from error
