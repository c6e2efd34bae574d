"""The one entry: a text becomes what it states and what it wants."""

import re
from collections.abc import Iterable
from typing import Final

from stanchion_contracts.value import Path
from stanchion_core.limits import CLAIMS, NAME_CHARS
from stanchion_extraction.core.prose import machine, table
from stanchion_extraction.core.prose.block import MOST_LINE_CHARS, Line, lines_of
from stanchion_extraction.core.prose.cue import INJECTION
from stanchion_extraction.core.prose.fields import NAMES, read_fields
from stanchion_extraction.core.prose.found import NOTHING, Found, FoundClaim, FoundIntent
from stanchion_extraction.core.prose.hearing import Known
from stanchion_extraction.core.prose.mask import masked
from stanchion_extraction.core.prose.pair import key_of, read_pair
from stanchion_extraction.core.prose.sentence import MOST_CHARS, sentences_in
from stanchion_extraction.core.prose.statement import read_sentence
from stanchion_extraction.core.prose.word import lowered

_SYSTEMS: Final = frozenset({"tool-result", "system-event"})
_PRINTED: Final = 2_000
"""Characters of a line that a system may have printed as a field, a row or a metric; a longer one is prose or JSON."""
_LINES: Final = 10_000
_SENTENCES: Final = 4_000
_CLAUSES: Final = 6_000
"""Of one text; whatever it holds beyond is not read, and `Found.unread` says so."""
_LONG_LINE: Final = f"it has a line of more than {MOST_LINE_CHARS} characters that is not JSON"
_ROWS: Final = 2_000
_TOPIC: Final = re.compile(r"[^\W_][\w ./-]{0,60}")


def read(text: str, path: Path) -> Found:
    """Give the claims and intents of a text; what asks, supposes, hopes, orders or only thinks so makes no claim.

    Args:
        text: prose, markdown, chat, or what a system printed.
        path: how it came; in what a tool gives, a name on its own is a value too.
    """
    if not text.strip():
        return NOTHING
    reading = _Reading(text, system=path in _SYSTEMS)
    reading.read()
    return reading.found()


