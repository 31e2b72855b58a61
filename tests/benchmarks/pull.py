"""200 replayed switches with 32 workers: devices a second against netmiko alone in a pool of threads, and memory.

Run it: `python tests/benchmarks/pull.py [DEVICES [WORKERS]]`. The switches run in processes of their own.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from netmiko import ConnectHandler

from auditor.cli import main as program
from auditor.collect.platforms import find_platform

ROOT = Path(__file__).parents[2]
REPLAY = ROOT / "tests" / "collect" / "replay.py"
USER, PASSWORD = "audit", "Corr3ct-Horse"
SERVERS = 2
ROUNDS = 2
SYSTEM = "cisco_nxos"


def peak_mb() -> float:
    """Return the most memory that this process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def netmiko_alone(ports: list[int], devices: int, workers: int, folder: Path) -> float:
    """Return devices a second of netmiko in a ThreadPoolExecutor, as its users write it, for the same commands."""
    platform = find_platform(SYSTEM)
    assert platform is not None
    commands = [command.template for command in platform.commands]

    def one(number: int) -> None:
        port = ports[number % len(ports)]
        with ConnectHandler(
            device_type=SYSTEM, host="127.0.0.1", port=port, username=USER, password=PASSWORD
        ) as switch:
            for n, command in enumerate(commands):
                (folder / f"{number}_{n}").write_text(str(switch.send_command(command, read_timeout=60)))

    started = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(one, range(devices)))
    return devices / (time.perf_counter() - started)


def pulled(ports: list[int], devices: int, workers: int, folder: Path, known_hosts: str) -> float:
    """Return devices a second of `roce-audit pull`."""
    (folder / "known_hosts").write_text(known_hosts)
    hosts = (
        f"  switch{n}: {{hostname: 127.0.0.1, port: {ports[n % len(ports)]}, username: {USER}, platform: {SYSTEM}}}\n"
        for n in range(devices)
    )
    (folder / "inventory.yaml").write_text("hosts:\n" + "".join(hosts))
    os.environ["ROCE_AUDIT_PASSWORD"] = PASSWORD
    options = ["--ssh-config", "none", "--known-hosts", str(folder / "known_hosts"), "--workers", str(workers)]
    kept, sys.stdout, sys.stderr = (sys.stdout, sys.stderr), open(os.devnull, "w"), open(os.devnull, "w")  # noqa: PTH123, SIM115
    started = time.perf_counter()
    try:
        status = program(["pull", str(folder / "inventory.yaml"), "-o", str(folder / "out"), *options])
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.close()
        sys.stdout, sys.stderr = kept
    if status:
        record = json.loads((folder / "out" / "manifest.json").read_text())["devices"]
        raise RuntimeError(sorted({each["why"] for each in record if each["why"]}))
    return devices / (time.perf_counter() - started)


def main() -> float:
    """Print the figures; return the ratio."""
    devices, workers = map(int, (*sys.argv[1:3], *("200", "32")[len(sys.argv) - 1 :]))
    command = [sys.executable, str(REPLAY), SYSTEM]
    servers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(SERVERS)
    ]
    try:
        said = [(server.stdout.readline(), server.stdout.readline()) for server in servers if server.stdout]
        ports, known_hosts = [int(port) for port, _ in said], "".join(line for _, line in said)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "plain").mkdir()
            netmiko_alone(ports, workers, workers, folder / "plain")  # imports and the like
            before = peak_mb()
            ours = theirs = 0.0
            for _ in range(ROUNDS):  # in turns, as other work on the machine slows either
                ours += pulled(ports, devices, workers, folder, known_hosts) / ROUNDS
                after = peak_mb()
                theirs += netmiko_alone(ports, devices, workers, folder / "plain") / ROUNDS
    finally:
        for server in servers:
            server.terminate()
            server.communicate()
    print(f"pull: {ours:.1f} devices/s; netmiko alone: {theirs:.1f} devices/s; ratio {ours / theirs:.2f}")
    print(f"memory: {after:.0f} MB at most, {after - before:.0f} MB of them for {devices} devices, {workers} at once")
    return ours / theirs


if __name__ == "__main__":
    main()
