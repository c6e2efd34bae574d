"""What callers write, as commands."""

from collections.abc import Callable

import pytest

from stanchion_contracts.command import (
    Command,
    EditProposal,
    PublishProposal,
    RejectProposal,
    SetWorkspace,
    Write,
    WriteBatch,
)
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_core.errors import InvalidMessage
from stanchion_ingest.core.command import (
    Part,
    affirm,
    command_of,
    digest_of,
    edit,
    publish,
    reject,
    report,
    set_workspace,
    write_batch,
)
from support.arrivals import request

SHOWN = bytes(range(32))
AS_YAML = "name: mine\nkinds:\n  note:\nlinks: {b: , a: {}}  # in this order\n"
VOCABULARY = '{"name": "mine", "kinds": {"note": {}}, "links": {"b": {}, "a": {}}}'
WORDS = [f"word_{number:015}" for number in range(46)]
LONG = "name: a\nkinds:\n" + "".join(
    f"  k{number}:\n    statuses: [{','.join(WORDS)}]\n    in_force: [{WORDS[0]}]\n" for number in range(62)
)
"""YAML within the limit; the same as JSON is over it."""


def batch(*writes: pb.Write) -> WriteBatch:
    """Screen a batch."""
    return write_batch(pb.WriteBatchRequest(workspace="acme", writes=writes), ("acme", "maya", "k"))


def test_digest_is_of_the_content() -> None:
    """The same content has the same digest however it was spelled, other content another."""
    one = batch(pb.Write(id="a", label="é", fields=[types_pb2.Field(name="n", value_json='{"a":1,"b":2}')]))
    same = batch(pb.Write(id="a", label="e\u0301", fields=[types_pb2.Field(name="n", value_json='{"b":2, "a":1}')]))
    other = batch(pb.Write(id="a", label="e"))
    assert digest_of(one) == digest_of(same)
    assert digest_of(one) != digest_of(other)


def test_review() -> None:
    """A person's decision on a proposal is kept with the digest of what was shown, its words in NFC."""
    published = pb.PublishProposalRequest(proposal_id="p", digest=SHOWN, record_ids=["b", "a", "b"], note="e\u0301")
    rejected = pb.RejectProposalRequest(proposal_id="p", digest=SHOWN, reason="no")
    edited = pb.EditProposalRequest(proposal_id="p", digest=SHOWN, writes=[pb.Write(id="a", label="e\u0301")])
    assert PublishProposal(proposal_id="p", digest=SHOWN, record_ids=("a", "b"), note="é") == publish(published)
    assert RejectProposal(proposal_id="p", digest=SHOWN, reason="no") == reject(rejected)
    assert EditProposal(proposal_id="p", digest=SHOWN, writes=(Write(id="a", label="é"),)) == edit(edited, ("k",))


def test_settings_of_a_workspace() -> None:
    """What is absent is left, what is there is set; the order of a vocabulary's links is part of what it says."""
    assert SetWorkspace(approval_only=False, if_match=0) == set_workspace(
        pb.SetWorkspaceRequest(approval_only=False, if_match=0)
    )
    assert SetWorkspace(vocabulary="") == set_workspace(pb.SetWorkspaceRequest(vocabulary=""))
    expected = SetWorkspace(vocabulary=VOCABULARY.replace(" ", ""))
    assert expected == set_workspace(pb.SetWorkspaceRequest(vocabulary=VOCABULARY))
    assert expected == set_workspace(pb.SetWorkspaceRequest(vocabulary=AS_YAML))


def test_a_wrong_vocabulary_names_its_place() -> None:
    """The kind, field or link that is wrong is named, in the sentence and as the field of the refusal."""
    for text, field, words in (
        ("name: a\nkinds: {note: {fields: {due: day}}}", "vocabulary.kinds.note.fields.due", "field due"),
        ("name: a\nkinds: {note: {}}\nlinks: {on: {to: [rule]}}", "vocabulary.links.on", "link on"),
        ("name: a\nkinds: [", "vocabulary", "line 2"),
    ):
        with pytest.raises(InvalidMessage) as caught:
            set_workspace(pb.SetWorkspaceRequest(vocabulary=text))
        assert ("FIELD_VALUE", field) == (caught.value.code, caught.value.field)
        assert words in caught.value.detail


