import asyncio
import os
import signal
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pydantic import SecretStr

from stanchion import Client, ClientSettings, NotAllowed, Retry, Unreachable
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2_grpc
from stanchion_runtime import rpc
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.settings import ServerSettings
from support.services import FakeView
from support.tokens import Issuer

VIEW = "stanchion.view.v1.ViewService"

PROGRAM = """
import asyncio, sys
from stanchion_runtime import logs, rpc
from stanchion_runtime.settings import AuthSettings, ServerSettings

async def main():
    server = rpc.Server("view", ServerSettings(), rpc.Authenticator.of(AuthSettings()))
    await server.run()

logs.configure("view")
asyncio.run(main())
"""


def certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for localhost, signed by itself; give its file and its key's."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    begin = datetime(2020, 1, 1, tzinfo=UTC)
    made = (
        x509
        .CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=36_500))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return folder / "cert.pem", folder / "key.pem"


async def test_a_client_over_tls(tmp_path: Path) -> None:
    """With the authority's file the client is let in; without TLS it gets nowhere."""
    issuer = Issuer(tmp_path)
    cert, key = certificate(tmp_path)
    settings = ServerSettings(host="0.0.0.0", tls_cert=cert, tls_key=key, http_port=-1, drain_s=0)  # noqa: S104 - the point of it
    server = rpc.Server("view", settings, rpc.Authenticator.of(issuer.settings()), metrics=Metrics())
    server.add(VIEW, view_pb2_grpc.add_ViewServiceServicer_to_server, FakeView())
    async with server:
        told = {"view": f"localhost:{server.port}", "token": SecretStr(issuer.token()), "workspace": "docs"}
        async with Client(ClientSettings.model_validate({**told, "tls_ca": cert})) as client:
            assert [each.name for each in await client.workspaces()] == ["docs"]
        async with Client(ClientSettings.model_validate(told), retry=Retry(attempts=1)) as plain:
            with pytest.raises(Unreachable):
                await plain.workspaces()


def test_no_token_in_the_clear(tmp_path: Path) -> None:
    """A token is not sent to another machine without TLS; the sentence says what to set."""
    settings = ClientSettings(view="stanchion.example:7103", token=SecretStr("x"), home=tmp_path)
    with pytest.raises(NotAllowed, match="set STANCHION_TLS_CA or STANCHION_TLS"):
        Client(settings)


async def run(**environment: str) -> asyncio.subprocess.Process:
    """Start a server as a process of its own."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        PROGRAM,
        stderr=asyncio.subprocess.PIPE,
        env={"PATH": os.environ["PATH"], **environment},
    )


async def test_sigterm_drains_and_ends(tmp_path: Path) -> None:
    """A server that is told to end says so and ends with 0."""
    process = await run(STANCHION_AUTH_JWKS=str(Issuer(tmp_path).jwks))
    assert process.stderr is not None
    async for line in process.stderr:
        if b'"serving"' in line:
            break
    process.send_signal(signal.SIGTERM)
    rest = await process.stderr.read()
    assert await process.wait() == 0
    assert b'"stopped"' in rest


async def test_an_open_address_without_tls_is_refused(tmp_path: Path) -> None:
    """A process that would listen in the open without TLS, or without keys, does not start and says why."""
    open_address = await run(STANCHION_AUTH_JWKS=str(Issuer(tmp_path).jwks), STANCHION_SERVER_HOST="0.0.0.0")  # noqa: S104 - the point of it
    keyless = await run()
    said = [(await process.communicate())[1].decode() for process in (open_address, keyless)]
    assert [open_address.returncode, keyless.returncode] == [1, 1]
    assert "refusing to listen on 0.0.0.0 without TLS" in said[0]
    assert "STANCHION_AUTH_JWKS is not set" in said[1]
