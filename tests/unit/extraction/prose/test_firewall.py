"""The labelled texts: a corpus that others wrote, and our own of the same kinds from other trades."""

import itertools
import random
from pathlib import Path

import pytest

from stanchion_extraction.core.prose.reader import read
from support.corpora import corpus
from support.firewall import Row, predicted, rows_of, scorer

OWN = Path(__file__).parent / "texts.jsonl"
FRESH = Path(__file__).parent / "fresh.jsonl"
HANDS = Path(__file__).parent / "hands.jsonl"
UNSTATED = Path(__file__).parent / "unstated.txt"


def scored(rows: list[Row]) -> Row:
    """Give the scores of labelled texts by the corpus's own scorer."""
    result: Row = scorer(corpus("firewall")).score(rows, {row["id"]: predicted(row) for row in rows})[0]
    return result


def test_nothing_leaks_from_the_corpus_and_most_of_it_is_found() -> None:
    """No wish, question, condition, order or guess becomes a claim; the facts and intents beside them are found."""
    result = scored(rows_of(corpus("firewall") / "texts.jsonl"))
    assert 0 == result["leak_rate"]
    assert 0.95 <= result["intent_recall"]
    assert 0.9 <= result["intent_precision"]
    assert 0.95 <= result["claim_f1"]
    assert 0.97 <= result["value_accuracy"]
    assert 0.95 <= result["source_accuracy"]
    assert 0.95 <= result["evidence_accuracy"]


def test_nothing_leaks_from_texts_of_other_trades() -> None:
    """The rules are about English and not about software companies: bakeries, clinics and ferries read as well."""
    rows = rows_of(OWN)
    result = scored(rows)
    assert len(rows) > 100
    assert 0 == result["leak_rate"]
    assert 0.95 <= result["intent_recall"]
    assert 0.95 <= result["claim_f1"]
    assert 0.97 <= result["value_accuracy"]


def test_nothing_leaks_from_texts_that_the_rules_were_tried_on_unseen() -> None:
    """Sales calls, postmortems, leases, logs and lab notes, written in sets of which each was new to the rules once."""
    rows = rows_of(FRESH)
    result = scored(rows)
    assert len(rows) > 300
    assert 0 == result["leak_rate"]
    assert 0.93 <= result["intent_recall"]
    assert 0.9 <= result["intent_precision"]
    assert 0.9 <= result["claim_f1"]
    assert 0.95 <= result["value_accuracy"]
    assert 0.97 <= result["source_accuracy"]
    assert 0.97 <= result["evidence_accuracy"]


def test_nothing_leaks_from_texts_as_many_hands_write_them() -> None:
    """A lawyer, a ward manager, a site engineer, a studio, minutes, changelogs, and who learned English late."""
    rows = rows_of(HANDS)
    result = scored(rows)
    assert len(rows) > 100
    assert 0 == result["leak_rate"]
    assert 0.95 <= result["intent_recall"]
    assert 0.95 <= result["intent_precision"]
    assert 0.9 <= result["claim_f1"]
    assert 0.97 <= result["value_accuracy"]


@pytest.mark.parametrize("text", UNSTATED.read_text(encoding="utf-8").splitlines())
def test_what_is_only_wanted_offered_or_supposed_states_nothing(text: str) -> None:
    """By whatever path it comes, a verb that the rules know as one of facts makes no fact of it."""
    for path in ("user_message", "agent_output", "tool_result", "explicit_add"):
        assert [] == predicted({"id": "", "path": path, "text": text})["contributions"]


CLOSED = frozenset({"goal", "constraint", "wish-of-others", "instruction", "question", "hypothetical", "none"})


def test_texts_of_different_kinds_do_not_leak_into_each_other() -> None:
    """Two texts that state nothing state nothing when they stand in one message, in either order."""
    rows = [
        row["text"] for row in rows_of(OWN) if row["path"] == "user_message" and set(row["expect"]["labels"]) <= CLOSED
    ]
    draw = random.Random(5)  # noqa: S311 - a fixed sample
    for first, second in draw.sample(list(itertools.permutations(rows, 2)), 300):
        assert () == read(f"{first}\n\n{second}", "user-message").claims


@pytest.mark.parametrize("row", rows_of(OWN), ids=lambda row: row["id"])
def test_what_is_found_stands_in_the_text(row: Row) -> None:
    """Each span lies in the text; a number's holds a digit or the word for it."""
    found = read(row["text"], "tool-result" if row["path"] == "tool_result" else "user-message")
    for start, end in [(one.start, one.end) for one in found.claims] + [(one.start, one.end) for one in found.intents]:
        assert 0 <= start < end <= len(row["text"])
    for claim in found.claims:
        span = row["text"][claim.start : claim.end].lower()
        if claim.value.type in {"number", "money", "percent", "duration"}:
            assert any(char.isdigit() for char in span) or any(word in span for word in WORDS), span


WORDS = ("two", "three", "four", "five", "twelve", "nine", "half", "an hour", "dozen", "twice")
