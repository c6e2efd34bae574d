"""Validity: keeps decisions and rules standing on what they rest on.

Beliefs and commands come in; each effective change of a workspace goes out with its seq, or a refusal with its reason.
Start with `handler.py`, then `core/`: `write` and `batch` (writes), `link` (ends and reversals), `change` (what moved),
`hypothesis` (statuses by evidence), `imports` and `landing` (document revisions), `waiting` (proposals).
"""
