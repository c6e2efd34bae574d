"""The firewall: which clauses of a sentence state something. In doubt a clause states nothing."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import itertools
import re
from typing import Final

from stanchion_extraction.core.prose import cue
from stanchion_extraction.core.prose.bond import BONDS, FIRM, binding_source
from stanchion_extraction.core.prose.clause import Clause
from stanchion_extraction.core.prose.cue import Mood
from stanchion_extraction.core.prose.lexicon import (
    BE,
    DETERMINERS,
    HAVE,
    IMPERATIVES,
    LEVELS,
    NOUNS_TOO,
    PREPOSITIONS,
    PRONOUNS,
    words_of,
)
from stanchion_extraction.core.prose.verb import is_past
from stanchion_extraction.core.prose.wish import WISHES, Want, elided_wish, is_past_wish
from stanchion_extraction.core.prose.word import Word

_RELEASES: Final = frozenset({
    "but",
    "; but",
    ", but",
    ";",
    "although",
    ", although",
    "though",
    ", though",
    "whereas",
    ", whereas",
    "while",
    ", while",
    "yet",
    ", yet",
    "\n",
})
_REASONS: Final = frozenset({"because", "since", ", because", ", since"})
_RESULTS: Final = words_of("got ended reached hit landed saw received came finished had achieved made closed")
_APART: Final = frozenset({"but", ", but", ";", "so", ", so", ", and", "and", ",", "—", "–", "-", "\n"})
_BEFORE_IF: Final = frozenset({"but", ", but", ";", "so", ", so"})
_BOUND_SPEECH: Final = re.compile(
    r"(?<![\w-])(?:insist|demand|expect|urge|argue)\w*(?![\w-]).{0,40}(?<![\w-])(?:must|have to|has "
    r"to|shall|may not|cannot)(?![\w-])"
)


class Judged:
    """A clause with its mood and, for a wish or a bond, what it wants."""

    __slots__ = ("clause", "low", "mood", "want")

    def __init__(self, clause: Clause, low: str, mood: Mood, want: Want | None) -> None:
        self.clause = clause
        self.low = low
        self.mood: Mood = mood
        self.want = want


def judged(low: str, clauses: list[Clause], offset: int, mood: Mood) -> list[Judged]:
    """Give each clause of a sentence with its mood.

    Args:
        low: the sentence in lower case.
        clauses: in order.
        offset: where the sentence begins in the text that the clauses' words are placed in.
        mood: what its heading or label makes of it; `fact` where there is none.
    """
    made = [_judged(clause, low[clause.start - offset : clause.end - offset]) for clause in clauses]
    _bind(made)
    _ask(made, low)
    _suppose(made)
    _spread(made)
    _cast_back(made)
    if mood != "fact":
        for one in made:
            one.mood = mood if one.mood == "fact" else one.mood
    return made


def _judged(clause: Clause, low: str) -> Judged:
    """Give a clause's own mood: a wish first, for wishes are worded as conditions and hedges are."""
    want = _want(clause, low)
    if cue.INJECTION.search(low):
        return Judged(clause, low, "rejected", None)
    if want is not None:
        return Judged(clause, low, "wish" if want.kind != "constraint" else "constraint", want)
    if is_past_wish(low):
        return Judged(clause, low, "wish", None)
    if cue.is_request(low) or is_imperative(clause.words):
        return Judged(clause, low, "instruction", None)
    if cue.is_hypothetical(low):
        return Judged(clause, low, "hypothetical", None)
    return Judged(clause, low, "opinion" if cue.is_opinion(low) or _embeds(clause) else "fact", None)


def _embeds(clause: Clause) -> bool:
    """Tell whether a clause only speaks of a statement: `it is false that …`, `the claim that …`."""
    plain = [word.low for word in clause.words if word.mention is None and word.low[0].isalnum()]
    if plain[:1] == ["it"] and plain[1:2] and plain[1] in BE and _is_cleft(clause):
        return False
    return "that" in plain[1:] and plain[:1] != ["scratch"]


def _is_cleft(clause: Clause) -> bool:
    """Tell whether `it wasn't 4 nodes that dropped` counts what a `that` tells more of."""
    that = next(n for n, word in enumerate(clause.words) if word.low == "that") if _has_that(clause) else 0
    return that > 1 and any(word.mention is not None for word in clause.words[that - 2 : that])


def _has_that(clause: Clause) -> bool:
    """Tell whether a clause has a `that`."""
    return any(word.low == "that" for word in clause.words)


