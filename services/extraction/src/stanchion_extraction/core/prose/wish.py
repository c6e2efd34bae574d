"""What somebody wants: goals of the speaker, and wishes of others with their holder."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from stanchion_extraction.core.prose.found import IntentKind
from stanchion_extraction.core.prose.lexicon import BE, DO, HAVE, MODALS, PEOPLE

_LEAD: Final = (
    r"(?:(?>[\s\"'“(,;:!–—-]|(?:and|but|so|ok|okay|hey|well|also|then|yes|yeah|no|now|oh|btw|fyi|fwiw|"
    r"plus|because|since|although|though|while|which|that|"
    r"honestly|personally|ideally|therefore|still|next|first|second|finally|long[- ]term|short[- "
    r"]term|in the (?:long|short|medium) (?:run|term))\b)++"
    r"|as an? (?:[\w-]{1,20} ){1,3}?(?=i(?!\w))"
    r"|(?:in|by|for|before|after|this|next|over|during|within) (?:[\w-]{1,20} ){0,3}?[\w-]{1,20}(?:,|"
    r"(?= (?:i|we|our|the|let)(?!\w)))){0,4}"
)
_ADVERBS: Final = (
    r"(?: (?:all|both|really|just|also|still|definitely|desperately|certainly|now|do|only|currently|"
    r"actively|always|strongly|badly|much|kind of|ultimately|simply|absolutely|collectively|very much|then|"
    r"again|again and again|repeatedly|explicitly|formally|already|even|now also|specifically|"
    r"firmly))*"
)


class Want(Struct, frozen=True):
    """An intent found in a clause.

    Attributes:
        kind: goal, constraint or preference.
        rule: the name of the rule that found it.
        holder: whose it is, empty for the speaker; `^` for the subject of the clause before.
        start: where its gist begins in the clause.
    """

    kind: IntentKind
    rule: str
    holder: str
    start: int


_OWN: Final = re.compile(
    r"^"
    + _LEAD
    + r"(?:i|we)"
    + _ADVERBS
    + r"(?: ?(?:'m|'re|'ve|'d|am|are|have|will|would|'ll|been))*"
    + _ADVERBS
    + r" ?"
    r"(?:want(?:ing)?(?! you to)|wanna|need(?! you to|n't)|wish(?:ing)?|hop(?:e|ing) (?:to|for|we|"
    r"that|it|by)|aim(?:ing)?|intend(?:ing)?|plan(?:ning)?|look(?:ing)? (?:to|for|at (?:getting|"
    r"moving|cutting|doubling))|like(?! you to)|love|dream(?:ing)? of|targeting|target|"
    r"keen (?:to|on|for)|determined to|aspir(?:e|ing) to|seek(?:ing)?|could (?:really |definitely |do )?use|"
    r"set out to|set (?:ourselves|myself) (?:the|a) (?:goal|target|objective|aim)|eager to|striv(?:e|ing)|"
    r"work(?:ing)? (?:towards?|to get)|shoot(?:ing)? for|"
    r"push(?:ing)? (?:for|to)|after|going for|set on|committed to getting|out to|ask(?:ing)? for|"
    r"(?:have|got) (?:our|my) (?:sights?|eyes?|hearts?) (?:set )?on|set (?:our|my) (?:sights?|eyes?|hearts?) on|"
    r"eyeing|"
    r"should|better|got to get|gotta get|gunning for|be (?:happy|glad|delighted|thrilled|satisfied|"
    r"over the moon|fine|ok|okay|content) (?:with|to|if)|settle for|ought to|"
    r"working to(?= (?!plan|rule|capacity|schedule|time)\w)|crave|long for|prefer|rather|out for|"
    r"trying to)(?![\w'-])"
)
_ELIDED: Final = re.compile(
    r"^" + _LEAD + r"(?:really |just |also |still |do |desperately )*(?:want(?:ing)?|wanna|need(?:ed)?(?= \w)|would "
    r"like|would love|'?d like|'?d love|id like|id love|hoping (?:to|for|we|that|it)|aiming (?:to|for|at)|aim "
    r"(?:to|for)|looking (?:to|for)|planning to|plan to|wish|keen to|would prefer|prefer|shoot for|"
    r"target is|could (?:really |do )?use|hope (?:to|for|we|that)|work(?:ing)? towards?|trying (?:to|for)|"
    r"(?:shooting|gunning|pushing|going) for|targeting|eyeing|fingers crossed (?:for|that|we)|"
    r"our sights are (?:set )?on)(?! you to)(?![\w'-])"
)
_LETS: Final = re.compile(
    r"^" + _LEAD + r"(?:let'?s|let us)(?! (?:say|assume|suppose|imagine|pretend|see|check|know|hear))(?![\w'])"
)
_WOULD_BE: Final = re.compile(
    r"^" + _LEAD + r"(?:it|that|this|they)? ?(?:'d|would|ll|'ll|will|might) ?be (?:really |so |very |super |quite |"
    r"just |absolutely |a )*(?:great|nice|good|awesome|ideal|lovely|helpful|cool|better|best|perfect|"
    r"wonderful|amazing|fantastic|sweet|dream|useful|win|brilliant|ace|neat|swell|handy|a game "
    r"changer) (?:if|to|for|when|were)(?!\w)"
    r"|^" + _LEAD + r"(?:it is|it's|it was) (?:my|our|the|her|his|their) (?:\w+ )?(?:aim|goal|intention|objective|plan|"
    r"ambition|wish|hope|dream|desire|target) (?:to|that)(?!\w)"
    r"|^"
    + _LEAD
    + r"(?:it is|it's) (?:absolutely |really |very )?(?:essential|crucial|vital|imperative|important|critical) "
    r"(?:to|that|for)(?! (?:note|remember|mention|understand|see|know|point)(?!\w))(?!\w)"
    r"|^" + _LEAD + r"what (?:i|we)(?: \w+)? (?:want|need|wish for|would like|'d like|hope for) (?:is|are)(?!\w)"
    r"|^" + _LEAD + r"(?:if only|i wish|we wish|can't wait (?:for|to)|here'?s hoping|success (?:for (?:me|"
    r"us) )?(?:looks like|means|is(?= \d)|"
    r"would be|is when)|dream(?:ing)? of|it'?s (?:high )?time (?:we|to|for)|how (?:great|nice|cool) "
    r"would)(?!\w)"
)
_GOAL_NOUN: Final = re.compile(
    r"^" + _LEAD + r"(?:(?P<holder>[\w'-]+(?: [\w'-]+){0,3}?)'s? )?(?:(?:my|our|the|a|this|one|main|key|primary|"
    r"overall|top|stretch|north[- ]star|new|current|quarterly|annual|team|company|next|big|long-term|"
    r"short-term|ultimate|first|other|number one|q[1-4]|q[1-4] \d{4}|(?:20\d\d))[ ,]+)*"
    r"(?:goal|target|objective|aim|ambition|aspiration|wish|okr|plan|intention|mission|idea(?= is to)|"
    r"hope|condition(?= (?:is|are) (?:an?|that|to|no|\d))|priority|focus|vision|kpi target|slo target|desire|"
    r"dream|key result|north star|ask|demand|"
    r"request|expectation)s?(?! (?:was|were|of our|reached|met))"
    r"(?! (?:is|are|'s|remains|stays) (?:now |still |currently |also )?(?:up|down|flat|high|low|strong|weak|growing|"
    r"falling|"
    r"rising|met|fulfilled|unchanged|stable|out|back|here|unclear|unknown)(?!\w))(?: (?:for|of|in|by|this|on|with|from|"
    r"next|to) [^:]{1,60}?)? ?(?::|(?:is|are|'s|remains|stays|would be|will be)(?![\w'])|=|–|—|-(?= )|"
    r"\W*$)"
)
_OTHERS: Final = re.compile(
    r"(?:(?:'ve|has|have|had|'s|is|are|was|were|been|would|'d|will|keeps?|kept|again|also|still|"
    r"really|all|now|both|just|repeatedly|explicitly|desperately|strongly|formally|already|even|"
    r"currently|constantly|always|specifically|definitely|clearly|further) )*"
    r"(?P<verb>wants?|wanted|wanting|would like|'d like|like|love|would love|'d love|prefer|would "
    r"prefer|prefers|preferred|would be (?:much |far |a lot )?"
    r"(?:happy|happier|glad|grateful|delighted|pleased|thrilled) (?:with|to|if|about)|expect(?:s|ed)?(?= (?!it |"
    r"this |that |them |prices|rates|growth|sales|[\w-]+ to (?:rise|fall|grow|drop|be)))|"
    r"would (?:really |very much )?(?:welcome|appreciate|value)|favou?rs?|"
    r"ask(?:s|ed|ing)?(?: (?:us|me))? (?:whether|if) (?:[\w'-]+ ){1,4}?"
    r"(?:can|could|would|might)|(?:dead |hell-)?(?:set|bent) on|advis(?:es?|ed) (?:us|me|everyone) to|"
    r"ask(?:s|ed|ing)?(?: (?:us|me|you|the team|everyone|our team|for it|"
    r"them|him|her))?(?: (?:for|to|that|about getting))|request(?:s|ed|ing)?|demand(?:s|ed|ing)?|"
    r"hop(?:es|ed|ing|e)(?: (?:to|for|that|we|it|they|the))?|wish(?:es|ed|ing)?|"
    r"insist(?:s|ed|ing)?(?: (?:on|that|we|upon))?|expect(?:s|ed|ing)? (?:us|me|the team|our|everyone|"
    r"to|that we|we|a|an|at|no|full|better|all)|beg(?:s|ged|ging)?(?: (?:us|me))?(?: (?:for|to))?|"
    r"urg(?:es|ed|ing|e)(?: (?:us|me|everyone))?|propos(?:es|ed|ing|e)|suggest(?:s|ed|ing)?(?= (?:we|"
    r"that we|moving|using|adding|a|an|to|switching|dropping|cutting|raising|going|[a-z]+ing))|"
    r"plan(?:s|ning|ned)? (?:to|on)|intend(?:s|ed|ing)? to|aim(?:s|ed|ing)? (?:to|for|at)|"
    r"(?:is |are )?keen (?:to|on|for)|eager (?:to|for)|push(?:es|ed|ing)? (?:for|to|us|hard for|hard "
    r"to)|lobby(?:ing)?(?: for| to)?|lobbie[sd](?: for)?|call(?:s|ed|ing)? (?:for|on us)|look(?:s|ing|"
    r"ed)? (?:for|to)|crav(?:es?|ing)|dream(?:s|ing|ed)? of|press(?:es|ed|ing)? (?:for|us|to)|"
    r"petition(?:s|ed|ing)?(?: for| to)?|argu(?:es|ed|ing) (?:for|that we should|we should)|vote[sd]? "
    r"for|need(?:s|ed)?|pleaded|plead(?:s|ing)?(?: for| with)?|set (?:a|us a|the|an?) (?:target|goal)|"
    r"would rather|'d rather|wishlist|yearn(?:s|ing)? for|long(?:s|ing)? for|appeal(?:s|ed)? for|"
    r"advocat(?:es?|ed|ing)(?: for)?|(?:pledg|vow)(?:e?s|ed|ing) to|seek(?:s|ing)?|aspir(?:es?|ed|ing) to|"
    r"recommend(?:s|ed|ing)?|nagging|complain(?:s|ed|"
    r"ing) that (?:we|"
    r"they) (?:should|need))(?![\w'-])"
)
_HOLDER: Final = re.compile(
    r"^"
    r"(?>[\s\"'“(,;:–—-]|(?:and|but|so|ok|well|also|then|yes|no|now|btw|fyi|plus|because|since|"
    r"although|though|while|meanwhile|update|apparently|again|then|according to the (?:email|"
    r"ticket),?|at the (?:[\w-]+ )?(?:meeting|call|sync|standup|review),?|in the (?:meeting|call|sync|"
    r"standup|review),?|today|yesterday|last (?:week|month|quarter|night),?|this (?:week|month|"
    r"morning),?|on (?:monday|tuesday|wednesday|thursday|friday),?)(?![\w-]))*+"
    r"(?P<holder>(?!(?:i|we|it|you|there|what|who|that|this|which|if|when|please|let's|lets|not|"
    r"don't)(?![\w-]))[^\W_][\w&./-]*(?:(?:'s|'|’s)?,? (?!(?:is|are|was|were|has|have|had|will|would|"
    r"keeps?|kept|and (?:i|we))(?![\w-]))[\w&./'-]+){0,7}?)(?=[ ']) ?"
)
_REQUESTED_OF: Final = re.compile(
    r"^" + _LEAD + r"(?:we|i|the team|our team) ?(?:'ve|have|were|was|got|'re|are|am|'m)(?: been| being| just| now| "
    r"also)* (?:asked|told|requested|instructed|urged|begged|pressed|ordered|mandated|"
    r"required)(?P<by> by (?P<holder>[\w' -]{2,40}?))? (?:to|for|that)(?!\w)"
    r"|^" + _LEAD + r"(?P<party>(?!(?:i|we|it|you|they|he|she|there|this|that)(?!\w))[\w'&.-]+"
    r"(?: [\w'&.-]+){0,4}?) (?:won't|wont|will not|"
    r"refuses? to|isn't going to|is not going to|will only|are not going to|aren't going to) \w+(?: [\w'-]+){0,4}? "
    r"(?:unless|until|without|if) (?:we|i|us)(?!\w)"
    r"|^" + _LEAD + r"(?:a |an |the |another |new |feature |change |big |top |main |number one |most common |urgent |"
    r"hard |standing |repeated )*(?:request|ask|demand|wish|plea|call|wishlist|requirement)(?:s)? "
    r"(?:from|by|of) (?P<from>[\w'&. -]{2,40}?) ?(?::|is|was|–|—|-|,|for|to)(?!\w)"
)
_PREFERENCE: Final = re.compile(
    r"(?<![\w-])prefers?(?![\w-])[^.;:]{1,80}(?<![\w-])(?:over|to|rather than|instead of)(?![\w-])"
)
_PAST: Final = re.compile(
    r"(?<![\w-])(?:was|were|had|been) (?:\w+ )?(?:hoping|aiming|planning|looking|targeting|wanting|"
    r"supposed|going|meant)|(?<![\w-])(?:i|we) (?:had |originally |initially )?(?:wanted|hoped|"
    r"planned|aimed|intended|needed)(?![\w-])"
)
_EPISTEMIC: Final = re.compile(
    r"should(?:n't)? (?:be (?:enough|fine|ok|okay|good|sufficient|able|there|done|ready|back|around|"
    r"plenty|close|about|in|at|sorted|here|live)|suffice|have|take|do\b|work|land|arrive|reach|see|"
    r"hit|cost|last|hold|come|make it|know|note|"
    r"get(?! (?:it|this|that|them|the \w+|our \w+) (?:to|down|up|under|below|above|back|over)(?!\w)))"
)


_DUE: Final = re.compile(r"(?<![\w-])(?:by|before|until) (?:the |our |end of |early |late |mid )*\w")
_ENDS_WELL: Final = re.compile(
    r"(?:would|'d) be (?:really |just |so |more )?(?:ideal|great|nice|perfect|lovely|fantastic|awesome|wonderful|"
    r"brilliant|"
    r"welcome|sweet|best)[\s.!)]*$"
    r"|(?<![\w-])(?:is|remains|stays) (?:the|our|my) (?:\w+ )?(?:goal|target|aim|objective|ambition)[\s.!)]*$"
)
_IDEALLY: Final = re.compile(r"^[\s\"'“(-]*(?:and |so |but )?(?:ideally|in an ideal world|in a perfect world)(?!\w)")


_MEANS: Final = re.compile(r"(?:'d|would) need [^.]{1,60} to (?:be (?:sure|certain)|know|tell|say|confirm)(?!\w)")
"""What somebody would need in order to know is no wish."""


def own_wish(low: str) -> Want | None:
    """Find `I want`, `we aim`, `need …`: the speaker's own goal. `I want you to` orders, `we wanted` is past."""
    if _PAST.search(low):
        return None
    found = _OWN.match(low) or _ELIDED.match(low)
    if (
        found is None
        or (found[0].rstrip().endswith(("should", "ought to")) and _EPISTEMIC.search(low))
        or _MEANS.search(low)
    ):
        return None
    kind: IntentKind = "preference" if _PREFERENCE.search(low) else "goal"
    return Want(kind, "own-wish", "", found.end())


