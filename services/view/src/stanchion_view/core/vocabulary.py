"""The vocabulary that the settings of a workspace put in force."""

from stanchion_contracts.change import WorkspaceSettings
from stanchion_core.vocabulary import Vocabulary
from stanchion_core.vocabulary_text import stored


def in_force(settings: WorkspaceSettings, base: Vocabulary) -> Vocabulary:
    """Give the vocabulary in force.

    Args:
        settings: of the workspace.
        base: in force where the settings name none.

    Raises:
        InvalidMessage: the vocabulary cannot be read, which past the edge is a bug or an older version of ours.
    """
    return stored(settings.vocabulary) if settings.vocabulary else base
