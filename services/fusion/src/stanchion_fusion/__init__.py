"""Fusion: folds claims into beliefs with stated confidence.

Reads `claims`, writes `beliefs`: how each message moved what is held to be true, before and after; what concerns
records passes through. Keeps, by workspace, every contribution, the trust settings, and what a setting still has to
re-evaluate. The formula is `stanchion_core.fusion`, which the view shares.
"""
