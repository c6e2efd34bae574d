"""Extraction rules, pure."""
