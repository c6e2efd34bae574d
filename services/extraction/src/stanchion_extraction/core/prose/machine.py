"""Lines that systems print: metrics, logs, test summaries, `key=value`."""

import re
from typing import Final

from stanchion_contracts.value import Value
from stanchion_core.errors import InvalidMessage
from stanchion_extraction.core.prose.cell import named_value, unit_word, with_unit
from stanchion_extraction.core.prose.found import FoundClaim
from stanchion_extraction.core.prose.label import is_normative
from stanchion_extraction.core.prose.scene import TRUE
from stanchion_extraction.core.typed import checked

_METRIC: Final = re.compile(
    r"(?P<name>[A-Za-z_:][\w:.]{0,120})(?:\{(?P<labels>[^{}\n]{0,400})\})?[ "
    r"\t]+(?P<value>-?\d{1,20}(?:\.\d{1,20})?(?:[eE][-+]?\d{1,2})?)(?:[ \t]+\d{10,16})?[ \t]*"
)
_LABEL: Final = re.compile(r"(?P<key>\w{1,60})=\"(?P<value>[^\"\n]{0,120})\"")
_STAMP: Final = re.compile(
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?[ \t]+|"
    r"\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?[ \t]+|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d[ \t]+"
)
_DATED: Final = re.compile(r"\[?\d{4}-\d\d-\d\d(?:[T ][\d:.,]{5,18}Z?)?\]?[ \t]+")
_LEVEL: Final = re.compile(
    r"\[?(?P<level>TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\]?:?[ \t]+", re.IGNORECASE
)
_LOGGER: Final = re.compile(r"\[?(?P<logger>[A-Za-z][\w./-]{1,60})\]?(?P<mark>:|(?=\s+\w{1,40}=))[ \t]*")
_FIELD: Final = re.compile(
    r"(?<![\w.\"])(?P<key>[A-Za-z_][\w.-]{0,60})=(?P<value>\"[^\"\n]{0,120}\"|[^\s\",;]{1,80}"
    r"(?:(?<=\d) (?:ms|s|sec|min|h|kB|KB|MB|GB|TB|KiB|MiB|GiB)(?=[\s,;)]|$))?)"
)
_SUMMARY: Final = re.compile(
    r"(?<![\w.])(?P<n>\d{1,9}) (?P<what>passed|failed|skipped|errors?|warnings?|xfailed|xpassed|"
    r"deselected|pending|ignored|succeeded|unreachable|changed|failures?|flaky|todo|total|filtered "
    r"out)(?![\w])"
)
_NAMED: Final = frozenset({
    "service",
    "app",
    "component",
    "job",
    "queue",
    "host",
    "name",
    "worker",
    "pod",
    "node",
    "topic",
    "module",
    "logger",
    "instance",
    "task",
    "table",
    "pool",
    "cluster",
})
_SKIPPED: Final = frozenset({
    "ts",
    "time",
    "timestamp",
    "level",
    "lvl",
    "msg",
    "message",
    "trace_id",
    "span_id",
    "request_id",
    "caller",
    "pid",
    "thread",
    "id",
    "uuid",
    "at",
    "severity",
})
_SHORT: Final = re.compile(r"\[\d{1,2}:\d\d\][ \t]+")
_QUANTILES: Final = re.compile(r"0?\.(\d{1,3})")


def metric(text: str, start: int, end: int) -> list[FoundClaim]:
    """Give the claim of a line in the exposition format; its name may carry the unit, its labels the subject."""
    found = _METRIC.fullmatch(text, start, end)
    if found is None or (found["labels"] is None and "_" not in found["name"] and "." not in found["name"]):
        return []
    labels = [(label["key"], label["value"]) for label in _LABEL.finditer(found["labels"] or "")]
    named = " ".join(_labelled(key, value) for key, value in labels)
    subject = f"{unit_word(found['name'].replace(':', '_')).replace('_', ' ')} {named}".strip()
    value = _number(found["name"], found["value"])
    if value is None or len(subject) > 200 or is_normative(found["name"]):  # noqa: PLR2004 - a small bound
        return []
    return [
        FoundClaim(
            subject=subject,
            predicate="is",
            value=value,
            rule="metric",
            start=found.start("name"),
            end=found.end("value"),
        )
    ]


