"""A real endpoint on a real socket that answers well, badly, slowly, and not at all."""

import asyncio
import gzip
import json
import logging
import socket
import time
from pathlib import Path

import pytest

from stanchion_extraction.model.endpoint import ANSWER_BYTES, Endpoint, Unanswered
from stanchion_extraction.model.settings import ModelSettings
from stanchion_local.secrets import self_signed
from stanchion_runtime import clock
from stanchion_runtime.metrics import Metrics
from support.models import Reply, claim, completion, model_server, names, silent_port

KEY = "sk-hush-hush-0123456789"
GOOD = names(claim())
BUSY = Reply(status=503, body=b"busy")


def settings(url: str, **more: object) -> ModelSettings:
    """Give settings with short waits."""
    given = {"url": url, "model": "small", "timeout_s": 5.0, "wait_s": 0.01, "wait_most_s": 0.5, "attempts": 3, **more}
    return ModelSettings(**given)  # type: ignore[arg-type] # pydantic checks


async def ask(url: str, text: str = "The TAM is $5B.", **more: object) -> tuple[list[str], Metrics]:
    """Ask for the claims of a text; give their subjects and what was counted."""
    metrics = Metrics()
    async with Endpoint(settings(url, **more), metrics) as endpoint:
        named = await endpoint.ask(text)
        assert "" == endpoint.failing
    return [each.subject for each in named], metrics


async def unanswered(url: str, **more: object) -> Unanswered:
    """Ask where no claims come of it; give why."""
    async with Endpoint(settings(url, **more), Metrics()) as endpoint:
        with pytest.raises(Unanswered) as caught:
            await endpoint.ask("The TAM is $5B.")
        assert endpoint.failing
    return caught.value


async def test_it_answers_well() -> None:
    """One call with model, prompt, text and strict schema; the key goes in its header."""
    with model_server([GOOD]) as server:
        subjects, metrics = await ask(server.url, key=KEY, extra={"seed": 7, "temperature": None}, max_tokens=99)
    (asked,) = server.asked
    assert (["TAM"], "/v1/chat/completions") == (subjects, asked.path)
    assert (f"Bearer {KEY}", "identity") == (asked.headers["authorization"], asked.headers["accept-encoding"])
    assert ("small", 99, 7) == (asked.body["model"], asked.body["max_tokens"], asked.body["seed"])
    assert "temperature" not in asked.body
    system, user = asked.body["messages"]
    assert ("system", "user", "The TAM is $5B.") == (system["role"], user["role"], user["content"])
    schema = asked.body["response_format"]["json_schema"]
    assert (True, ["claims"]) == (schema["strict"], schema["schema"]["required"])
    assert 'stanchion_model_seconds_count{outcome="ok"} 1.0' in metrics.text().decode()


@pytest.mark.parametrize(
    "reply",
    [
        Reply(body=b"<html>hello</html>"),
        Reply(body=completion("no JSON")),
        Reply(body=completion(json.dumps({"claims": [{**claim(), "value": 5}]}))),
        Reply(body=gzip.compress(completion('{"claims": []}')), headers=(("content-encoding", "gzip"),)),
        Reply(body=b" " * (ANSWER_BYTES + 2)),
        Reply(body=completion(json.dumps({"claims": [claim(quote="x" * ANSWER_BYTES)]}))),
    ],
)
async def test_it_answers_badly(reply: Reply) -> None:
    """No answer that can be used is asked for again; a good one in the end is one, and what was bad is told at last."""
    with model_server([reply, GOOD]) as server:
        subjects, metrics = await ask(server.url)
    assert (["TAM"], 2) == (subjects, len(server.asked))
    assert 'stanchion_model_retries_total{reason="MODEL_ANSWER"} 1.0' in metrics.text().decode()
    with model_server([reply]) as server:
        error = await unanswered(server.url)
    assert ("MODEL_ANSWER", 3) == (error.code, len(server.asked))
    assert (reply.body[: 16 * 1024], True) == (error.answer, "(attempt 3)" in error.detail)


async def test_ten_thousand_claims_are_read() -> None:
    """How many of them are submitted is for the next step to say."""
    with model_server([names(*(claim(f"s{number}") for number in range(10_000)))]) as server:
        subjects, _ = await ask(server.url)
    assert 10_000 == len(subjects)


async def test_a_refusal_is_final() -> None:
    """The model will not read this text; asking again is no use."""
    with model_server([Reply(body=completion(None, refusal="I can't."))]) as server:
        error = await unanswered(server.url)
    assert ("MODEL_REFUSED", 1) == (error.code, len(server.asked))


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
async def test_what_passes_by_itself_is_tried_again(status: int) -> None:
    """Then the answer is as good as any."""
    with model_server([Reply(status=status), Reply(status=status), GOOD]) as server:
        subjects, metrics = await ask(server.url)
    assert (["TAM"], 3) == (subjects, len(server.asked))
    assert 'stanchion_model_retries_total{reason="MODEL_FAILED"} 2.0' in metrics.text().decode()
    with model_server([Reply(status=status, body=b"no")]) as server:
        error = await unanswered(server.url)
    assert ("MODEL_FAILED", 3, b"no") == (error.code, len(server.asked), error.answer)
    assert f"the endpoint answers {status} (attempt 3): no" == error.detail


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 413, 422])
async def test_what_will_be_said_tomorrow_is_not_tried_again(status: int) -> None:
    """Nor is a redirect followed: it would carry the key to wherever it points."""
    with model_server([Reply(status=status, headers=(("location", "/elsewhere"),))]) as server:
        error = await unanswered(server.url)
    assert ("MODEL_FAILED", 1) == (error.code, len(server.asked))