def proposal(low: str) -> Want | None:
    """Find `let's …`: what the speaker would have everybody do. `Let's say` supposes."""
    found = _LETS.match(low)
    return None if found is None else Want("goal", "proposal", "", found.end())


def would_be_good(low: str) -> Want | None:
    """Find `would be great if …`, `if only …`: a wish in the shape of a condition."""
    found = _IDEALLY.match(low) or _WOULD_BE.match(low)
    if found is None and _ENDS_WELL.search(low) is not None:
        return Want("goal", "would-be-good", "", 0)
    return None if found is None else Want("goal", "would-be-good", "", found.end())


def stated_goal(low: str) -> Want | None:
    """Find `our goal is …`, `target for Q3: …`: a level that is named as wanted is not one that is."""
    found = _GOAL_NOUN.match(low)
    if found is None or (not found["holder"] and not low[found.end() :].strip(" .!") and found[0][-1:].isalpha()):
        return None
    holder = found["holder"] or ""
    return Want(
        "goal",
        "stated-goal",
        ""
        if holder in {"", "today", "year", "quarter", "month", "it", "that", "here", "what", "there", "let"}
        else _without_article(holder),
        0,
    )


def wish_of_others(low: str) -> Want | None:
    """Find `Maya wants …`, `the board asked for …`: somebody else's goal, kept with its holder."""
    holder = _HOLDER.match(low)
    while holder is not None:
        verb = _OTHERS.match(low, holder.end())
        if verb is not None and _may_want(
            holder["holder"],
            verb["verb"],
            low[holder.end() : verb.start("verb")],
            due=_DUE.search(low, verb.end()) is not None,
        ):
            kind: IntentKind = "preference" if _PREFERENCE.search(low) else "goal"
            return Want(kind, "wish-of-others", _without_article(holder["holder"]), verb.end())
        holder = _longer(low, holder)
    return None


