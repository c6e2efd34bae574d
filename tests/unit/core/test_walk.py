import pytest

from stanchion_core.walk import Bound, Head, Moved, NotInForce, Reason, Step, moved_after, validity
from support.heads import DAY_US, cited, head, lookup, status


def test_refuted_hypothesis_reopens_decision_and_rule() -> None:
    """R based_on D, D assumes H, H refuted at 9: D reads input_changed, R upstream_changed, each with its path."""
    hypothesis = head("h", kind="hypothesis", moves=(status(9, "refuted"),), status="refuted", in_force=False)
    decision = head("d", ("assumes", "h", 2), kind="decision", baseline=2)
    heads = lookup(hypothesis, decision, head("r", ("based_on", "d", 3), baseline=3))
    of_decision, of_rule = validity(heads.get, "d", 0, 9), validity(heads.get, "r", 0, 9)
    step = Step("assumes", "h")
    change = status(9, "refuted")
    assert "needs_review" == of_decision.state
    assert (Reason(kind="input_changed", record_id="h", path=(step,), change=change, seq=9),) == of_decision.reasons
    assert (NotInForce("h", "refuted"),) == of_decision.grounds_not_in_force
    path = (Step("based_on", "d"), step)
    assert (Reason(kind="upstream_changed", record_id="h", path=path, change=change, seq=9),) == of_rule.reasons
    assert () == of_rule.grounds_not_in_force
    assert 9 == of_rule.observed_through


def test_superseded_ground_is_one_reason() -> None:
    """D superseded: R reads input_changed once, status to superseded."""
    decision = head("d", kind="decision", moves=(status(5, "superseded"),), status="superseded", in_force=False)
    read = validity(lookup(decision, head("r", ("based_on", "d", 2), baseline=2)).get, "r", 0, 5)
    assert [("input_changed", "superseded")] == [(reason.kind, reason.change.to) for reason in read.reasons]


def test_chain_of_five_is_seen_at_three_and_bounded_at_four() -> None:
    """R1 → … → R5, R5 moved: R2 reads it at distance 3, R1 says that it did not look that deep."""
    chain = [head(f"r{n}", ("exception_to", f"r{n + 1}", n), baseline=n) for n in range(1, 5)]
    heads = lookup(*chain, head("r5", moves=(Moved(9, 2, "body", "", ""),)))
    second, first = validity(heads.get, "r2", 0, 9), validity(heads.get, "r1", 0, 9)
    assert [("upstream_changed", 3)] == [(reason.kind, len(reason.path)) for reason in second.reasons]
    assert () == second.bounds
    assert ("monitoring_incomplete", (Bound("depth"),)) == (first.state, first.bounds)


def test_only_what_moved_after_the_baseline_counts() -> None:
    """R affirmed through 9, H abandoned at 12: one reason, of seq 12."""
    hypothesis = head("h", kind="hypothesis", moves=(status(9, "refuted"), status(12, "abandoned")))
    heads = lookup(
        hypothesis, head("d", ("assumes", "h", 1), kind="decision"), head("r", ("based_on", "d", 2), baseline=10)
    )
    assert [12] == [reason.seq for reason in validity(heads.get, "r", 0, 12).reasons]


def test_only_what_moved_after_the_link_was_added_counts() -> None:
    """A move counts only when it is later than the adding of every link on its path, where there is one."""
    moved = head("d", kind="decision", moves=(status(5, "withdrawn"),))
    fresh = lookup(moved, head("r", ("based_on", "d", 6), baseline=1))
    deep = lookup(moved, head("m", ("exception_to", "d", 2)), head("r", ("exception_to", "m", 7), baseline=1))
    assert "current" == validity(fresh.get, "r", 0, 7).state
    assert "current" == validity(deep.get, "r", 0, 7).state