async def test_it_says_when_to_come_again() -> None:
    """`Retry-After` is waited for, by every call that is under way; one that is too long ends the text's turn."""
    later = Reply(status=429, headers=(("retry-after", "0.4"),))
    with model_server([later, GOOD]) as server:
        begun_s = time.monotonic()
        async with Endpoint(settings(server.url), Metrics()) as endpoint:
            first = asyncio.ensure_future(endpoint.ask("one"))
            while not server.asked:  # noqa: ASYNC110 - a thread of the server's sets it
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            await endpoint.ask("two")
            second_s = time.monotonic() - begun_s
            await first
    assert second_s >= 0.4
    assert 3 == len(server.asked)
    with model_server([Reply(status=429, headers=(("retry-after", "3600"),)), GOOD]) as server:
        error = await unanswered(server.url)
    assert ("MODEL_FAILED", 1) == (error.code, len(server.asked))


@pytest.mark.parametrize(
    "reply", [Reply(wait_s=30), Reply(body=b"{" * 300, drip_s=0.1), Reply(body=completion("{}"), drip_s=0.1)]
)
async def test_it_answers_slowly(reply: Reply) -> None:
    """The time is that of the whole answer: an endpoint that gives a byte now and then holds no text for ever."""
    begun_s = time.monotonic()
    with model_server([reply]) as server:
        error = await unanswered(server.url, timeout_s=0.5, attempts=2)
    assert ("MODEL_FAILED", "no answer within 0.5 s (attempt 2)") == (error.code, error.detail)
    assert time.monotonic() - begun_s < 5
    with model_server([reply, GOOD]) as server:
        assert ["TAM"] == (await ask(server.url, timeout_s=0.5))[0]


async def test_it_does_not_answer_at_all() -> None:
    """A refused connection, one that is never answered, and one that breaks, all come to an end."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    refused = await unanswered(f"http://127.0.0.1:{port}/v1")
    assert ("MODEL_FAILED", b"") == (refused.code, refused.answer)
    with silent_port() as url:
        hung = await unanswered(url, timeout_s=0.3)
    assert "no answer within 0.3 s (attempt 3)" == hung.detail
    with model_server([Reply(hang_up=True)]) as server:
        assert "MODEL_FAILED" == (await unanswered(server.url)).code
    with model_server([Reply(hang_up=True), GOOD]) as server:
        assert ["TAM"] == (await ask(server.url))[0]
    unresolved = await unanswered("https://models.invalid/v1", attempts=1)
    assert "MODEL_FAILED" == unresolved.code


async def test_certificates_are_checked(tmp_path: Path) -> None:
    """An endpoint that nobody known vouches for is told neither key nor text; one whose authority is named, both."""
    paths = tmp_path / "tls.crt", tmp_path / "tls.key"
    for path, pem in zip(paths, self_signed(("localhost",), now_us=clock.now_us()), strict=True):
        path.write_bytes(pem)
    with model_server([GOOD], tls=paths) as server:
        error = await unanswered(server.url, key=KEY, attempts=1)
        assert ("MODEL_FAILED", [], True) == (error.code, server.asked, "CERTIFICATE_VERIFY_FAILED" in error.detail)
        assert ["TAM"] == (await ask(server.url, key=KEY, ca_file=paths[0]))[0]
    with pytest.raises(ValueError, match="CA_FILE"):
        Endpoint(settings("https://models.invalid", ca_file=tmp_path / "none"), Metrics())


async def test_the_key_is_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    """An endpoint that says the key back, whole or in part, gets none of it into a dead letter, a log or a page."""
    caplog.set_level(logging.DEBUG)
    cut_off = b"key " + KEY.encode() + b" " * (16 * 1024 - 10 - len(KEY)) + KEY.encode()
    for reply in (
        Reply(status=401, body=f"bad key {KEY}".encode()),
        Reply(status=401, body=cut_off),
        Reply(body=completion(f"key {KEY}")),
        names(claim(type_=KEY)),
    ):
        with model_server([reply]) as server:
            async with Endpoint(settings(server.url, key=KEY, attempts=1), Metrics()) as endpoint:
                with pytest.raises(Unanswered) as caught:
                    await endpoint.ask("The TAM is $5B.")
                told = f"{caught.value} {caught.value.answer!r} {endpoint.failing} {caplog.text}"
        assert (True, False) == ("***" in told, KEY[:5] in told)