def _labelled(key: str, value: str) -> str:
    """Give a label as a word of the subject: `quantile="0.99"` is p99."""
    quantile = _QUANTILES.fullmatch(value)
    if key in {"quantile", "le", "percentile"} and quantile is not None:
        return "p" + quantile[1].ljust(2, "0")
    return value


def _number(name: str, number: str) -> Value | None:
    """Give a number, in the unit its name ends with."""
    plain = name.removesuffix("_total").removesuffix("_count").removesuffix("_sum")
    return with_unit(plain if name.endswith("_total") else name, number)


def summary(text: str, start: int, end: int) -> list[FoundClaim]:
    """Give the counts of a test run's last line, `318 passed, 4 failed`."""
    line = text[start:end]
    found = list(_SUMMARY.finditer(line[:400]))
    marked = line.lstrip().startswith(("=", "-", "Tests", "tests", "Test", "ok", "FAILED"))
    rest = re.sub(
        r"(?:in |finished in |took |took: )?\d[\d.,]{0,12} ?(?:ms|s|m|min|sec|seconds|minutes)\b|[\W_]+|"
        r"\b(?:tests?|and|in|total|suites?|result|results|ok|failed|\d+|of|run|ran|finished)\b",
        "",
        _SUMMARY.sub("", line[:400]),
        flags=re.IGNORECASE,
    )
    if not found or (len(found) < 2 and not marked) or rest.strip():  # noqa: PLR2004 - a small bound
        return []
    made = []
    for count in found:
        try:
            value = checked(Value(type="number", text=count["n"]))
        except InvalidMessage:
            continue
        made.append(
            FoundClaim(
                subject=f"tests {count['what']}",
                predicate="is",
                value=value,
                rule="summary",
                start=start + count.start(),
                end=start + count.end(),
            )
        )
    return made


def log_prefix(text: str, start: int, end: int) -> tuple[int, str] | None:
    """Give where a log line's message begins and what logged it; None for no log line."""
    short = _SHORT.match(text, start, end)
    if short is not None:
        logger = _LOGGER.match(text, short.end(), end)
        return (short.end(), "") if logger is None else (logger.end(), logger["logger"])
    stamp = _STAMP.match(text, start, end)
    at = stamp.end() if stamp else start
    first = None if stamp else _LEVEL.match(text, start, end)
    if first is not None and text[start : start + 1] in "[TDINWEFC" and (day := _DATED.match(text, first.end(), end)):
        return day.end(), ""
    level = _LEVEL.match(text, at, end)
    if stamp is None and (level is None or text[at : at + 1] not in "[TDINWEFC" or _is_word(level)):
        return None
    if level is None and (stamp is None or stamp[0].strip("[] \t").count(":") < 2 or len(stamp[0].strip()) < 8):  # noqa: PLR2004 - a small bound
        return None
    at = level.end() if level else at
    logger = _LOGGER.match(text, at, end)
    if logger is None:
        return at, ""
    return logger.end(), logger["logger"]


def _is_word(level: re.Match[str]) -> bool:
    """Tell whether a level is a word of a sentence, as in `Notice must be given`."""
    return not level["level"].isupper() and not {"[", ":"} & set(level[0])


