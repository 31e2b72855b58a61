"""The older datapath files (`qos_features.conf`, `qos_infra.conf`, `traffic.conf`) as NVUE statements.

Their port groups are NVUE's profiles, so one reader serves both. A group is active only if its `port_group_list` names
it.
"""

import re
from collections.abc import Iterator, Mapping

from auditor.grammar.numbers import parse_whole
from auditor.model.dump import Capture, LineState
from auditor.systems.cumulus.entries import Entry, File
from auditor.systems.cumulus.names import list_interfaces, parse_numbers
from auditor.systems.cumulus.objects import parse_switch
from auditor.systems.cumulus.strays import find_stray_groups, find_twice_sorted
from auditor.systems.cumulus.weights import schedule_groups
from auditor.util.regex import regex

GLOBAL = "default-global"
_LINE = regex(r"\s*(?P<key>[\w.-]+)\s*=\s*(?P<value>\[[^\]]*\]|[^#]*)")


def read(capture: Capture, states: list[LineState]) -> File:
    """Return the file with its statements; mark each line in *states*."""
    file = File({}, states)
    for index, line in enumerate(capture.lines):
        match = _LINE.match(line)
        text = line.strip()
        if not text or text[0] == "#":
            states[index] = LineState.IGNORED
        elif match:
            file.entries[match["key"]] = Entry(match["value"].strip(), capture.where(index), index)
            states[index] = _state(match["key"])
    groups = _groups(file)
    _sources(file, groups.get("source", ()))
    _remarks(file, groups.get("remark", ()))
    _pauses(file, groups)
    _marking(file, groups)
    _scheduling(file, groups.get("egress_sched", ()))
    schedule_groups(file)
    _shaping(file, groups.get("shaping", ()))
    _watchdogs(file, groups.get("pfc_watchdog", ()))
    _queues(file)
    _pools(file)
    find_twice_sorted(file)
    find_stray_groups(file, groups)
    return file


_NOT_MODELLED = regex(
    r"(?:shaping|priority_group|port|flow_control|ingress_service_pool|egress_service_pool|egress_buffer|ingress_buffer|"
    r"cos_egr_queue|scheduling|traffic|source|remark|pfc|link_pause|ecn|ecn_red|default_ecn_conf|default_ecn_red_conf|"
    r"default_egress_sched|egress_sched|pfc_watchdog|cut_through_enable|unlimited_egress_buffer|priority_flow_control)\b"
)
_IGNORED = regex(
    r"(?:hash|symmetric_hash|hash_config|forwarding_table|dos|resilient_hash|ecmp|acl|sflow|vxlan|bridge|interface|logging|"
    r"stats|route|arp|nd|lag_hash|adaptive|system|switchd|traffic\.control|netlink)",
)


def _state(key: str) -> LineState:
    """Return the state of an entry without a statement."""
    if _NOT_MODELLED.match(key) or re.search(r"\.(?:port_set|ecn_enable|egress_queue_list)\Z", key):
        return LineState.NOT_MODELLED
    return LineState.IGNORED if _IGNORED.match(key) else LineState.UNRECOGNISED


def _groups(file: File) -> Mapping[str, tuple[str, ...]]:
    """Return the active port groups by kind."""
    found: dict[str, tuple[str, ...]] = {}
    for key, entry in file.entries.items():
        if key.endswith(".port_group_list"):
            names = (part.strip() for part in entry.value.strip("[] ").split(","))
            found[key.removesuffix(".port_group_list")] = tuple(name for name in names if name)
            file.mark_modelled(key)
    return found


_TRUST = {("802.1p",): "l2", ("dscp",): "l3", ("802.1p", "dscp"): "both", ("port",): "port", ("cos",): "l2", (): "port"}


def _sources(file: File, groups: tuple[str, ...]) -> None:
    for prefix, profile in (("traffic", GLOBAL), *((f"source.{group}", group) for group in groups)):
        key = f"{prefix}.packet_priority_source_set"
        trusted = file.entries.get(key)
        trust = _TRUST.get(tuple(sorted(_items(trusted.value)))) if trusted else None
        if trusted and trust:
            file.say(trusted, "qos", "mapping", profile, "trust", trust)
            file.mark_modelled(key)
        default = file.entries.get(f"{prefix}.port_default_priority")
        if default and parse_numbers(default.value, 0, 7):
            file.say(default, "qos", "mapping", profile, "port-default-sp", default.value)
            file.mark_modelled(f"{prefix}.port_default_priority")
        _map(file, prefix, profile)
        _bind(file, prefix, "mapping", profile)


_POINTS = {"dscp": ("dscp", 63), "8021p": ("pcp", 7), "packet_priorities": ("pcp", 7)}


