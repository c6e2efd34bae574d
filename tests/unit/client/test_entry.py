import subprocess
import sys

import pytest

import stanchion

INTERRUPTED = """\
import sys
from importlib.abc import MetaPathFinder

class CtrlC(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "grpc":
            raise KeyboardInterrupt

sys.meta_path.insert(0, CtrlC())
from stanchion.cli import main
main()
"""


def test_an_interrupt_while_it_is_loaded_is_no_traceback() -> None:
    """Ctrl-C before the command line is whole ends it as any other: 130, and not a word."""
    ran = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, check=False)  # noqa: S603 - ours
    assert (130, b"", b"") == (ran.returncode, ran.stdout, ran.stderr)


def test_every_name_is_there() -> None:
    """What the package says it has can be taken from it, and nothing else."""
    assert set(stanchion.__all__) == {getattr(stanchion, name).__name__ for name in stanchion.__all__}
    with pytest.raises(AttributeError, match="no attribute 'Nope'"):
        getattr(stanchion, "Nope")  # noqa: B009 - the checker knows better
