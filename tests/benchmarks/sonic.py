"""How long the audit of a 1 MB config_db.json takes, against reading it plainly and building the same model from it.

    python tests/benchmarks/sonic.py

The plain way is `json.loads`, and then the same ports from the same tables, without places in the text, line states,
defaults, checks or a report. All run in one process, alternately; imports and the loading of rules are left out. Prints
the ratio of the medians and of each pair, and the time by number of ports.
"""

import json as plain_json
import statistics
import sys
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

from auditor.checks.catalogue import load_rules
from auditor.engine.build import build_report
from auditor.engine.check import check_device, check_fabric
from auditor.engine.load import read_device
from auditor.fabric.topology import link_devices
from auditor.inputs.detection import list_captures
from auditor.inputs.rawtext import Raw
from auditor.inputs.snapshot import DeviceUnit
from auditor.intent import count_votes, infer_intents
from auditor.model.port import Port
from auditor.model.setting import Where
from auditor.report import json
from auditor.report.presentation import Presentation
from auditor.systems.effective import load_defaults
from auditor.systems.sonic.assemble import Assembler
from auditor.systems.sonic.config import make_config
from auditor.systems.sonic.rows import Row, RowBody
from auditor.systems.sonic.vocabulary import TABLES

PORTS = 528
ROUNDS = 9
MOST = 6.0
MAP = {"AZURE": {str(n): str(n) for n in range(8)}}


def switch(count: int) -> dict[str, Any]:
    """Return the configuration of a switch with *count* ports, uplinks unlike host ports."""
    ports = [f"Ethernet{n * 4}" for n in range(count)]
    qos = {
        "dscp_to_tc_map": "AZURE",
        "tc_to_queue_map": "AZURE",
        "tc_to_pg_map": "AZURE",
        "pfc_to_queue_map": "AZURE",
        "pfc_enable": "3,4",
        "pfcwd_sw_enable": "3,4",
    }
    watchdog = {"action": "drop", "detection_time": "200", "restoration_time": "200"}
    lossless = {"scheduler": "scheduler.1", "wred_profile": "AZURE_LOSSLESS"}
    return {
        "DEVICE_METADATA": {"localhost": {"hostname": "bench", "hwsku": "ACS-MSN4700", "buffer_model": "traditional"}},
        "PORT": {p: _port(n) for n, p in enumerate(ports)},
        "CABLE_LENGTH": {"AZURE": {p: "40m" if n % 8 == 0 else "5m" for n, p in enumerate(ports)}},
        "DSCP_TO_TC_MAP": {"AZURE": {str(n): "3" if n == 26 else "4" if n == 4 else "0" for n in range(64)}},
        "TC_TO_QUEUE_MAP": MAP,
        "TC_TO_PRIORITY_GROUP_MAP": MAP,
        "MAP_PFC_PRIORITY_TO_QUEUE": MAP,
        "PORT_QOS_MAP": dict.fromkeys(ports, qos),
        "WRED_PROFILE": {
            "AZURE_LOSSLESS": {
                "ecn": "ecn_all",
                "wred_green_enable": "true",
                "green_min_threshold": "150000",
                "green_max_threshold": "1500000",
                "green_drop_probability": "5",
            }
        },
        "SCHEDULER": {"scheduler.0": {"type": "DWRR", "weight": "14"}, "scheduler.1": {"type": "DWRR", "weight": "15"}},
        "QUEUE": {
            f"{p}|{q}": lossless if q in {3, 4} else {"scheduler": "scheduler.0"} for p in ports for q in range(8)
        },
        "BUFFER_POOL": {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "40000000"}},
        "BUFFER_PROFILE": {
            "ingress_lossy_profile": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "3"},
            "pg_lossless_400000_5m_profile": _headroom("86016"),
            "pg_lossless_400000_40m_profile": _headroom("124928"),
        },
        "BUFFER_PG": {
            key: {"profile": profile}
            for n, p in enumerate(ports)
            for key, profile in (
                (f"{p}|0", "ingress_lossy_profile"),
                (f"{p}|3-4", f"pg_lossless_400000_{'40m' if n % 8 == 0 else '5m'}_profile"),
            )
        },
        "BUFFER_QUEUE": {f"{p}|{q}": {"profile": "egress_profile"} for p in ports for q in ("0-2", "3-4", "5-7")},
        "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "200"}, **dict.fromkeys(ports, watchdog)},
        "DEVICE_NEIGHBOR": {p: {"name": f"host{n}", "port": "eth0"} for n, p in enumerate(ports)},
    }


