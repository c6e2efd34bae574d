"""What an endpoint answers: its form, and what is none."""

import json
from importlib.resources import files
from typing import Any

import msgspec
import pytest

from stanchion_extraction.model.answer import Answer, BadAnswer, claims_in
from support.models import claim, completion

CLAIMS = json.dumps({"claims": [claim()]})


def test_a_good_answer() -> None:
    """The claims of a completion are read, whatever else the endpoint says beside them."""
    (named,) = claims_in(completion(CLAIMS))
    assert ("TAM", "5000000000", "USD", "The TAM is $5B.") == (
        named.subject,
        named.value.text,
        named.value.unit,
        named.quote,
    )
    assert () == claims_in(completion('{"claims": []}'))


def changed(**parts: object) -> str:
    """Give an answer whose one claim has other parts."""
    return json.dumps({"claims": [{**claim(), **parts}]})


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Bad Gateway</html>",
        b"[" * 100_000,
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{}]}',
        completion(None),
        completion("I found one claim: the TAM is $5B."),
        completion(f"```json\n{CLAIMS}\n```"),
        completion(CLAIMS[:-2]),
        completion("{}"),
        completion('{"claims": {}}'),
        completion('{"claims": [1]}'),
        completion('{"claims": [], "more": 1}'),
        completion(changed(value=5)),
        completion(changed(positive="yes")),
        completion(changed(quote=None)),
        completion(changed(strength=1.0)),
        completion(changed(value={"type": "vector", "text": "1", "unit": "", "op": ""})),
        completion(changed(value={"type": "number", "text": "1", "unit": "", "op": "!="})),
        completion(changed(value={"type": "number", "text": 1, "unit": "", "op": ""})),
        completion(changed(subject="\udcff")),
    ],
)
def test_another_form_is_no_answer(body: bytes) -> None:
    """Nothing is guessed out of what has another form; another attempt may do better."""
    with pytest.raises(BadAnswer) as caught:
        claims_in(body)
    assert ("MODEL_ANSWER", True) == (caught.value.code, caught.value.again)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (completion(None, refusal="I can't help with that."), "MODEL_REFUSED"),
        (completion("", finish_reason="content_filter"), "MODEL_REFUSED"),
        (completion(CLAIMS[:40], finish_reason="length"), "MODEL_ANSWER"),
    ],
)
def test_an_answer_that_will_not_get_better(body: bytes, code: str) -> None:
    """A refusal and an answer that was cut off are not asked for again."""
    with pytest.raises(BadAnswer) as caught:
        claims_in(body)
    assert (code, False) == (caught.value.code, caught.value.again)


def test_the_schema_is_what_is_read() -> None:
    """The schema that the endpoint is given asks for every part that is read, and for no other."""
    schema = json.loads(files("stanchion_extraction.model").joinpath("answer.schema.json").read_text())
    (made,) = msgspec.json.schema_components([Answer])[0]
    components = msgspec.json.schema_components([Answer])[1]

    def same(given: dict[str, Any], named: dict[str, Any]) -> None:
        named = components[named["$ref"].rsplit("/", 1)[-1]] if "$ref" in named else named
        if given["type"] == "object":
            assert set(named["properties"]) == set(given["properties"]) == set(given["required"])
            assert (False, set(given["required"])) == (given["additionalProperties"], set(named["required"]))
            for name, part in given["properties"].items():
                same(part, named["properties"][name])
        elif given["type"] == "array":
            same(given["items"], named["items"])
        elif "enum" in given:
            assert sorted(given["enum"]) == sorted(named["enum"])
        else:
            assert given["type"] == named["type"]

    same(schema, made)
