"""Extraction: finds claims and records in one observation, by deterministic rules.

Reads `observations`, writes `claims`: document revisions become records with their references as written, structured
events become contributions by a declared mapping, and what could not be placed is said with its reason. It keeps
nothing: same observation, same claims. No model takes part.
"""
