"""The folder of keys for the compose file."""

import stat
from pathlib import Path

from cryptography import x509

from stanchion_audit.keys import load_key
from stanchion_local import secrets

NOW_US = 1_800_000_000_000_000


def test_all_that_compose_mounts_is_made_once(tmp_path: Path) -> None:
    """A second run changes no key and no certificate; containers of the folder's group read, others do not."""
    names = ("keys/jwks.json", "keys/checkpoint.pem", "tls.crt", "tls.key", "tokens/service.jwt")
    secrets.make(tmp_path, "ada", ("view",), now_us=NOW_US)
    before = [(tmp_path / name).read_bytes() for name in names]
    secrets.make(tmp_path, "ada", ("view",), now_us=NOW_US)
    assert before == [(tmp_path / name).read_bytes() for name in names]
    assert {0o640} == {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in names}
    assert 0o600 == stat.S_IMODE((tmp_path / "keys" / "signing.pem").stat().st_mode)
    load_key(tmp_path / "keys" / "checkpoint.pem")


def test_certificate_is_for_the_servers_names() -> None:
    """The certificate holds each name and 127.0.0.1, and is its own authority."""
    certificate = x509.load_pem_x509_certificate(secrets.self_signed(("view", "gateway"), now_us=NOW_US)[0])
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert ["view", "gateway"] == names.get_values_for_type(x509.DNSName)
    assert ["127.0.0.1"] == [str(address) for address in names.get_values_for_type(x509.IPAddress)]
    certificate.verify_directly_issued_by(certificate)
