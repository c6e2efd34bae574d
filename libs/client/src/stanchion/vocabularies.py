"""A workspace's vocabulary as the view gives it, read."""

import msgspec

from stanchion.errors import Refused
from stanchion.results import WorkspaceSettings
from stanchion_core.errors import InvalidMessage
from stanchion_core.vocabulary import Vocabulary
from stanchion_core.vocabulary_text import stored


def vocabulary_in(settings: WorkspaceSettings) -> Vocabulary:
    """Give what may be written in a workspace: which statuses are in force, and which links are rested on.

    Raises:
        Refused: this version cannot read it.
    """
    try:
        return stored(msgspec.json.encode(settings.vocabulary).decode())
    except InvalidMessage as error:
        raise Refused("VOCABULARY_UNREADABLE", f"{error.detail}: a newer version of this client may read it") from error
