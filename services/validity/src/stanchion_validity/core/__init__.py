"""Validity rules, pure."""
