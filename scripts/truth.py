"""Print how often what the product believes is true, beside majority vote, CRH and ACCU.

Without an argument: the sets of the truth-discovery corpus and made-up ones. With one: a folder with `claims.csv`
(source, object, property, value) and `truth.csv` (object, property, value).
"""

import argparse
import os
from pathlib import Path

from support.baselines import BASELINES
from support.truth import READERS, SETS, Row, load, measure
from support.truth_sets import MADE, numbers

_CORPUS = Path(__file__).resolve().parents[2] / "shared" / "data"
_SEED = 1


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="a set of your own")
    parser.add_argument("--word", default="", help="only the properties whose name holds it")
    parser.add_argument("--read", choices=READERS, default="plain", help="how its values are read")
    parser.add_argument("--tolerance", type=float, default=0.0, help="numbers this near, as a share, are one value")
    asked = parser.parse_args()
    _head()
    if asked.folder is not None:
        said, truth = load(asked.folder, word=asked.word, read=READERS[asked.read])
        _tell(asked.folder.name, measure(said, truth, tolerance=asked.tolerance))
        properties = sorted({name for _, name in truth})
        for name in properties if len(properties) > 1 else ():
            mine = {claim: words for claim, words in said.items() if claim[1] == name}
            true = {claim: value for claim, value in truth.items() if claim[1] == name}
            _tell(f"  {name} alone", measure(mine, true, tolerance=asked.tolerance))
        return
    corpus = Path(os.environ.get("STANCHION_CORPORA") or _CORPUS) / "truth-discovery"
    for name, one in SETS.items():
        if (corpus / one.folder).is_dir():
            _tell(name, measure(*load(corpus / one.folder, word=one.word, read=one.read)))
    for name, make in MADE.items():
        _tell(f"made: {name}", measure(*make(_SEED)))
    _tell("made: numbers within 1 %", measure(*numbers(_SEED), tolerance=0.01))


def _head() -> None:
    """Print what stands in the columns."""
    names = "".join(f"{name:>8}" for name in BASELINES)
    print(f"{'set':<38}{'claims':>8}{'scored':>8}{names}{'alike':>8}{'consensus':>11}{'to best':>9}")


def _tell(name: str, row: Row) -> None:
    """Print one set."""
    shares = "".join(f"{row.baselines[each]:>8.4f}" for each in BASELINES)
    gap = 100 * (row.consensus - row.best)
    print(
        f"{name:<38}{row.claims:>8}{row.scored:>8}{shares}{row.fusion:>8.4f}{row.consensus:>11.4f}{gap:>+9.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
