"""The `stanchion` command line."""

__all__ = ["main"]

_INTERRUPTED = 130


def main() -> None:
    """Run the command line.

    Raises:
        SystemExit: with the command's exit code; interrupted while the parts of it are loaded, too.
    """
    try:
        from stanchion.cli.app import build  # noqa: PLC0415 - it takes a second, in which somebody may press Ctrl-C

        command = build()
    except KeyboardInterrupt:
        raise SystemExit(_INTERRUPTED) from None
    command()
