import base64
import json
import time
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from stanchion_runtime import auth
from stanchion_runtime.auth import Authenticator, Principal, UrlKeys, parse_keys
from stanchion_runtime.refused import Refused
from stanchion_runtime.settings import AuthSettings
from support.tokens import AUDIENCE, ISSUER, Issuer, jwk


@pytest.fixture
def issuer(tmp_path: Path) -> Issuer:
    """Give an issuer whose key set lies in a file."""
    return Issuer(tmp_path)


async def reason(authenticator: Authenticator, authorization: str) -> str:
    """Give why a caller is refused."""
    with pytest.raises(Refused) as caught:
        await authenticator.principal(authorization)
    return caught.value.reason


async def test_a_token_names_a_principal(issuer: Issuer) -> None:
    """Subject, kind, whom it acts for, workspaces and capabilities come over; unknown capabilities do not."""
    token = issuer.token("bot", kind="agent", on_behalf_of="maya", workspaces=["docs"], capabilities=["read", "fly"])
    expected = Principal(
        sub="bot",
        kind="agent",
        on_behalf_of="maya",
        workspaces=frozenset({"docs"}),
        capabilities=frozenset({"read"}),
    )
    found = await Authenticator.of(issuer.settings()).principal(f"bearer {token}")
    assert expected == found
    assert (True, False) == (found.may_enter("docs"), found.may_enter("other"))
    assert ("read",) == found.actor().capabilities


def test_the_twelve_capabilities() -> None:
    """The list is closed, and it is the contracts' own."""
    page = "read write review approve reject publish calibrate release_quarantine dsar_export purge admin workflow"
    assert frozenset(page.split()) == auth.CAPABILITIES


async def test_a_star_opens_every_workspace(issuer: Issuer) -> None:
    """`*` stands for every workspace."""
    assert (await Authenticator.of(issuer.settings()).principal(f"Bearer {issuer.token()}")).may_enter("any")


async def test_without_a_token(issuer: Issuer) -> None:
    """No header, another scheme, and an empty token are all no token."""
    authenticator = Authenticator.of(issuer.settings())
    for given in ("", "Basic abc", "Bearer", "Bearer  "):
        assert "TOKEN_MISSING" == await reason(authenticator, given)


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ({"exp": 1}, "TOKEN_EXPIRED"),
        ({"exp": None}, "TOKEN_INVALID"),
        ({"iss": "https://else.test"}, "TOKEN_INVALID"),
        ({"aud": "else"}, "TOKEN_INVALID"),
        ({"sub": ""}, "TOKEN_INVALID"),
        ({"sub": "x" * 257}, "TOKEN_INVALID"),
        ({"kind": "robot"}, "TOKEN_INVALID"),
        ({"on_behalf_of": 5}, "TOKEN_INVALID"),
        ({"nbf": 4_000_000_000}, "TOKEN_INVALID"),
    ],
)
async def test_claims_are_checked(issuer: Issuer, claims: dict[str, object], expected: str) -> None:
    """Expiry, issuer, audience, subject, kind and shapes are all checked."""
    given = {name: value for name, value in claims.items() if value is not None}
    token = issuer.token(**given)  # type: ignore[arg-type]
    if claims.get("exp", 0) is None:
        payload = {"sub": "x", "iss": ISSUER, "aud": AUDIENCE, "kind": "person"}
        token = jwt.encode(payload, issuer.key, algorithm="EdDSA", headers={"kid": issuer.kid})
    assert expected == await reason(Authenticator.of(issuer.settings()), f"Bearer {token}")


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b", " ", "x" * 257])
@pytest.mark.parametrize("claim", ["sub", "on_behalf_of"])
async def test_names_that_no_record_can_hold(issuer: Issuer, claim: str, name: str) -> None:
    """A name that stored text may not be is refused with the token; it would fail later, or stay in the ledger."""
    authenticator = Authenticator.of(issuer.settings())
    assert await reason(authenticator, f"Bearer {issuer.token(**{claim: name})}") == "TOKEN_INVALID"


async def test_another_key_of_the_same_name(issuer: Issuer, tmp_path: Path) -> None:
    """A token signed with another key is not accepted, whatever key it names."""
    (tmp_path / "other").mkdir()
    forged = Issuer(tmp_path / "other", kid=issuer.kid).token()
    assert "TOKEN_INVALID" == await reason(Authenticator.of(issuer.settings()), f"Bearer {forged}")


async def test_no_algorithm_of_the_token_s_own_choice(issuer: Issuer) -> None:
    """Neither `none` nor a symmetric algorithm keyed with the public key is accepted."""
    payload = {"sub": "x", "iss": ISSUER, "aud": AUDIENCE, "kind": "person", "exp": int(time.time_ns() / 1e9) + 60}
    unsigned = jwt.encode(payload, "", algorithm="none", headers={"kid": issuer.kid})
    public = base64.urlsafe_b64decode(jwk(issuer.key, issuer.kid)["x"] + "==")
    symmetric = jwt.encode(payload, public, algorithm="HS256", headers={"kid": issuer.kid})
    authenticator = Authenticator.of(issuer.settings())
    for token in (unsigned, symmetric, "x" * 9000, "a.b", "ä.ö.ü"):
        assert "TOKEN_INVALID" == await reason(authenticator, f"Bearer {token}")


