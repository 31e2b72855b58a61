"""Write the page of the site from tests/estimate/published; read the difference before you commit it.

python tests/tools/write_validation.py
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from string import Template

ROOT = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from auditor.estimate.measurement import (  # noqa: E402  the path comes first
    MEASURES,
    READINGS,
    Comparison,
    Measurements,
    compare,
    read_measurements,
)
from auditor.estimate.simulation.seeds import TableSimulator, compile_all  # noqa: E402  the path comes first
from auditor.report.measurement import count_matches, render_markdown  # noqa: E402  the path comes first
from auditor.util.yamlfile import data_of  # noqa: E402  the path comes first

PAGE = ROOT / "docs" / "pages" / "background" / "validation.md"
EXAMPLE = ROOT / "docs" / "lab-incast.yaml"
PUBLISHED = ROOT / "tests" / "estimate" / "published"
NOT_HAD = ROOT / "tests" / "estimate" / "not_had.yaml"
SEEDS = 4
BEFORE = Template("""# Validation beyond one simulator

The loss model was built beside one packet simulator. This page puts it beside numbers that others published: hardware
tests, bug reports, papers and their data. The tables show closed forms and the packet simulation, misses included.

- All sources: $count.
- Sources that were not used to build the model: $blind. Many of these rows are plain arithmetic, such as the loss of a
  queue whose drain rate is known.

How to read this page:

- A number is here only if its source was read. The heading names the address, and how much of it was read.
- Tolerances were written before the models were asked. "Seen before" marks the sources for which this does not hold.
- A value in brackets is the range that the model gives. "Error" is the likely value less the measured one. "Miss" marks
  an error above the tolerance.
- A dash means that the model cannot say: formulas are not simulated.
- `tests/estimate/published/` holds each number with its scenario and with the reason for every assumed value.
- This page is written by `python tests/tools/write_validation.py`, $seeds seeds a scenario. A test keeps it current.

## What the misses say

- **Do not trust the goodput of a lossy class without DCQCN.** Three measured incasts (one of them with unknown PFC)
  lost 25 to 100 points of goodput; both models say that nothing is lost of it. The models' senders keep equal
  distances, so one flow takes every free place in the full queue and passes whole. The simulation of a link
  (`estimate --speed ... --simulate`, `check --simulate`) gives each NIC the jitter of `send_jitter`, which breaks this
  step; a table has none unless its column says so.
- **The first pause is met within 5 % where the chip's slices and its headroom are known**: Tomahawk, Tomahawk 2,
  Tomahawk 5 and Trident 3. Trident 2 is missed by a factor of four.
- **A vendor's headroom is met within 2 %** at cable lengths that were not used for the fit. The vendor's table grants
  short cables the bytes of a longer one, which the formula does not.
- **Marks are made at the egress in this model.** On chips with virtual output queues the decision falls at the ingress
  (sonic-mgmt issue 26165). No number for that could be had.
""")
AFTER = Template("""## What could not be had

| paper | found | missing |
| --- | --- | --- |
$missing

## Add your lab

Measure one incast, write it down, and see how far off the model is: one file for each pair of NIC and ASIC.

1. Copy `docs/lab-incast.yaml` and describe the source: who measured it, where the record is, and the setup.
2. Write the scenario with the columns of a scenario table. An omitted column takes the default of the simulation, so
   set link, packet, message, buffer, headroom, alpha, and ECN and DCQCN if they are on. Under `assumed`, give the
   reason for each value that was not measured.
3. Write each measured value with a tolerance, before you ask the model. `value` goes with `tolerance` (in the unit of
   the value) or `tolerance_percent`; `least` and `most` give a range. The measures are
   $measures.
4. Compare:

```sh
roce-audit estimate --measured docs/lab-incast.yaml --simulate --seeds 4
```

A case can also name a formula with its inputs instead of a scenario; the files in `tests/estimate/published/` show how.
Under `explained`, give the cause of a miss by measure, once you know it.

The example, with invented values:

```yaml
$example```
""")


def read_all() -> list[Measurements]:
    """Return the published documents, in the order of their files."""
    files = sorted(PUBLISHED.glob("*.yaml"))
    return [read_measurements(file.read_text(encoding="utf-8"), file.name) for file in files]


def describe_source(document: Measurements) -> Iterator[str]:
    """Yield the lines above the table of *document*."""
    source = document.source
    yield f"## {source.title}"
    yield ""
    yield f"<{source.address}> ({READINGS[source.reading]}). {source.setup}"
    yield ""
    if source.seen:
        yield f"Seen before: {source.seen}"
        yield ""


def write_page() -> str:
    """Return the page."""
    compile_all()
    simulator = TableSimulator(SEEDS)
    every: list[Comparison] = []
    blind: list[Comparison] = []
    sections: list[str] = []
    for document in read_all():
        found = compare(document, simulator)
        every += found
        blind += () if document.source.seen else found
        sections += ["\n".join(describe_source(document)), render_markdown(found)]
    rows = (f"| {row['paper']} | {row['found']} | {row['missing']} |" for row in data_of(NOT_HAD.read_text("utf-8")))
    values = {
        "count": count_matches(every),
        "blind": count_matches(blind),
        "seeds": str(SEEDS),
        "missing": "\n".join(rows),
        "measures": ", ".join(f"`{name}`" for name in MEASURES),
        "example": EXAMPLE.read_text(encoding="utf-8"),
    }
    return "\n".join([BEFORE.substitute(values), *sections, AFTER.substitute(values)])


if __name__ == "__main__":
    PAGE.write_text(write_page(), encoding="utf-8")
