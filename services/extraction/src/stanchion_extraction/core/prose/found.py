"""What a text was found to say."""

from typing import Final, Literal

from msgspec import Struct

from stanchion_contracts.value import Value

IntentKind = Literal["goal", "constraint", "preference"]


class FoundClaim(Struct, frozen=True, kw_only=True):
    """One claim that a text states.

    Attributes:
        subject: what it is about, in the text's own words.
        predicate: what is said of it; `is` for a plain statement of its value.
        value: typed and canonical.
        positive: False for a denial.
        source: who the text names as saying so, empty where it names nobody.
        rule: the name of the rule that found it.
        start: where the words that state it begin, in characters of the text.
        end: where they end.
    """

    subject: str
    predicate: str
    value: Value
    positive: bool = True
    source: str = ""
    rule: str
    start: int
    end: int


class FoundIntent(Struct, frozen=True, kw_only=True):
    """One thing that a text wants, decides or forbids; it is never evidence.

    Attributes:
        kind: goal, constraint or preference.
        holder: whose it is, empty for the speaker.
        gist: in the text's own words.
        rule: the name of the rule that found it.
        start: where its words begin, in characters of the text.
        end: where they end.
    """

    kind: IntentKind
    holder: str = ""
    gist: str
    rule: str
    start: int
    end: int


class Found(Struct, frozen=True, kw_only=True):
    """All that one text was found to say, in the order of the text.

    Attributes:
        claims: without repeats.
        intents: without repeats.
        unread: what was not read or not kept, a sentence each; empty when all was.
    """

    claims: tuple[FoundClaim, ...] = ()
    intents: tuple[FoundIntent, ...] = ()
    unread: tuple[str, ...] = ()


NOTHING: Final = Found()
