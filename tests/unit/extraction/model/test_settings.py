"""Nothing is sent anywhere unless told, and not where it should not be."""

from pathlib import Path

import pytest

from stanchion_extraction.model.settings import PREFIX, ModelSettings
from stanchion_runtime.settings import read


def settings(monkeypatch: pytest.MonkeyPatch, **more: str) -> ModelSettings:
    """Read settings from an environment that names an endpoint, and more."""
    for name, value in {"url": "https://models.example/v1", "model": "small", **more}.items():
        monkeypatch.setenv(f"{PREFIX}{name.upper()}", value)
    return read(ModelSettings)


def test_a_model_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is called as the endpoint calls it, unless told otherwise."""
    assert "model:small" == settings(monkeypatch).called
    assert "model:acme/small@2" == settings(monkeypatch, name="acme/small@2").called
    assert {"docs", "ops"} == settings(monkeypatch, workspaces=" docs, ops,").only
    assert {"seed": 7, "temperature": None} == settings(monkeypatch, extra='{"seed": 7, "temperature": null}').extra


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"url": ""}, "nothing is sent anywhere unless told"),
        ({"model": ""}, "nothing is sent anywhere unless told"),
        ({"url": "http://models.example/v1"}, "is not https"),
        ({"url": "https://ann:secret@models.example"}, "must not hold a user or password"),
        ({"url": "ftp://models.example"}, "must be http"),
        ({"url": "https://models.example/v1?key=secret"}, "must be http"),
        ({"model": "my model"}, "_NAME"),
        ({"name": "my model"}, "_NAME"),
        ({"attempts": "0"}, "_ATTEMPTS"),
        ({"timeout_s": "inf"}, "_TIMEOUT_S"),
    ],
)
def test_what_cannot_be_used_is_refused(monkeypatch: pytest.MonkeyPatch, more: dict[str, str], told: str) -> None:
    """The refusal names the variable, and says no secret."""
    with pytest.raises(ValueError, match=told) as caught:
        settings(monkeypatch, key="hush-hush", **more)
    assert [] == [word for word in ("secret", "hush-hush") if word in str(caught.value)]


@pytest.mark.parametrize("url", ["http://127.0.0.1:11434/v1", "http://[::1]:1", "http://localhost", "http://127.9.9.9"])
def test_this_machine_needs_no_tls(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """A model on the same machine is asked in plain; one elsewhere only where that is said to be safe."""
    assert settings(monkeypatch, url=url).loopback
    assert not settings(monkeypatch, url="http://ollama:11434", plain_http="true").loopback


def test_the_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It comes from the environment or a file, and shows in no repr."""
    file = tmp_path / "key"
    file.write_text("from-the-file\n")
    assert "hush-hush" == (given := settings(monkeypatch, key="hush-hush")).secret()
    assert "hush-hush" not in repr(given)
    assert "from-the-file" == settings(monkeypatch, key_file=str(file)).secret()
    file.write_text("\n")
    with pytest.raises(ValueError, match="is empty"):
        settings(monkeypatch, key_file=str(file)).secret()
    with pytest.raises(ValueError, match="cannot be read"):
        settings(monkeypatch, key_file=str(tmp_path / "none")).secret()
    monkeypatch.delenv(f"{PREFIX}KEY_FILE")
    with pytest.raises(ValueError, match="characters that a header does not take"):
        settings(monkeypatch, key="two\nlines").secret()
