"""What extraction found in one observation."""

from typing import Literal

from msgspec import Struct

from stanchion_contracts.finding import Finding
from stanchion_contracts.meta import Meta
from stanchion_contracts.observation import Reassess, Resolution, Tick, TrustSetting
from stanchion_contracts.policy import PolicySetting
from stanchion_contracts.record import FieldValue
from stanchion_contracts.refusal import Refusal
from stanchion_contracts.relation import Relation
from stanchion_contracts.trust import Estimate
from stanchion_contracts.value import Evidence, Value


class Contribution(Struct, frozen=True, kw_only=True):
    """One voice on one claim.

    Attributes:
        id: derived from observation id, claim key, value, source, evidence and polarity, so a retry is the same one.
        subject: normalised.
        predicate: normalised.
        value: what is said of it.
        positive: False for a denial.
        evidence: its type, which gives its base weight.
        source: what it rests on.
        agent: who submitted it.
        sample: names one of several independent readings; empty for the source's one voice.
        strength: 0 to 1.
        observed_at_us: microseconds since the epoch.
        rule: which rule found it, empty for a claim that was stated outright.
        begin: where in the text it stands, in characters; 0 with `end` where there is no text.
        end: where it ends, exclusive.
    """

    id: str
    subject: str
    predicate: str
    value: Value
    positive: bool = True
    evidence: Evidence
    source: str
    agent: str
    sample: str = ""
    strength: float = 1.0
    observed_at_us: int
    rule: str = ""
    begin: int = 0
    end: int = 0


class Intent(Struct, frozen=True, kw_only=True):
    """Something wanted, decided or forbidden: never evidence.

    Attributes:
        kind: goal, constraint or preference.
        holder: whose it is, empty for the speaker.
        gist: in the text's own words.
        rule: which rule found it.
        begin: where in the text it stands, in characters.
        end: where it ends, exclusive.
    """

    kind: Literal["goal", "constraint", "preference"]
    holder: str = ""
    gist: str
    rule: str = ""
    begin: int = 0
    end: int = 0


class Reference(Struct, frozen=True, kw_only=True):
    """A link as a document writes it, not yet resolved to a record.

    Attributes:
        name: the link's name in the vocabulary.
        target: the other document's uri, as resolved against this one's; or `<folder>/#<n>`, the one document in that
            folder whose file name begins with the number; or `id:<id>`, a record (see `stanchion_core.uri`).
        otherwise: names to try in order where the target finds nothing (see `Import.names`).
        direction: `out` when this record is the link's from end, `in` when it is the to end.
        text: the words it was written in.
        partial: a supersession in part (then `name` is `amends`).
    """

    name: str
    target: str
    otherwise: tuple[str, ...] = ()
    direction: Literal["out", "in"] = "out"
    text: str = ""
    partial: bool = False


class Import(Struct, frozen=True, kw_only=True):
    """One document revision as a record.

    Attributes:
        uri: where the document lives.
        former_uri: where it lived before, empty when it did not move.
        deleted: the document is gone.
        record_id: the id to mint for a document not seen before.
        kind: of the record.
        label: says what the record says.
        body: markdown.
        fields: as the mapping set them, sorted by name.
        references: as written, in order.
        revision: the upstream's name of this revision.
        author: empty when the mapping names none; then the write counts as a service's.
        names: what others may call the document beside its uri; a name that two documents have means neither.
        unreadable: why nothing could be read in the text, empty when it could; then only where the document lives is
            said, and what was read before stands.
        revised_at_us: when it was made upstream, microseconds since the epoch; 0 when nobody says.
    """

    uri: str
    former_uri: str = ""
    deleted: bool = False
    record_id: str
    kind: str
    label: str = ""
    body: str = ""
    fields: tuple[FieldValue, ...] = ()
    references: tuple[Reference, ...] = ()
    revision: str = ""
    author: str = ""
    names: tuple[str, ...] = ()
    unreadable: str = ""
    revised_at_us: int = 0


class LeftOut(Struct, frozen=True, kw_only=True):
    """What extraction could not place, and why."""

    what: str
    why: str


class Claims(Struct, frozen=True, kw_only=True):
    """Everything found in one observation, or asked by one request.

    Attributes:
        meta: as ingest stamped it.
        contributions: in the order found.
        intents: in the order found.
        imports: at most one today.
        relations: in the order found.
        left_out: what could not be placed.
        trust: a trust setting, passed on.
        resolution: a resolution, passed on.
        tick: an hour, passed on.
        reassess: passed on.
        refusal: why the request was refused, passed on.
        repeated: it was observed before, passed on.
        policy: passed on, its predicate normalised.
        estimates: passed on.
        findings: passed on.
    """

    meta: Meta
    contributions: tuple[Contribution, ...] = ()
    intents: tuple[Intent, ...] = ()
    imports: tuple[Import, ...] = ()
    relations: tuple[Relation, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    trust: TrustSetting | None = None
    resolution: Resolution | None = None
    tick: Tick | None = None
    reassess: Reassess | None = None
    refusal: Refusal | None = None
    repeated: bool = False
    policy: PolicySetting | None = None
    estimates: tuple[Estimate, ...] = ()
    findings: tuple[Finding, ...] = ()
