"""The command line: arguments, exit status and progress. It alone prints."""

import argparse
import sys
from collections.abc import Sequence

from auditor import __version__


def main(argv: Sequence[str] | None = None) -> int:
    """Run `roce-audit` with *argv*; return the exit status."""
    from auditor.snapshot import find, read, told_apart
    from auditor.topology import fabric
    from auditor.view import fabric_view
    import json
    p = argparse.ArgumentParser()
    p.add_argument("cmd"); p.add_argument("paths", nargs="+"); p.add_argument("--coverage", action="store_true"); p.add_argument("--format"); p.add_argument("--state", action="store_true")
    a = p.parse_args(argv)
    snap = find(a.paths)
    reads = [read(u) for u in snap.units]
    for x in snap.problems: print(x, file=sys.stderr)
    if a.coverage:
        print(json.dumps({"dumps": [{"file": d.file, "os": d.os, "lines": [[i, s] for i, s in enumerate(d.states, 1)]} for r in reads for d in r.device.dumps]}))
        return 0
    devices, w = told_apart(r.device for r in reads)
    print(fabric_view(fabric(devices), with_state=a.state).model_dump_json(by_alias=True, indent=1))
    return 0

if __name__ == "__main__": sys.exit(main())
