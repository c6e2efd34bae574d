"""What binds: decisions, rules, limits and prohibitions. A rule says what ought to be, never what is."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from collections.abc import Callable
from typing import Final

from stanchion_extraction.core.prose.lexicon import BE, DETERMINERS, HAVE
from stanchion_extraction.core.prose.wish import Want

_HOLDER: Final = (
    r"(?P<holder>(?!(?:i|we|it|this|that|there|which|who|he|she|they|you|no one|"
    r"nobody)(?![\w-]))[^\W_][\w&./'-]*(?: [\w&./'-]+){0,5}?)"
)
_LEAD: Final = (
    r"^(?>[\s\"'“(,;:–—-]|(?:and|but|so|also|then|now|because|since|as|although|though|while|which|"
    r"that|plus|therefore|update|fyi|btw|ok|yes|no)(?![\w-]))*+"
)
_DECIDED: Final = re.compile(
    _LEAD
    + r"(?:(?:i|we|it|the team|team|"
    + _HOLDER
    + r")(?:'ve| have| has|'s| had| was| were|'re| are)?(?: been| now| just| all| finally| also| "
    r"already| unanimously| jointly| then)* )?"
    r"(?:decided|agreed|resolved|chose|chosen|opted|committed|settled|standardi[sz]ed?|"
    r"standardi[sz]ing|voted|ruled out|ruled|mandated|signed off|locked in|gone with|going with|picked|"
    r"adopted|banned|capped|forbade|forbidden)"
    r"(?:(?: (?:to|that|on|against|not|as a team|for|in favou?r|unanimously|we|out|only|at))+|(?= "
    r"(?:\w+ ){0,2}\w+))(?![\w-])"
)
_DECIDES: Final = re.compile(
    r"(?:decided|agreed|opted|chose|chosen|resolved|committed) (?:to|on|that|against|not|as|"
    r"unanimously|we|in)(?!\w)|voted (?:to|against|in favou?r)(?!\w)|chose (?:option|vendor|supplier|plan|bid|"
    r"version|site)(?!\w)|"
    r"opted for|settled on|standardi[sz](?:ed|ing|e) on|signed off on|ruled (?:out|that|"
    r"against)|locked in|gone with|going with|mandated|banned|forbade"
)
_WILL: Final = re.compile(
    _LEAD + r"(?:we|our team|all teams|every team|teams) ?(?:will|'ll|shall|won't|wont|are (?:not )?going to|"
    r"'re (?:not )?going to)(?! (?:probably|likely|maybe|perhaps|surely|need|have to|see|be|hit|reach|"
    r"run|lose|miss|end|land|exceed|grow|finish|get|know|regret|fail|make it|probably|soon|never "
    r"(?:know|reach|get)|likely|easily|certainly|find out))(?![\w'])"
)
_MODAL: Final = re.compile(
    r"(?<=s )(?:can't|cannot|can not) (?:sign|approve|enter|access|work|drive|operate|export|buy|sell|order|"
    r"bring|take|handle|"
    r"carry|prescribe|administer|publish|merge|edit|delete)(?!\w)|"
    r"(?:is|'s) a (?:hard |strict |firm )?(?:requirement|rule|constraint|red line|prerequisite)\W*$|"
    r"^\W*(?:all|every|each|any) [\w' -]{2,40}? (?:go(?:es)? (?:through|via|to)|gets? (?:a|an|the|one|two))(?!\w)|"
    r"(?<![\w-])may be \w+ (?:[\w-]+ ){1,6}only(?!\w)|(?<![\w-])never (?:leaves?|enters?|exceeds?|goes|gets|"
    r"touch(?:es)?)(?!\w)|"
    r"(?<![\w-])may (?:be \w+ |\w+ ){1,3}?(?:(?:for|by|at|with|within|in|to) )?"
    r"(?:no (?:more|longer|later|fewer|less|earlier) than|at most|only|not more than|up to)(?![\w-])|"
    r"(?<![\w-])(?:must(?:n't| not|nt)?(?! have been)|shall(?: not)?|may (?:not|only|never|no longer)|"
    r"(?:is|are)(?: now| strictly| only)? (?:restricted|limited|confined) to|(?:is|are)(?: strictly)? reserved for|"
    r"needs? (?:the |a |an |prior |written |legal |one |two |three )*(?:approvals?|sign-?offs?|permission|permit|"
    r"consent|"
    r"authori[sz]ation|"
    r"clearance|reviewers?|approvers?|signatures?)|"
    r"you (?:can't|cannot|can not|can only)|(?:can't|cannot|won't|will not) \w+(?: \w+){0,2} without|"
    r"(?:has|have|'ve got|has got|have got|got|gotta)(?: always| all)? to(?! do with)|(?:is|are) to "
    r"be|(?<=s )are to (?!blame|date|arrive|come|follow)[a-z]+|"
    r"(?:staff|people|everyone|everybody) (?:is|are) to [a-z]+|needs? to be|"
    r"(?:is|are|'s|'re|be|been|strictly|now|becomes?|remains?)(?: now| strictly| always| also| no "
    r"longer| still| explicitly)* (?:not )?(?:mandatory|required|obligatory|compulsory|prohibited|"
    r"forbidden|banned|disallowed|permitted|allowed|off[- ]limits|out of bounds|verboten|"
    r"non-negotiable|a must|a no-go|capped at|limited to at most)|"
    r"(?:is|are|be)(?: \w+)? (?:required|obliged|obligated|supposed|expected) to(?! (?:reach|grow|hit|"
    r"fall|rise|be|increase|decrease|exceed|land|come|cost|take|drop|last|arrive|end|start)(?!\w))|"
    r"not to exceed|no[- ]go|isn't allowed|aren't allowed|not allowed|not permitted|mandatory for|"
    r"(?:can't|cannot|can not|cant) (?!get|see)\w+ (?:\w+ )?(?:past|beyond|above|below|over|under|"
    r"later than|earlier than|more than|less than|fewer than)|"
    r"(?:can't|cannot|can not|cant)(?: ever| ever again)? (?:exceed|go (?:over|above|below|past|"
    r"beyond|under)|be (?:more|less|later|longer|over|above|used|shared|stored|kept|sent|exported|"
    r"deployed|merged|changed|higher|lower|earlier|larger|bigger|exposed|moved|reused|granted|below|"
    r"under)|add more|take (?:more|longer)|cost more|spend more|use more|have more|leave|ship without|"
    r"drop below|fall below|store|share|keep|accept more|hold more|sell to|deploy (?:on|after|"
    r"without)|merge without|hire more|run longer)|"
    r"(?:should|ought to)(?: not| never| always| only|n't)? (?:be \w+ed|always|never|only|not)|"
    r"(?:should not|shouldn't|shouldnt)|(?:only|solely|exclusively) (?!\d|(?:one|two|three|four|"
    r"five|six|seven|eight|nine|ten) )[\w' -]{2,50} (?:may|can|are "
    r"allowed|is allowed|shall|will be allowed|get to|have)|"
    r"(?:no one|nobody|no-one|neither)(?: [\w' -]{2,30})? (?:may|can|shall)|(?:no one|nobody|none of [\w ]{2,30}|"
    r"no \w+(?: \w+)?) (?:may|can|should|shall|is allowed|gets "
    r"to|are allowed|will)|never again|capped at|must-have|at all costs|under no circumstances|zero "
    r"tolerance|on no account)(?![\w-])"
)
_BOUND: Final = re.compile(
    r"\d[\d.,]*\s?(?:[a-z%$€£]{1,8} ){0,2}?(?:[a-z%$€£]{1,8} )?(?:max|maximum|tops|at most|or less|"
    r"minimum|at the most)[\s.!)]*$"
)
_NO_MORE: Final = re.compile(
    r"^[\s\"'“(-]*(?:no (?:more|less|fewer|later|earlier) than|at most|not more than|up to|"
    r"max(?:imum)?\.?) (?:\S*\d|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)(?!.*(?<![\w-])(?:is|"
    r"are|was|were|has|had|have|came|attended)(?![\w-]))|"
    r"^[\s\"'“(-]*no [\w' -]{2,60}!+\s*$"
)
_BINDS: Final = re.compile(
    _LEAD
    + _HOLDER
    + r"(?: (?:now|also|still|explicitly|strictly|expressly|only|therefore|clearly|generally|has|have))*"
    r" (?P<verb>requires?|required|forbids?|forbade|prohibit(?:s|ed)?|mandate[sd]?|bans?|banned|caps?|"
    r"(?:tells|told) (?:us|me|the team|everyone|staff) (?:not )?to|"
    r"(?:orders|ordered|instructs|instructed|directs|directed) (?:us|me|the team|everyone|all [\w-]+) to|"
    r"(?:approved|imposed|introduced|announced|enacted|adopted) (?:a|an|the) (?:[\w-]+ ){0,2}?(?:freeze|ban|cap|limit|"
    r"moratorium|curfew|embargo|quota|restriction)|"
    r"capped|limits?|limited|restricts?|restricted|disallows?|disallowed|obliges?|obliged|dictates?|"
    r"dictated|stipulates?|stipulated|permits? only|allows? only|only allows?|only permits?|does not "
    r"allow|doesn't allow|don't allow|do not allow|does not permit|doesn't permit|rules out|blocks? "
    r"any|compels?|enforces?|prescribes?|calls for|demands? that|insists? (?:on|that)|set (?:a|an) "
    r"(?:hard )?(?:limit|cap)|says no|vetoe[sd]|vetoes|(?:won't|wont|will not|refuses to|doesn't|does "
    r"not) (?:approve|accept|fund|sign off|sign|tolerate|authori[sz]e|grant))(?![\w-])(?! (?:is|are|"
    r"was|were|isn't|wasn't|aren't|weren't|of|on|for|in|at|has|have|had|hasn't|per|=|:)(?!\w))"
)
_LIMIT: Final = re.compile(
    _LEAD + r"(?:(?:the|our|a|new|hard|strict|absolute|upper|lower|max(?:imum)?|team|company|security|house|"
    r"golden|standing|ground|speed|weight|age|height|load|noise|occupancy|depth|word|hiring|spend(?:ing)?|budget|"
    r"updated|final|unanimous) )*(?:limit|cap|rule|"
    r"policy|constraint|guardrail|requirement|ceiling|floor|decision|mandate|restriction|"
    r"non-negotiable|decided|agreed|resolution|resolved|budget cap|hard no|must-have|adr|no-go|"
    r"convention|prohibition|decision record|red line|precondition|prerequisite|principle|regulation|compliance|"
    r"law|(?:maximum|minimum|max|min)\.? [\w-]{2,20}(?: [\w-]{2,20})?(?= (?:is|are)(?!\w)))s?(?: (?:from|by|of|per|"
    r"for|on|in) (?P<holder>[\w'& .-]{2,40}?))?(?: \(?[\w./-]{1,20}\)?)? "
    r"?(?::|=|–|—|(?:is|says|stands?|remains?)(?: that)?(?= )(?! (?:met|still|not|now|at|about|up|"
    r"down|in|set)(?![\w-])))"
)
_STANDING: Final = re.compile(
    r"(?<![\w-])(?:from (?:now|here|today|this (?:day|point)|next \w+|\w+ \d{1,2}|\d{1,2} \w+|\w+) "
    r"on(?:wards?)?(?! (?:the|a|an|our|my|\d|\w+day)(?!\w))"
    r"(?: out)?|going forward|moving forward|henceforth|effective (?:immediately|from|as "
    r"of|now|today|on|\w+ \d+|\d{1,2} \w+)|(?:as of|from|starting|effective) [\w ]{2,24}?,? "
    r"(?:every|all|no|any|only|each|nobody|no one)(?= )|with immediate effect|"
    r"starting (?:today|now|immediately|monday|next|"
    r"tomorrow|with the next|from|in|on)|as of (?:now|today|next)|until further notice|no exceptions|"
    r"without exception|full stop|period(?=\s*[.!]?$)|end of (?:story|discussion)|non-negotiable|no "
    r"ifs|never ever|at all times|that's final|that is final|that's the rule|that is the rule)(?![\w-])"
)
_NEVER: Final = re.compile(
    r"^[\s\"'“(-]*(?:and |but |so |also |then )?(?:no(?: more)? [\w' -]{2,60}? (?:without|unless|"
    r"outside|on (?:fri|sat|sun|mon|tue|wed|thu|week|holi|prod|call|personal|shared|the)\w*|before(?! "
    r"\d)|after(?! \d)|leaves?|ships?|goes (?:live|out|to|into)|gets (?:merged|deployed|shipped)|"
    r"touch(?:es)?|enters?|merges?|is (?:merged|deployed|released|shared|stored))|"
    r"never (?!\w+ed(?!\w))(?!(?:been|again|happened|was|were|had|said|went|got|did|saw|mind|heard|"
    r"knew|ran|took|sent|wrote|gave|made|came|paid|left|met)(?!\w))\w+|nothing (?:ships|goes|leaves|"
    r"gets|merges|is deployed)|(?:always|only ever) (?!\w+s (?!be))[a-z]+ (?!been)|(?:nobody|no one|"
    r"no-one) (?!has(?!\w)|is(?!\w)|was(?!\w)|knows|thinks|says|likes|cares|uses|minds)(?:\w+s)(?= )|"
    r"(?:we|i) (?:do not|don't|never|only|no longer) (?:accept|allow|permit|sell|hire|deploy|merge|"
    r"ship|onboard|sign|negotiate|tolerate|touch|offer|take on|discount|work with|do business|buy|source|lend|rent|"
    r"prescribe|admit|publish) (?:\w+ )*(?:without|unless|outside|on friday|from(?! \d)|to|until|anymore|after|"
    r"before))"
    r"(?![\w-])"
)
_STATES: Final = re.compile(
    r"(?<![\w-])(?:is|are|was|were|isn't|wasn't|has|have|had|been|found|seen|left|so far|yet|today|yesterday|last|"
    r"we|i|they|it|he|she|there|reported|recorded)(?![\w-])"
)
_BARE_RULE: Final = re.compile(
    r"^\W*(?:decision: )?(?:no (?!warning|missing|meeting|finding|reading|training|standing|outstanding)\w+ing "
    r"(?:on|in|at|near|inside|within|during|after|before|without|outside|beyond|past)(?!\w)"
    r"|no [\w' -]{2,40}? (?:below|above|under|over|past|beyond|within) [$€£]?\d"
    r"|(?:all|every|each|any) [^\d\W][^\d]{2,80} only\W*$"
    r"|(?!\w+ed )[a-z'-]+(?: (?!\w+ed )[a-z'-]+)? only (?:between|by|with|from|after|before|via|through|during|"
    r"on|in|at|upon|against|to)(?!\w))"
    r"|^\W*(?:at least|at most|a minimum of|a maximum of|minimum|maximum|max\.?|min\.?) (?:\d\S*|one|two|three|"
    r"four|five|six|"
    r"seven|eight|nine|ten|twelve) (?!.*\w{3}ed(?!\w))[^.]{2,60} (?:per|each|every|on duty|at (?:all|"
    r"any) times?)(?!\w)"
    r"|^\W*(?:\d\S*|one|two|three|four|five|six|seven|eight|nine|ten|twelve) (?!.*\w{3}ed(?!\w))[\w' -]{2,40} "
    r"(?:max|maximum|at most|at the most|tops|minimum|at least)\W*$"
    r"|^\W*no (?:deploy\w*|releases?|merges?|merging|deliver\w+|visits?|visitors?|meetings?|purchases?|hires?|"
    r"travel|overtime|"
    r"discounts?|refunds?|access|photos?|phones?|food|drinks?|guests?|work|leave|vacations?|new [\w-]+|pets?|"
    r"vehicles?|"
    r"trucks?|children|unaccompanied \w+) (?:during|between|in|on|at|after|before|within|for|until|near|inside)(?!\w)"
    r"|, (?:always|every (?:single )?time|each time|without fail|no (?:later|earlier))\W*$"
)
"""Rules without a verb, as notices have them: `no smoking on site`, `no pour below 5 °C`, `deliveries only by "
"rail`."""
_PERIOD: Final = re.compile(
    r"^\W*(?:period|full stop|no exceptions?|non-negotiable|end of (?:story|discussion)|no ifs,? "
    r"(?:no )?buts?|without exception|that's final|this is final|this is not up for debate|this is "
    r"non-negotiable)\W*$"
)
_COPULA: Final = re.compile(
    r"(?<![\w-])(?:ha[sd]|have|'s|was|were|been)(?: \w+)? (?:had|have) to(?![\w-])|(?<![\w-])had to(?![\w-])"
)

_WAS_CAPPED: Final = re.compile(r"(?<![\w-])(?:was|were|had been) (?:\w+ )?(?:capped|limited|restricted)(?![\w-])")

FIRM: Final = re.compile(
    r"(?:oblig|mandate|prohibit|forbid|forbade|ban|stipulat|dictat|prescrib|enforc|disallow|compel|restrict|"
    r"permits? only|"
    r"approved|imposed|introduced|enacted|adopted)"
)
"""Verbs of a rule that nobody could take for a wish."""
_UNIVERSAL_NEED: Final = re.compile(
    r"^\W*(?:every|all|each|any) [\w' -]{2,60}? needs? (?!oil|water|repair|work|time|help)"
)


def decision(low: str) -> Want | None:
    """Find `we've decided to …`, `it was agreed that …`: a decision taken binds and describes nothing."""
    found = _DECIDED.match(low)
    if found is None or _DECIDES.search(low[: found.end() + 24]) is None:
        return None
    holder = found["holder"] or ""
    own = holder in {"", "we", "team", "the team", "it"} or holder.endswith((" it", " we", " i"))
    return Want("constraint", "decision", "" if own else _plain(holder), _object_of(low, found.end()))


def _object_of(low: str, end: int) -> int:
    """Give where what was decided begins: at its `not`, where it has one."""
    at = low.rfind(" not", max(0, end - 8), end)
    return at if at >= 0 else end


def resolve(low: str) -> Want | None:
    """Find `we will use …`: how decision records decide. `We will hit …` forecasts."""
    found = _WILL.match(low)
    return None if found is None else Want("constraint", "resolve", "", found.end())


def obligation(low: str) -> Want | None:
    """Find `must`, `may not`, `only … may`, `is mandatory`, `capped at`: what ought to be or is not allowed."""
    if _COPULA.search(low) or _WAS_CAPPED.search(low):
        return None
    found = _MODAL.search(low) or _UNIVERSAL_NEED.match(low) or _BOUND.search(low) or _NO_MORE.match(low)
    return None if found is None else Want("constraint", "obligation", "", 0)


def binding_source(low: str) -> Want | None:
    """Find `rule R-12 forbids …`, `finance caps …`: a rule whose holder is its source."""
    found = _BINDS.match(low)
    if found is None or set(found["holder"].split()) & (BE | HAVE) or found["holder"] in DETERMINERS:
        return None
    return Want("constraint", "binding-source", _plain(found["holder"]), found.start("verb"))


def stated_limit(low: str) -> Want | None:
    """Find `hard limit from finance: …`, `decision: …`, `our policy is …`: a level named as a bound is none that is."""
    found = _LIMIT.match(low)
    if found is None:
        return None
    return Want("constraint", "stated-limit", _plain(found["holder"] or ""), 0)


def standing_rule(low: str) -> Want | None:
    """Find `from now on`, `no exceptions`, `never …`, `no … without …`: a rule told as if it were a habit."""
    if _STANDING.search(low) or _NEVER.match(low):
        return Want("constraint", "standing-rule", "", 0)
    return None


def bare_rule(low: str) -> Want | None:
    """Find `no smoking on site`, `deliveries only by rail`: a rule told without a verb, as notices have it."""
    if _BARE_RULE.search(low) is None or _STATES.search(low) is not None:
        return None
    return Want("constraint", "bare-rule", "", 0)


BONDS: Final[tuple[Callable[[str], Want | None], ...]] = (
    decision,
    stated_limit,
    binding_source,
    obligation,
    resolve,
    standing_rule,
    bare_rule,
)


def is_seal(low: str) -> bool:
    """Tell whether a sentence only seals the one before it as a rule, as `Period.` and `No exceptions.` do."""
    return _PERIOD.match(low) is not None


def _plain(holder: str) -> str:
    """Give a holder without its `the`."""
    return re.sub(r"^(?:the|a|an|our) ", "", holder.strip(" ,.:'"))
