import json
import logging

import pytest

from stanchion_runtime import logs


@pytest.fixture(autouse=True)
def _restore() -> "object":
    """Leave the root logger as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    root.handlers = handlers
    root.setLevel(level)


def test_a_line_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    """Event, level, service, time and bound facts stand in one JSON object on stderr."""
    logs.configure("fusion")
    with logs.bind(workspace="docs", cause="claims:0:7"):
        logs.logger().info("batch sent", records=12)
    line = json.loads(capsys.readouterr().err)
    assert ("batch sent", "info", "fusion", "docs", "claims:0:7", 12) == tuple(
        line[name] for name in ("event", "level", "service", "workspace", "cause", "records")
    )
    assert line["timestamp"].endswith("Z")


def test_bound_facts_end_with_their_block(capsys: pytest.CaptureFixture[str]) -> None:
    """What was bound for one message is not in the line of the next."""
    logs.configure("fusion")
    with logs.bind(workspace="docs"):
        pass
    logs.logger().info("idle")
    assert "workspace" not in json.loads(capsys.readouterr().err)


def test_libraries_log_like_us(capsys: pytest.CaptureFixture[str]) -> None:
    """Lines of libraries have the same form; what they say below WARNING is left out."""
    logs.configure("fusion")
    logging.getLogger("aiokafka.consumer").info("joined")
    logging.getLogger("aiokafka.consumer").warning("heartbeat failed for %s", "group")
    lines = [json.loads(each) for each in capsys.readouterr().err.splitlines()]
    assert [("heartbeat failed for group", "warning", "fusion")] == [
        (line["event"], line["level"], line["service"]) for line in lines
    ]


def test_an_exception_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A traceback stands in the object, not after it."""
    logs.configure("fusion")
    try:
        int("gone")
    except ValueError:
        logs.logger().exception("crash")
    (line,) = capsys.readouterr().err.splitlines()
    assert "ValueError: invalid literal" in json.loads(line)["exception"]
