"""Wishes as records of their own."""

import msgspec

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.change import Changes
from stanchion_contracts.claim import Intent
from stanchion_contracts.meta import Actor
from support.validity import AGENT, DAY_US, MAYA, OLGA, Line, actions, write

WISH = Intent(kind="goal", gist="Target  enterprise")


def say(line: Line, *wishes: Intent, actor: Actor = AGENT) -> Changes:
    """Observe wishes."""
    return line.feed(Beliefs(meta=line.meta(actor, "observation"), intents=wishes))


def test_wishes_are_records_and_said_once() -> None:
    """An intent becomes one record, however often it is said, in its speaker's name."""
    line = Line()
    wish = Intent(kind="goal", gist="Target  enterprise")
    for _ in range(3):
        line.feed(Beliefs(meta=line.meta(AGENT, "observation"), intents=(wish,)))
    assert 1 == line.workspace.seq
    (held,) = line.workspace.held.values()
    assert ("intent", "Target enterprise", '"maya"', '"goal"') == (
        held.kind,
        held.label,
        held.fields["holder"],
        held.fields["intent_kind"],
    )


def test_which_wishes_are_the_same() -> None:
    """The same words however spaced and capitalised, of the same holder, room and kind; long ones are kept whole."""
    line = Line()
    gist = "We want " + "much " * 70
    said = (
        (Intent(kind="goal", holder="ada", gist=gist), "", 1),
        (Intent(kind="goal", holder="ada", gist=gist.upper().replace(" ", "  ")), "", 0),
        (Intent(kind="goal", holder="bo", gist=gist), "", 1),
        (Intent(kind="goal", holder="ada", gist=gist), "sales", 1),
        (Intent(kind="preference", holder="ada", gist=gist), "", 1),
        (Intent(kind="goal", holder="ada", gist="Something else"), "", 1),
    )
    for wish, room, made in said:
        output = line.feed(Beliefs(meta=line.meta(AGENT, "observation", room=room), intents=(wish,)))
        assert ["record.created"] * made == actions(output)
    first = line.outputs[0].changes[0].record
    assert first is not None
    assert (gist.strip(), 300) == (first.after.body, len(first.after.label or ""))


def test_a_thousand_times_is_one_record_of_one_version() -> None:
    """Repeating a wish writes nothing, moves no belief, and is answered with the record that it is."""
    line = Line()
    line.believe(0.9)
    before = msgspec.json.encode(list(line.workspace.beliefs.values()))
    first = say(line, WISH)
    again = [say(line, WISH) for _ in range(1_000)]
    assert {((), first.landed)} == {(output.changes, output.landed) for output in again}
    assert [1] == [held.version for held in line.workspace.held.values()]
    assert before == msgspec.json.encode(list(line.workspace.beliefs.values()))


def test_the_last_mention_is_kept_by_the_day() -> None:
    """Said again on a later day a wish keeps that day, and nothing that a person made of it."""
    line = Line()
    (landed,) = say(line, WISH).landed
    line.write(write(landed.record_id, status="dropped", holder="Ada"))
    line.now_us += DAY_US
    output = say(line, WISH)
    (change,) = output.changes
    assert change.record is not None
    assert ("system", "kept", (), False) == (
        change.record.by.kind if change.record.by else "",
        change.record.confirmation,
        change.record.moves,
        change.record.baseline,
    )
    assert [(landed.record_id, 3)] == [(one.record_id, one.version) for one in output.landed]
    held = line.workspace.held[landed.record_id]
    assert ('"2026-12-01"', "dropped", '"Ada"') == (held.fields["last_said_on"], held.status, held.fields["holder"])
    assert () == say(line, WISH).changes
    line.now_us -= 2 * DAY_US  # a clock that stood
    assert () == say(line, WISH).changes


def test_a_wish_that_was_deleted_stays_so() -> None:
    """Whoever deleted it has said that it is not to be kept."""
    line = Line()
    (landed,) = say(line, WISH).landed
    line.write(write(landed.record_id, delete=True))
    line.now_us += DAY_US
    output = say(line, WISH)
    assert ((), ()) == (output.changes, output.landed)


def test_a_mention_is_no_proposal() -> None:
    """Where agents only propose a new wish waits; that one is said again is no write of theirs."""
    line = Line()
    say(line, WISH, actor=MAYA)
    line.set(approval_only=True, actor=OLGA)
    line.now_us += DAY_US
    told = Intent(kind="goal", holder="maya", gist="target enterprise")
    assert ["record.written"] == actions(say(line, told))
    assert ["proposal.opened"] == actions(say(line, Intent(kind="constraint", gist="Sell to nobody else")))


def test_halves_make_the_whole() -> None:
    """Wishes said in one message or in two are the same records, in order."""
    together, apart = Line(), Line()
    other = Intent(kind="constraint", holder="ada", gist="No monthly plans")
    assert 2 == len(say(together, WISH, other, WISH).landed)
    for wish in (WISH, other, WISH):
        say(apart, wish)
    assert list(together.workspace.held.values()) == list(apart.workspace.held.values())
