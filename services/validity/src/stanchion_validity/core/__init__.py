"""The rules of records, pure."""
