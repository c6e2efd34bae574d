"""One machine: broker, keys, the six services under one supervisor."""
