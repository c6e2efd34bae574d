"""Audit: notarises every change in a provable ledger."""
