"""Rules of ingest, pure: names, moments, change events of databases, the content of events and requests."""