@pytest.mark.parametrize(
    "part",
    [
        batch(pb.Write(id="a")),
        affirm(pb.AffirmRequest(record_id="a")),
        report(pb.ReportObservationsRequest(uri="u", quotes=[pb.QuoteSeen(quote="q")])),
        publish(pb.PublishProposalRequest(proposal_id="p", digest=SHOWN)),
        reject(pb.RejectProposalRequest(proposal_id="p", digest=SHOWN, reason="no")),
        edit(pb.EditProposalRequest(proposal_id="p", digest=SHOWN, writes=[pb.Write(id="a")]), ()),
        set_workspace(pb.SetWorkspaceRequest(approval_only=True)),
    ],
)
def test_command_has_one_part(part: Part) -> None:
    """A command carries exactly the part that was asked, under the key and the part's digest."""
    command = command_of(request().meta, "k", part)
    parts = {name: getattr(command, name) for name in Command.__struct_fields__}
    present = [one for name, one in parts.items() if name not in {"meta", "key", "digest"} and one is not None]
    assert [part] == present
    assert ("k", digest_of(part)) == (command.key, command.digest)


@pytest.mark.parametrize(
    ("screen", "code"),
    [
        (lambda: affirm(pb.AffirmRequest(record_id="")), "FIELD_VALUE"),
        (lambda: affirm(pb.AffirmRequest(record_id="a", observed_through=-1)), "FIELD_VALUE"),
        (lambda: affirm(pb.AffirmRequest(record_id="a", note="n" * 501)), "TOO_LARGE"),
        (lambda: report(pb.ReportObservationsRequest(uri="u")), "FIELD_VALUE"),
        (lambda: report(pb.ReportObservationsRequest(quotes=[pb.QuoteSeen(quote="q")])), "FIELD_VALUE"),
        (lambda: report(pb.ReportObservationsRequest(uri="u", quotes=[pb.QuoteSeen()])), "FIELD_VALUE"),
        (lambda: report(pb.ReportObservationsRequest(uri="u", quotes=[pb.QuoteSeen(quote="q")] * 65)), "TOO_MANY"),
        (lambda: publish(pb.PublishProposalRequest(digest=SHOWN)), "FIELD_VALUE"),
        (lambda: publish(pb.PublishProposalRequest(proposal_id="p", digest=SHOWN[1:])), "FIELD_VALUE"),
        (lambda: publish(pb.PublishProposalRequest(proposal_id="p", digest=SHOWN + b"0")), "FIELD_VALUE"),
        (
            lambda: publish(pb.PublishProposalRequest(proposal_id="p", digest=SHOWN, record_ids=["a"] * 201)),
            "TOO_MANY",
        ),
        (lambda: publish(pb.PublishProposalRequest(proposal_id="p", digest=SHOWN, record_ids=["A"])), "FIELD_VALUE"),
        (lambda: publish(pb.PublishProposalRequest(proposal_id="p", digest=SHOWN, note="n" * 501)), "TOO_LARGE"),
        (lambda: reject(pb.RejectProposalRequest(proposal_id="p", digest=SHOWN)), "FIELD_VALUE"),
        (lambda: reject(pb.RejectProposalRequest(proposal_id="p", reason="no")), "FIELD_VALUE"),
        (lambda: reject(pb.RejectProposalRequest(proposal_id="p", digest=SHOWN, reason="n" * 501)), "TOO_LARGE"),
        (lambda: edit(pb.EditProposalRequest(proposal_id="p", digest=SHOWN), ()), "FIELD_VALUE"),
        (lambda: edit(pb.EditProposalRequest(proposal_id="p", writes=[pb.Write(id="a")]), ()), "FIELD_VALUE"),
        (lambda: set_workspace(pb.SetWorkspaceRequest(if_match=1)), "FIELD_VALUE"),
        (lambda: set_workspace(pb.SetWorkspaceRequest(vocabulary=" \n")), "FIELD_VALUE"),  # an empty file, by mistake
        (lambda: set_workspace(pb.SetWorkspaceRequest(vocabulary="{")), "FIELD_VALUE"),
        (lambda: set_workspace(pb.SetWorkspaceRequest(vocabulary='{"name":"a","kinds":{},"lynx":{}}')), "FIELD_VALUE"),
        (lambda: set_workspace(pb.SetWorkspaceRequest(vocabulary='"' + "a" * 65_536 + '"')), "TOO_LARGE"),
        (lambda: set_workspace(pb.SetWorkspaceRequest(vocabulary=LONG)), "TOO_LARGE"),
        (lambda: command_of(request().meta, "k" * 129, affirm(pb.AffirmRequest(record_id="a"))), "TOO_LARGE"),
    ],
)
def test_bad_command(screen: Callable[[], object], code: str) -> None:
    """A command that is wrong as it stands is refused."""
    with pytest.raises(InvalidMessage) as caught:
        screen()
    assert code == caught.value.code
