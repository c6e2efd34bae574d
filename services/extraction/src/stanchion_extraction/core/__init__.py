"""The rules of extraction, pure."""
