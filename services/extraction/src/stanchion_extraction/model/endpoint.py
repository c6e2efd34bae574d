"""The endpoint: one chat completion for one text, tried again within bounds."""

import asyncio
import functools
import ssl
from collections.abc import Callable
from importlib.resources import files
from typing import Any, Final, Self

import httpx
import msgspec

from stanchion_extraction.model.answer import NO_ANSWER, BadAnswer, NamedClaim, claims_in
from stanchion_extraction.model.retry import backoff_s, retry_after_s
from stanchion_extraction.model.settings import ModelSettings
from stanchion_runtime import clock
from stanchion_runtime.metrics import Metrics

FAILED: Final = "MODEL_FAILED"
"""The endpoint could not be asked, or gave no answer at all."""
ANSWER_BYTES: Final = 4 * 1024 * 1024
"""An answer that is longer is read no further."""
_SHOWN_BYTES: Final = 16 * 1024
_QUOTED_BYTES: Final = 500
_BLANK: Final = b"***"
_BEGUN: Final = 3  # bytes of a key from which they are more than a coincidence
_AGAIN: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses that pass by themselves; so do the other 5xx. The rest of 4xx says the same tomorrow."""
_OK: Final = 200
_SERVER: Final = 500


class Unanswered(Exception):
    """No claims came of a text, however often it was tried.

    Attributes:
        code: `MODEL_FAILED`, `MODEL_ANSWER` or `MODEL_REFUSED`.
        detail: one sentence, without the key.
        answer: what was answered last, cut at 16 KiB, without the key; empty for nothing.
    """

    def __init__(self, code: str, detail: str, answer: bytes) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.answer = answer


class _Trouble(Exception):
    """One attempt that came to nothing."""

    def __init__(self, code: str, detail: str, *, again: bool, answer: bytes = b"", wait_s: float = 0.0) -> None:
        super().__init__(detail)
        self.code, self.again, self.answer, self.wait_s = code, again, answer, wait_s


class Endpoint:
    """An OpenAI-compatible endpoint and the model that is asked there.

    Attributes:
        failing: what the last call came to, empty after a good one; without the key, and of the answer no more than the
            word that its decoder would not take.
    """

    def __init__(
        self, settings: ModelSettings, metrics: Metrics, *, chance: Callable[[], float] = clock.chance
    ) -> None:
        """Connect to nothing yet.

        Args:
            settings: where, which model, how patient.
            metrics: what is counted.
            chance: gives 0 to 1, for the waits.

        Raises:
            ValueError: the key or the authority's certificate cannot be read.
        """
        self.failing = ""
        self._settings = settings
        self._metrics = metrics
        self._chance = chance
        self._key = settings.secret()
        self._not_before_s = 0.0
        self._client = _client(settings, self._key)

    async def __aenter__(self) -> Self:
        """Do nothing: connections are made as they are needed."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let go of the connections."""
        await self._client.aclose()

    async def ask(self, text: str) -> tuple[NamedClaim, ...]:
        """Give the claims that the model names in a text.

        Raises:
            Unanswered: none of the attempts gave claims, or another would not.
        """
        content = request_of(self._settings, text)
        attempt = 0
        while True:
            attempt += 1
            await self._wait()
            try:
                claims = await self._attempt(content)
            except _Trouble as trouble:
                self.failing = str(trouble)
                wait_s = self._wait_after(trouble, attempt)
                if wait_s is None:
                    said = trouble.answer[:_QUOTED_BYTES].decode(errors="replace")
                    detail = f"{trouble} (attempt {attempt})" + (f": {said}" if said else "")
                    raise Unanswered(trouble.code, detail, trouble.answer) from None
                self._metrics.model_retries.labels(trouble.code).inc()
                await asyncio.sleep(wait_s)
            else:
                self.failing = ""
                return claims

    def _wait_after(self, trouble: _Trouble, attempt: int) -> float | None:
        """Give the wait before the next attempt, None for no further one; others wait, too, when told to."""
        settings = self._settings
        if trouble.wait_s:
            asked_s = min(trouble.wait_s, settings.wait_most_s)
            self._not_before_s = max(self._not_before_s, clock.monotonic_s() + asked_s)
        if not trouble.again or attempt >= settings.attempts or trouble.wait_s > settings.wait_most_s:
            return None
        return backoff_s(attempt, self._chance(), first_s=settings.wait_s, most_s=settings.wait_most_s)

    async def _wait(self) -> None:
        """Wait until the endpoint may be asked again: it told one of us to wait, so nobody asks before."""
        while (left_s := self._not_before_s - clock.monotonic_s()) > 0:  # noqa: ASYNC110 - others may put it off
            await asyncio.sleep(left_s)

    async def _attempt(self, content: bytes) -> tuple[NamedClaim, ...]:
        """Ask once.

        Raises:
            _Trouble: no claims came of it.
        """
        begun_s, outcome = clock.monotonic_s(), "ok"
        try:
            return await self._asked(content)
        except _Trouble as trouble:
            outcome = trouble.code
            raise
        finally:
            self._metrics.model_seconds.labels(outcome).observe(clock.monotonic_s() - begun_s)

    async def _asked(self, content: bytes) -> tuple[NamedClaim, ...]:
        """Ask once, within the time.

        Raises:
            _Trouble: no claims came of it.
        """
        try:
            async with asyncio.timeout(self._settings.timeout_s):
                status, wait_s, body = await self._exchange(content)
        except TimeoutError:
            raise _Trouble(FAILED, f"no answer within {self._settings.timeout_s} s", again=True) from None
        except (httpx.HTTPError, httpx.InvalidURL, ssl.SSLError) as error:
            detail = self._told(f"{type(error).__name__}: {error}")
            raise _Trouble(FAILED, f"the endpoint cannot be asked: {detail}", again=True) from None
        shown = self._without_key(body)[:_SHOWN_BYTES]
        if status != _OK:
            again = status in _AGAIN or status > _SERVER
            raise _Trouble(FAILED, f"the endpoint answers {status}", again=again, answer=shown, wait_s=wait_s)
        if len(body) > ANSWER_BYTES:
            raise _Trouble(NO_ANSWER, f"the answer is longer than {ANSWER_BYTES} bytes", again=True, answer=shown)
        try:
            return claims_in(body)
        except BadAnswer as bad:
            raise _Trouble(bad.code, self._told(str(bad)), again=bad.again, answer=shown) from None

    async def _exchange(self, content: bytes) -> tuple[int, float, bytes]:
        """Send the request; give status, the wait that is asked for, and the body up to its bound."""
        body = bytearray()
        async with self._client.stream("POST", "chat/completions", content=content) as response:
            wait_s = retry_after_s(response.headers.get("retry-after", ""), clock.now_us() / 1_000_000)
            most = ANSWER_BYTES if response.status_code == _OK else _SHOWN_BYTES
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > most:
                    break
        return response.status_code, wait_s, bytes(body[: most + 1])

    def _told(self, detail: str) -> str:
        """Give words on what went wrong, bounded; a decoder quotes what it will not take."""
        return self._without_key(detail.encode())[:_QUOTED_BYTES].decode(errors="replace")

    def _without_key(self, data: bytes) -> bytes:
        """Give bytes with the key blanked out, also where only its beginning came: some endpoints say it back."""
        if not self._key:
            return data
        key = self._key.encode()
        blanked = data.replace(key, _BLANK)
        begun = next((size for size in range(len(key) - 1, _BEGUN - 1, -1) if blanked.endswith(key[:size])), 0)
        return blanked[: len(blanked) - begun] + _BLANK if begun else blanked


