"""Ingest: takes what upstream says, screens, stamps and de-duplicates it; and the gateway callers write through."""
