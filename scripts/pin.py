"""Pin a release of the contracts: an example and its bytes beside each new schema version, and the proto baseline.

What is pinned already is never written again: a released version does not change.
"""

import subprocess
import sys
import types
import typing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from stanchion_contracts.codec import MESSAGE_OF, encode

ROOT = Path(__file__).resolve().parent.parent


def example(kind: Any, name: str = "") -> Any:  # noqa: ANN401 - walks any type a message may hold
    """Give a value of a type with every part present."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return kind(**{field.name: example(field.type, field.name) for field in msgspec.structs.fields(kind)})
    if origin is tuple:
        return (example(arguments[0], name),)
    if origin is typing.Literal:
        return next(word for word in arguments if word != "")
    if origin in {typing.Union, types.UnionType}:
        return example(next(part for part in arguments if part is not types.NoneType), name)
    texts = {"value": '"active"', "text": "5", "decided_by_normalized": "person:maya-okafor"}
    numbers = {"observed_at_us": 1_764_504_000_000_000, "time_us": 1_764_504_000_000_000}
    plain = {
        str: texts.get(name, f"a-{name}"),
        int: numbers.get(name, 7),
        float: 0.25,
        bool: True,
        bytes: name.encode(),
    }
    return plain[kind]


def pin_examples() -> None:
    """Write the missing examples of the newest version of each schema."""
    for name, cls in MESSAGE_OF.items():
        newest = max((ROOT / "schemas" / name).glob("v*.avsc"), key=lambda path: int(path.stem[1:]))
        if not newest.with_suffix(".json").exists():
            message = example(cls)
            text = msgspec.json.format(msgspec.json.encode(message), indent=2).decode()
            newest.with_suffix(".json").write_text(text + "\n")
            newest.with_suffix(".hex").write_text(encode(message).hex() + "\n")
            print(f"pinned {name}/{newest.stem}")


def pin_proto() -> None:
    """Write the image that `buf breaking` compares with, after checking that it breaks nothing pinned before."""
    buf, baseline = str(Path(sys.executable).parent / "buf"), ROOT / "proto/baseline.binpb"
    if baseline.exists():
        subprocess.run([buf, "breaking", "proto", "--against", str(baseline)], cwd=ROOT, check=True)  # noqa: S603 - ours
    subprocess.run([buf, "build", "proto", "-o", str(baseline)], cwd=ROOT, check=True)  # noqa: S603 - ours


if __name__ == "__main__":
    pin_examples()
    pin_proto()
