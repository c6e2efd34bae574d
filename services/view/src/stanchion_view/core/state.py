"""What is in memory of one workspace: heads of records, cards, last beliefs, relations; and a batch folded in aside."""

from collections.abc import MutableMapping
from typing import Any, cast

from msgspec import Struct

from stanchion_contracts.belief import Belief
from stanchion_contracts.change import WorkspaceSettings
from stanchion_contracts.heads import Heads
from stanchion_contracts.meta import Actor
from stanchion_contracts.policy import BeliefPolicy
from stanchion_core.aged import stale_at
from stanchion_core.ids import content_digest
from stanchion_core.policy import HALF_LIVES_S, wants_consensus
from stanchion_core.trust import TrustTable
from stanchion_core.vocabulary import Vocabulary
from stanchion_view.core.card import Card
from stanchion_view.core.filed import Filed, Waiting
from stanchion_view.core.finding import FindingKey, Noted
from stanchion_view.core.layer import CopyingLayer, Inner, K, Layer, V
from stanchion_view.core.relation import Named, Relations
from stanchion_view.core.resolved import Outcomes, Resolved

Claim = tuple[str, str]
"""Subject and predicate, normalised."""


class Held(Struct, frozen=True, kw_only=True):
    """The last belief of a claim.

    Attributes:
        belief: as fusion worked it out.
        seq: of the change that moved it.
    """

    belief: Belief
    seq: int


class Affirmed(Struct, frozen=True, kw_only=True):
    """The last affirmation of a record.

    Attributes:
        by: who affirmed it.
        at_us: when that was recorded, microseconds since the epoch.
        note: in the person's words, may be empty.
        seq: of the change.
        version: of the record that was affirmed.
    """

    by: Actor
    at_us: int
    note: str
    seq: int
    version: int


class Workspace(Struct, kw_only=True):
    """One workspace at one position; the values of its maps are frozen.

    Attributes:
        last_seq: the last seq that is in it.
        last_us: when that was recorded, microseconds since the epoch.
        heads: what validity is worked out from.
        cards: what a read says beside it, by record.
        beliefs: by claim.
        trust: settings by source or agent.
        estimates: of consensus, 0 to 1, by source.
        outcomes: of the claims that are resolved, by source.
        resolved: what claims turned out to be, by claim.
        policies: how beliefs are worked out, by predicate; the workspace's own under the empty one.
        findings: those that hold, by what they are known by.
        half_life_s: of beliefs that no policy speaks of, seconds, 0 for none: the fusing process's own, as last seen.
        affirmed: the last affirmation, by record.
        filed: open proposals, by id; what they would write is in the heads.
        waiting: the open proposals that would write a record, by record.
        relations: current ones.
        named: the same, by the name of either end.
        settings: how the workspace works.
        vocabulary: the one in force.
    """

    last_seq: int = 0
    last_us: int = 0
    heads: Heads
    cards: MutableMapping[str, Card]
    beliefs: MutableMapping[Claim, Held]
    trust: MutableMapping[str, float]
    estimates: MutableMapping[str, float]
    outcomes: Outcomes
    resolved: MutableMapping[Claim, Resolved]
    policies: MutableMapping[str, BeliefPolicy]
    findings: MutableMapping[FindingKey, Noted]
    half_life_s: int = HALF_LIVES_S["standard"]
    affirmed: MutableMapping[str, Affirmed]
    filed: MutableMapping[str, Filed]
    waiting: Waiting
    relations: Relations
    named: Named
    settings: WorkspaceSettings = WorkspaceSettings()
    vocabulary: Vocabulary

    @classmethod
    def empty(cls, vocabulary: Vocabulary) -> "Workspace":
        """Give a workspace that nothing has happened in.

        Args:
            vocabulary: the base one, which every workspace begins with.
        """
        return cls(
            heads=Heads(),
            cards={},
            beliefs={},
            trust={},
            estimates={},
            outcomes={},
            resolved={},
            policies={},
            findings={},
            affirmed={},
            filed={},
            waiting={},
            relations={},
            named={},
            vocabulary=vocabulary,
        )

    @property
    def trusts(self) -> TrustTable:
        """How far each name is trusted; it sees what is set later."""
        estimates = self.estimates if wants_consensus(self.policies) else {}
        return TrustTable(settings=self.trust, outcomes=self.outcomes, estimates=estimates)

    def stale(self, claim: Claim, now_us: int) -> bool:
        """Tell whether the belief of a claim is stale; what nobody spoke of is not."""
        held = self.beliefs.get(claim)
        return held is not None and stale_at(held.belief, now_us)


