"""How imports and publishing look when they are done."""

from rich.text import Text

from stanchion.importer import Import
from stanchion.show.text import BAD, DIM, STRONG, line, lines, one_line, plural

_MOST = 8  # names that are listed


def imported(found: Import, workspace: str, through: int, *, dry_run: bool, where: str = "") -> Text:
    """Give what an import came to.

    Args:
        found: what was read.
        workspace: where it went.
        through: the seq it came to.
        dry_run: nothing was sent.
        where: what the next commands need to be about the same workspace.
    """
    origin = f"{plural(found.commits, 'commit')} of {found.source}" if found.commits else found.source
    did = "would import" if dry_run else "imported"
    events = f"{plural(len(found.events), 'event')} of {plural(found.files, 'file')}"
    end = "" if dry_run else f" · through seq {through}"
    parts = [line((f"{did} {events}", STRONG), f" from {one_line(origin)}", (f"  workspace {workspace}{end}", DIM))]
    parts += _named("not committed, so not imported", found.uncommitted)
    parts += _named("left out", [f"{what}: {why}" for what, why in found.left_out])
    if not dry_run:
        parts += [Text(), line(("Next: ", DIM), f"stanchion stale{where} · stanchion query --kind decision{where}")]
    return lines(parts)


def published(count: int, changed: int | None, workspace: str, took_s: float) -> Text:
    """Give what publishing came to.

    Args:
        count: events acknowledged.
        changed: of these, how many changed something; None when that was not awaited.
        workspace: where they went.
        took_s: seconds.
    """
    rate = f" · {count / took_s:,.0f} a second" if took_s > 1 else ""
    told = "" if changed is None else f", {changed} changed something"
    return line((f"published {plural(count, 'event')}", STRONG), told, (f"  workspace {workspace}{rate}", DIM))


def _named(word: str, names: list[str] | tuple[str, ...]) -> list[Text]:
    """Give the first few of a list of names."""
    if not names:
        return []
    parts = [line((f"{word}:", BAD))]
    parts += [line(f"  {one_line(each)}") for each in names[:_MOST]]
    if len(names) > _MOST:
        parts.append(line((f"  and {len(names) - _MOST} more", DIM)))
    return parts
