"""The local run's own authority."""

import json
import stat
from pathlib import Path

import jwt
import pytest

from stanchion_audit.keys import load_key
from stanchion_local import keys
from stanchion_local.errors import Unusable
from stanchion_local.keys import Grant
from stanchion_runtime import clock
from stanchion_runtime.auth import Authenticator, Principal
from stanchion_runtime.refused import Refused
from stanchion_runtime.settings import AuthSettings


def mode(path: Path) -> int:
    """The permission bits."""
    return stat.S_IMODE(path.stat().st_mode)


def test_files_are_private_and_stay(tmp_path: Path) -> None:
    """Keys are readable by their owner alone, and a second start writes none of them again."""
    made = keys.ensure(tmp_path)
    paths = (made.signing, made.jwks, made.checkpoint)
    before = [path.read_bytes() for path in paths]
    assert made == keys.ensure(tmp_path)
    assert before == [path.read_bytes() for path in paths]
    assert {0o600} == {mode(path) for path in paths}
    assert 0o700 == mode(tmp_path / "keys")


def test_key_set_holds_no_private_half(tmp_path: Path) -> None:
    """The key set has one Ed25519 key for signatures, and only its public part."""
    made = keys.ensure(tmp_path)
    (entry,) = json.loads(made.jwks.read_text())["keys"]
    assert {"crv", "kty", "x", "kid", "alg", "use"} == set(entry)
    assert ("OKP", "Ed25519", "EdDSA", "sig") == (entry["kty"], entry["crv"], entry["alg"], entry["use"])


async def test_services_accept_what_is_minted(tmp_path: Path) -> None:
    """The services' own authenticator reads a token as the grant that it was minted from."""
    made = keys.ensure(tmp_path)
    grant = Grant(sub="bot", kind="agent", on_behalf_of="ada", workspaces=("docs",), capabilities=("read", "write"))
    token = keys.mint(tmp_path, grant, now_us=clock.now_us(), days=1)
    principal = await Authenticator.of(AuthSettings(jwks=str(made.jwks))).principal(f"Bearer {token}")
    expected = Principal(
        sub="bot",
        kind="agent",
        on_behalf_of="ada",
        workspaces=frozenset({"docs"}),
        capabilities=frozenset({"read", "write"}),
    )
    assert expected == principal


async def test_services_refuse_what_another_home_minted(tmp_path: Path) -> None:
    """A token signed by another home's key is refused."""
    made = keys.ensure(tmp_path / "ours")
    keys.ensure(tmp_path / "theirs")
    token = keys.mint(tmp_path / "theirs", Grant(sub="eve", kind="person"), now_us=clock.now_us(), days=1)
    with pytest.raises(Refused, match="TOKEN_INVALID"):
        await Authenticator.of(AuthSettings(jwks=str(made.jwks))).principal(f"Bearer {token}")


async def test_services_refuse_what_has_expired(tmp_path: Path) -> None:
    """A token is good for the days it was minted for, no longer."""
    made = keys.ensure(tmp_path)
    token = keys.mint(tmp_path, Grant(sub="ada", kind="person"), now_us=0, days=1)
    with pytest.raises(Refused, match="TOKEN_EXPIRED"):
        await Authenticator.of(AuthSettings(jwks=str(made.jwks))).principal(f"Bearer {token}")


def test_unknown_capability_and_nobody_are_refused(tmp_path: Path) -> None:
    """A token is not minted for a capability that does not exist, nor for nobody."""
    keys.ensure(tmp_path)
    with pytest.raises(ValueError, match="no such capability: fly"):
        keys.mint(tmp_path, Grant(sub="ada", kind="person", capabilities=("fly",)), now_us=0, days=1)
    with pytest.raises(ValueError, match="sub is empty"):
        keys.mint(tmp_path, Grant(sub="", kind="person"), now_us=0, days=1)


def test_checkpoint_key_is_the_auditors(tmp_path: Path) -> None:
    """The audit reader loads the checkpoint key as it was made."""
    made = keys.ensure(tmp_path)
    public = keys.load(made.checkpoint).public_key().public_bytes_raw()
    assert public == load_key(made.checkpoint).public_key


def test_key_that_others_read_is_refused(tmp_path: Path) -> None:
    """A signing key with wide permissions is refused with the command that mends it."""
    made = keys.ensure(tmp_path)
    made.signing.chmod(0o644)
    with pytest.raises(Unusable, match=f"chmod 600 {made.signing}"):
        keys.ensure(tmp_path)


def test_files_that_are_no_keys_are_refused(tmp_path: Path) -> None:
    """Text in place of a key, and a key set of another key, are refused and left as they are."""
    made = keys.ensure(tmp_path)
    made.jwks.write_text('{"keys": []}')
    with pytest.raises(Unusable, match="does not hold the public half"):
        keys.ensure(tmp_path)
    made.signing.write_text("not a key")
    with pytest.raises(Unusable, match="no private key"):
        keys.ensure(tmp_path)
    assert "not a key" == made.signing.read_text()


def test_token_files_are_kept_while_good(tmp_path: Path) -> None:
    """A token stays for half its life, then a new one takes its place; one of a lost key goes at once."""
    keys.ensure(tmp_path)
    grant, day_us = Grant(sub="ada", kind="person"), keys.DAY_S * 1_000_000

    def token(now_us: int) -> str:
        return keys.ensure_token(tmp_path, "person", grant, now_us=now_us, days=10).read_text()

    first = token(0)
    assert first == token(4 * day_us)
    second = token(6 * day_us)
    assert first != second
    for path in (tmp_path / "keys").iterdir():
        path.unlink()
    keys.ensure(tmp_path)
    assert second != token(6 * day_us)
    assert 0o600 == mode(tmp_path / "tokens" / "person.jwt")


def test_standard_grants_leave_people_what_is_theirs() -> None:
    """The agent acts for the person and may neither affirm nor approve; the services' token only reads."""
    grants = keys.standard_grants("ada")
    assert ("ada", "ada") == (grants["person"].sub, grants["agent"].on_behalf_of)
    assert not {"review", "approve", "publish", "purge", "admin"} & set(grants["agent"].capabilities)
    assert ("read",) == grants["service"].capabilities


def test_token_says_who_signed_it(tmp_path: Path) -> None:
    """The token's header names the key by its id in the key set."""
    made = keys.ensure(tmp_path)
    token = keys.mint(tmp_path, Grant(sub="ada", kind="person"), now_us=0, days=1)
    (entry,) = json.loads(made.jwks.read_text())["keys"]
    assert entry["kid"] == jwt.get_unverified_header(token)["kid"]


def test_a_run_has_its_own_tokens_again(tmp_path: Path) -> None:
    """A token of another kind under one of a run's own names is not taken for it."""
    keys.ensure(tmp_path)
    now_us = clock.now_us()
    grants = keys.standard_grants("ada")
    path = keys.ensure_token(tmp_path, "person", grants["agent"], now_us=now_us, days=30)
    stranger = path.read_text()
    keys.ensure_token(tmp_path, "person", grants["person"], now_us=now_us, days=30)
    assert stranger != (own := path.read_text())
    keys.ensure_token(tmp_path, "person", grants["person"], now_us=now_us, days=30)
    assert own == path.read_text()
