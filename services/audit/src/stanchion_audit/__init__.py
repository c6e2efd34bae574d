"""Audit: notarises every change in a provable ledger.

Two processes. The processor (`app.py`) turns what validity emits, and what views served, into entries, each a leaf
of its workspace's Merkle tree. The reader (`reader.py`) puts the ledger into DuckDB and answers AuditService: trace,
signed checkpoint, proofs. Read `handler.py` first, then `core/`.
"""
