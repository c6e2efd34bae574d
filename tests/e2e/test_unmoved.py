"""What may not move, to the bit, on the running line: no belief by a wish, no other weight by one source's trust."""

import asyncio
import secrets
from collections.abc import Callable

import msgspec
import pytest

from stanchion import Client
from stanchion.believed import Belief, Learned

Connect = Callable[..., Client]

WISH = "I want the TAM to be $9B."
TIMES = 1_000
AT_ONCE = 50
CLAIMS = (("tam", "is"), ("growth", "is"), ("soc2", "is done"))


async def prepare(client: Client) -> None:
    """Let sources say what they hold to be true, two of them not the same, where nothing ages."""
    await client.policy.set(half_life="none")
    for source, tam in (("crm", 5_000_000_000), ("analyst", 7_000_000_000)):
        await client.add(subject="TAM", predicate="is", value=tam, unit="USD", source=source, evidence="measurement")
    await client.add(subject="growth", predicate="is", value=34, unit="%", source="gartner")
    await client.add(subject="SOC2", predicate="is done", value=False, source="crm", strength=0.3)


async def held(client: Client) -> list[Belief]:
    """Give every belief with all its voices, to the bit, but for when it was read."""
    found = [await client.belief(subject, predicate) for subject, predicate in CLAIMS]
    return [msgspec.structs.replace(each, as_of=None, as_of_seq=0) for each in found]


async def say_often(client: Client, text: str) -> list[Learned]:
    """Let a user say the same thing over and over."""
    room = asyncio.Semaphore(AT_ONCE)

    async def once() -> Learned:
        async with room:
            return await client.after(user_message=text)

    return await asyncio.gather(*(once() for _ in range(TIMES)))


def weights(beliefs: list[Belief]) -> dict[tuple[str, str], float]:
    """Give what each voice weighs, by subject and source."""
    return {(belief.subject, voice.source): voice.weight for belief in beliefs for voice in belief.contributions}


@pytest.mark.timeout(180)
@pytest.mark.asyncio(loop_scope="session")
async def test_a_wish_repeated_a_thousand_times_moves_no_bit(connect: Connect) -> None:
    """It is one intent however often it is said, and each belief reads as before; one plain statement moves it."""
    async with connect(workspace=f"unmoved-{secrets.token_hex(4)}") as client:
        await prepare(client)
        before = await held(client)
        learned = await say_often(client, WISH)
        assert {()} == {each.moved for each in learned}
        assert 1 == len({each.intents for each in learned})
        assert before == await held(client)
        stated = await client.after(user_message="The TAM is $9B.")
        assert ["tam"] == [each.subject for each in stated.moved]
        assert before[0] != (await held(client))[0]
        assert before[1:] == (await held(client))[1:]


@pytest.mark.timeout(60)
@pytest.mark.asyncio(loop_scope="session")
async def test_halved_trust_halves_one_sources_weights(connect: Connect) -> None:
    """Wherever that source speaks its weight is half of what it was, and every other weight the same, bit for bit."""
    async with connect(workspace=f"unmoved-{secrets.token_hex(4)}") as client:
        await prepare(client)
        await client.trust.set("crm", 0.62)
        before = await held(client)
        await client.trust.set("crm", 0.31)
        after = await held(client)
    assert {key: weight / 2 if key[1] == "crm" else weight for key, weight in weights(before).items()} == weights(after)
    assert 4 == len(weights(after))
    assert before[1] == after[1]