def test_a_shortcut_hides_nothing() -> None:
    """A newer and shorter path shows what an older, longer one has known: told by the shorter, it still counts."""
    moved = head("h", kind="hypothesis", moves=(status(5, "refuted"),))
    decision = head("d", ("assumes", "h", 2), kind="decision", baseline=2)
    heads = lookup(moved, decision, head("r", ("based_on", "d", 3), ("assumes", "h", 9), baseline=3))
    (reason,) = validity(heads.get, "r", 0, 9).reasons
    assert ("input_changed", (Step("assumes", "h"),), 5) == (reason.kind, reason.path, reason.seq)
    assert moved_after(heads.get, "r", 4)
    assert not moved_after(heads.get, "r", 5)


def test_nothing_to_rest_on_is_current() -> None:
    """A record that rests on nothing is current with nothing monitored."""
    read = validity(lookup(head("r")).get, "r", 0, 1)
    assert ("current", 0, 0, 0) == (read.state, read.records, read.links, read.citations)


def test_own_moves_never_reopen() -> None:
    """A record's own moves are not walked, not even around a cycle."""
    heads = lookup(
        head("a", ("exception_to", "b", 1), moves=(Moved(9, 2, "body", "", ""),)), head("b", ("exception_to", "a", 2))
    )
    read = validity(heads.get, "a", 0, 9)
    assert ("current", 1, 2, ()) == (read.state, read.records, read.links, read.bounds)


def test_deleted_records_are_walked_through() -> None:
    """A tombstone says that it is gone, and what it rested on is still looked at."""
    heads = lookup(
        head("h", kind="hypothesis", moves=(status(9, "refuted"),)),
        head("d", ("assumes", "h", 1), kind="decision", deleted=True, moves=(Moved(5, 2, "deleted", "", ""),)),
        head("r", ("based_on", "d", 2), baseline=2),
    )
    read = validity(heads.get, "r", 0, 9)
    assert [("deleted", 5), ("field", 9)] == [(reason.change.kind, reason.seq) for reason in read.reasons]
    assert (NotInForce("d", "deleted"),) == read.grounds_not_in_force


def test_shortest_path_wins_then_link_order() -> None:
    """A record reached twice is told by its shortest path; of equal ones by the one that comes first."""
    moved = head("h", kind="hypothesis", moves=(status(9, "refuted"),))
    left, right = head("l", ("assumes", "h", 1), kind="decision"), head("x", ("assumes", "h", 1), kind="decision")
    equal = lookup(moved, left, right, head("r", ("depends_on", "l", 1), ("refines", "x", 1)))
    short = lookup(moved, left, head("r", ("depends_on", "l", 1), ("assumes", "h", 1)))
    assert ["l", "h"] == [step.record_id for step in validity(equal.get, "r", 0, 9).reasons[0].path]
    assert ["h"] == [step.record_id for step in validity(short.get, "r", 0, 9).reasons[0].path]


def test_two_hundred_records_are_the_most() -> None:
    """With 201 records to rest on the walk stops and says so; with 200 it does not."""
    leaves = [head(f"leaf{n}") for n in range(196)]
    hubs = [head(f"hub{n}", *(("exception_to", f"leaf{leaf}", 1) for leaf in range(n, 196, 5))) for n in range(5)]
    root = head("r", *(("exception_to", f"hub{n}", 1) for n in range(5)))
    over = validity(lookup(root, *hubs, *leaves).get, "r", 0, 1)
    fits = lookup(head("r", *(("exception_to", f"hub{n}", 1) for n in range(1, 5))), *hubs, *leaves)
    assert (200, (Bound("size"),)) == (over.records, over.bounds)
    assert () == validity(fits.get, "r", 0, 1).bounds


def test_new_text_of_a_cited_record_is_a_pin() -> None:
    """A cited record's new text reads as a pin of the citing record, one step further as upstream_changed."""
    document = head("doc", kind="document", moves=(Moved(9, 2, "body", "", ""),))
    heads = lookup(document, head("d", kind="decision", citations=(cited("doc"),)), head("r", ("based_on", "d", 2)))
    pin = Moved(9, 2, "pin", "doc", "2")
    step = Step("cites", "doc")
    direct = Reason(kind="input_changed", record_id="doc", path=(step,), change=pin, seq=9)
    assert (direct,) == validity(heads.get, "d", 0, 9).reasons
    further = Reason(kind="upstream_changed", record_id="doc", path=(Step("based_on", "d"), step), change=pin, seq=9)
    assert (further,) == validity(heads.get, "r", 0, 9).reasons