def _headroom(size: str) -> dict[str, str]:
    return {"pool": "ingress_lossless_pool", "size": size, "xon": "37888", "xoff": "90000", "dynamic_th": "0"}


def _port(number: int) -> dict[str, str]:
    return {
        "alias": f"etp{number + 1}",
        "index": str(number),
        "lanes": ",".join(str(number * 8 + lane) for lane in range(8)),
        "speed": "400000",
        "mtu": "9100",
        "admin_status": "up",
        "fec": "rs",
        "description": f"host{number}:eth0",
    }


def audited(text: str) -> str:
    """Return the report on a configuration, from the text on."""
    raw = Raw("bench.json", "", tuple(text.split("\n")), ends_with_newline=True)
    found = read_device(DeviceUnit("bench", "bench.json", "sonic", list_captures(raw)))
    intents = infer_intents([count_votes(found.device)])
    outcome = check_device(found.device, intents, load_rules())
    whole = link_devices([found.device])
    outcome.add([check_fabric(whole, intents, load_rules()).close()])
    return json.render(build_report(whole, intents, load_rules(), outcome), Presentation(lambda _file, _line: None))


def built(text: str) -> tuple[Port, ...]:
    """Return the ports of a configuration that is read plainly."""
    tables: Mapping[str, Mapping[str, Mapping[str, str]]] = plain_json.loads(text)
    nowhere = Where("bench.json", 1)
    bodies: dict[tuple[object, ...], RowBody] = {}
    rows: dict[str, list[Row]] = {}
    for table, entries in tables.items():
        if table in TABLES:
            rows[table] = [
                Row(
                    table,
                    key,
                    bodies.setdefault((table, *fields.items()), RowBody(fields, dict.fromkeys(fields, 0))),
                    nowhere,
                )
                for key, fields in entries.items()
            ]
    return Assembler(make_config(rows), None).ports()


def seconds(run: Callable[[str], object], text: str) -> float:
    """Return how long *run* takes."""
    start = perf_counter()
    run(text)
    return perf_counter() - start


def main() -> int:
    """Print the figures; 1 where the audit takes more than its share."""
    text = plain_json.dumps(switch(PORTS), indent=4)
    load_rules()
    load_defaults("sonic")
    audited(text)
    built(text)
    pairs = [(seconds(audited, text), seconds(built, text)) for _ in range(ROUNDS)]
    ours, plain = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(f"{len(text) / 2**20:.2f} MB, {PORTS} ports: audit {ours * 1e3:.0f} ms, plainly {plain * 1e3:.0f} ms")
    print(
        f"ratio of medians {ours / plain:.2f}, by pair {' '.join(f'{a / b:.2f}' for a, b in pairs)} (at most {MOST:g})"
    )
    print(f"json.loads alone {min(seconds(plain_json.loads, text) for _ in range(ROUNDS)) * 1e3:.1f} ms")
    for count in (PORTS // 4, PORTS // 2, PORTS, PORTS * 2, PORTS * 4):
        grown = plain_json.dumps(switch(count), indent=4)
        best = min(seconds(audited, grown) for _ in range(3))
        print(f"{count:5} ports: {best * 1e3:6.0f} ms, {best / count * 1e6:5.0f} us a port")
    return int(ours / plain > MOST)


if __name__ == "__main__":
    sys.exit(main())
