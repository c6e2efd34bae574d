"""What a batch writes into the file: rows by table, from what was folded and from what a draft holds anew."""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct, field

from stanchion_view.core.event import Event
from stanchion_view.core.restore import ABSENT, AFFIRMED, ESTIMATE, HALF_LIFE, POLICY, SETTINGS, TRUST
from stanchion_view.core.state import Draft, key_of
from stanchion_view.core.texts import Moment

Cell = str | int | None
Row = tuple[Cell, ...]


class Output(Struct, kw_only=True):
    """What a batch writes beside the hot state.

    Attributes:
        versions: rows of new versions.
        beliefs: rows of moved beliefs.
        resolutions: rows of claims resolved and reopened.
        findings: rows of findings opened and closed.
        proposals: rows of proposals opened, edited and closed.
        windows: rows of relations stated and ended.
        changes: rows of what happened.
        events: the same events, for who watches.
        bodies: of the new versions, by the change that brought them, as reads will ask for them.
        times: when each seq was recorded, likewise.
    """

    versions: list[Row] = field(default_factory=list)
    beliefs: list[Row] = field(default_factory=list)
    resolutions: list[Row] = field(default_factory=list)
    findings: list[Row] = field(default_factory=list)
    proposals: list[Row] = field(default_factory=list)
    windows: list[Row] = field(default_factory=list)
    changes: list[Row] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    bodies: dict[Moment, str] = field(default_factory=dict)
    times: dict[Moment, int] = field(default_factory=dict)


def rows(drafts: Mapping[str, Draft], outputs: Iterable[Output]) -> dict[str, list[Row]]:
    """Give everything a batch writes, by table.

    Args:
        drafts: by workspace.
        outputs: what was folded into them.
    """
    tables: dict[str, list[Row]] = {"heads": [], "notes": []}
    for name, draft in drafts.items():
        seq = draft.workspace.last_seq
        tables["heads"] += [
            (name, key_of(name, record), record, seq, json_of(head)) for record, head in draft.records.put.items()
        ]
        tables["notes"] += [(name, kind, key, seq, state) for kind, key, state in _notes(draft)]
    for output in outputs:
        for table in ("versions", "beliefs", "resolutions", "findings", "proposals", "windows", "changes"):
            tables.setdefault(table, []).extend(getattr(output, table))
    return tables


def _notes(draft: Draft) -> list[tuple[str, str, str]]:
    """Give the small state by kind and key; an empty text is what is no longer there."""
    ages_anew = draft.workspace.half_life_s != draft.base.half_life_s
    set_anew = draft.workspace.settings != draft.base.settings
    return [
        *([(SETTINGS, "", json_of(draft.workspace.settings))] if set_anew else []),
        *((TRUST, name, json_of(value)) for name, value in draft.trust.put.items()),
        *((TRUST, name, "") for name in draft.trust.removed),
        *((ESTIMATE, name, json_of(value)) for name, value in draft.estimates.put.items()),
        *((ESTIMATE, name, "") for name in draft.estimates.removed),
        *((POLICY, predicate, json_of(value)) for predicate, value in draft.policies.put.items()),
        *((POLICY, predicate, "") for predicate in draft.policies.removed),
        *([(HALF_LIFE, "", json_of(draft.workspace.half_life_s))] if ages_anew else []),
        *((AFFIRMED, name, json_of(value)) for name, value in draft.affirmed.put.items()),
        *((ABSENT, uri, json_of(value)) for uri, value in draft.absent.put.items()),
        *((ABSENT, uri, "") for uri in draft.absent.removed),
    ]


def json_of(value: object) -> str:
    """Give a value as JSON text."""
    return msgspec.json.encode(value).decode()
