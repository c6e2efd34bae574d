"""A real single-node Kafka from Python packages alone."""
