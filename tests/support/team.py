"""The people, the agent and the service around one workspace of a running line, with short words for what they do."""

from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import SecretStr

from stanchion import Client, ClientSettings
from stanchion.errors import StanchionError
from stanchion.results import Answer, Citation, Record
from stanchion.writes import QuoteSeen, Write
from stanchion_local import keys
from stanchion_local.keys import Grant
from stanchion_runtime import clock
from stanchion_runtime.auth import CAPABILITIES

GRANTS: Final = {
    "maya": Grant(sub="maya", kind="person"),
    "bo": Grant(sub="bo", kind="person"),
    "reader": Grant(sub="reader", kind="person", capabilities=("read", "write")),
    "agent": Grant(sub="scout", kind="agent", capabilities=tuple(sorted(CAPABILITIES))),
    "delegate": Grant(sub="scout", kind="agent", on_behalf_of="maya", capabilities=tuple(sorted(CAPABILITIES))),
    "service": Grant(sub="git", kind="service", capabilities=tuple(sorted(CAPABILITIES))),
    "stranger": Grant(sub="eve", kind="person", workspaces=("elsewhere",)),
}
"""Who there is; agent, delegate and service hold every capability, and are no persons all the same."""

Reasons = list[tuple[str, str, str, str, str]]


def sign_in(home: Path) -> dict[str, Client]:
    """Give a client for each of them; whoever asks closes them.

    Args:
        home: of a running line.
    """
    return {name: Client(ClientSettings(home=home, token=SecretStr(token))) for name, token in tokens_of(home).items()}


def tokens_of(home: Path) -> dict[str, str]:
    """Give a token for each of them.

    Args:
        home: of a running line.
    """
    now_us = clock.now_us()
    return {name: keys.mint(home, grant, now_us=now_us, days=1) for name, grant in GRANTS.items()}


def cite(uri: str, quote: str = "", token: str = "") -> Citation:
    """Give a citation."""
    return Citation(uri=uri, quote=quote, version_token=token)


def write(record_id: str, kind: str = "", **parts: Any) -> Write:  # noqa: ANN401 - parts of a write, or values of fields
    """Give a write; keywords that are no part of a write are fields."""
    known = {name: value for name, value in parts.items() if name in Write.__struct_fields__}
    fields = {name: value for name, value in parts.items() if name not in Write.__struct_fields__}
    return Write(id=record_id, kind=kind, fields=fields, **known)


def reasons(record: Record) -> Reasons:
    """Give kind, path, and what moved (kind, name, to) of each reason, oldest first."""
    assert record.validity is not None
    return [
        (
            reason.kind,
            " ".join(f"{step.link} {step.record_id}" for step in reason.path),
            reason.change.kind if reason.change else "",
            reason.change.name if reason.change else "",
            reason.change.to if reason.change else "",
        )
        for reason in record.validity.reasons
    ]


class Team:
    """They all, in one workspace; a read sees whatever any of them wrote before.

    Args:
        clients: by name.
        workspace: where.
    """

    def __init__(self, clients: Mapping[str, Client], workspace: str) -> None:
        self.clients = clients
        self.workspace = workspace
        self.seq = 0

    async def write(self, *writes: Write, by: str = "maya", key: str = "") -> Answer:
        """Write a batch."""
        client = self.clients[by]
        return self.took(await client.write_batch(writes, workspace=self.workspace, idempotency_key=key))

    async def affirm(self, record_id: str, by: str = "maya", through: int | None = None, **parts: Any) -> Answer:  # noqa: ANN401 - parts of an affirmation
        """Affirm a record, as it reads now unless told."""
        through = self.seq if through is None else through
        answer = await self.clients[by].affirm(record_id, observed_through=through, workspace=self.workspace, **parts)
        return self.took(answer)

    async def report(
        self, uri: str, *, absent: Sequence[str] = (), present: Sequence[str] = (), version: str = ""
    ) -> Answer:
        """Report what a source says now."""
        quotes = [QuoteSeen(quote=quote, present=quote in present) for quote in (*absent, *present)]
        client = self.clients["agent"]
        return self.took(await client.report_observations(uri, quotes, version_token=version, workspace=self.workspace))

    async def read(self, record_id: str) -> Record:
        """Read a record."""
        return await self.clients["bo"].get_record(record_id, workspace=self.workspace, min_seq=self.seq)

    async def state(self, record_id: str) -> str:
        """Read the word for whether a record still holds."""
        record = await self.read(record_id)
        assert record.validity is not None
        return record.validity.state

    def took(self, answer: Answer) -> Answer:
        """Note how far the workspace has come."""
        self.seq = max(self.seq, answer.min_seq)
        return answer


async def refused(call: Awaitable[object]) -> StanchionError:
    """Give how a call was refused.

    Raises:
        AssertionError: it was not.
    """
    try:
        await call
    except StanchionError as error:
        return error
    raise AssertionError("it was not refused")
