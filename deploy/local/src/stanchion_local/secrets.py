"""Makes what `deploy/compose.yaml` needs in one folder: keys, tokens, and a certificate for the three gRPC servers.

    python -m stanchion_local.secrets deploy/secrets

Nothing that is there is written again. The certificate is its own authority: give `tls.crt` to clients as their CA.
"""

import argparse
import ipaddress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from stanchion_local import keys
from stanchion_runtime import clock

NAMES: Final = ("localhost", "gateway", "audit-reader", "view")
CERTIFICATE_DAYS: Final = 365
TOKEN_DAYS: Final = 90
SHARED: Final = 0o640  # the containers' user is in the folder's group


def make(folder: Path, person: str, names: tuple[str, ...], *, now_us: int) -> None:
    """Makes what is not there yet.

    Args:
        folder: where.
        person: whom the person's token names.
        names: host names that the certificate is for.
        now_us: from when it and the tokens are good.

    Raises:
        Unusable: a key is there and can't be used.
    """
    made = keys.ensure(folder)
    for name, grant in keys.standard_grants(person).items():
        keys.ensure_token(folder, name, grant, now_us=now_us, days=TOKEN_DAYS)
    if not (folder / "tls.crt").exists():
        certificate, key = self_signed(names, now_us=now_us)
        keys.write_once(folder / "tls.key", key)
        keys.write_once(folder / "tls.crt", certificate)
    for path in (made.checkpoint, made.jwks, folder / "tls.key", folder / "tls.crt", folder / "tokens" / "service.jwt"):
        path.chmod(SHARED)
    for path in (folder, folder / "keys", folder / "tokens"):
        path.chmod(0o750)


def self_signed(names: tuple[str, ...], *, now_us: int) -> tuple[bytes, bytes]:
    """A certificate (and its key, both PEM) for these host names and 127.0.0.1, signed by itself, good for a year."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "stanchion")])
    begin = datetime.fromtimestamp(now_us / 1_000_000, UTC) - timedelta(minutes=5)
    hosts: list[x509.GeneralName] = [x509.DNSName(name) for name in names]
    certificate = (
        x509
        .CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=CERTIFICATE_DAYS))
        .add_extension(
            x509.SubjectAlternativeName([*hosts, x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return certificate.public_bytes(Encoding.PEM), pem


def main() -> None:
    """Reads the command line, makes the folder, says what to run next."""
    parser = argparse.ArgumentParser(prog="python -m stanchion_local.secrets", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--person", default="operator", help="whom the person's token names (%(default)s)")
    parser.add_argument("--name", action="append", default=[], help="another host name for the certificate")
    arguments = parser.parse_args()
    make(arguments.folder, arguments.person, (*NAMES, *arguments.name), now_us=clock.now_us())
    print(  # noqa: T201 - the command's output
        f"{arguments.folder}: keys, tokens and certificate are there. Next:\n"
        "  STANCHION_SECRETS_GID=$(id -g) docker compose -f deploy/compose.yaml up --build"
    )


if __name__ == "__main__":
    main()
