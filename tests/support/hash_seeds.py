"""The same story told by processes that order their sets differently."""

import os
import subprocess
import sys
from pathlib import Path

_SCRIPT = """
import importlib.util, sys
sys.path.insert(0, sys.argv[1])
spec = importlib.util.spec_from_file_location("story", sys.argv[2])
module = importlib.util.module_from_spec(spec)
sys.modules["story"] = module
spec.loader.exec_module(module)
print(module.digest())
"""


def digests_of(module: str) -> set[str]:
    """Give what `digest()` of a test module gives in two processes, each with a PYTHONHASHSEED of its own.

    Args:
        module: its `__file__`.
    """
    return {
        subprocess.run(  # noqa: S603 - ours
            [sys.executable, "-c", _SCRIPT, str(Path(__file__).parents[1]), module],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