class Draft:
    """A workspace with a batch folded into it aside.

    Attributes:
        base: the workspace, which stays as it is until `settle`.
        workspace: reads and folds as if the batch were in it; nobody else sees it.
        cards: what the batch wrote, and likewise beliefs, trust, estimates, resolutions, policies, findings,
            affirmations, filed proposals and relations.
        records: the heads the batch wrote.
        absent: what it reported of quotes.
    """

    def __init__(self, base: Workspace) -> None:
        heads = base.heads
        self.base = base
        self._settled: list[tuple[Layer[Any, Any], MutableMapping[Any, Any]]] = []
        self.cards = self._over(base.cards)
        self.beliefs = self._over(base.beliefs)
        self.trust = self._over(base.trust)
        self.estimates = self._over(base.estimates)
        self.resolved = self._over(base.resolved)
        self.policies = self._over(base.policies)
        self.findings = self._over(base.findings)
        self.affirmed = self._over(base.affirmed)
        self.filed = self._over(base.filed)
        self.relations = self._over(base.relations)
        self.records = self._over(heads.records)
        self.absent = self._over(heads.absent)
        self.workspace = Workspace(
            last_seq=base.last_seq,
            last_us=base.last_us,
            heads=Heads(
                records=_as_dict(self.records),
                linked_from=_as_dict(self._over(heads.linked_from)),
                citing=_as_dict(self._over(heads.citing)),
                absent=_as_dict(self.absent),
                proposals=_as_dict(self._over(heads.proposals)),
                claimed=_as_dict(self._copying(heads.claimed)),
            ),
            cards=self.cards,
            beliefs=self.beliefs,
            trust=self.trust,
            estimates=self.estimates,
            outcomes=self._over(base.outcomes),
            resolved=self.resolved,
            policies=self.policies,
            findings=self.findings,
            half_life_s=base.half_life_s,
            affirmed=self.affirmed,
            filed=self.filed,
            waiting=self._copying(base.waiting),
            relations=self.relations,
            named=self._copying(base.named),
            settings=base.settings,
            vocabulary=base.vocabulary,
        )

    def _over(self, base: MutableMapping[K, V]) -> Layer[K, V]:
        """Lay a layer over a map."""
        layer = Layer(base)
        self._settled.append((layer, base))
        return layer

    def _copying(self, base: MutableMapping[K, dict[Inner, V]]) -> CopyingLayer[K, Inner, V]:
        """Lay a layer over a map of maps."""
        layer = CopyingLayer(base)
        self._settled.append((layer, base))
        return layer

    def settle(self) -> None:
        """Put the batch into the workspace it was begun over."""
        for layer, base in self._settled:
            layer.settle(base)
        self.base.last_seq, self.base.last_us = self.workspace.last_seq, self.workspace.last_us
        self.base.settings, self.base.vocabulary = self.workspace.settings, self.workspace.vocabulary
        self.base.half_life_s = self.workspace.half_life_s


def _as_dict(layer: Layer[Any, Any]) -> dict[Any, Any]:
    """Let a layer stand where heads name `dict`: it does all that they ask of one."""
    return cast("dict[Any, Any]", layer)


def key_of(workspace: str, *parts: str) -> int:
    """Give the 63 bits by which the file finds a thing's rows: of a record's id, or of a claim's two parts."""
    digest = content_digest(part.encode() for part in (workspace, *parts))
    return int.from_bytes(digest[:8], "big") >> 1