def _map(file: File, prefix: str, profile: str) -> None:
    """Add a classification map; a map with one configured line has only its configured entries."""
    begun: set[str] = set()
    pattern = re.compile(
        re.escape(prefix) + r"\.cos_(?P<cos>[0-7])\.(?:priority_source\.(?P<what>dscp|8021p)|packet_priorities)\Z"
    )
    for key, entry in file.entries.items():
        match = pattern.match(key)
        kind, highest = _POINTS[match["what"] or "packet_priorities"] if match else ("", 0)
        points = parse_numbers(entry.value, 0, highest) if match else None
        if match is None or points is None:
            continue
        if kind not in begun:
            begun.add(kind)
            file.say(entry, "qos", "mapping", profile, f"{kind}-only")
        if points:
            listed = ",".join(map(str, points))
            file.say(entry, "qos", "mapping", profile, kind, listed, "switch-priority", match["cos"])
        file.mark_modelled(key)


_REWRITE = {("802.1p",): "l2", ("dscp",): "l3", ("802.1p", "dscp"): "both"}


def _remarks(file: File, groups: tuple[str, ...]) -> None:
    for prefix, profile in (("traffic", GLOBAL), *((f"remark.{group}", group) for group in groups)):
        key = f"{prefix}.packet_priority_remark_set"
        entry = file.entries.get(key)
        rewrite = _REWRITE.get(tuple(sorted(_items(entry.value)))) if entry else None
        if entry and rewrite:
            file.say(entry, "qos", "remark", profile, "rewrite", rewrite)
        file.mark_modelled(key)
        pattern = re.compile(re.escape(prefix) + r"\.cos_(?P<cos>[0-7])\.priority_remark\.(?P<what>dscp|8021p)\Z")
        for name, written in file.entries.items():
            match = pattern.match(name)
            kind, highest = _POINTS[match["what"]] if match else ("", 0)
            points = parse_numbers(written.value, 0, highest) if match else None
            if match and points is not None:
                for point in points[:1]:
                    file.say(written, "qos", "remark", profile, "switch-priority", match["cos"], kind, str(point))
                file.mark_modelled(name)
        _bind(file, prefix, "remark", profile)


_PAUSE_KEYS = {
    "cable_length": "cable-length",
    "port_buffer_bytes": "port-buffer",
    "xoff_size": "xoff-threshold",
    "xon_delta": "xon-threshold",
}


def _pauses(file: File, groups: Mapping[str, tuple[str, ...]]) -> None:
    for kind, name in (("pfc", "pfc"), ("link_pause", "link-pause"), ("pause", "link-pause")):
        for group in groups.get(kind, ()):
            prefix = f"{kind}.{group}"
            for key in ("cos_list", "switch_priority_list"):
                entry = file.entries.get(f"{prefix}.{key}")
                listed = parse_numbers(entry.value, 0, 7) if entry else None
                if entry and listed is not None:
                    if listed:
                        file.say(entry, "qos", name, group, "switch-priority", ",".join(map(str, listed)))
                    file.mark_modelled(f"{prefix}.{key}")
            for direction in ("rx", "tx"):
                entry = file.entries.get(f"{prefix}.{direction}_enable")
                on = parse_switch(entry.value) if entry else None
                if entry and on is not None:
                    file.say(entry, "qos", name, group, direction, "enable" if on else "disable")
                    file.mark_modelled(f"{prefix}.{direction}_enable")
            for key, said in _PAUSE_KEYS.items():
                entry = file.entries.get(f"{prefix}.{key}")
                if entry and parse_whole(entry.value) is not None:
                    file.say(entry, "qos", name, group, said, entry.value)
                    file.mark_modelled(f"{prefix}.{key}")
            _bind(file, prefix, name, group)


_ECN_KEYS = {
    "min_threshold_bytes": "min-threshold",
    "max_threshold_bytes": "max-threshold",
    "probability": "probability",
    "ecn_enable": "ecn",
    "red_enable": "red",
}


def _marking(file: File, groups: Mapping[str, tuple[str, ...]]) -> None:
    """Add the marking curves; a group of an ECN list may lack the list's name as a prefix."""
    places = [("default_ecn_red_conf", GLOBAL), ("default_ecn_conf", GLOBAL)]
    for kind in ("ecn_red", "ecn"):
        places += [(f"{kind}.{group}", group) for group in groups.get(kind, ())]
        places += [(group, group) for group in groups.get(kind, ())]
    for prefix, profile in places:
        listed = file.entries.get(f"{prefix}.egress_queue_list") or file.entries.get(f"{prefix}.cos_list")
        queues = parse_numbers(listed.value, 0, 7) if listed else None
        if listed and queues:
            at = ("qos", "congestion-control", profile, "traffic-class", ",".join(map(str, queues)))
            file.say(listed, *at)
            for key, said in _ECN_KEYS.items():
                entry = file.entries.get(f"{prefix}.{key}")
                value = _switch_word(entry.value) if entry and said in {"ecn", "red"} else entry.value if entry else ""
                if entry and value:
                    file.say(entry, *at, said, value)
                    file.mark_modelled(f"{prefix}.{key}")
        file.mark_modelled(f"{prefix}.egress_queue_list", f"{prefix}.cos_list")
        _bind(file, prefix, "congestion-control", profile)


