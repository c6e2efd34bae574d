"""Holding topics that stand to the register."""

import pytest
from structlog.testing import capture_logs

from stanchion_contracts.topics import REGISTER
from stanchion_runtime.admin import _uncompress, check_settings, configuration
from stanchion_runtime.errors import Inconsistent


@pytest.mark.parametrize(
    ("key", "setting", "value"),
    [
        ("claims", "cleanup.policy", "compact"),
        ("claims", "retention.ms", "604800000"),
        ("claims", "max.message.bytes", "1048588"),
        ("inbox", "cleanup.policy", "compact"),
        ("inbox", "max.message.bytes", "1048588"),
    ],
)
def test_a_topic_that_loses_or_refuses_records_is_refused(key: str, setting: str, value: str) -> None:
    """What would take records away or not take ours stops the start, with the setting and what it must be."""
    found = configuration(REGISTER[key]) | {setting: value}
    with pytest.raises(Inconsistent, match=f"has {setting}={value}; it needs"):
        check_settings("t", REGISTER[key], found)


@pytest.mark.parametrize(
    ("key", "setting", "value"),
    [("inbox", "retention.ms", "604800000"), ("claims", "max.message.bytes", "99999999")],
)
def test_what_an_operator_may_choose(key: str, setting: str, value: str) -> None:
    """How long an open topic keeps its records, and larger messages than ours, are not for us to say."""
    check_settings("t", REGISTER[key], configuration(REGISTER[key]) | {setting: value})


class Refusing:
    """A cluster on which we may not alter topics."""

    async def alter_configs(self, _resources: object) -> list[object]:
        """Refuse."""
        return [self]

    resources = ((29, None, 2, "inbox"),)


async def test_what_may_not_be_altered_is_said() -> None:
    """A topic that we may not mend is named in the log, with the setting that somebody else must make."""
    with capture_logs() as logged:
        await _uncompress(Refusing(), "inbox", {})
    (line,) = logged
    assert ("warning", "inbox") == (line["log_level"], line["topic"])
    assert "set compression.type=uncompressed" in line["detail"]
