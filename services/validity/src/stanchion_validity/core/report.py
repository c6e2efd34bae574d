"""Somebody read a cited source again, and says which quotes still stand in it."""

from typing import Final

from stanchion_contracts.change import Change
from stanchion_contracts.command import QuoteSeen, ReportObservations
from stanchion_contracts.refusal import Refusal
from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_core.limits import QUOTE_CHARS, QUOTES, URI_CHARS
from stanchion_core.text import clean, required
from stanchion_validity.core.outcome import Outcome
from stanchion_validity.core.refused import Refused, refusal_of

TOKEN_CHARS: Final = 1_024
"""A version token, opaque."""


def report(outcome: Outcome, seen: ReportObservations) -> Refusal | None:
    """Decide a report on a cited source; one that nobody cites changes nothing."""
    try:
        stored = _checked(seen)
    except InvalidMessage as error:
        return refusal_of(error)
    citing = outcome.workspace.heads.citing.get(stored.uri, ())
    if not citing:
        return None
    absent = sum(quote.seen == "absent" for quote in stored.quotes)
    present = len(stored.quotes) - absent
    outcome.add(
        Change(
            seq=outcome.next_seq,
            action="citation.observed",
            subject_kind="citation",
            subject_id=stored.uri,
            reason=f"{stored.uri} was read again: {present} quotes present, {absent} absent; {len(citing)} cite it",
            observed=stored,
        )
    )
    return None


def _checked(seen: ReportObservations) -> ReportObservations:
    """Give a report as it is stored.

    Raises:
        InvalidMessage: a text is too long, or it names no source.
        Refused: there are too many quotes, or one of them stands twice.
    """
    if len(seen.quotes) > QUOTES:
        raise Refused("TOO_MANY", f"{len(seen.quotes)} quotes; the limit is {QUOTES} a report", "quotes")
    quotes = tuple(QuoteSeen(quote=clean(one.quote, "quote", chars=QUOTE_CHARS), seen=one.seen) for one in seen.quotes)
    if len({one.quote for one in quotes}) != len(quotes):
        raise Refused(FIELD_VALUE, "a quote stands twice in the report", "quotes")
    return ReportObservations(
        uri=required(seen.uri, "uri", chars=URI_CHARS).strip(),
        version_token=clean(seen.version_token, "version_token", chars=TOKEN_CHARS),
        quotes=quotes,
    )
