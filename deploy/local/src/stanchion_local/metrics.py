"""What a process's metrics page says, as far as a status needs it; pure."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from prometheus_client.parser import text_string_to_metric_families

LAG: Final = "stanchion_lag"
INPUTS: Final = "stanchion_inputs_total"
DEAD_LETTERS: Final = "stanchion_dead_letters_total"
APPLIED: Final = "stanchion_applied_seq"


class Figures(Struct, frozen=True, kw_only=True):
    """Figures of one process.

    Attributes:
        lag: input records that wait.
        inputs: input records decided since the process began.
        dead_letters: messages set aside since then.
        seqs: the last seq applied, by workspace; only a view has them.
    """

    lag: int = 0
    inputs: int = 0
    dead_letters: int = 0
    seqs: Mapping[str, int] = {}


def parse(text: str) -> Figures:
    """Reads a page in Prometheus' text format.

    Raises:
        ValueError: it is not one.
    """
    sums: defaultdict[str, float] = defaultdict(float)
    seqs: dict[str, int] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            sums[sample.name] += sample.value
            if sample.name == APPLIED:
                seqs[sample.labels.get("workspace", "")] = int(sample.value)
    return Figures(
        lag=int(sums[LAG]),
        inputs=int(sums[INPUTS]),
        dead_letters=int(sums[DEAD_LETTERS]),
        seqs=seqs,
    )