def fields(text: str, start: int, end: int, topic: str) -> list[FoundClaim]:
    """Give the claims of `queue_depth=1200 lag_ms=350`, about the service among the fields or what logged them."""
    found = list(_FIELD.finditer(text, start, min(end, start + 4_000)))
    named = next((_called(one, topic) for one in found if one["key"].lower() in _NAMED), topic)
    made = []
    for one in found:
        key = one["key"]
        if key.lower() in _SKIPPED or key.lower() in _NAMED or is_normative(key):
            continue
        value = named_value(key, one["value"].strip('"').rstrip(".,"), words=True)
        if value is None:
            continue
        span = (one.start(), one.end())
        if value.type == "boolean":
            subject, predicate = (named, key) if named else (key, "is")
            made.append(
                FoundClaim(
                    subject=subject,
                    predicate=predicate,
                    value=TRUE,
                    positive=value.text == "true",
                    rule="log-field",
                    start=span[0],
                    end=span[1],
                )
            )
            continue
        subject = f"{named} {unit_word(key.replace('.', '_'))}".strip()
        made.append(
            FoundClaim(subject=subject, predicate="is", value=value, rule="log-field", start=span[0], end=span[1])
        )
    return made


def _called(field: re.Match[str], topic: str) -> str:
    """Give what a field calls its line's subject; a bare number is one of what logged it: `payments worker 7`."""
    name = field["value"].strip('"')
    return f"{topic} {field['key']} {name}".strip() if name.isdecimal() else name


def is_fields(text: str, start: int, end: int) -> bool:
    """Tell whether a line is fields alone: nothing else is left of it but a few words."""
    line = text[start:end]
    found = _FIELD.findall(line[:4_000])
    return len(found) > 1 and len(_FIELD.sub("", line[:4_000]).split()) <= 3  # noqa: PLR2004 - a small bound


_COUNT: Final = re.compile(
    r"[ \t]*(?P<n>\d{1,3}(?:,\d{3}){0,4}|\d{1,12}) (?P<what>[a-z][a-z-]{1,24}(?: "
    r"[a-z][a-z-]{1,24}){0,3}?)(?: in [^()\n]{1,60})?[ \t]*(?:\((?P<parts>\d[^()\n]{1,120})\))?[.!]?[ "
    r"\t]*"
)
_PART: Final = re.compile(r"\s*(?P<n>\d{1,12}) (?P<what>[a-z][a-z-]{1,24})\s*")
_QUERY: Final = re.compile(r"\bfrom\s+(?P<table>[\w.]{1,60})(?:\s+where\s+(?P<where>[^;\n]{1,120}))?", re.IGNORECASE)


def count(text: str, start: int, end: int) -> list[FoundClaim]:
    """Give the claims of `13 vulnerabilities (2 low, 8 moderate)`: a line that only counts."""
    found = _COUNT.fullmatch(text, start, end)
    if found is None:
        return []
    parts = [_PART.fullmatch(piece) for piece in (found["parts"] or "").split(",")] if found["parts"] else []
    if not all(parts):
        return []
    made = [_counted(found["n"].replace(",", ""), found["what"], found.span())]
    made += [_counted(one["n"], f"{found['what']} {one['what']}", found.span()) for one in parts if one is not None]
    return [one for one in made if one is not None]


def _counted(number: str, what: str, span: tuple[int, int]) -> FoundClaim | None:
    """Give the claim of one count."""
    try:
        value = checked(Value(type="number", text=number))
    except InvalidMessage:
        return None
    return FoundClaim(subject=what, predicate="is", value=value, rule="count", start=span[0], end=span[1])


def single(text: str, lines: list[tuple[int, int]], above: str) -> list[FoundClaim]:
    """Give the claim of a query's single number: its column above a rule, named after the query above."""
    if len(lines) < 3 or set(text[slice(*lines[1])].strip()) != {"-"}:  # noqa: PLR2004 - a small bound
        return []
    name, number = text[slice(*lines[0])].strip(), text[slice(*lines[2])].strip()
    query = _QUERY.search(above[:2_000])
    value = named_value(name, number, words=False)
    if value is None or not re.fullmatch(r"[\w ]{1,60}", name):
        return []
    of = re.sub(r"[^\w. ]+", " ", f"{query['table']} {query['where'] or ''}") if query is not None else ""
    subject = " ".join(f"{of} {name}".split())
    return [FoundClaim(subject=subject, predicate="is", value=value, rule="single", start=lines[0][0], end=lines[2][1])]
