"""Every published row of headroom beside what this program says is needed, and what SONiC's formula gives.

    python tests/benchmarks/sonic_headroom.py [FOLDER]

FOLDER holds `pg_profile_lookup.ini` tables; without it, those beside the checkout (../shared/corpus). For each row: the
vendor's xoff, the physical bound and the IEEE worst case (equation 2.1 at kappa 1), the worst case in the ASIC's cells,
SONiC's dynamic formula where the ASIC is a Spectrum (sonic-swss 18913fa3, loss-model.md 2.2), and what the rule on
headroom says of the row, and of the row cut to one byte below the bound. All in bytes, for a port of MTU 9100.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from auditor.checks.base import Context, Params, PortPriorityGroup
from auditor.checks.buffers import headroom_short
from auditor.estimate.asic import list_asics
from auditor.estimate.headroom import FASTEST_RESPONSE_S, compute_headroom, ieee_response_s, worst_kappa
from auditor.estimate.vendor_headroom import SonicPort, sonic
from auditor.intent import infer_intents
from auditor.model.buffers import PriorityGroup
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.port import Ethernet, PortConfig
from auditor.model.setting import Known, Origin
from auditor.systems.sonic.hardware import find_hardware
from auditor.systems.sonic.lookup import HeadroomRow, read_lookup

TABLES = Path(__file__).parents[3] / "shared" / "corpus" / "switch" / "sonic" / "pg_profile_lookup"
PORT_MTU = 9100
FRAME = PORT_MTU + 22
RDMA_FRAME = 4178


@dataclass(frozen=True, slots=True)
class Judged:
    """A row with what is needed and what the rule says."""

    row: HeadroomRow
    bound: float
    worst: float
    in_cells: float | None
    formula: int | None
    verdict: str
    cut_verdict: str


def verdict(row: HeadroomRow, xoff: int) -> str:
    """Return the level that the rule on headroom gives a row with that *xoff*."""
    speed = Known(row.speed / 1000, Origin.INTENDED)
    ethernet = Ethernet(speed_gbps=speed, max_frame_bytes=Known(FRAME, Origin.INTENDED))
    port = PortConfig(ethernet=ethernet, cable_length_m=Known(float(row.cable), Origin.INTENDED))
    group = PriorityGroup(3, xoff_bytes=Known(xoff, Origin.INTENDED, row.where))
    context = Context(Device("switch", "switch", "sonic", ""), infer_intents(()).general)
    found = next(iter(headroom_short(PortPriorityGroup(port, group), Params(), context)), None)
    return "ok" if found is None else "error" if found.level is None else found.level.value


def judged(row: HeadroomRow, sku: str) -> Judged:
    """Return what a row of the table of *sku* is held against."""
    speed, response = row.speed / 1000, ieee_response_s(row.speed / 1000)
    bound = compute_headroom(speed, RDMA_FRAME, row.cable, FASTEST_RESPONSE_S).total
    hardware = find_hardware(sku)
    asic = list_asics().get(hardware.asic) if hardware else None
    cell = asic.cell_bytes if asic else None
    generation = int(asic.name[-1]) if asic and asic.name.startswith("Spectrum-") else None
    return Judged(
        row=row,
        bound=bound,
        worst=compute_headroom(speed, FRAME, row.cable, response).total,
        in_cells=compute_headroom(speed, FRAME, row.cable, response, worst_kappa(cell)).total if cell else None,
        formula=sonic(speed, row.cable, generation, SonicPort(port_mtu=PORT_MTU)).xoff if generation else None,
        verdict=verdict(row, row.xoff),
        cut_verdict=verdict(row, int(bound) - 1),
    )


def tables(folder: Path) -> Iterator[tuple[str, list[Judged]]]:
    """Yield each table's name with its rows."""
    for path in sorted(folder.glob("*.ini")):
        lookup, _, doubts = read_lookup(Capture(path.name, tuple(path.read_text(encoding="utf-8").splitlines())))
        if doubts:
            raise ValueError(f"{path.name}: {doubts[0].text!r} is no row")
        yield path.stem, [judged(row, path.stem) for row in lookup.rows.values()]


def main() -> int:
    """Print all rows; 1 where the rule calls a published row an error, or a cut one none."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    verdicts: Counter[str] = Counter()
    cuts: Counter[str] = Counter()
    for name, rows in tables(folder):
        print(f"\n{name}\n{'Mb/s':>8}{'m':>6}{'xoff':>9}{'bound':>9}{'IEEE':>9}{'in cells':>10}{'SONiC':>9}  verdict")
        for found in rows:
            row = found.row
            cells = "-" if found.in_cells is None else f"{found.in_cells:.0f}"
            formula = "-" if found.formula is None else str(found.formula)
            needs = f"{found.bound:9.0f}{found.worst:9.0f}{cells:>10}{formula:>9}"
            print(f"{row.speed:8}{row.cable:6}{row.xoff:9}{needs}  {found.verdict}")
            verdicts[found.verdict] += 1
            cuts[found.cut_verdict] += 1
    print(f"\npublished rows: {dict(verdicts)}\ncut below the bound: {dict(cuts)}")
    return int(verdicts["error"] > 0 or set(cuts) != {"error"})


if __name__ == "__main__":
    sys.exit(main())