async def test_the_three_algorithms(tmp_path: Path) -> None:
    """EdDSA, RS256 and ES256 keys are used, each with its own algorithm."""
    rsa_key, ec_key = rsa.generate_private_key(65537, 2048), ec.generate_private_key(ec.SECP256R1())
    entries = [
        {**jwt.algorithms.RSAAlgorithm.to_jwk(rsa_key.public_key(), as_dict=True), "kid": "r", "alg": "RS256"},
        {**jwt.algorithms.ECAlgorithm.to_jwk(ec_key.public_key(), as_dict=True), "kid": "e", "alg": "ES256"},
    ]
    path = tmp_path / "jwks.json"
    path.write_text(json.dumps({"keys": entries}))
    authenticator = Authenticator.of(AuthSettings(jwks=str(path), issuer=ISSUER, audience=AUDIENCE))
    payload = {"sub": "x", "iss": ISSUER, "aud": AUDIENCE, "kind": "service", "exp": int(time.time_ns() / 1e9) + 60}
    for kid, key, algorithm in (("r", rsa_key, "RS256"), ("e", ec_key, "ES256")):
        token = jwt.encode(payload, key, algorithm=algorithm, headers={"kid": kid})
        assert "x" == (await authenticator.principal(f"Bearer {token}")).sub


async def test_changed_keys_are_read_again(issuer: Issuer) -> None:
    """A new key in the file counts at once, the old one no longer; a broken file leaves the last good keys."""
    authenticator = Authenticator.of(issuer.settings())
    before = issuer.token()
    issuer.jwks.write_text("{")
    assert "maya" == (await authenticator.principal(f"Bearer {before}")).sub
    fresh = Issuer(issuer.jwks.parent, kid="second")
    assert "maya" == (await authenticator.principal(f"Bearer {fresh.token()}")).sub
    assert "TOKEN_INVALID" == await reason(authenticator, f"Bearer {before}")


def test_key_sets_that_cannot_be_used() -> None:
    """A set without a key for signatures of our algorithms is an error, symmetric keys are never used."""
    symmetric = {"kty": "oct", "k": "c2VjcmV0", "kid": "s", "alg": "HS256"}
    for text in ("[]", "{}", "nonsense", '{"keys": []}', json.dumps({"keys": [symmetric]})):
        with pytest.raises(ValueError, match=r"key set|Key Set|Expecting"):
            parse_keys(text.encode())


def test_a_key_of_a_kind_we_do_not_know_spoils_no_other(issuer: Issuer) -> None:
    """Issuers publish keys for others too; what we cannot use is passed over (RFC 7517, section 5)."""
    strange = [
        {"kty": "AKP", "kid": "new", "alg": "ML-DSA-44", "pub": "AA"},
        {"kty": "RSA", "kid": "encryption", "alg": "RSA-OAEP", "n": "AQ", "e": "AQAB"},
        {"kty": "RSA", "kid": "half", "alg": "RS256"},
        {"kid": "nothing"},
        "text",
    ]
    known = json.loads(issuer.jwks.read_bytes())["keys"]
    assert [issuer.kid] == list(parse_keys(json.dumps({"keys": [*strange, *known]}).encode()))


def test_there_is_no_way_without_keys() -> None:
    """Without a key set nothing starts, and plain http is only for loopback."""
    with pytest.raises(ValueError, match="STANCHION_AUTH_JWKS is not set"):
        Authenticator.of(AuthSettings(jwks=""))
    with pytest.raises(ValueError, match="use https"):
        UrlKeys("http://keys.example/jwks.json", 300)


async def test_an_accepted_token_is_checked_again_after_its_time(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A token that was accepted before is checked again, whole, once its time is over."""
    authenticator = Authenticator.of(issuer.settings())
    bearer = f"Bearer {issuer.token(exp=int(time.time()) - 5)}"  # within the leeway  # noqa: TID251 - as tokens have it
    assert "maya" == (await authenticator.principal(bearer)).sub
    assert "maya" == (await authenticator.principal(bearer)).sub
    monkeypatch.setattr(auth, "now_us", lambda: 2**62)
    checked: list[str] = []
    decode = jwt.decode

    def noted(token: str, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as the library has it
        checked.append(token)
        return decode(token, *args, **options)

    monkeypatch.setattr(jwt, "decode", noted)
    await authenticator.principal(bearer)
    assert [bearer.removeprefix("Bearer ")] == checked


async def test_an_accepted_token_falls_with_its_key(issuer: Issuer) -> None:
    """A token that was accepted before is refused once its key is no longer in the key set."""
    authenticator = Authenticator.of(issuer.settings())
    bearer = f"Bearer {issuer.token()}"
    assert "maya" == (await authenticator.principal(bearer)).sub
    Issuer(issuer.jwks.parent, kid="next")
    assert "TOKEN_INVALID" == await reason(authenticator, bearer)


def test_a_principal_in_a_sentence() -> None:
    """A principal is named by kind and subject, and once where these are the same word."""
    assert ("person maya", "agent") == (
        Principal(sub="maya", kind="person").named,
        Principal(sub="agent", kind="agent").named,
    )
