"""Times as people type them."""

from datetime import UTC, date, datetime

from stanchion.cli.session import usage


def moment(text: str, option: str) -> datetime:
    """Give the time of a date (its beginning, in UTC) or of an RFC 3339 time; the command ends at anything else.

    Args:
        text: as typed.
        option: which it was given for.
    """
    try:
        found = datetime.fromisoformat(text)
        if found.tzinfo is None and text == date.fromisoformat(text[:10]).isoformat():
            return found.replace(tzinfo=UTC)
    except ValueError:
        usage(f"{option} {text} is no time: write a date, as 2026-03-01, or RFC 3339, as 2026-03-01T09:00:00+01:00")
    if found.tzinfo is None:
        usage(f"{option} {text} has no offset: write {text}Z, or its own, as {text}+01:00")
    return found
