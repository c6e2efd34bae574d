"""Channels to the three services, and one call with its retries."""

from collections.abc import Awaitable, Iterable
from typing import Any, Final, Protocol, TypeVar

import grpc

from stanchion.errors import NotAllowed, StanchionError, from_rpc
from stanchion.retry import Retry, Sleep
from stanchion.settings import ClientSettings, is_loopback

_OPTIONS: Final = (
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
    ("grpc.max_send_message_length", 8 * 1024 * 1024),
    ("grpc.max_metadata_size", 64 * 1024),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.keepalive_time_ms", 30_000),  # a watch notices a server that is gone without a word
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.enable_retries", 0),  # ours carry the idempotency key and know which refusals pass by themselves
)

Response_co = TypeVar("Response_co", covariant=True)
Metadata = tuple[tuple[str, str], ...]


class Unary(Protocol[Response_co]):
    """One method of a stub, with one request and one response."""

    def __call__(self, request: Any, *, timeout: float, metadata: Metadata) -> Awaitable[Response_co]:  # noqa: ANN401 - a message of any service
        """Call it."""


class Connection:
    """Channels that all carry one token.

    Args:
        settings: where and who.
        retry: how often and how patiently.
        sleep: how to wait between calls.

    Raises:
        NotAllowed: an address is not on this machine and there is no TLS: a token is not sent in the clear.
        NotSignedIn: there is no token.
    """

    def __init__(self, settings: ClientSettings, retry: Retry, sleep: Sleep) -> None:
        self.retry = retry
        self.sleep = sleep
        self.timeout_s = settings.timeout_s
        self.metadata: Metadata = (("authorization", f"Bearer {settings.bearer()}"),)
        self._credentials = _credentials(settings)
        addresses = [settings.address("gateway"), settings.address("audit"), settings.address("view")]
        self._local = all(map(is_loopback, addresses))
        if self._credentials is None:
            _keep_inside(addresses)
        self._channels = [self._channel(address) for address in addresses]
        self.gateway, self.audit, self.view = self._channels

    async def call(self, method: Unary[Response_co], request: object, *, read: bool = False) -> Response_co:
        """Make one call, again and again while that is worth it.

        Args:
            method: of a stub.
            request: the message; the same each time.
            read: it changes nothing.

        Raises:
            StanchionError: it did not succeed.
        """
        attempt = 0
        while True:
            attempt += 1
            try:
                return await method(request, timeout=self.timeout_s, metadata=self.metadata)
            except grpc.aio.AioRpcError as error:
                await self.wait(attempt, from_rpc(error, read=read))

    async def wait(self, attempt: int, error: StanchionError, *, stream: bool = False) -> None:
        """Wait before the next try, or give up.

        Raises:
            StanchionError: the one given, when another try is not worth it.
        """
        wait_s = self.retry.wait_s(attempt, error, stream=stream, local=self._local)
        if wait_s is None:
            raise error
        await self.sleep(wait_s)

    async def close(self) -> None:
        """Close the channels."""
        for channel in self._channels:
            await channel.close()

    def _channel(self, address: str) -> grpc.aio.Channel:
        """Open a channel; it connects with the first call."""
        if self._credentials is not None:
            return grpc.aio.secure_channel(address, self._credentials, options=list(_OPTIONS))
        return grpc.aio.insecure_channel(address, options=list(_OPTIONS))


def _keep_inside(addresses: Iterable[str]) -> None:
    """Refuse to send a token to another machine in the clear.

    Raises:
        NotAllowed: an address is not on this machine.
    """
    for address in addresses:
        if not is_loopback(address):
            raise NotAllowed(
                "TLS_MISSING", f"no token is sent to {address} without TLS: set STANCHION_TLS_CA or STANCHION_TLS"
            )


def _credentials(settings: ClientSettings) -> grpc.ChannelCredentials | None:
    """Give what a TLS channel needs; None for plain ones."""
    if settings.tls_ca is not None:
        return grpc.ssl_channel_credentials(root_certificates=settings.tls_ca.read_bytes())
    return grpc.ssl_channel_credentials() if settings.tls else None
