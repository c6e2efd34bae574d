"""The processor with its five invariants, Kafka, gRPC server base, logs and metrics."""
