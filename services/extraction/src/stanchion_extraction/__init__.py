"""Extraction: finds claims and records in one observation, by deterministic rules."""