def _want(clause: Clause, low: str) -> Want | None:
    """Give what a clause wants: bonds that are named as such first, then wishes, then other bonds."""
    if (
        TRIGGER.search(low) is None
        or cue.SUPPOSITION.match(low)
        or re.search(r"(?<![\w-])(?:you|u) to(?![\w-])", low[:40])
    ):
        return None
    elided = elided_wish(low) if clause.joint in {"and", ", and", "but", ", but", ","} else None
    if elided is not None:
        return elided
    bound = binding_source(low)
    if bound is not None and FIRM.match(low[bound.start :]):
        return bound
    named, others = BONDS[:2], BONDS[2:]
    rules = (*named, *WISHES, *others)
    for rule in rules:
        want = rule(low)
        if want is not None:
            if want.rule == "wish-of-others" and _BOUND_SPEECH.search(low):
                return Want("constraint", "binding-source", want.holder, want.start)
            return want
    return None


def is_imperative(words: tuple[Word, ...]) -> bool:
    """Tell whether a clause begins with a bare verb, so that it orders."""
    at = 0
    while (
        at < len(words)
        and (
            words[at].low
            in {
                "and",
                "then",
                "so",
                "now",
                "also",
                "just",
                "first",
                "next",
                "finally",
                "to",
                "ok",
                "but",
                "hey",
                "x",
                "or",
                "always",
                "never",
                "kindly",
                "not",
                "team",
                "folks",
                "guys",
            }
            or not words[at].low[0].isalnum()
        )
        and words[at].mention is None
    ):
        if words[at].low in {"to", "never", "always"}:
            return True
        at += 1
    if at >= len(words) or words[at].low not in IMPERATIVES or words[at].mention is not None:
        return False
    if at + 1 >= len(words) or (words[at].low not in NOUNS_TOO and not _happened(words, at)):
        return True
    following = words[at + 1]
    numbered = following.mention is not None and at + 2 < len(words) and is_past(words[at + 2].low)
    if is_past(following.low) or numbered:  # `deploy 881 rolled out`
        return False
    return (
        following.mention is not None
        or following.low in DETERMINERS
        or following.low in PRONOUNS
        or following.low in {"if", "whether", "that", ":", "how", "what", "into", "up", "out", "down", "off"}
    )


