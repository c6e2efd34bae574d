"""How large things may be, as the contracts' table of limits says; one place for gateways, ingest and validity."""

from typing import Final

BODY_BYTES: Final = 256 * 1024
"""A record's body, bytes in UTF-8."""
LABEL_CHARS: Final = 300
LINKS: Final = 64
"""Links of one record."""
CITATIONS: Final = 64
"""Citations of one record."""
QUOTE_CHARS: Final = 2_000
QUOTED_CHARS: Final = 64 * 1024
"""Quotes of all claims of one observation together: each is read to be judged, two thousand characters in 30 ms."""
NOTE_CHARS: Final = 500
WRITES: Final = 200
"""Writes of one batch."""
ENCODED_BYTES: Final = 2 * 1024 * 1024
"""A batch or an observation, encoded."""
KEY_CHARS: Final = 128
"""An idempotency key."""
EVENT_ID_CHARS: Final = 1_024
"""An event's id: upstream systems name a commit and a path in it, or a place in a database's log."""
JSON_DEPTH: Final = 32
"""Objects and arrays inside each other."""
AHEAD_US: Final = 5 * 60 * 1_000_000
"""How far `observed_at` may lie ahead of the stamp, microseconds."""
YEAR_1_US: Final = -62_135_596_800 * 1_000_000
"""0001-01-01T00:00:00Z, the first moment that the calendar names, microseconds since the epoch."""
YEAR_10000_US: Final = 253_402_300_800 * 1_000_000
"""The first moment that it names no more, microseconds since the epoch."""

# Not in the table; set here so that nothing from outside is without a bound.
WORKSPACE_CHARS: Final = 128
NAME_CHARS: Final = 256
"""A subject, predicate, source, agent, room, tag, type, field or link name."""
URI_CHARS: Final = 2_048
TAGS: Final = 64
"""Tags of one record."""
FIELDS: Final = 64
"""Fields of one write."""
FIELD_VALUE_BYTES: Final = 64 * 1024
"""One field's JSON text, bytes in UTF-8."""
CLAIMS: Final = 200
"""Claims of one observation."""
QUOTES: Final = 64
"""Quotes of one report."""
RELATIONS: Final = 200
"""Relations of one observation or document."""
VOCABULARY_BYTES: Final = 64 * 1024
"""A vocabulary's JSON text, bytes in UTF-8."""
KINDS: Final = 64
"""Kinds of a vocabulary."""
LINK_TYPES: Final = 64
"""Types of links of a vocabulary."""
WORDS: Final = 256
"""Closed words of one field, or statuses of one kind."""
WORD_CHARS: Final = 64
"""The name of a kind, a field or a link in a vocabulary, a closed word, a status."""
TOLERANCE: Final = 0.5
"""Of a policy; beyond half of the larger, numbers would be one value that nobody takes for one."""
ESTIMATES: Final = 500
"""Estimates of sources in one message of our own."""
FINDINGS: Final = 200
"""Findings in one message of our own."""
FINDING_CHARS: Final = 2_000
"""What a finding says: a sentence that names its claim or source."""
RELATED_CLAIMS: Final = 10
"""Claims that a finding says go with its own."""
MOVED_BELIEFS: Final = 200
"""Beliefs of which an answer says how they moved."""