def requested(low: str) -> Want | None:
    """Find `we were asked by legal to …`, `request from sales: …`: a wish that names its holder another way."""
    found = _REQUESTED_OF.match(low)
    if found is None:
        return None
    holder = found["holder"] or found["from"] or found["party"] or ""
    return Want("goal", "requested", _without_article(holder.strip()), found.end())


_IT: Final = re.compile(
    r"^\W*(?:it|they) (?:also |still |now )?(?P<verb>hopes?|wants?|intends?|aims?|plans?) (?:to|for)(?!\w)"
)


def its_wish(low: str) -> Want | None:
    """Find `it hopes to …`: a wish of what the sentence before was about."""
    found = _IT.match(low)
    return None if found is None else Want("goal", "wish-of-others", "^", found.end())


def elided_wish(low: str) -> Want | None:
    """Find `… and would like …`: a wish whose holder is the subject of the clause before."""
    verb = _OTHERS.match(low.lstrip())
    if verb is None or (
        verb["verb"] in {"like", "love", "plan", "need", "prefer"} and not low.lstrip().startswith(("would", "'d"))
    ):
        return None
    return Want("goal", "elided-wish", "^", len(low) - len(low.lstrip()) + verb.end())


WISHES: Final[tuple[Callable[[str], Want | None], ...]] = (
    would_be_good,
    proposal,
    requested,
    own_wish,
    stated_goal,
    its_wish,
    wish_of_others,
)


