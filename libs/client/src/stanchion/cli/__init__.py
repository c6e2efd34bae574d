"""The `stanchion` command line."""

from stanchion.cli.app import main

__all__ = ["main"]
