import pytest
from hypothesis import given
from hypothesis import strategies as st

from stanchion_runtime.log import Record
from stanchion_runtime.reader_rule import ReaderRule, Verdict

A, C, S, D, G = Verdict.ACCEPTED, Verdict.CLAIM, Verdict.STALE, Verdict.SEEN, Verdict.GAP


def output(offset: int, epoch: int, topic: str, cause: int) -> Record:
    """Give an output record."""
    headers = (("cause", f"{topic}:3:{cause}".encode()), ("epoch", b"%d" % epoch))
    return Record(topic="beliefs", partition=3, offset=offset, timestamp_us=0, value=b"v", headers=headers)


def claim(offset: int) -> Record:
    """Give a claim record."""
    return Record(topic="beliefs", partition=3, offset=offset, timestamp_us=0, value=b"", headers=(("claim", b"x"),))


def judge(rule: ReaderRule, *records: Record) -> list[Verdict]:
    """Judge in order."""
    return [rule.judge(record) for record in records]


def test_nothing_counts_before_a_claim() -> None:
    """Without an owner there is no output."""
    assert [S, S] == judge(ReaderRule(), output(0, -1, "claims", 0), output(1, 0, "claims", 0))


def test_an_output_of_the_owner_counts_once() -> None:
    """The claim's offset is the epoch; a cause that was seen is dropped."""
    rule = ReaderRule()
    found = judge(rule, claim(0), output(1, 0, "claims", 0), output(2, 0, "claims", 1), output(3, 0, "claims", 1))
    assert [C, A, A, D] == found
    assert rule.next_of("claims") == 2


def test_a_superseded_owner_does_not_count() -> None:
    """After a new claim the outputs of the old epoch are dropped, and the new owner goes on with the same cause."""
    found = judge(ReaderRule(), claim(0), claim(1), output(2, 0, "claims", 0), output(3, 1, "claims", 0))
    assert [C, C, S, A] == found


def test_after_a_gap_nothing_counts_until_the_next_claim() -> None:
    """Causes of an owned topic are dense: a jump means that an output was lost, and its owner will have ended."""
    rule = ReaderRule()
    found = judge(
        rule,
        claim(0),
        output(1, 0, "claims", 0),
        output(2, 0, "claims", 2),
        output(3, 0, "claims", 1),
        claim(4),
        output(5, 4, "claims", 1),
    )
    assert [C, A, G, S, C, A] == found


def test_causes_of_an_open_topic_only_grow() -> None:
    """Retention and foreign transactions leave holes in open topics: they are no gaps."""
    found = judge(ReaderRule(), claim(0), output(1, 0, "inbox", 7), output(2, 0, "inbox", 9), output(3, 0, "inbox", 8))
    assert [C, A, A, D] == found


def test_each_input_topic_has_its_own_causes() -> None:
    """Two inputs of one stage do not disturb each other."""
    rule = ReaderRule()
    judge(rule, claim(0), output(1, 0, "beliefs", 0), output(2, 0, "commands", 40), output(3, 0, "beliefs", 1))
    assert (2, 41) == (rule.next_of("beliefs"), rule.next_of("commands"))


def test_a_joined_rule_takes_the_first_cause_as_it_comes() -> None:
    """A reader that begins at a claim in the middle cannot know what came before, and is dense from there on."""
    outputs = (output(51, 50, "claims", 9), output(52, 50, "claims", 9), output(53, 50, "claims", 11))
    found = judge(ReaderRule(joined=True), claim(50), *outputs)
    assert [C, A, D, G] == found


@pytest.mark.parametrize("cause", [b"", b"claims", b"claims:3", b"claims:x:1", b"claims:4:0", b"\xff:3:0"])
def test_an_owner_without_a_readable_cause_is_an_error(cause: bytes) -> None:
    """No owner writes such a record; going on would lose an answer."""
    rule = ReaderRule()
    rule.judge(claim(0))
    headers = (("cause", cause), ("epoch", b"0"))
    broken = Record(topic="beliefs", partition=3, offset=1, timestamp_us=0, value=b"v", headers=headers)
    with pytest.raises(ValueError, match="beliefs:3:1"):
        rule.judge(broken)


def test_the_text_is_short() -> None:
    """What travels in every output's `up` header is a few bytes."""
    rule = ReaderRule()
    assert "-1|" == rule.encode()
    judge(rule, claim(412), output(413, 412, "requests", 2), output(414, 412, "inbox", 9))
    assert "412|inbox=10,requests=3" == rule.encode()
    assert "~-1|" == ReaderRule(joined=True).encode()


@pytest.mark.parametrize("text", ["x", "1|inbox", "1|inbox=", "1|=x", "|"])
def test_a_malformed_text_is_refused(text: str) -> None:
    """A position that cannot be read is an error, not a fresh start."""
    with pytest.raises(ValueError, match=r"invalid literal"):
        ReaderRule.decode(text)


records = st.builds(
    lambda kind, epoch, topic, cause: (kind, epoch, topic, cause),
    st.sampled_from(["claim", "output", "output", "output"]),
    st.integers(0, 8),
    st.sampled_from(["claims", "inbox"]),
    st.integers(0, 5),
)


@given(st.lists(records, max_size=30), st.integers(0, 30), st.booleans())
def test_a_resumed_rule_judges_like_one_that_went_on(
    drawn: list[tuple[str, int, str, int]],
    cut: int,
    joined: bool,  # noqa: FBT001 - drawn
) -> None:
    """Wherever the text is taken and read again, the verdicts are the same."""
    log = [
        claim(offset) if kind == "claim" else output(offset, epoch, topic, cause)
        for offset, (kind, epoch, topic, cause) in enumerate(drawn)
    ]
    whole, first = ReaderRule(joined=joined), ReaderRule(joined=joined)
    expected = judge(whole, *log)
    found = judge(first, *log[:cut])
    resumed = ReaderRule.decode(first.encode())
    assert expected == found + judge(resumed, *log[cut:])
    assert whole.encode() == resumed.encode()


@given(st.lists(records, max_size=40))
def test_what_counts_is_dense_and_of_the_last_claim(drawn: list[tuple[str, int, str, int]]) -> None:
    """Whatever is written, accepted outputs carry the latest claim's offset and each owned cause once, in order."""
    rule, epoch, owned = ReaderRule(), None, []
    for offset, (kind, of, topic, cause) in enumerate(drawn):
        record = claim(offset) if kind == "claim" else output(offset, of, topic, cause)
        epoch = offset if kind == "claim" else epoch
        if rule.judge(record) is Verdict.ACCEPTED:
            assert epoch == of
            if topic == "claims":
                owned.append(cause)
    assert list(range(len(owned))) == owned
