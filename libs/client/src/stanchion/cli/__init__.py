"""The `stanchion` command line."""
