"""How beliefs are to be worked out, as a person sets it: screened."""

from stanchion_contracts.policy import PolicySetting
from stanchion_core.claim_key import claim_key
from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_core.limits import NAME_CHARS, TOLERANCE
from stanchion_core.text import clean


def screened_policy(setting: PolicySetting) -> PolicySetting:
    """Give a policy setting as it is kept.

    Raises:
        InvalidMessage: `FIELD_VALUE` for a tolerance outside 0 to 0.5, for consensus of one predicate, for a predicate
            of nothing that anybody sees, and when nothing is set; `TOO_LARGE`.
    """
    parts = (setting.half_life, setting.multi_valued, setting.tolerance, setting.consensus)
    if all(part is None for part in parts):
        raise InvalidMessage(
            FIELD_VALUE, "none of half_life, multi_valued, tolerance and consensus is present; nothing would be set"
        )
    if setting.tolerance is not None and not 0.0 <= setting.tolerance <= TOLERANCE:  # NaN is outside, too
        raise InvalidMessage(FIELD_VALUE, f"tolerance {setting.tolerance} is outside 0 to {TOLERANCE}", "tolerance")
    predicate = clean(setting.predicate, "predicate", chars=NAME_CHARS)
    if predicate and not claim_key(predicate):  # else it would be taken for the whole workspace
        raise InvalidMessage(FIELD_VALUE, "predicate is blank; leave it out for the whole workspace", "predicate")
    if predicate and setting.consensus is not None:
        raise InvalidMessage(
            FIELD_VALUE, "consensus is of a whole workspace, not of a predicate; leave one of them out", "consensus"
        )
    return PolicySetting(
        predicate=predicate,
        half_life=setting.half_life,
        multi_valued=setting.multi_valued,
        tolerance=None if setting.tolerance is None else setting.tolerance + 0.0,  # no negative zero
        consensus=setting.consensus,
    )
