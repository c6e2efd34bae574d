"""Fusion: folds claims into beliefs with stated confidence."""
