from stanchion.names import Names, matching, number_of

IDS = ["0004-one-topic", "0007-tail", "0015-dns", "0015-terraform", "adr-12-keys", "h-market"]


def test_numbers() -> None:
    """An id's number is what it begins with, a short prefix included; a word is none."""
    assert ["0004", "adr-12", "", "", "7"] == [
        number_of(each) for each in ("0004-one-topic", "adr-12-keys", "h-market", "0004x", "7")
    ]


def test_short_names() -> None:
    """A number names a record only where it is the only one."""
    names = Names(IDS)
    assert ["0004", "0015-dns", "adr-12", "h-market"] == [names.of(IDS[each]) for each in (0, 2, 4, 5)]


def test_what_a_typed_name_may_mean() -> None:
    """A whole id, a number with or without zeros, or a beginning; several when it may mean several."""
    assert ["h-market"] == matching("h-market", IDS)
    assert ["0007-tail"] == matching("0007", IDS) == matching("7", IDS) == matching("0007-T", IDS)
    assert ["0015-dns", "0015-terraform"] == matching("15", IDS)
    assert [] == matching("nope", IDS)
