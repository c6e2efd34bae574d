"""Reassessment: looks over all beliefs between messages, beside the line and never in its way.

Follows `beliefs`, folds it as fusion does, and on each hour's tick publishes to `requests` how far sources are to be
trusted by how they agree with each other (where the workspace wants that), and what was found: contradictions, stale
beliefs, related claims, trust that moved. What it publishes goes down the line like everything else.
"""
