"""What stands before a colon, in a heading or above a list, and what it makes of what follows."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from typing import Final

from stanchion_extraction.core.prose.cue import Mood

_LABELS: Final[tuple[tuple[Mood, re.Pattern[str]], ...]] = (
    (
        "question",
        re.compile(
            r"^(?:open(?: questions?| points?| issues?| items?)?|questions?|q\d*|tbd|to be (?:decided|"
            r"determined|confirmed|discussed)|unresolved|unknowns?|ask|faq|to (?:discuss|clarify|decide|"
            r"check))$"
        ),
    ),
    (
        "instruction",
        re.compile(
            r"^(?:todos?|to[- ]?dos?|tasks?|actions?(?: items?| points?)?|next(?: steps?| actions?)?|steps?|"
            r"instructions?|how to|reminders?|assignments?|follow[- ]?ups?|please|procedure|runbook|playbook|"
            r"checklist|agenda|system|assistant|developer|user|prompt|human|ai|recommendations?|plan of "
            r"action|mitigations?|fix(?:es)?|prerequisites|usage|setup|installation|quick ?start|commands?|"
            r"(?:hidden |important )?(?:note|message|instructions?) (?:to|for) .*|example.*|sample.*|"
            r"template.*)$"
        ),
    ),
    (
        "hypothetical",
        re.compile(
            r"^(?:(?:worst|best|base|bull|bear|upside|downside|edge)[- ]case(?: scenario)?|scenarios?(?: "
            r"\w{1,12})?|what[- ]?if|assum(?:ptions?|ing|e)|hypothes[ie]s|risks?|suppos(?:e|ing|ition)|"
            r"imagine|thought experiment|contingency|fallback|plan b|option(?:s)?(?: \w{1,3})?|"
            r"alternatives?(?: \w{1,12})?|proposals?|offers?|bids?|drafts?(?: \w{1,12})?|"
            r"ideal(?:ly)?|suggestions?|ideas?|if .*|consequences|for example|e\.g\.?|i\.e\.?|mock.*|dummy.*|"
            r"placeholder.*|simulation.*|what[- ]if .*)$"
        ),
    ),
    (
        "opinion",
        re.compile(
            r"^(?:(?:my |our |rough |personal |gut |best |wild |analyst )*(?:opinions?|views?|takes?|"
            r"guess(?:es)?|hunch|forecasts?|predictions?|projections?|projected|expectations?|expected|"
            r"estimates?|estimated|outlook|impressions?|feelings?|feel|theor(?:y|ies)|speculation|rumou?rs?|"
            r"hearsay|belief|thoughts?|bet|feedback|sentiment|prognosis|ballpark|guidance|eta|est))(?: (?:for|"
            r"of|on) .*)?$"
        ),
    ),
    (
        "constraint",
        re.compile(
            r"^(?:(?:the|our|a|new|hard|strict|absolute|upper|lower|security|house|final|hiring|spend(?:ing)?|"
            r"company|team|site|clinic|ward|club|school|group|internal|travel|safety|kitchen|studio|office|lab|"
            r"shop|expense|"
            r"staff|firm|standing|ground|golden|budget|non-functional|functional|technical|legal|"
            r"key) )*(?:decisions?(?: records?)?|decided|rules?(?: of "
            r"engagement)?|polic(?:y|ies)|constraints?|limits?|requirements?|guardrails?|mandates?|principles|"
            r"acceptance criteria|definition of (?:done|ready)|success criteria|exit criteria|deliverables|"
            r"non-negotiables?|must[- ]haves?|restrictions?|conventions?|(?:it'?s |it is |that'?s )?(?:agreed|settled)|"
            r"it'?s decided|it is decided|adr|rfc|resolutions?|"
            r"ruling|verdict|motion(?: carried)?|ground rules|red "
            r"lines?|compliance)(?: (?:from|by|of|for|on) .*)?$"
        ),
    ),
    (
        "wish",
        re.compile(
            r"^(?:(?:the|our|my|a|stretch|north star|key|main|team|company|quarterly|annual|new|q[1-4]) "
            r")*(?:goals?|targets?|objectives?|okrs?|aims?|ambitions?|wish(?:es)?(?: ?list)?|wants?|"
            r"desired(?: state)?|asks?|requests?|feature requests?|vision|aspirations?|slo|slos|"
            r"intent(?:ions?)?|priorit(?:y|ies)|roadmap|key results?|krs?|plans?|planned|needs?|nice[- ]to[- "
            r"]haves?|mission|o)(?: (?:from|by|of|for|on|in|this|next)(?: .*)?)?(?: (?:fy|q[1-4]|20)\w*)?$"
        ),
    ),
    (
        "fact",
        re.compile(
            r"^(?:(?:minutes|notes|recap|protocol)(?: .*)?|context|background|correction(?: (?:to|on) .*)?|"
            r"update(?: .*)?|status(?: update)?|notes?|"
            r"fyi|findings?|results?|facts?|tl;?dr|summary|observations?|observed|news|reminder of facts|"
            r"currently|today|now|as of .*|ps|p\.s|heads[- ]up|recap|metrics|numbers|current state|state|"
            r"actuals?|"
            r"(?:survey|test|poll|lab|audit|exam|election|trial|interview|playtest|inspection|"
            r"benchmark) (?:results?|findings?|figures|numbers)|btw|situation|problem|issue|measured|measurement|"
            r"small correction|ok|update from .*|"
            r"result of .*|erratum|errata|typo|edit|also|status quo|impact|root cause|timeline|details)$"
        ),
    ),
)


def mood_of(label: str) -> Mood | None:
    """Give what a label makes of what follows it; None where it is a name of its own.

    Args:
        label: the words before a colon, of a heading, or above a list, in lower case.
    """
    plain = re.sub(r"\s*\([^()]*\)\s*$", "", label.strip(" #*_:.-–—\t\"'`0123456789)")).strip()
    if not plain or len(plain) > 80:  # noqa: PLR2004 - a small bound
        return None
    return next((mood for mood, pattern in _LABELS if pattern.match(plain)), None)


_NORMATIVE: Final = re.compile(
    r"(?<![a-z])(?:objectives?|targets?|goals?|desired|expected|wanted|planned|proposed|requested|"
    r"want|should|must|required|recommended|budgeted|forecast(?:ed)?|projected|estimated?|estimate|"
    r"predicted|ideal|aspirational|slo|baseline target|max allowed|allowed|quota|example|default|spec|"
    r"to be|plan|wish|hypothe\w*|assum\w*|scenario|todo)(?![a-z])"
)
_NORMATIVE_GOAL: Final = re.compile(r"(?<![a-z])(?:objectives?|targets?|goals?|desired|wanted|ideal|okr|slo)(?![a-z])")


def is_normative(key: str) -> bool:
    """Tell whether a key or column names a level that is wanted, planned or supposed rather than measured."""
    return _NORMATIVE.search(_spaced(key)) is not None


def is_goal(key: str) -> bool:
    """Tell whether a key or column names a goal."""
    return _NORMATIVE_GOAL.search(_spaced(key)) is not None


def _spaced(key: str) -> str:
    """Give a key's words apart: `desiredReplicas` and `desired_replicas` alike."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_.\-/]", " ", key).lower()
