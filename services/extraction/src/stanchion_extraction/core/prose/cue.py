"""What tells a clause that states from one that asks, supposes, hopes, orders or only thinks so."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from typing import Final, Literal

Mood = Literal["fact", "hypothetical", "question", "instruction", "opinion", "wish", "constraint", "rejected"]

_LEAD: Final = (
    r"^(?>[\s\"'“(,;:!–—-]|(?:and|but|so|ok|okay|hey|hi|hello|well|also|then|yes|yeah|no|now|oh|btw|"
    r"fyi|fwiw|team|folks|all|guys|everyone(?! (?:has|must|gets|should|is|was|will))|sorry"
    r"|anyway|plus|seriously|quick|just|first|second|third|next|finally|lastly|again|kindly|morning|"
    r"actually|honestly|thanks|or)\b)*+"
)


def _any(words: str) -> re.Pattern[str]:
    """Give a pattern of whole words, told apart by bars."""
    return re.compile(r"(?<![\w'-])(?:" + words + r")(?![\w-]|'\w)")


SUPPOSITION: Final = re.compile(
    _LEAD + r"(?:(?:please |let'?s |lets |now |just )*(?:suppos(?:e|ing)|assum(?:e|ing)|imagin(?:e|ing)|"
    r"pretend(?:ing)?|picture|say(?= |,)|hypothesi[sz]e|simulate|consider)"
    r"|provid(?:ed|ing)(?! by)|what if|in theory|theoretically|hypothetically|for (?:the sake of|"
    r"argument'?s)|thought experiment|worst case|best case|scenario)(?![\w-])"
)
HYPOTHETICAL: Final = _any(
    r"in (?:our|the|my|this|that|a|his|her|their) (?:model|simulation|movie|film|book|novel|game|"
    r"story|forecast|plan|proposal|draft|mock-?up|demo|dream|playbook|template|projections?)|if|"
    r"unless|supposing|suppose|assuming|assume|assumes|assumed|imagine|pretend|what-if|in case|"
    r"provided that|providing|whether|(?<!twice )(?<!half )(?<!times )as long as|so long as|as soon as|"
    r"hypothetical(?:ly)?|"
    r"theoretically|in theory|in the event|otherwise|let'?s say|say we|would|wouldn't|wouldnt|'d|"
    r"would've|could|couldn't|couldnt|could've|were to|whenever|when|once|(?:until|till|til)(?! (?:\d|"
    r"the end of|end of|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|q[1-4]|mid))|given|in that "
    r"case|else|worst[- ]case|best[- ]case|scenario|lest|were it|were we|depending|iff|on condition|"
    r"for example|for instance|e\.g\.?|(?<!\w\.)example(?!\.\w)|even with|with or without|in (?:a|an) (?:perfect|"
    r"ideal) world|on paper|in principle|ideally|wenn|falls(?= (?:der|die|das|wir|es|ich|ihr|sie|er|man|nicht|"
    r"kein)(?!\w))"
)
_INVERTED: Final = re.compile(
    _LEAD + r"(?:had|were|should) (?:i|we|you|he|she|it|they|the|a|an|this|that|our|any|anyone|there|these|"
    r"those|[a-z]+ (?:have|be|been|gone|not))(?![\w-])"
)
OPINION: Final = _any(
    r"or so (?:they|i|we|he|she|people|it|the)(?: [a-z]+){0,3}|so they say|(?:i|we|you|they|he|she|people|some|many|"
    r"most) (?:really |also |still |all |just |do )?(?:think|"
    r"thinks|thought|believe|believes|believed|guess|guessed|suspect|suspected|reckon|reckoned|figure|"
    r"figured|feel|felt|expect|expected|doubt|gather|heard|hear|bet|fear|worry|read|understand|hope|"
    r"hoped|imagine|suppose|remember|recall|estimate|estimated|project)|think(?:ing)?|thinks|thought|"
    r"guess(?:ing)?|guesses|suspect|suspects|reckon|reckons|believe|believes|believed|doubt|doubts|"
    r"predict(?:s|ed|ion|ions)?|forecast(?:s|ed|ing)?|expect(?:s|ed|ing|ation|ations)?|estimate(?:s)?|"
    r"estimated|estimating|project(?:ed|s to)|anticipat(?:e|es|ed|ing)|speculat\w{1,6}|probably|probs|"
    r"prolly|perhaps|maybe|mebbe|possibly|likely|unlikely|presumably|apparently|supposedly|allegedly|"
    r"purportedly|reportedly|ostensibly|conceivably|arguably|potentially|plausibly|seemingly|"
    r"rumou?r(?:s|ed|edly)?|rumou?r has it|seem|seems|seemed|appear|appears|appeared|looks?|looked|"
    r"looking|sounds?|feels?|feeling|smells?|tastes?|should|shouldn't|shouldnt|ought|hopefully|"
    r"fingers crossed|not (?:so |entirely |100% |fully |completely |quite |really |too )?(?:sure|"
    r"certain|confident|clear|convinced|confirmed|verified|positive)|unsure|uncertain|unclear|"
    r"unconfirmed|unverified|no idea|(?:don't|dont|do not|didn't|doesn't|can't|cannot|cant) (?:know|"
    r"remember|recall|think|believe|tell|say|quote|trust|agree)|dunno|word is|word has it|iirc|afaik|"
    r"someday|some day|one day|eventually|sooner or later|in the (?:near |not too distant )?future|down the road|"
    r"afaict|imo|imho|in (?:my|our|his|her|their) (?:view|opinion|experience|mind|head|book)|my "
    r"(?:guess|hunch|gut|sense|bet|feeling|money|view|opinion|understanding|impression|theory|take)|"
    r"hunch|gut feel(?:ing)?|bet|i'd say|ballpark|somewhere (?:near|around|between|in)|chances?|odds|"
    r"risk(?:s)? (?:of|that)|risks|likelihood|probability|possibilit(?:y|ies)|will|won't|wont|'ll|"
    r"going to|gonna|set to|bound to|about to|on track|on course|on pace|trending|heading (?:for|to)|"
    r"shall|tends?|kind of|sort of|kinda|sorta|if memory serves|might|might've|(?<!in )(?<!since "
    r")(?<!by )(?<!of )(?<!until )(?<!last )(?<!this )(?<!next )(?<!during )(?<!for )"
    r"(?<!from )(?<!\d )(?<!\dst )(?<!\dth )may(?! \d)|"
    r"mightn't|wonder|wonders|wondering|theory|hypothesis|hypothesi[sz]e\w?|opinion|fear|fears|"
    r"worried|afraid|confident|optimistic|pessimistic|convinced|sceptical|skeptical|wish|wishes|dream|"
    r"pretty sure|fairly (?:sure|certain)|almost certain\w{0,2}|quite sure|i'm sure|im sure|surely|"
    r"outlook|prediction|guesstimate|guestimate|projection|projections|placeholder|dummy|fake|made[- "
    r"]up|fictional|invented|lorem|tbd|tbc|xx+|illustrative|jk|kidding|joking|just joking|lol|haha|"
    r"claims to|claimed to|said to be|supposed to|meant to|"
    r"(?<!have )(?<!has )(?<!had )considered|deemed|feels like|not confirmed|"
    r"(?:haven'?t|hasn'?t|have not|has not|couldn'?t|could not|can'?t) (?:been )?(?:confirm|verif|"
    r"check|validat|double-check|reproduc)\w*|yet to be|to be confirmed|pending confirmation|next "
    r"(?:week|month|quarter|year)|tomorrow|tmrw|expectedly|upcoming|proposed|hypothesised|planned|"
    r"budgeted|targeted|desired|intended|pencilled|tentative|tentatively|provisional|provisionally"
)
_TASTE: Final = _any(
    r"awesome|terrible|awful|ugly|beautiful|lovely|amazing|boring|clunky|annoying|nice|great|horrible|"
    r"disappointing|insane|crazy|ridiculous|best|worst|favou?rite|overrated|underrated"
)
_QUESTION_START: Final = re.compile(
    _LEAD + r"(?:(?:who|whom|whose|what|where|why|how|which|when)(?:'s|'re|'d|s)?(?![\w'-])|(?:is|are|was|"
    r"were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)(?:n'?t)? "
    r"(?:\w|['\"])|(?:isn|aren|wasn|weren|don|doesn|didn|hasn|haven|can|couldn|won|wouldn|shouldn)'?t (?:\w)"
    r"|any(?:one|body)? (?:know|idea|clue|chance|news|update|thoughts|remember|got|have|has|seen)|"
    r"anyone |wonder(?:ing)? |curious |not sure (?:if|whether|what|how|why|when|who)|no idea |"
    r"question\b|remind me (?:what|how|when|who)|tell me |let me know |wdyt|thoughts on)"
)
_ASKED: Final = _any(
    r"(?:do|does|did|can|could|would|will|is|are|have|has|should) (?:you|we|i|they|anyone|anybody|"
    r"someone|somebody|it|he|she)(?: \w+)? (?:know|confirm|check|tell|say|remember|think|agree|see|"
    r"find out)|wonder(?:ing|s)? (?:if|whether|what|how|why|when|who)|asks? (?:if|whether|what|how|"
    r"why|when|who|which)|asked (?:me |us )?(?:if|whether|what|how|why|when|who|which)|(?:to|must|"
    r"should|need to) (?:know|find out|check|clarify|confirm|determine) (?:if|whether|what|how|why|"
    r"when|who|which)|curious|unanswered|open question|know (?:if|whether|how many|how much|what|"
    r"which|who|when|why|how)"
)
_TAG: Final = re.compile(
    r"(?:,|\.\.\.|…|-|–|—)?\s*(?:(?<=[,.…–—-]\s)|(?<=[,.…–—-]))(?:right|correct|yes|yeah|yea|no|true|"
    r"ok|okay|eh|huh|innit|agreed?|or not|or no|or what|or (?:is|was|are|did|does) (?:it|that|they|"
    r"we)(?: not)?|or am i wrong|am i right|is that (?:right|correct|so)|is it not|isn't that so|"
    r"(?:is|are|was|were|do|does|did|has|have|can|will|would|should|could)(?:n'?t)? (?:it|they|he|she|"
    r"we|you|that|this|there|i))\s*[?!.]*\s*$|\b(?:right|correct|yeah|isn'?t it|no)\?+\s*$"
)
_PLEASE: Final = _any(
    r"please|pls|plz|kindly|make sure|be sure to|be sure that|feel free|don'?t forget|do not forget|"
    r"remember to|remember that|would you|could you|can you|can someone|could someone|will you|you "
    r"(?:should|must|need to|have to|are to|can|will|shall)|i need you to|i want you to|i'd like you "
    r"to|we need you to|want you to|need you to|like you to|your (?:job|task) is|you are (?:now|a|an)|"
    r"go ahead and|todo|to-do|to do:|fixme|reminder to|remind|action item|action required|next steps?|"
    r"assigned to"
)
INJECTION: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|overrule|drop)\b[^.\n]{0,40}\b(?:instructions?|"
    r"prompts?|rules?|context|guardrails?|guidelines?|directives?|above|everything|policy|policies|"
    r"safety|system)\b"
    r"|\b(?:system prompt|developer mode|jailbreak|new instructions?|you are now|act as|pretend (?:to "
    r"be|you)|begin (?:system|instructions?)|end of (?:system )?(?:prompt|instructions?))\b"
    r"|(?m:^\W{0,4}(?:system|assistant|developer|instructions? (?:to|for)[^:\n]{0,40}|(?:hidden |"
    r"important )?(?:note|message|instructions?) (?:to|for) (?:the )?(?:ai|agent|assistant|model|bot|"
    r"llm)[^:\n]{0,20})\W{0,3}:)"
    r"|\[/?inst\]|<\|im_|<<sys>>|<system>|</?(?:system|instructions?)>"
)
WITHDRAWN: Final = _any(
    r"not sure(?: though| about that)?|i think|i think so|i guess|just guessing|don'?t quote me(?: on "
    r"that)?|(?:i )?(?:could|might|may) be wrong|grain of salt|unconfirmed|(?:just )?(?:kidding|"
    r"joking)|jk|just a (?:guess|hunch|joke|hypothesis|thought)|only a guess|or so i (?:hear|heard|"
    r"think)|haven'?t (?:confirmed|verified|checked)|needs? (?:confirmation|verification|checking)|to "
    r"be confirmed|(?:or )?am i (?:wrong|right|mistaken)|tbc|is that (?:right|correct|true|so)|right|"
    r"correct me if|can (?:anyone|someone|you) confirm|hypothetically(?: speaking)?|purely "
    r"hypothetical|that'?s (?:just )?(?:a|my) (?:guess|hunch|hypothesis|assumption|estimate|example)|"
    r"that is (?:just )?(?:a|my) (?:guess|hunch|hypothesis|assumption|estimate|example)|not true|"
    r"that(?:'s| is| was) (?:not (?:true|right|correct)|wrong|false|incorrect|outdated|a lie|a typo|"
    r"old)|scratch that|strike that|ignore that|forget that|never ?mind|as an example|for example|at "
    r"least i think"
)


_WEIGHING: Final = (
    r"(?:seems?|looks?|feels?|sounds?|appears?)(?: to be)?"
    r"(?: a (?:bit|little|tad)| very| quite| pretty| rather| too| really| so| fairly| about| kind of| sort of)*"
    r" (?:high|low|slow|fast|good|bad|fine|ok|okay|large|small|expensive|cheap|healthy|normal|reasonable|acceptable|"
    r"great|steep|excessive|modest|long|short|heavy|light|tight|generous|decent|poor|solid|strong|weak|alarming|"
    r"promising|worrying|usual|unusual|better|worse|impressive)\W*$"
)
_WEIGHS: Final = re.compile(r"^\W*(?:(?:which|that|this|it|and|so|but) )*" + _WEIGHING)
_WEIGHED: Final = re.compile(r",? (?:which|that) " + _WEIGHING)


def weighs(low: str) -> bool:
    """Tell whether a clause only weighs what was stated, `which seems high`, and does not doubt it."""
    return _WEIGHS.match(low) is not None


def is_hypothetical(low: str) -> bool:
    """Tell whether a clause says what would be: a condition, a supposition, a scenario."""
    return HYPOTHETICAL.search(low) is not None or _INVERTED.match(low) is not None


def is_opinion(low: str) -> bool:
    """Tell whether a clause hedges, forecasts or judges by taste."""
    low = _WEIGHED.sub("", low)
    return OPINION.search(low) is not None or _TASTE.search(low) is not None


def is_question(low: str) -> bool:
    """Tell whether a sentence asks, with or without its mark."""
    return (
        "?" in low[-6:]
        or _QUESTION_START.match(low) is not None
        or _ASKED.search(low) is not None
        or _TAG.search(low) is not None
    )


def is_request(low: str) -> bool:
    """Tell whether a clause asks somebody to do something, but for a bare imperative."""
    return _PLEASE.search(low) is not None


def begins_question(low: str) -> bool:
    """Tell whether a clause begins as a question does."""
    return _QUESTION_START.match(low) is not None


def is_withdrawal(low: str) -> bool:
    """Tell whether a sentence without a value of its own takes back, or casts doubt on, the one before it."""
    return WITHDRAWN.search(low) is not None and len(low) < 120  # noqa: PLR2004 - a small bound


_CONDITION: Final = re.compile(
    _LEAD + r"(?:then |even |only )?(?:if(?! (?:memory|i (?:remember|recall|am not)|i'?m not|correct|true))|"
    r"unless|suppos|assum|imagin|were |had |in case|once |when )"
)


def begins_condition(low: str) -> bool:
    """Tell whether a clause opens with its condition, so that what stands before it is no part of it."""
    return _CONDITION.match(low) is not None or SUPPOSITION.match(low) is not None


def ends_in_doubt(low: str) -> bool:
    """Tell whether a clause ends in a hedge, `…, I think`, which then holds for the whole sentence."""
    plain = low.rstrip(" .!,;)\"'”")
    return any(found.end() >= len(plain) for found in OPINION.finditer(plain, max(0, len(plain) - 40)))