def _switch_word(text: str) -> str:
    on = parse_switch(text)
    return "" if on is None else "enable" if on else "disable"


def _scheduling(file: File, groups: tuple[str, ...]) -> None:
    for prefix, profile in (("default_egress_sched", GLOBAL), *((f"egress_sched.{group}", group) for group in groups)):
        for queue in map(str, range(8)):
            key = f"{prefix}.egr_queue_{queue}.bw_percent"
            entry = file.entries.get(key)
            share = parse_whole(entry.value, range(101)) if entry else None
            if entry is None or share is None:
                continue
            at = ("qos", "egress-scheduler", profile, "traffic-class", queue)
            if share:
                file.say(entry, *at, "mode", "dwrr")
                file.say(entry, *at, "bw-percent", entry.value)
            else:  # 0 per cent is how these files write strict priority
                file.say(entry, *at, "mode", "strict")
            file.mark_modelled(key)
        _bind(file, prefix, "egress-scheduler", profile)


_SHAPED = regex(r"\[\s*\d+\s*,\s*(?P<most>\d+)\s*\]|(?P<whole>\d+)")


def _shaping(file: File, groups: tuple[str, ...]) -> None:
    """Add the rate limits, in kb/s: of a queue the least and the most rate, of a port the most."""
    for group in groups:
        prefix = f"shaping.{group}"
        places = {f"{prefix}.egr_queue_{queue}.shaper": ("traffic-class", str(queue), "max-rate") for queue in range(8)}
        for key, said in {**places, f"{prefix}.port.shaper": ("port-max-rate",)}.items():
            entry = file.entries.get(key)
            match = _SHAPED.fullmatch(entry.value) if entry else None
            if entry and match and parse_whole(rate := match["most"] or match["whole"]) is not None:
                file.say(entry, "qos", "egress-shaper", group, *said, rate)
                file.mark_modelled(key)
        _bind(file, prefix, "egress-shaper", group)


def _watchdogs(file: File, groups: tuple[str, ...]) -> None:
    for group in groups:
        entry = file.entries.get(f"pfc_watchdog.{group}.port_set")
        if entry:
            for name in _ports(entry):
                file.say(entry, "interface", name, "qos", "pfc-watchdog")
            file.mark_modelled(f"pfc_watchdog.{group}.port_set")
    for key, said in (("pfc_wd.poll_interval", "polling-interval"), ("pfc_wd.robustness", "robustness")):
        entry = file.entries.get(key)
        if entry and parse_whole(entry.value) is not None:
            file.say(entry, "qos", "pfc-watchdog", said, entry.value)
            file.mark_modelled(key)


def _queues(file: File) -> None:
    for priority in map(str, range(8)):
        key = f"cos_egr_queue.cos_{priority}.uc"
        entry = file.entries.get(key)
        if entry and parse_numbers(entry.value, 0, 7):
            at = ("qos", "egress-queue-mapping", GLOBAL, "switch-priority", priority)
            file.say(entry, *at, "traffic-class", entry.value)
            file.mark_modelled(key)


def _pools(file: File) -> None:
    """Add the ingress service pools: pool 0 is lossy, and `flow_control` names the lossless pool."""
    lossless = file.entries.get("flow_control.ingress_service_pool")
    for key, entry in file.entries.items():
        match = re.match(r"ingress_service_pool\.(\d{1,2})\.percent\Z", key)
        if match and re.fullmatch(r"\d{1,3}(?:\.\d{1,4})?", entry.value):
            is_lossless = lossless is not None and lossless.value == match[1]
            name = "default-lossless" if is_lossless else "default-lossy" if match[1] == "0" else f"pool-{match[1]}"
            file.say(entry, "qos", "traffic-pool", name, "memory-percent", entry.value)
            file.mark_modelled(key, "flow_control.ingress_service_pool")


def _bind(file: File, prefix: str, kind: str, profile: str) -> None:
    """Bind a group to its ports; `allports` means all ports."""
    entry = file.entries.get(f"{prefix}.port_set")
    if entry is None:
        return
    if profile != GLOBAL:
        for name in _ports(entry):
            file.say(entry, "interface", name, "qos", kind, "profile", profile)
    file.mark_modelled(f"{prefix}.port_set")


def _ports(entry: Entry) -> Iterator[str]:
    yield from ("*",) if entry.value.strip("[] ") == "allports" else list_interfaces(entry.value) or ()


def _items(text: str) -> list[str]:
    return [part.strip() for part in text.strip("[] ").split(",") if part.strip()]
