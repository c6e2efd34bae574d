"""What the codec costs per message, beside fastavro alone on plain dictionaries."""

import io
import json
from pathlib import Path
from typing import Any

import fastavro
import msgspec

from stanchion_contracts.codec import MESSAGE_OF, decode, encode
from support.timing import per_call_us

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"


def measure() -> dict[str, Any]:
    """Give microseconds per message for each message on the line, and ratios to fastavro alone."""
    return {name: _one(name) for name in ("observations", "claims", "beliefs", "changes", "ledger")}


def _one(name: str) -> dict[str, float]:
    """Measure one message, from its pinned example."""
    cls = MESSAGE_OF[name]
    message = msgspec.json.decode((SCHEMAS / name / "v1.json").read_bytes(), type=cls)
    data = encode(message)
    schema = fastavro.parse_schema(json.loads((SCHEMAS / name / "v1.avsc").read_text()))
    plain = msgspec.to_builtins(message, builtin_types=(bytes,))

    def bare_encode() -> None:
        fastavro.schemaless_writer(io.BytesIO(), schema, plain, disable_tuple_notation=True)

    def bare_decode() -> None:
        fastavro.schemaless_reader(io.BytesIO(data[10:]), schema, None)

    ours = per_call_us(lambda: encode(message)), per_call_us(lambda: decode(data, cls))
    bare = per_call_us(bare_encode), per_call_us(bare_decode)
    return {
        "bytes": len(data),
        "encode_us": ours[0],
        "decode_us": ours[1],
        "encode_ratio_to_fastavro": round(ours[0] / bare[0], 2),
        "decode_ratio_to_fastavro": round(ours[1] / bare[1], 2),
    }
