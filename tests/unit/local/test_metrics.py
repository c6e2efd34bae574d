"""Reading a metrics page."""

import pytest

from stanchion_local import metrics
from stanchion_runtime.metrics import Metrics


def test_figures_of_the_runtimes_own_page() -> None:
    """The names read here are those that the runtime writes; partitions add up, workspaces stay apart."""
    page = Metrics()
    for partition, lag in (("0", 3), ("1", 4)):
        page.lag.labels("fusion", "claims", partition).set(lag)
        page.inputs.labels("fusion", "claims", partition).inc(10)
    page.dead_letters.labels("ingest", "UNREADABLE").inc()
    page.applied_seq.labels("view", "docs").set(61)
    page.applied_seq.labels("view", "other").set(2)
    figures = metrics.parse(page.text().decode())
    expected = metrics.Figures(lag=7, inputs=20, dead_letters=1, seqs={"docs": 61, "other": 2})
    assert expected == figures


def test_another_text_is_refused() -> None:
    """What is no metrics page raises ValueError."""
    with pytest.raises(ValueError, match="invalid metric name"):
        metrics.parse("<html>\n")
