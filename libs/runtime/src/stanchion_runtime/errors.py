"""What ends a processor, split by what its supervisor and operator do about it.

```
Exception
├── InvalidMessage, Transient   (stanchion_core.errors)
├── Superseded        another process owns the partition now: exit 70, be started again, claim again
├── Unanswerable      an input that must be decodable is not, or its answer does not fit: our bug or an older version
├── Denied            Kafka does not let us: a wrong ACL, sign-in or version. Trying again does not help
└── Inconsistent      the log is not what it must be: partition counts, lost records, recreated topics
```
"""

from typing import Final

EXIT_SUPERSEDED: Final = 70
"""Another process owns a partition of ours. Start again."""
EXIT_TRANSIENT: Final = 75
"""Kafka was away for too long. Start again."""
EXIT_UNKNOWN: Final = 1
"""Anything else: our bug, or an older version of ours. Start again, and look at the last line of the log."""
EXIT_UNUSABLE: Final = 78
"""A setting, a file, a port or a topic is not what it must be. Starting again does not help; the log says what does."""


class Superseded(Exception):
    """Another owner has claimed a partition of ours; what we would still write no longer counts."""


class Unanswerable(Exception):
    """An input past the edge that this version cannot answer. Going on would lose it, so the process stops."""


class Inconsistent(Exception):
    """The topics do not fit each other or the stage. An operator has to look; starting again does not help."""


class Denied(Exception):
    """Kafka refuses what we ask, and will until an operator changes an ACL, a sign-in or the broker."""
