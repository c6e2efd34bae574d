"""Every metric, listed and explained once.

A process makes one `Metrics` (`current()`), and serves it with `stanchion_runtime.http.serve`.
"""

import functools
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import generate_latest
from prometheus_client.process_collector import ProcessCollector

BATCH_SIZES: Final = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000)
SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
MODEL_SECONDS: Final = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 640.0)


class Metrics:
    """The metrics of one process.

    Attributes:
        registry: holds them; nothing is registered globally.
        inputs: input records decided.
        outputs: output records acknowledged by Kafka, claims included.
        batch_size: input records in one batch.
        handler_seconds: time in `decide` and `evolve` for one batch.
        batch_seconds: time from the first record of a batch in hand to its last acknowledgement.
        position: the next input offset to decide.
        lag: input records that wait behind the position.
        epoch: the epoch (offset of the claim) that this process writes with.
        owned: partitions this process owns.
        dead_letters: messages set aside, by reason.
        dead_letters_seen: messages set aside by any stage, as the watcher counts them; one may count twice.
        dropped: records that the reader rule dropped, by cause (`epoch`, `seen`, `gap`).
        refusals: refusals answered, by reason.
        fold_records: output records folded on assignment.
        fold_seconds: time a fold took, by partition.
        look_seconds: time that one look over a workspace's beliefs took; its count is the number of looks.
        applied_seq: the last seq a reader has applied, by workspace partition.
        rpc_seconds: time a call took, by method and canonical code; its count is the rate of calls and of errors.
        rpc_in_flight: calls being served.
        rpc_streams: response streams open.
        model_seconds: time that one call of a language model took, by what came of it (`ok` or a reason); its count is
            the number of calls.
        model_retries: calls made again, by the reason.
        model_claims: claims submitted that a model named.
        model_dropped: claims that a model named and that are not submitted, by why (`quote`: its words stand nowhere
            in the text).
        model_in_flight: texts that are with a model.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        r = self.registry
        where = ("stage", "topic", "partition")
        self.inputs = Counter("stanchion_inputs", "Input records decided.", where, registry=r)
        self.outputs = Counter("stanchion_outputs", "Output records acknowledged.", where, registry=r)
        self.batch_size = Histogram(
            "stanchion_batch_size", "Input records in one batch.", ("stage",), buckets=BATCH_SIZES, registry=r
        )
        self.handler_seconds = Histogram(
            "stanchion_handler_seconds", "Decide and evolve, one batch.", ("stage",), buckets=SECONDS, registry=r
        )
        self.batch_seconds = Histogram(
            "stanchion_batch_seconds",
            "First record in hand to last acknowledgement.",
            ("stage",),
            buckets=SECONDS,
            registry=r,
        )
        self.position = Gauge("stanchion_position", "Next input offset to decide.", where, registry=r)
        self.lag = Gauge("stanchion_lag", "Input records behind the position.", where, registry=r)
        self.epoch = Gauge("stanchion_epoch", "Epoch this process writes with.", ("stage", "partition"), registry=r)
        self.owned = Gauge("stanchion_owned_partitions", "Partitions owned here.", ("stage",), registry=r)
        self.dead_letters = Counter("stanchion_dead_letters", "Messages set aside.", ("stage", "reason"), registry=r)
        self.dead_letters_seen = Counter(
            "stanchion_dead_letters_seen", "Dead letters of all stages.", ("stage", "reason"), registry=r
        )
        self.dropped = Counter(
            "stanchion_dropped", "Records the reader rule dropped.", ("stage", "topic", "why"), registry=r
        )
        self.refusals = Counter("stanchion_refusals", "Refusals answered.", ("service", "reason"), registry=r)
        self.fold_records = Counter("stanchion_fold_records", "Output records folded.", ("stage",), registry=r)
        self.fold_seconds = Gauge(
            "stanchion_fold_seconds", "Time the last fold took.", ("stage", "partition"), registry=r
        )
        self.look_seconds = Histogram(
            "stanchion_look_seconds", "One look over a workspace's beliefs.", buckets=(*SECONDS, 30.0), registry=r
        )
        self.applied_seq = Gauge("stanchion_applied_seq", "Last seq applied.", ("service", "workspace"), registry=r)
        self.rpc_seconds = Histogram(
            "stanchion_rpc_seconds", "Time a call took.", ("method", "code"), buckets=SECONDS, registry=r
        )
        self.rpc_in_flight = Gauge("stanchion_rpc_in_flight", "Calls being served.", registry=r)
        self.rpc_streams = Gauge("stanchion_rpc_streams", "Response streams open.", registry=r)
        self.model_seconds = Histogram(
            "stanchion_model_seconds", "Time a model took.", ("outcome",), buckets=MODEL_SECONDS, registry=r
        )
        self.model_retries = Counter("stanchion_model_retries", "Calls made again.", ("reason",), registry=r)
        self.model_claims = Counter("stanchion_model_claims", "Claims of a model submitted.", registry=r)
        self.model_dropped = Counter("stanchion_model_dropped", "Claims of a model dropped.", ("why",), registry=r)
        self.model_in_flight = Gauge("stanchion_model_in_flight", "Texts that are with a model.", registry=r)

    def text(self) -> bytes:
        """Give all metrics in Prometheus' text format."""
        return generate_latest(self.registry)


@functools.cache
def current() -> Metrics:
    """Give the process's metrics, made on first use."""
    return Metrics()
