from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from stanchion_runtime.auth import Authenticator
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.rpc import UnsafeBind, check_bind
from stanchion_runtime.settings import AuthSettings, KafkaSettings, ServerSettings
from support.tokens import Issuer


def test_kafka_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster with SASL is four variables, and the password never shows."""
    for name, value in {
        "BOOTSTRAP": "kafka:9093",
        "SECURITY_PROTOCOL": "SASL_SSL",
        "SASL_MECHANISM": "SCRAM-SHA-512",
        "SASL_USERNAME": "stanchion",
        "SASL_PASSWORD": "hidden",
    }.items():
        monkeypatch.setenv(f"STANCHION_KAFKA_{name}", value)
    settings = KafkaSettings()
    assert ("kafka:9093", "SCRAM-SHA-512") == (settings.bootstrap, settings.sasl_mechanism)
    assert "hidden" not in repr(settings)
    assert "hidden" == settings.sasl_password.get_secret_value()


def test_half_a_sign_in_is_refused() -> None:
    """SASL without a password says what is missing."""
    with pytest.raises(ValidationError, match="_SASL_USERNAME and _SASL_PASSWORD"):
        KafkaSettings(security_protocol="SASL_SSL", sasl_mechanism="PLAIN", sasl_password=SecretStr("x"))


def test_half_a_certificate_is_refused() -> None:
    """A certificate without its key is refused."""
    with pytest.raises(ValidationError, match="or neither"):
        ServerSettings(tls_cert=Path("cert.pem"))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.5", "stanchion.example"])  # noqa: S104 - the point of it
def test_no_listening_in_the_open(host: str) -> None:
    """An address that others reach needs TLS; the sentence says what to set."""
    with pytest.raises(UnsafeBind, match="set STANCHION_SERVER_TLS_CERT"):
        check_bind(ServerSettings(host=host))


def test_listening_with_tls_or_on_loopback() -> None:
    """Loopback needs no TLS; with TLS any address will do."""
    check_bind(ServerSettings(host="127.0.0.1"))
    check_bind(ServerSettings(host="0.0.0.0", tls_cert=Path("c"), tls_key=Path("k")))  # noqa: S104 - the point of it


def test_settings_are_frozen_and_bounded(tmp_path: Path) -> None:
    """Nothing changes a setting after the start, and nonsense is refused at it."""
    settings = ServerSettings()
    with pytest.raises(ValidationError, match="frozen"):
        settings.port = 1
    for wrong in ({"port": 70_000}, {"drain_s": -1}, {"max_concurrent": 0}):
        with pytest.raises(ValidationError):
            ServerSettings.model_validate(wrong)
    with pytest.raises(ValidationError):
        AuthSettings(leeway_s=9_999)
    assert Authenticator.of(Issuer(tmp_path).settings())


def test_every_metric_is_explained() -> None:
    """Each metric has a help text and a name of ours, and a second process-wide set does not clash."""
    Metrics()
    text = Metrics().text().decode()
    names = {each.split()[2] for each in text.splitlines() if each.startswith("# HELP stanchion_")}
    assert {
        "stanchion_inputs_total",
        "stanchion_batch_size",
        "stanchion_handler_seconds",
        "stanchion_lag",
        "stanchion_position",
        "stanchion_epoch",
        "stanchion_dead_letters_total",
        "stanchion_rpc_seconds",
    } <= names