class _Reading:
    """One text while it is read."""

    def __init__(self, text: str, *, system: bool) -> None:
        self.text = text.replace("\r", " ")
        self.masked = masked(self.text)
        self.system = system
        self.claims: list[FoundClaim] = []
        self.intents: list[FoundIntent] = []
        self.unread: dict[str, None] = {}
        self.known = Known()
        self.topic = ""
        self.sentences = 0
        self.clauses = 0

    def found(self) -> Found:
        """Give what was found, each once, within the limits of one observation."""
        claims = _once(
            claim for claim in self.claims if len(claim.subject) <= NAME_CHARS and len(claim.predicate) <= NAME_CHARS
        )
        intents = _once_intents(self.intents)
        for what, found in (("claims", claims), ("intents", intents)):
            if len(found) > CLAIMS:
                self.unread[f"it has more than {CLAIMS} {what}; the first {CLAIMS} are kept"] = None
        return Found(claims=tuple(claims[:CLAIMS]), intents=tuple(intents[:CLAIMS]), unread=tuple(self.unread))

    def read(self) -> None:
        """Read the text: whole as JSON, else line by line."""
        plain = self.text.strip()
        if plain[0] in "{[" and self._json(self.text.index(plain[0]), len(self.text.rstrip())):
            return
        lines = lines_of(self.text, self.masked)
        if len(lines) > _LINES:
            self.unread[f"it has {len(lines)} lines; the first {_LINES} are read"] = None
            lines = lines[:_LINES]
        at = 0
        while at < len(lines) and self.known.mood != "rejected" and len(self.claims) <= 2 * CLAIMS:
            at += self._printed(lines, at) or self._prose(lines, at)

    def _json(self, start: int, end: int) -> bool:
        """Read a piece as JSON; False where it is none."""
        made = read_fields(self.text, start, end)
        if made is None:
            return False
        self.claims += made[0]
        self.intents += made[1]
        return True

    def _printed(self, lines: list[Line], at: int) -> int:
        """Read what a system printed from a line on; 0 where it printed none of it."""
        line = lines[at]
        if line.kind in {"blank", "heading", "prompt", "long"}:
            return self._passed(line)
        if line.end - line.start > _PRINTED:
            return int(self.masked[line.start] in "{[" and self._json(line.start, line.end))
        if (taken := self._rows(lines, at)) > 0:
            return taken
        if self.masked[line.start] in "{[" and self._json(line.start, line.end):
            return 1
        return self._row(lines, at)

    def _passed(self, line: Line) -> int:
        """Pass over a line that states nothing of its own."""
        if line.kind == "long" and not (
            self.masked[line.start : line.start + 1] in {"{", "["} and self._json(line.start, line.end)
        ):
            self.unread[_LONG_LINE] = None
        if line.kind == "heading":
            self.topic = ""
            self.known = Known()
        if line.kind == "heading" and INJECTION.search(lowered(self.text[line.start : line.end])):
            self.known = Known(mood="rejected")
        if line.kind == "blank":
            self.topic = ""
            self.known = Known(mood=self.known.mood if self.known.mood == "rejected" else "fact")
        return 1

    def _rows(self, lines: list[Line], at: int) -> int:
        """Read a table from a line on; 0 where there is none."""
        if (
            at + 1 >= len(lines)
            or lines[at].kind != "text"
            or lines[at + 1].kind != "text"
            or not self._may_be_table(lines, at)
        ):
            return 0
        spans = []
        for line in lines[at : at + _ROWS]:
            if line.kind != "text" or line.end - line.start > _PRINTED:
                break
            spans.append((line.start, line.end))
        above = "" if not at or lines[at - 1].kind == "blank" else self.text[lines[at - 1].start : lines[at - 1].end]
        single = machine.single(self.text, spans[:4], above)
        if single:
            self.claims += single
            return 3
        for form in (table.bars, table.commas, table.columns, table.loose):
            rows, used = form(self.text, spans) if spans else ([], 0)
            if used and rows:
                if lines[at].mood == "fact":
                    claims, intents = table.read_table(rows)
                    self.claims += claims
                    self.intents += intents
                return used
        return 0

    def _may_be_table(self, lines: list[Line], at: int) -> bool:
        """Tell by its first two lines whether a table may begin here, before all of its rows are looked at."""
        head, second = (self.text[line.start : line.end] for line in lines[at : at + 2])
        if len(head) > _PRINTED or len(second) > _PRINTED:
            return False
        if table.is_rule(second) or set(second.strip()) == {"-"}:
            return bool(head.strip(" \t-|+=:"))
        marks = next(
            (head.count(mark) for mark in ",;\t" if mark in head and head.count(mark) == second.count(mark)), 0
        )
        return (marks > 0 and any(char.isdigit() or char == "e" for char in second)) or (
            "  " in head and (head[:1].isupper() or lines[at].indent > 1) and "  " in second
        )

    def _row(self, lines: list[Line], at: int) -> int:
        """Read one line of a metric, a log, a summary or a pair; 0 where it is none."""
        line = lines[at]
        span = (line.start, _stripped(self.masked, line.start, line.end))
        if line.mood != "fact":
            return 0
        found = machine.metric(self.masked, *span) or machine.summary(self.masked, *span)
        if not found and self.system:
            found = machine.count(self.masked, *span)
        if found:
            self.claims += found
            return 1
        if self._log(span) or self._row_of_pairs(span):
            return 1
        return self._pair(lines, at, span)

    def _log(self, span: tuple[int, int]) -> bool:
        """Read a log line: its fields, or its message as a sentence."""
        prefix = machine.log_prefix(self.text, *span)
        if prefix is None:
            if not machine.is_fields(self.text, *span):
                return False
            self.claims += machine.fields(self.text, *span, "")
            return True
        start, logger = prefix
        found = machine.fields(self.text, start, span[1], logger)
        self.claims += found
        if not found and start < span[1]:
            self._sentences(start, span[1], Line(start, span[1], "text"), terse=True)
        return True

    def _pair(self, lines: list[Line], at: int, span: tuple[int, int]) -> int:
        """Read a `key: value` line under what stands above it."""
        found = key_of(self.text, *span)
        line = lines[at]
        if found is None:
            if self._is_topic(lines, at):
                self.topic = self.masked[span[0] : span[1]].strip(" \t:*_#")
                return 1
            return 0
        topic = self.topic if line.indent or line.kind == "item" or self.system else ""
        made = read_pair(found, topic, system=self.system)
        if made is None:
            return 0
        named = self.system and found["key"].strip().lower() in NAMES and made[0] and made[0][0].value.type == "string"
        if named:
            self.topic = made[0][0].value.text
            return 1
        self.claims += made[0]
        self.intents += made[1]
        return 1

    def _row_of_pairs(self, span: tuple[int, int]) -> bool:
        """Read `cpu: 72% | mem: 61%`: a line of pairs and nothing else."""
        for mark in (" | ", "; ", ", "):
            cells = table.cells_of(self.text, *span, mark)
            pairs = [key_of(self.text, cell.start, cell.end) for cell in cells]
            if len(cells) < 2 or not all(pairs):  # noqa: PLR2004 - a small bound
                continue
            made = [read_pair(pair, self.topic, system=self.system) for pair in pairs if pair is not None]
            if all(one is not None for one in made):
                for one in made:
                    self.claims += one[0] if one else []
                    self.intents += one[1] if one else []
                return True
        return False

    def _is_topic(self, lines: list[Line], at: int) -> bool:
        """Tell whether a line only names what the pairs set in below it are of."""
        line = lines[at]
        name = self.masked[line.start : line.end].strip(" \t:*_")
        below = lines[at + 1] if at + 1 < len(lines) else None
        if (
            below is None
            or below.indent <= line.indent
            or below.kind not in {"text", "item"}
            or _TOPIC.fullmatch(name) is None
        ):
            return False
        return len(name.split()) < 6 and key_of(self.text, below.start, below.end) is not None  # noqa: PLR2004 - a small bound

    def _prose(self, lines: list[Line], at: int) -> int:
        """Read a paragraph or a list's item from a line on, and give how many lines it takes."""
        line = lines[at]
        last = at
        while last + 1 < len(lines) and self._goes_on(lines[last], lines[last + 1]):
            last += 1
        self._sentences(line.start, lines[last].end, line)
        return last + 1 - at

    def _goes_on(self, line: Line, below: Line) -> bool:
        """Tell whether a line goes on in the next: a wrapped sentence does, a line of chat does not."""
        if below.kind != "text" or below.mood != line.mood or key_of(self.text, below.start, below.end) is not None:
            return False
        if (
            self.system
            and "(" in self.text[below.start : below.end]
            and machine.count(self.masked, below.start, below.end)
        ):
            return False
        end = self.masked[line.start : line.end].rstrip()[-1:]
        begins = self.masked[below.start : below.start + 1]
        if below.kind == "text" and line.kind == "item" and below.indent == 0 and line.end - line.start < 50:  # noqa: PLR2004 - a small bound
            return False
        return end not in ".!?:" and (begins.islower() or begins.isdigit() or line.end - line.start > 60 or end in ",(")  # noqa: PLR2004 - a small bound

    def _sentences(self, start: int, end: int, line: Line, *, terse: bool = False) -> None:
        """Read the sentences of a piece, each knowing what the ones before it left."""
        before: tuple[int, int, tuple[int, int]] | None = None
        for span in sentences_in(self.masked, start, end):
            if self.known.mood == "rejected":
                return
            self.sentences += 1
            if self._is_enough():
                return
            if span[1] - span[0] > MOST_CHARS:
                self.unread[f"it has a sentence of more than {MOST_CHARS} characters"] = None
                before = None
                continue
            if self.known.mood == "fact" and line.mood == "fact" and self._said_pair(span):
                before = None
                continue
            made = read_sentence(self.text, self.masked, span, self.known, line.mood, terse=terse or self.system)
            self.known = made.known
            self.clauses += made.clauses
            if before is not None and (made.withdraws or made.seals):
                self._take_back(before, seals=made.seals)
                continue
            before = (len(self.claims), len(self.intents), span)
            self.claims += made.claims
            self.intents += made.intents
        if self.known.mood == "hypothetical" and line.kind == "item":
            self.known = Known(subject=self.known.subject)

    def _is_enough(self) -> bool:
        """Tell whether as much has been read as one text may cost, and note it."""
        for what, count, most in (("clauses", self.clauses, _CLAUSES), ("sentences", self.sentences, _SENTENCES)):
            if count > most:
                self.unread[f"it has more than {most} {what}; the first {most} are read"] = None
                return True
        return False

    def _said_pair(self, span: tuple[int, int]) -> bool:
        """Read `Net churn: 1.2 percent.` among sentences; False where it is a sentence with a colon."""
        if ":" not in self.masked[span[0] : span[0] + 80]:
            return False
        found = key_of(self.text, span[0], _stripped(self.text, *span))
        made = None if found is None else read_pair(found, "", system=False)
        if made is None or not made[0]:
            return False
        self.claims += made[0]
        self.intents += made[1]
        return True

    def _take_back(self, before: tuple[int, int, tuple[int, int]], *, seals: bool) -> None:
        """Take back what the sentence before stated; sealed as a rule, it is a constraint."""
        claims, intents, (start, end) = before
        stated = len(self.claims) > claims
        del self.claims[claims:]
        if seals and stated and len(self.intents) == intents:
            gist = " ".join(self.text[start:end].split()).rstrip(".!")[:500]
            self.intents.append(FoundIntent(kind="constraint", gist=gist, rule="sealed", start=start, end=end))


def _stripped(text: str, start: int, end: int) -> int:
    """Give where a piece ends without the space at its end."""
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


def _once(claims: Iterable[FoundClaim]) -> list[FoundClaim]:
    """Give claims without repeats, in the order of the text."""
    kept: dict[tuple[object, ...], FoundClaim] = {}
    for claim in claims:
        kept.setdefault(
            (claim.subject.casefold(), claim.predicate.casefold(), claim.value, claim.positive, claim.source), claim
        )
    return sorted(kept.values(), key=lambda claim: (claim.start, claim.end))


def _once_intents(intents: list[FoundIntent]) -> list[FoundIntent]:
    """Give intents without repeats, in the order of the text."""
    kept: dict[tuple[str, str, str], FoundIntent] = {}
    for intent in intents:
        kept.setdefault((intent.kind, intent.holder.casefold(), intent.gist.casefold()), intent)
    return sorted(kept.values(), key=lambda intent: (intent.start, intent.end))
