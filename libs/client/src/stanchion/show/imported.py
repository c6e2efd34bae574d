"""How imports and publishing look when they are done."""

from collections.abc import Sequence

from msgspec import Struct
from rich.text import Text

from stanchion.follow import Follower
from stanchion.gaps import Gaps
from stanchion.importer import Import
from stanchion.results import Answer, Published
from stanchion.show.text import BAD, DIM, STRONG, line, lines, one_line, plural

_MOST = 8  # names that are listed


class Sent(Struct, frozen=True, kw_only=True):
    """What came of an import that was sent.

    Attributes:
        through_seq: the seq it came to.
        new: how many of its events changed something, for the first time.
        proposals: how many proposals it opened.
        gaps: what the records lack.
    """

    through_seq: int
    new: int
    proposals: int = 0
    gaps: Gaps = Gaps()


def imported(found: Import, workspace: str, sent: Sent | None, *, where: str = "") -> Text:
    """Give what an import came to.

    Args:
        found: what was read.
        workspace: where it went.
        sent: what came of it; None where nothing was sent.
        where: what the next commands need to be about the same workspace.
    """
    origin = f"{plural(found.commits, 'commit')} of {found.source}" if found.commits else found.source
    did = "would import" if sent is None else "imported"
    events = f"{plural(len(found.events), 'event')} of {plural(found.files, 'file')}"
    end = "" if sent is None else f" · through seq {sent.through_seq}"
    new = "" if sent is None else f", {sent.new} new"
    parts = [
        line(
            (f"{did} {events}", STRONG),
            f" from {one_line(origin)}",
            (new, STRONG),
            (f"  workspace {workspace}{end}", DIM),
        ),
        *beware(found),
    ]
    parts += _named("not committed, so not imported", found.uncommitted)
    parts += _named("left out", [f"{what}: {why}" for what, why in found.left_out])
    if sent is not None:
        parts += [*waiting(sent.proposals, where), *lacking(sent.gaps, where)]
        parts += [Text(), line(("Next: ", DIM), f"stanchion stale{where} · stanchion query --kind decision{where}")]
    return lines(parts)


def following(follower: Follower) -> Text:
    """Give the line that stands while a branch is followed."""
    which = follower.branch or "what is checked out"
    return line((f"following {one_line(which)} at {follower.head[:12]} · Ctrl-C ends it", DIM))


def followed(found: Import, sent: Sent, where: str) -> Text:
    """Give what came of new commits, in a line; what was left out under it."""
    events = f"{plural(len(found.events), 'event')} of {plural(found.commits, 'commit')}"
    head = line((found.head[:12], STRONG), f"  {events}, {sent.new} new", (f"  through seq {sent.through_seq}", DIM))
    return lines([
        head,
        *waiting(sent.proposals, where),
        *_named("left out", [f"{what}: {why}" for what, why in found.left_out]),
    ])


def beware(found: Import) -> list[Text]:
    """Say what cannot be known for lack of history."""
    if found.history == "whole":
        return []
    why = "the clone is shallow" if found.history == "shallow" else "no git history"
    mend = "; `git fetch --unshallow`, then import again" if found.history == "shallow" else ""
    return [line((f"{why}:", BAD), f" what moved before cannot be seen{mend}")]


def lacking(gaps: Gaps, where: str) -> list[Text]:
    """Say in a line each what the records of an import lack, and how to see more."""
    told = [
        (f"{plural(gaps.links, 'link')} not landed yet:", gaps.unresolved),
        ("no status in the text:", gaps.no_status),
        ("parts left out of:", gaps.left_out),
    ]
    parts = [
        line((word, BAD), f" {_listed(names)}", (f"  stanchion show {names[0]}{where}", DIM))
        for word, names in told
        if names
    ]
    if gaps.no_record:
        parts.append(line(("no decision found in:", BAD), f" {_listed(gaps.no_record)}"))
    return parts


def _listed(names: Sequence[str]) -> str:
    """Give the first few names in one line."""
    rest = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return one_line(", ".join(names[:_MOST]) + rest)


class Told(Struct, frozen=True, kw_only=True):
    """What came of events so far.

    Attributes:
        count: how many were acknowledged.
        changed: how many of them changed something, for the first time.
        proposals: how many proposals they opened.
        left_out: what was not taken of them, in sentences, each once: the first few.
    """

    count: int = 0
    changed: int = 0
    proposals: int = 0
    left_out: tuple[str, ...] = ()

    def with_(self, published: Published) -> "Told":
        """Give what came of one event more."""
        answer = published.answer or Answer()
        said = tuple(dict.fromkeys([*self.left_out, *answer.left_out]))
        return Told(
            count=self.count + 1,
            changed=self.changed + published.changed,
            proposals=self.proposals + len(answer.proposals),
            left_out=said[: _MOST + 1],
        )


def published(told: Told, workspace: str, took_s: float, *, waited: bool = True, where: str = "") -> Text:
    """Give what publishing came to.

    Args:
        told: what came of the events.
        workspace: where they went.
        took_s: seconds.
        waited: for what each changed.
        where: what the next commands need to be about the same workspace.
    """
    rate = f" · {told.count / took_s:,.0f} a second" if took_s > 1 else ""
    changed = f", {told.changed} changed something" if waited else ""
    head = (f"published {plural(told.count, 'event')}", STRONG)
    parts = [line(head, changed, (f"  workspace {workspace}{rate}", DIM))]
    if waited and told.changed < told.count:
        which = "it" if told.count == 1 else f"{told.count - told.changed:,} of them"
        parts.append(
            line(
                f"{which} changed nothing: known before, or nothing in it that is kept",
                ("; what could not be read: stanchion dead-letters", DIM),
            )
        )
    return lines([*parts, *waiting(told.proposals, where), *_named("left out", told.left_out)])


def waiting(proposals: int, where: str) -> list[Text]:
    """Say how much now waits for a person, in a line; nothing for nothing."""
    if not proposals:
        return []
    wait = "waits" if proposals == 1 else "wait"
    return [line((f"{plural(proposals, 'proposal')} {wait} for a person:", BAD), f" stanchion review{where}")]


def _named(word: str, names: list[str] | tuple[str, ...]) -> list[Text]:
    """Give the first few of a list of names."""
    if not names:
        return []
    parts = [line((f"{word}:", BAD))]
    parts += [line(f"  {one_line(each)}") for each in names[:_MOST]]
    if len(names) > _MOST:
        parts.append(line((f"  and {len(names) - _MOST} more", DIM)))
    return parts
