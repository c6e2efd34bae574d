"""A record that stands on the wrong partition, and where it belongs."""

from msgspec import Struct


class Rerouted(Struct, frozen=True, kw_only=True):
    """What a handler returns for an input that another partition must handle.

    The runtime publishes it to the same topic on the partition of `workspace`, then answers with an empty output.

    Attributes:
        workspace: whose partition the record belongs on.
        value: the record's bytes, unchanged.
        headers: the record's headers, with its first place as event id where it had none.
    """

    workspace: str
    value: bytes
    headers: tuple[tuple[str, bytes], ...]
