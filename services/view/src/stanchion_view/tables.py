"""The tables of the view's file. All but `positions` only grow (decision 0013): what stands is a key's last row."""

from typing import Final

FORMAT: Final = 4
"""Of the tables below; a file of another format is emptied, and made anew from the ledger."""

TABLES: Final[dict[str, str]] = {
    "versions": "workspace VARCHAR, key BIGINT, id VARCHAR, version BIGINT, seq BIGINT, recorded_at_us BIGINT, "
    "kind VARCHAR, room VARCHAR, label VARCHAR, status VARCHAR, deleted BOOLEAN, fields VARCHAR, card VARCHAR, "
    "body VARCHAR",
    "heads": "workspace VARCHAR, key BIGINT, id VARCHAR, seq BIGINT, head VARCHAR",
    "beliefs": "workspace VARCHAR, key BIGINT, subject VARCHAR, predicate VARCHAR, seq BIGINT, belief VARCHAR, "
    "added VARCHAR",
    "resolutions": "workspace VARCHAR, key BIGINT, subject VARCHAR, predicate VARCHAR, seq BIGINT, "
    "recorded_at_us BIGINT, value VARCHAR, resolved VARCHAR",
    "findings": "workspace VARCHAR, key BIGINT, kind VARCHAR, subject VARCHAR, predicate VARCHAR, seq BIGINT, "
    "recorded_at_us BIGINT, closed BOOLEAN, finding VARCHAR",
    "proposals": "workspace VARCHAR, key BIGINT, id VARCHAR, seq BIGINT, recorded_at_us BIGINT, opened_seq BIGINT, "
    "closed_seq BIGINT, state VARCHAR, why VARCHAR, record_id VARCHAR, records VARCHAR, filed VARCHAR, brief VARCHAR, "
    "proposal VARCHAR",
    "windows": "workspace VARCHAR, key BIGINT, room VARCHAR, from_name VARCHAR, from_type VARCHAR, name VARCHAR, "
    "to_name VARCHAR, to_type VARCHAR, seq BIGINT, recorded_at_us BIGINT, stated BOOLEAN, valid_at_us BIGINT, "
    "invalid_at_us BIGINT, stated_by VARCHAR",
    "notes": "workspace VARCHAR, kind VARCHAR, id VARCHAR, seq BIGINT, state VARCHAR",
    "changes": "workspace VARCHAR, seq BIGINT, n INTEGER, recorded_at_us BIGINT, event VARCHAR",
    "positions": "part INTEGER, position BIGINT, up VARCHAR",
}
"""Every table, by its columns in the order of a row's cells.

`versions` holds each version of each record (`body` where the version brought one); `heads` what validity is worked out
from; `beliefs` each state of each claim with the contributions that led to it; `resolutions` what each claim was
resolved to, with who had said what of it (empty texts where it was reopened); `findings` what was found, and `closed`
where it does not hold any more; `proposals` each state of each proposal
(`records` in spaces, `closed_seq` 0 while it is open, `brief` without what its writes say); `windows` what became
current of each relation, and where nothing did (`stated` false); `notes` settings, trust, estimates,
policies, affirmations and absent quotes (an empty state is what is no longer there); `changes` what Watch tells, and an
empty event where it is silent.
"""

VIEWS: Final = {
    "records": "SELECT * EXCLUDE (key, card) FROM versions "
    "QUALIFY row_number() OVER (PARTITION BY workspace, id ORDER BY seq DESC) = 1",
    "contributions": "SELECT workspace, subject, predicate, seq, "
    """unnest(from_json(added, '["JSON"]')) AS contribution FROM beliefs WHERE added <> '[]'""",
    "judgements": "SELECT workspace, subject, predicate, seq, "
    """unnest(from_json(resolved->'$.judged', '["JSON"]')) AS judgement FROM """
    "(SELECT * FROM resolutions QUALIFY row_number() OVER (PARTITION BY workspace, subject, predicate "
    "ORDER BY seq DESC) = 1) WHERE resolved <> ''",
    "relations": "SELECT workspace, room, from_name, from_type, name, to_name, to_type, "
    "make_timestamp(nullif(valid_at_us, 0)) AS valid_at, make_timestamp(nullif(invalid_at_us, 0)) AS invalid_at, "
    "make_timestamp(recorded_at_us) AS created_at, make_timestamp(lead(recorded_at_us) OVER later) AS superseded_at, "
    "stated_by FROM windows WINDOW later AS (PARTITION BY workspace, room, from_name, from_type, name, to_name, "
    "to_type ORDER BY seq) QUALIFY stated",
    "trust": "SELECT workspace, id AS name, state::DOUBLE AS value FROM (SELECT * FROM notes WHERE kind = 'trust' "
    "QUALIFY row_number() OVER (PARTITION BY workspace, id ORDER BY seq DESC) = 1) WHERE state <> ''",
}
"""For people who open the file, in plain columns: what stands now, and of relations every window."""

LATEST: Final = {
    "versions": ("key, workspace, id", "seq"),
    "heads": ("key, workspace, id", "seq"),
    "beliefs": ("key, workspace, subject, predicate", "seq"),
    "resolutions": ("key, workspace, subject, predicate", "seq"),
    "findings": ("key, workspace, kind, subject, predicate", "seq"),
    "proposals": ("key, workspace, id", "seq"),
    "windows": ("key, workspace, room, from_name, from_type, name, to_name, to_type", "seq"),
    "notes": ("workspace, kind, id", "seq"),
    "changes": ("workspace", "seq"),
}
"""What a table's rows are rows of, and what orders them."""
