"""The whole line, as `make run` starts it: broker, the nine processes, keys and tokens."""

import secrets
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from pydantic import SecretStr

from stanchion import Client, ClientSettings
from stanchion_local import stack
from stanchion_local.settings import LocalSettings
from stanchion_local.supervisor import Supervisor
from support.broker import LIB, free_ports
from support.team import Team, sign_in

Connect = Callable[..., Client]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run's folder."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def local(home: Path) -> LocalSettings:
    """The run's settings: ports that are free, jars that are shared."""
    return LocalSettings(home=home, broker_port=free_ports(2), port_base=free_ports(24), broker_lib=LIB)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def line(local: LocalSettings) -> AsyncIterator[Supervisor]:
    """Every process, up and ready."""
    async with stack.running(local) as supervisor:
        yield supervisor


@pytest.fixture(scope="session")
def connect(home: Path, line: Supervisor) -> Connect:  # noqa: ARG001 - the line has to be up
    """Gives a client of the run, as a person unless told otherwise."""

    def client(token_name: str = "person", workspace: str = "") -> Client:  # noqa: S107 - the name of a token
        return Client(ClientSettings(home=home, token_name=token_name, token=SecretStr(""), workspace=workspace))

    return client


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def clients(home: Path, line: Supervisor) -> AsyncIterator[dict[str, Client]]:  # noqa: ARG001 - the line has to be up
    """The clients of people, agents and services of the run, by name (`support.team.GRANTS`)."""
    signed_in = sign_in(home)
    yield signed_in
    for client in signed_in.values():
        await client.close()


@pytest.fixture
def team(clients: dict[str, Client]) -> Team:
    """All of them in a workspace of the test's own."""
    return Team(clients, f"team-{secrets.token_hex(4)}")
