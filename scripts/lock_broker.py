"""Resolve Kafka's jars anew and write them, with size and digest, to the broker's lock file.

Usage: python scripts/lock_broker.py            (needs the network; takes about half a minute)
"""

import hashlib
import tempfile
from dataclasses import replace
from pathlib import Path

from jgo.maven import MavenContext, PythonResolver
from jgo.parse import Endpoint

WANTED = ("org.apache.kafka:kafka_2.13:4.4.0", "org.slf4j:slf4j-simple:1.7.36")
LOCK = Path(__file__).parents[1] / "deploy/broker/src/stanchion_broker/kafka.lock"
HEAD = f"""# The jars of {WANTED[0]} and {WANTED[1]}: coordinate, size in bytes, SHA-256.
# Made by scripts/lock_broker.py, which resolves them anew; nothing else writes here.
"""


def main() -> None:
    """Resolves, fetches, writes."""
    with tempfile.TemporaryDirectory() as cache:
        context = MavenContext(resolver=PythonResolver(), repo_cache=Path(cache))
        # The resolver leaves out what has no scope, and a coordinate alone has none.
        tops = [replace(Endpoint.parse(text).coordinates[0], scope="compile") for text in WANTED]
        own, others = context.resolver.resolve([context.create_dependency(top) for top in tops])
        rows = []
        for artifact in [found.artifact for found in [*own, *others] if found.scope in {"compile", "runtime"}]:
            data = Path(artifact.resolve()).read_bytes()
            coordinate = f"{artifact.groupId}:{artifact.artifactId}:{artifact.version}"
            rows.append((coordinate, len(data), hashlib.sha256(data).hexdigest()))
    width = max(len(coordinate) for coordinate, _, _ in rows)
    lines = [f"{coordinate:<{width}} {size:>9} {digest}\n" for coordinate, size, digest in sorted(rows)]
    LOCK.write_text(HEAD + "".join(lines), encoding="utf-8")
    print(f"{LOCK.name}: {len(rows)} jars")


if __name__ == "__main__":
    main()