def request_of(settings: ModelSettings, text: str) -> bytes:
    """Give the request's JSON for one text.

    Args:
        settings: which model, and how long its answer may be.
        text: to be read.
    """
    prompt, schema = _asking()
    body: dict[str, Any] = {
        "model": settings.model,
        "messages": [
            {"role": "system", "content": prompt},
            {"role": "user", "content": text},
        ],
        "temperature": 0,
        "max_tokens": settings.max_tokens,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "claims", "strict": True, "schema": schema},
        },
        **settings.extra,
    }
    return msgspec.json.encode({name: value for name, value in body.items() if value is not None})


@functools.cache
def _asking() -> tuple[str, Any]:
    """Give the prompt, and the schema of its answer."""
    folder = files("stanchion_extraction.model")
    schema = msgspec.json.decode(folder.joinpath("answer.schema.json").read_bytes())
    return folder.joinpath("prompt.md").read_text(encoding="utf-8"), schema


def _client(settings: ModelSettings, key: str) -> httpx.AsyncClient:
    """Make the HTTP client: certificates are checked always, redirects followed never, packed answers not asked for.

    Raises:
        ValueError: the authority's certificate cannot be read.
    """
    try:
        trusted = ssl.create_default_context(cafile=str(settings.ca_file) if settings.ca_file else None)
    except OSError as error:
        raise ValueError(f"STANCHION_EXTRACTION_MODEL_CA_FILE {settings.ca_file} cannot be read: {error}") from None
    headers = {"content-type": "application/json", "accept": "application/json", "accept-encoding": "identity"}
    if key:
        headers["authorization"] = f"Bearer {key}"
    return httpx.AsyncClient(
        base_url=settings.url.rstrip("/") + "/",
        headers=headers,
        verify=trusted,
        timeout=settings.timeout_s,
        limits=httpx.Limits(max_connections=settings.at_once, max_keepalive_connections=settings.at_once),
        follow_redirects=False,
        trust_env=not settings.loopback,
    )
