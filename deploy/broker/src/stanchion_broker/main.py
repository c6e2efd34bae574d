"""`stanchion-broker`: the broker alone, in the foreground, until it is told to stop."""

import argparse
import os
import signal
import sys
import threading
from pathlib import Path

from stanchion_broker.broker import DEFAULT_PORT, Broker, default_home
from stanchion_broker.errors import BrokerError


def _tell(step: str, done: int, total: int) -> None:
    words = {"jars": f"fetching Kafka: {done} of {total} jars", "format": "making the data folder"}
    if text := words.get(step):
        print(f"broker: {text}", flush=True)  # noqa: T201 - this is the command's output


def main() -> None:
    """Runs the broker until SIGINT or SIGTERM; the exit code says how that went.

    Raises:
        SystemExit: always; 0 when it was stopped, 1 when it could not run or ended by itself.
    """
    parser = argparse.ArgumentParser(prog="stanchion-broker", description=__doc__)
    parser.add_argument("--home", type=Path, default=default_home(), help="where everything lies (%(default)s)")
    parser.add_argument(
        "--port",
        type=int,
        default=int(os.environ.get("STANCHION_BROKER_PORT", DEFAULT_PORT)),
        help="the clients' port; the controller takes the next one (%(default)s)",
    )
    parser.add_argument("--flush-messages", type=int, help="flush to disk after so many records of a partition")
    arguments = parser.parse_args()
    broker = Broker(arguments.home, arguments.port, flush_messages=arguments.flush_messages)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        broker.start(_tell)
    except BrokerError as error:
        sys.exit(f"broker: {error}")
    print(f"broker: ready on {broker.bootstrap}", flush=True)  # noqa: T201
    while not stop.wait(0.5):
        if broker.pid is None:
            sys.exit(f"broker: Kafka ended by itself.\n{broker.last_words()}")
    broker.stop()
    sys.exit(0)
