"""A cluster that asks for TLS and a password: reached by settings alone."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from stanchion_broker.broker import Broker
from stanchion_contracts.topics import REGISTER
from stanchion_core.errors import Transient
from stanchion_local import secrets
from stanchion_runtime import clock
from stanchion_runtime.admin import create_topics
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.settings import KafkaSettings
from support.broker import LIB, free_ports

USER, PASSWORD = "stanchion", "correct horse"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaSettings]:
    """How to reach a broker whose third listener wants TLS and SASL."""
    home, port = tmp_path_factory.mktemp("signed-in"), free_ports(3)
    certificate, key = secrets.self_signed(("localhost",), now_us=clock.now_us())
    (home / "ca.crt").write_bytes(certificate)
    broker = Broker(home, port, lib=LIB, extra=_secure(port, certificate.decode(), key.decode()))
    broker.start()
    yield KafkaSettings(
        bootstrap=f"127.0.0.1:{port + 2}",
        security_protocol="SASL_SSL",
        sasl_mechanism="PLAIN",
        sasl_username=USER,
        sasl_password=SecretStr(PASSWORD),
        ssl_cafile=str(home / "ca.crt"),
    )
    broker.stop()


def _secure(port: int, certificate: str, key: str) -> dict[str, str]:
    """The settings of a third listener."""
    plain = f"PLAINTEXT://127.0.0.1:{port}"
    secure = f"SECURE://127.0.0.1:{port + 2}"
    login = "org.apache.kafka.common.security.plain.PlainLoginModule"
    return {
        "listeners": f"{plain},CONTROLLER://127.0.0.1:{port + 1},{secure}",
        "advertised.listeners": f"{plain},{secure}",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL",
        "sasl.enabled.mechanisms": "PLAIN",
        "listener.name.secure.plain.sasl.jaas.config": f'{login} required user_{USER}="{PASSWORD}";',
        "ssl.keystore.type": "PEM",
        "ssl.keystore.certificate.chain": certificate,
        "ssl.keystore.key": key,
    }


async def test_topics_are_made_and_found(settings: KafkaSettings) -> None:
    """With TLS and the right password the line's topics are made and read."""
    made = await create_topics(settings)
    assert len(REGISTER) == len(made)
    async with KafkaLog(settings, "test") as log:
        assert settings.partitions == await log.partitions("claims")


async def test_wrong_password_or_authority_is_refused(
    settings: KafkaSettings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Both end in an error, not in a wait without end, and the log says why."""
    caplog.set_level(logging.WARNING, logger="aiokafka")  # a command line tried in this process may have quieted it
    other = tmp_path / "other.crt"
    other.write_bytes(secrets.self_signed(("localhost",), now_us=clock.now_us())[0])
    wrong = (
        settings.model_copy(update={"sasl_password": SecretStr("battery staple")}),
        settings.model_copy(update={"ssl_cafile": str(other)}),
    )
    outcomes = await asyncio.gather(*(create_topics(each) for each in wrong), return_exceptions=True)
    assert [Transient, Transient] == [type(each) for each in outcomes]
    assert "Invalid username or password" in caplog.text
    assert "CERTIFICATE_VERIFY_FAILED" in caplog.text
