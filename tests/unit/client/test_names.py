from stanchion.names import Names, called, matching, named, number_of
from stanchion.results import Record, Upstream

IDS = ["0004-one-topic", "0007-tail", "0015-dns", "0015-terraform", "adr-12-keys", "h-market"]
CALLED = {each: each for each in IDS}


def test_numbers() -> None:
    """An id's number is what it begins with, a short prefix included; a word is none."""
    assert ["0004", "adr-12", "", "", "7"] == [
        number_of(each) for each in ("0004-one-topic", "adr-12-keys", "h-market", "0004x", "7")
    ]


def test_short_names() -> None:
    """A number names a record only where it is the only one."""
    names = Names(CALLED)
    assert ["0004", "0015-dns", "adr-12", "h-market"] == [names.of(IDS[each]) for each in (0, 2, 4, 5)]


def test_what_a_typed_name_may_mean() -> None:
    """A whole id, a number with or without zeros, or a beginning; several when it may mean several."""
    assert ["h-market"] == matching("h-market", CALLED)
    assert ["0007-tail"] == matching("0007", CALLED) == matching("7", CALLED) == matching("0007-T", CALLED)
    assert ["0015-dns", "0015-terraform"] == matching("15", CALLED)
    assert [] == matching("nope", CALLED)


def test_what_a_typed_name_names() -> None:
    """A whole id or a number names a record, a beginning none: nothing is written that was not named."""
    assert ["h-market"] == named("h-market", CALLED)
    assert ["0007-tail"] == named("0007", CALLED) == named("7", CALLED) == named("0007-Tail", CALLED)
    assert ["adr-12-keys"] == named("adr-12", CALLED)
    assert ["0015-dns", "0015-terraform"] == named("15", CALLED)
    assert [] == named("h-mark", CALLED) == named("0007-t", CALLED) == named("adr", CALLED)


def test_an_imported_record_is_called_after_its_file() -> None:
    """A renumbered document is found by its new number; its record's id is as it was, and still tells."""
    records = [
        Record(id="0015-terraform", kind="decision", upstream=Upstream(uri="d/0017-Terraform.md")),
        Record(id="0015-dns", kind="decision", upstream=Upstream(uri="d/0015-dns.md")),
    ]
    names = called(records)
    assert ["0017", "0015"] == [Names(names).of(each.id) for each in records]
    assert ["0015-terraform"] == matching("17", names) == matching("0017-t", names) == matching("0015-terr", names)
    assert ["0015-dns"] == matching("15", names)
