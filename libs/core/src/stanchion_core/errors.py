"""What can be wrong, split by what to do about it.

```
Exception
├── InvalidMessage   the input is wrong: refuse it or dead-letter it, then go on
├── Transient        the world is briefly unable: try again within bounds, then stop
└── anything else    unknown: the process stops, loudly, and restarts from its last output
```
"""

from typing import Final

WORKSPACE_MISSING: Final = "WORKSPACE_MISSING"
UNREADABLE: Final = "UNREADABLE"
TOO_LARGE: Final = "TOO_LARGE"
TOO_MANY: Final = "TOO_MANY"
FIELD_VALUE: Final = "FIELD_VALUE"
EVENT_ID_REUSED: Final = "EVENT_ID_REUSED"


class InvalidMessage(Exception):
    """An input that can never be processed, however often it is tried.

    Attributes:
        code: the stable UPPER_SNAKE reason, as in the table of errors in the contracts.
        detail: one sentence: what is wrong, where, and what to do.
        field: the field it is about, as a caller names it (`writes[1].label`); empty where it is about no single one.
    """

    def __init__(self, code: str, detail: str, field: str = "") -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.field = field


class Transient(Exception):
    """Something outside failed in a way that passes by itself; the caller retries with backoff, within bounds."""
