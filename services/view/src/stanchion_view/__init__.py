"""View: materialises the ledger and answers reads over gRPC."""