def test_absent_quote_puts_the_citing_record_alone_at_risk() -> None:
    """An absent quote reopens the record that cites it, not what rests on that."""
    decision = head("d", kind="decision", citations=(cited("https://example.org/a", absent=7),), baseline=3)
    heads = lookup(decision, head("r", ("based_on", "d", 2)))
    (reason,) = validity(heads.get, "d", 0, 7).reasons
    assert ("support_at_risk", (), 7) == (reason.kind, reason.path, reason.seq)
    assert "current" == validity(heads.get, "r", 0, 7).state


def test_source_unseen_for_thirty_days_is_named() -> None:
    """An outside source nobody wrote or observed for more than 30 days bounds what can be said, and is named once."""
    both = (cited("https://example.org/a"), cited("https://example.org/a", seq=2))
    heads = lookup(head("d", kind="decision", citations=both))
    assert () == validity(heads.get, "d", 30 * DAY_US, 1).bounds
    read = validity(heads.get, "d", 30 * DAY_US + 1, 1)
    assert ("monitoring_incomplete", (Bound("unobserved", "https://example.org/a"),)) == (read.state, read.bounds)


def test_records_the_workspace_holds_are_never_unobserved() -> None:
    """A cited record of the workspace needs nobody to re-read it."""
    heads = lookup(head("doc", kind="document"), head("d", kind="decision", citations=(cited("doc"),)))
    assert "current" == validity(heads.get, "d", 99 * DAY_US, 1).state


def test_stale_hypothesis_bounds_the_answer_beside_reasons() -> None:
    """A stale belief on the walk is a bound; a record that also moved needs review and keeps the bound."""
    hypothesis = head("h", kind="hypothesis", claim=("tam", "size"))
    heads = lookup(hypothesis, head("d", ("assumes", "h", 1), kind="decision"))
    read = validity(heads.get, "d", 0, 1, stale=lambda claim: claim == ("tam", "size"))
    assert ("monitoring_incomplete", (Bound("stale_evidence", "h"),)) == (read.state, read.bounds)
    moved = heads | lookup(head("h", kind="hypothesis", claim=("tam", "size"), moves=(status(9, "refuted"),)))
    again = validity(moved.get, "d", 0, 9, stale=lambda _: True)
    assert ("needs_review", (Bound("stale_evidence", "h"),)) == (again.state, again.bounds)


def test_reasons_come_oldest_first() -> None:
    """Moves are listed by seq, whatever the distance."""
    heads = lookup(
        head("h", kind="hypothesis", moves=(status(4, "refuted"),)),
        head(
            "d",
            ("assumes", "h", 1),
            kind="decision",
            moves=(Moved(6, 2, "body", "", ""), Moved(3, 2, "body", "", ""))[:1],
        ),
        head("r", ("based_on", "d", 2)),
    )
    assert [4, 6] == [reason.seq for reason in validity(heads.get, "r", 0, 6).reasons]


@pytest.mark.parametrize(("seq", "moved"), [(8, True), (9, False)])
def test_moved_after_tells_by_seq_alone(seq: int, moved: bool) -> None:  # noqa: FBT001 - a table of cases
    """What a person read through a seq moved when a move is later than that, affirmed meanwhile or not."""
    hypothesis = head("h", kind="hypothesis", moves=(status(9, "refuted"),))
    heads: dict[str, Head] = lookup(hypothesis, head("d", ("assumes", "h", 1), kind="decision", baseline=20))
    assert moved is moved_after(heads.get, "d", seq)


def test_unknown_record_is_said() -> None:
    """Asking for a record that was never written raises."""
    with pytest.raises(KeyError):
        validity(lookup().get, "nobody", 0, 0)
    with pytest.raises(KeyError):
        moved_after(lookup().get, "nobody", 0)
