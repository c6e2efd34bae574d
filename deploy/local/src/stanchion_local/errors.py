"""What can keep a local run from standing.

LocalError
├── AlreadyUp    another supervisor has this home
├── GaveUp       a process ended again and again
├── NotReady     a process did not become ready in time
├── WrongAnswer  the check of `--once` found something else than it should
└── Unusable     a key, a folder or a port can't be used as it is
"""


class LocalError(Exception):
    """The local run can't go on; the text says why and what to do."""


class AlreadyUp(LocalError):
    """Another supervisor has this home."""


class GaveUp(LocalError):
    """A process ended again and again."""


class NotReady(LocalError):
    """A process did not become ready in time."""


class WrongAnswer(LocalError):
    """The check found something else than it should."""


class Unusable(LocalError):
    """A key, a folder or a port can't be used as it is."""