def _happened(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether a bare verb is a noun that something happened to: `upload finished in 4m`, `import failed`."""
    if not is_past(words[at + 1].low):
        return False
    after = words[at + 2] if at + 2 < len(words) else None
    return after is None or after.low in PREPOSITIONS or after.mention is not None or not after.low[0].isalnum()


TRIGGER: Final = re.compile(
    r"want|wanna|need|wish|hop(?:e|i)|aim|inten|plan|look|like|love|dream|targ|keen|eager|striv|work|"
    r"shoot|push|after|going|set on|out to|ask|"
    r"should|better|gotta|got to|gunn|crav|long|prefer|rather|try|le?t'?s|let us|would|'d|could|will|"
    r"'ll|shall|won'?t|goal|object|ambiti|aspir|okr|mission|idea|"
    r"priorit|focus|vision|kpi|slo|desire|key result|north|demand|request|expect|insist|beg|urg|"
    r"propos|suggest|lobb|call|press|petition|argu|vote|"
    r"plea|yearn|appeal|advoca|recommend|nag|complain|decid|agre|resol|cho|opt|commit|settl|standard|"
    r"rul|mandat|sign|lock|gone with|pick|adopt|bann|cap|forb|"
    r"limit|must|may |has to|have to|had to|to be|are to|is to|required|obligat|compuls|prohib|disallow|permit|"
    r"allow|bound|off|no[- ]go|exceed|can'?t|cannot|only|"
    r"sole|exclus|never|at all|zero|on no|require|restrict|oblig|dictat|stipul|compel|enforc|prescrib|"
    r"veto|tolera|fund|approv|polic|constraint|guardrail|ceiling|"
    r"floor|restrict|conven|princip|complian|law|from |forward|hence|effect|start|as of|until|excep|"
    r"stop|period|story|always|no |not more|not less|at least|minimum|never|nothing|nobody|ideal|success|happy|"
    r"content|time|max|min|tops|at "
    r"most|"
    r"seek|aspir|use|determ|pledg|vow|favo|welcom|ought|through|apprec|tell|neither|condition|essential|crucial|vital|"
    r"imperative|important|critical|decis|obli|"
    r"reserv|confin|impos|what|told|"
    r"instruct|order|bold|told|happ|hard|high|budget|thing|non-nego|told|red line|precond|prereq|"
    r"regul|told|lets|if only|yet"
)
"""Parts of words without one of which no clause wants or binds; it only saves the longer look."""
_UNIVERSAL: Final = re.compile(r"^\W*(?:all|every|each|any) ")


def _bind(made: list[Judged]) -> None:
    """Make a rule of `all secrets live in Vault; nothing goes elsewhere`: the rule tells how the first is meant."""
    for one, after in itertools.pairwise(made):
        if (
            one.mood == "fact"
            and after.want is not None
            and (after.want.rule == "standing-rule" or (after.want.rule == "obligation" and after.clause.joint == ";"))
            and _UNIVERSAL.match(one.low)
        ):
            one.mood, one.want = "constraint", Want("constraint", "standing-rule", "", 0)


def _ask(made: list[Judged], low: str) -> None:
    """Make a question of a sentence that asks; what is stated before `, do you want …?` still stands."""
    if not cue.is_question(low) or (
        "?" not in low
        and made[0].want is not None
        and (
            made[0].want.rule in {"would-be-good", "own-wish"}
            or (made[0].want.rule == "wish-of-others" and not cue.begins_question(low))
        )
    ):
        return
    begins = next((n for n, one in enumerate(made) if cue.begins_question(one.low)), None)
    aside = begins is not None and begins > 0 and low.rstrip(" \"'”)").endswith("?") and _asks_apart(made, begins)
    for n, one in enumerate(made):
        if not aside or begins is None or n >= begins:
            one.mood, one.want = "question", None


_POINTING: Final = re.compile(
    r"(?<![\w-])(?:that|this|it|so|these|those|correct|right|true|agree|know|think|sure|sound|confirm|"
    r"them|they|there|believe|see|remember|verify|heard|recall|mean)(?![\w-])"
)


def _asks_apart(made: list[Judged], begins: int) -> bool:
    """Tell whether a question after a statement asks something else, rather than whether the statement is so."""
    asked = " ".join(one.low for one in made[begins:])
    return len(asked.split()) > 3 and _POINTING.search(asked) is None and made[begins].clause.joint in _APART  # noqa: PLR2004 - a small bound


def _suppose(made: list[Judged]) -> None:
    """Spread a supposition over its whole sentence, but for what a `but`, `so` or semicolon sets before it."""
    first = next(
        (n for n, one in enumerate(made) if cue.SUPPOSITION.match(one.low) or (one.mood == "hypothetical")), None
    )
    if first is None:
        return
    begin = first
    if first == 0 or made[first].clause.joint not in _BEFORE_IF or not cue.begins_condition(made[first].low):
        begin = 0
    for one in made[begin:]:
        if one.mood != "question":
            one.mood, one.want = (
                "hypothetical",
                (one.want if one.want is not None and one.want.kind == "constraint" else None),
            )


_PLANNED: Final = re.compile(
    r"(?<![\w-])(?:had|was|were|been|we|i|they) (?:originally |initially )?(?:budgeted|planned|expected|estimated|"
    r"forecast|projected|hoped|targeted|aimed|hoping|aiming|planning|expecting|budgeting)(?![\w-])"
)
_ACTUAL: Final = re.compile(
    r"(?<![\w-])(?:actual(?:ly|s)?|in fact|in reality|in the end|turned out|came out|came in|ended up|"
    r"instead)(?![\w-])"
)
"""What was had been planned otherwise."""


def _spread(made: list[Judged]) -> None:
    """Let a wish, an opinion or an order hold for what is joined to it, until a `but` or a semicolon."""
    for before, one in itertools.pairwise(made):
        if one.mood != "fact" or before.mood not in {"wish", "opinion", "instruction", "rejected", "constraint"}:
            continue
        joint = one.clause.joint
        if before.mood in {"instruction", "rejected"}:
            one.mood = before.mood
        elif (
            (
                not _states_inside(before)
                and (joint in _RELEASES or (before.mood in {"wish", "constraint"} and joint in _REASONS))
            )
            or (before.mood == "wish" and one.clause.words[0].low in _RESULTS and is_past_wish(before.low))
            or (_ACTUAL.search(one.low) and _PLANNED.search(before.low))
        ):
            continue
        else:
            one.mood = before.mood


def _states_inside(one: Judged) -> bool:
    """Tell whether what is wanted or thought is itself a statement, as in `I think churn is 5%`."""
    begin = one.clause.start + (one.want.start if one.want is not None else 0)
    words = tuple(word for word in one.clause.words if word.start >= begin or one.want is None)
    return any(
        word.low in BE or word.low in LEVELS or word.low in HAVE for word in words[1:] if word.mention is None
    ) and any(word.mention is not None for word in words)


def _cast_back(made: list[Judged]) -> None:
    """Let a doubt without a value of its own, `…, I think`, `…, though unconfirmed`, hold for what is before it."""
    for n, one in enumerate(made[1:], start=1):
        doubt = one.mood == "opinion" and not any(word.mention is not None for word in one.clause.words)
        doubt = doubt and not cue.weighs(one.low)
        apart = (
            one.clause.joint in {"so", ", so"}
            or (one.clause.joint == ";" and not cue.is_withdrawal(one.low))
            or (one.clause.joint in _RELEASES and not cue.is_withdrawal(one.low))
        )
        asks = one.mood == "instruction" and re.search(
            r"(?<![\w-])(?:confirm|verify|check|correct me|validate|double[- ]check)(?![\w-])", one.low
        )
        if (doubt and not apart) or asks or (one.mood == "opinion" and cue.ends_in_doubt(one.low)):
            for earlier in made[:n]:
                if earlier.mood == "fact":
                    earlier.mood = "opinion"
