"""Signed notes as C2SP signed-note has them, and checkpoints in them."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from stanchion_audit.core.checkpoint import Checkpoint, origin_of, read_checkpoint
from stanchion_audit.core.note import InvalidNote, NoteKey, open_note, read_key, sign_note
from stanchion_audit.keys import verify_ed25519
from stanchion_core.merkle import EMPTY_ROOT

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = NoteKey(name="stanchion/docs", public_key=PRIVATE.public_key().public_bytes_raw())
TEXT = Checkpoint(origin="stanchion/docs", size=3, root=bytes(range(32))).text()
NOTE = sign_note(TEXT, KEY, PRIVATE.sign).encode()

# A key and note that circulate as the example of Go's sumdb/note package, signed by somebody else's code.
PETER_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETER_NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)


def test_a_note_signed_elsewhere_opens() -> None:
    """A note and key that another implementation made are read as it means them."""
    text = open_note(PETER_NOTE.encode(), read_key(PETER_KEY), verify_ed25519)
    assert "then you don't know what your problem is.\n" == text.splitlines(keepends=True)[-1]


def test_a_checkpoint_has_three_lines_and_a_signature_line() -> None:
    """The note is origin, size, root, a blank line, and the em dash line of the key."""
    lines = NOTE.decode().split("\n")
    assert ["stanchion/docs", "3", base64.b64encode(bytes(range(32))).decode(), ""] == lines[:4]
    assert ["\u2014", "stanchion/docs"] == lines[4].split(" ")[:2]
    assert KEY.key_id() == base64.b64decode(lines[4].split(" ")[2])[:4]


def test_a_checkpoint_comes_back_from_its_note() -> None:
    """Opening gives the text that was signed, and reading it the checkpoint."""
    assert TEXT == open_note(NOTE, KEY, verify_ed25519)
    assert Checkpoint(origin="stanchion/docs", size=3, root=bytes(range(32))) == read_checkpoint(TEXT)


def test_every_flipped_bit_of_a_note_is_found() -> None:
    """There is no bit of the note, text or signature, that can be turned unseen."""
    unseen = []
    for bit in range(len(NOTE) * 8):
        flipped = bytearray(NOTE)
        flipped[bit // 8] ^= 1 << bit % 8
        try:
            open_note(bytes(flipped), KEY, verify_ed25519)
        except InvalidNote:
            continue
        unseen.append(bit)
    assert [] == unseen


def test_unknown_signatures_are_passed_over() -> None:
    """A witness's cosignature beside ours changes nothing, wherever it stands."""
    text, _, ours = NOTE.decode().partition("\n\n")
    theirs = f"\u2014 witness.example/w {base64.b64encode(b'abcd' + b'x' * 72).decode()}\n"
    assert TEXT == open_note(f"{text}\n\n{theirs}{ours}{theirs}".encode(), KEY, verify_ed25519)


def test_one_bad_signature_of_our_key_spoils_the_note() -> None:
    """A second signature line of the known key that does not verify makes the note invalid."""
    bad = f"\u2014 {KEY.name} {base64.b64encode(KEY.key_id() + b'x' * 64).decode()}\n"
    with pytest.raises(InvalidNote, match="not of this text"):
        open_note(NOTE + bad.encode(), KEY, verify_ed25519)


@pytest.mark.parametrize(
    "note",
    [
        b"",
        b"text\n",
        b"text\n\n",
        NOTE[:-1],
        NOTE.replace("\u2014".encode(), b"-"),
        b"\xff" + NOTE,
        b"\x07" + NOTE,
        NOTE + b"not a signature\n",
        NOTE + NOTE.rpartition(b"\n\n")[2] * 64,
    ],
)
def test_malformed_notes_are_refused(note: bytes) -> None:
    """What is no note, or has too many signatures, is refused with a word."""
    with pytest.raises(InvalidNote):
        open_note(note, KEY, verify_ed25519)


def test_another_key_of_the_same_name_does_not_open() -> None:
    """Name and key id together say which key signed."""
    other = NoteKey(
        name=KEY.name, public_key=Ed25519PrivateKey.from_private_bytes(b"2" * 32).public_key().public_bytes_raw()
    )
    with pytest.raises(InvalidNote, match="not signed by"):
        open_note(NOTE, other, verify_ed25519)


def test_a_verifier_key_comes_back_from_its_text() -> None:
    """The text of a verifier key is its name, id and key."""
    assert KEY == read_key(KEY.text())


@pytest.mark.parametrize(
    "text", ["", "name", "name+00000000+AQ==", KEY.text()[:-2] + "A=", KEY.text().replace("docs", "cods")]
)
def test_wrong_verifier_keys_are_refused(text: str) -> None:
    """A key whose id does not fit, or that is none, is refused."""
    with pytest.raises(InvalidNote):
        read_key(text)


@pytest.mark.parametrize(
    ("text", "name"), [("no newline", "k"), ("bell\x07\n", "k"), ("t\n", ""), ("t\n", "a b"), ("t\n", "a+b")]
)
def test_what_cannot_be_a_note_is_not_signed(text: str, name: str) -> None:
    """A text or key name that no verifier would take is refused before it is signed."""
    with pytest.raises(InvalidNote):
        sign_note(text, NoteKey(name=name, public_key=KEY.public_key), PRIVATE.sign)


@pytest.mark.parametrize(
    "text",
    [
        "o\n1\n",
        "\n1\nAAAA\n",
        "o\n01\n" + base64.b64encode(EMPTY_ROOT).decode() + "\n",
        "o\n-1\n" + base64.b64encode(EMPTY_ROOT).decode() + "\n",
        "o\n1\nAAAA\n",
        "o\n1\n!\n",
    ],
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    """Missing lines, sizes with leading zeros and roots of another length are refused."""
    with pytest.raises(InvalidNote):
        read_checkpoint(text)


def test_extension_lines_are_passed_over() -> None:
    """A checkpoint with further lines reads as one without."""
    assert read_checkpoint(TEXT) == read_checkpoint(TEXT + "extension\n")


@pytest.mark.parametrize(
    ("workspace", "tree", "origin"),
    [
        ("docs", "changes", "stanchion/docs"),
        ("docs", "receipts", "stanchion/docs/receipts"),
        ("docs/receipts", "changes", "stanchion/docs%2Freceipts"),
        ("a b+c\n", "changes", "stanchion/a%20b%2Bc%0A"),
    ],
)
def test_no_two_trees_share_an_origin(workspace: str, tree: str, origin: str) -> None:
    """Whatever a workspace is called, its origins are key names and nobody else's."""
    assert origin == origin_of(workspace, tree)  # type: ignore[arg-type]  # the two words of `Tree`
