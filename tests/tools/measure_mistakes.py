"""Print which mistakes of tests/mistakes are reported: `python tests/tools/measure_mistakes.py [POD|ID …]`."""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "mistakes"))
sys.path.insert(0, str(Path(__file__).parents[1] / "fabrics"))

from mistakes import Mistake, is_at_device, list_mistakes, points_at, read_clean, report_wrong

from auditor.engine.cache import Cache
from auditor.engine.findings import ReportedFinding


def judge(mistake: Mistake, found: list[ReportedFinding]) -> str:
    """Return how near the errors and warnings come to a mistake: its line, its device, elsewhere, or nothing."""
    if any(points_at(each, mistake) for each in found):
        return "line"
    if any(is_at_device(each, mistake) for each in found):
        return "device"
    return "elsewhere" if found else "silent"


def main(words: list[str]) -> None:
    """Print a row for each mistake, `?` behind what experts may see otherwise, and how many are found at their line."""
    chosen = [each for each in list_mistakes() if not words or each.pod in words or each.id in words]
    verdicts = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "pod"
        (kept := Path(folder) / "cache").mkdir()
        cache = Cache(kept, bytes(32))
        for pod in dict.fromkeys(each.pod for each in chosen):
            clean = report_wrong(read_clean(pod), root, cache)
            print(f"{pod}: {len(clean)} errors and warnings without a mistake {[each.rule for each in clean]}")
            for mistake in (each for each in chosen if each.pod == pod):
                found = report_wrong(mistake.plant(read_clean(pod)), root, cache)
                verdicts.append(judge(mistake, found))
                rules = ",".join(sorted({each.rule for each in found}))
                name = f"{mistake.id}{'' if mistake.is_certain else '?'}"
                print(f"{verdicts[-1]:10}{name:5}{len(found):4} {rules:30} {mistake.title[:110]}", flush=True)
    print(f"{verdicts.count('line')} of {len(verdicts)} at the line; {verdicts.count('device')} more at the device")


if __name__ == "__main__":
    main(sys.argv[1:])