EXPECTING: Final = PEOPLE - frozenset({"analysts", "people", "everyone", "everybody", "they", "he", "she", "we"})
"""Whose expectation of a level is a demand; an analyst's is a forecast."""


def is_past_wish(low: str) -> bool:
    """Tell whether a clause says what had been hoped for."""
    return _PAST.search(low) is not None


_WORDS: Final = re.compile(r"[\w&./'-]+")


def _longer(low: str, holder: re.Match[str]) -> re.Match[str] | None:
    """Give the next longer reading of who holds a wish, at most eight words."""
    start = holder.start("holder")
    word = _WORDS.match(
        low,
        min(
            len(low), holder.end("holder") + (1 if low[holder.end("holder") : holder.end("holder") + 1] in " ," else 0)
        ),
    )
    if word is None or word.end() == holder.end("holder") or len(low[start : word.end()].split()) > 7:  # noqa: PLR2004 - a small bound
        return None
    return re.compile(rf"(?s:.{{{start}}})(?P<holder>(?s:.{{{word.end() - start}}}))(?=[ ']) ?").match(low)


def _may_want(holder: str, verb: str, between: str, *, due: bool) -> bool:
    """Tell whether the words before a wish name somebody; things `need` too, and so do not count."""
    last = holder.rsplit(maxsplit=1)[-1].strip("'")
    if verb.startswith("expect") and re.search(r"(?:^|\W)(?:is|are|was|were|been)\W", between):
        return False
    if last.endswith("'s") or set(holder.split()) & (BE | HAVE | DO | MODALS) or holder.split(maxsplit=1)[0].isdigit():
        return False
    if verb in {"like", "love", "prefer"} and re.search(r"would |'d ", between):
        return last not in {"to", "that", "which", "and", "or", "of"}
    return _wants(holder, last, verb, due=due)


def _wants(holder: str, last: str, verb: str, *, due: bool) -> bool:
    """Tell whether who holds a wish may be said to have it by its verb."""
    if verb == "needs" and due:
        return len(holder.split()) < 4  # noqa: PLR2004 - a small bound
    if verb in {"expect", "expects", "expected"}:
        return last in EXPECTING
    if verb.startswith(("need", "favo")) or verb in {"like", "love", "plan", "prefer"}:
        return last in PEOPLE or holder in PEOPLE
    return last not in {"to", "not", "and", "or", "of", "the", "a", "n't", "that", "which", "is", "are", "be"}


def _without_article(holder: str) -> str:
    """Give a holder without its `the`."""
    return re.sub(r"^(?:the|a|an|our|both|all|even|also|some|another) ", "", holder.strip(" ,.:'"))
