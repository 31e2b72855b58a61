"""Bundles of other tools: their signs, and the command whose output each file holds.

A bundle holds thousands of files, secrets among them. Only files in these tables are opened.
"""

import re
from collections.abc import Callable, Container, Iterable, Mapping

from auditor.model.dump import Capture
from auditor.util.regex import regex
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class BundlePlace:
    """Files of a bundle by the pattern of their path below its root, and the command whose output they hold.

    `command` may use the named groups of `path`. Where `heads` is given, each line that it matches begins a capture,
    which ends before the next one or before a line that is `ends`; an empty `command` is then what the head names.
    `is_page`: an HTML page, in which only what has a head is a capture.
    """

    path: str
    command: str = ""
    heads: str = ""
    ends: str = r"_{12}"
    is_page: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """The bundle of one tool: `signs` are paths of which each shows its root, `unsupported` files that should be read.

    `unsupported` maps the pattern of a path to what is in it.
    """

    name: str
    os: str
    signs: tuple[str, ...]
    places: tuple[BundlePlace, ...]
    unsupported: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class BundleFile:
    """A file with a known place in the bundle at `root`."""

    root: str
    layout: Layout
    place: BundlePlace
    command: str

    def captures(self, file: str, lines: tuple[str, ...], ends_mid_line: bool) -> tuple[Capture, ...]:
        """Return the captures in *lines*; the whole, where no line begins one and it says why the tool did not run."""
        whole = Capture(file, lines, self.command, ends_mid_line=ends_mid_line)
        heads = [(n, m) for n, line in enumerate(lines) if (m := re.fullmatch(self.place.heads, line))]
        if not self.place.heads or not heads:
            return () if self.place.is_page else (whole,)
        after = [n for n, _ in heads[1:]] + [len(lines)]
        return tuple(self._capture(whole, head, range(n + 1, end)) for (n, head), end in zip(heads, after, strict=True))

    def _capture(self, whole: Capture, head: re.Match[str], span: range) -> Capture:
        end = next((n for n in span if re.fullmatch(self.place.ends, whole.lines[n])), span.stop)
        lines = whole.lines[span.start : end]
        if self.place.is_page:
            lines = tuple(line.replace("&lt;", "<").replace("&gt;", ">") for line in lines)
        named = head.groupdict().get("command")
        command = " ".join(named.split()) if named else self.command
        return Capture(whole.file, lines, command, span.start + 1, end == len(whole.lines) and whole.ends_mid_line)


def find_roots(paths: Iterable[str]) -> dict[str, Layout]:
    """Return the root of each bundle among the *paths* of an archive, empty for the archive's own; none in another."""
    found: dict[str, Layout] = {}
    for path in paths:
        slashed = f"/{path}/"
        for sign, layout in _SIGNS:
            at = slashed.find(sign)
            if at >= 0:
                found.setdefault(slashed[1:at], layout)
    return {root: layout for root, layout in found.items() if find_root(root, found) == root}


def find_root(path: str, roots: Container[str]) -> str | None:
    """Return the root of the bundle that *path* is in, None where it is in none."""
    parts = path.split("/", _DEEPEST_ROOT + 1)[: _DEEPEST_ROOT + 1]
    candidates = ("/".join(parts[:end]) for end in range(len(parts) + 1))
    return next((root for root in candidates if root in roots), None)


def strip_root(path: str, root: str) -> str:
    """Return *path* from the *root* on.

    >>> strip_root("a/b/c", "a/b"), strip_root("c", "")
    ('c', 'c')
    """
    return path[len(root) + 1 :] if root else path


def find_bundle_file(root: str, layout: Layout, path: str) -> BundleFile | None:
    """Return what the place of *path*, from the root on, says in a bundle of *layout*; None where nothing is read."""
    for pattern, place in _PLACES[layout.name]:
        match = pattern.fullmatch(path)
        if match:
            names = {key: value or "" for key, value in match.groupdict().items()}
            names["pci"] = _pci(names.get("pci", ""))
            names["options"] = names.get("options", "").replace("_", " ")
            return BundleFile(root, layout, place, place.command.format(**names))
    return None


def layout_of(entries: Callable[[str], bool]) -> Layout | None:
    """Return the layout of the folder of which *entries* tells whether it has a path, None where it is no bundle."""
    return next((layout for sign, layout in _SIGNS if entries(sign.strip("/"))), None)


def find_unsupported(layout: Layout, path: str) -> str | None:
    """Return what is in the file *path* of a bundle that should be read and is not, None for any other."""
    return next((what for pattern, what in layout.unsupported.items() if re.fullmatch(pattern, path)), None)


def _pci(name: str) -> str:
    """Return the PCI address that a file name holds.

    >>> _pci("0000_5e_00.0")
    '0000:5e:00.0'
    """
    return name.replace("_", ":")


_SOS = r"sos_commands/(?!networking/namespaces/)(?:[^/]+/)+"
_PCI = r"(?P<pci>(?:[0-9a-f]{4}_)?[0-9a-f]{2}_[0-9a-f]{2}\.[0-7])"
_IF = r"(?P<netdev>[\w.][\w.-]*)"
_INVOKED = r"Invoked Command: (?P<command>.*)"
_NAMED = r"Invoked Command: .*"

SOS = Layout(
    "sos report",
    "linux",
    ("sos_commands",),
    (
        BundlePlace(_SOS + r"hostname", "hostname"),
        BundlePlace(_SOS + r"ip_(?P<options>(?:-[a-z]+_)+)link(?:_show)?", "ip {options}link"),
        BundlePlace(_SOS + rf"ethtool_{_IF}", "ethtool {netdev}"),
        BundlePlace(
            _SOS + rf"ethtool_(?P<option>-[aiS]|--show-fec|--show-priv-flags)_{_IF}", "ethtool {option} {netdev}"
        ),
        BundlePlace(_SOS + r"ibv_devinfo_-v", "ibv_devinfo -v"),
        BundlePlace(_SOS + rf"m(?:lx|st)config_-d_{_PCI}_-e_q", "mlxconfig -d {pci} -e q"),
        BundlePlace(_SOS + rf"m(?:lx|st)link_-d_{_PCI}", "mlxlink -d {pci}"),
        BundlePlace(
            _SOS + rf"m(?:lx|st)reg_-d_{_PCI}_--reg_name_ROCE_ACCL_--get", "mlxreg -d {pci} --reg_name ROCE_ACCL --get"
        ),
        BundlePlace(_SOS + r"mst_status_-v", "mst status -v"),
        # what its administrator may add to a report
        BundlePlace(_SOS + rf"mlnx_qos_-i_{_IF}", "mlnx_qos -i {netdev}"),
        BundlePlace(_SOS + r"ibdev2netdev", "ibdev2netdev"),
        BundlePlace(_SOS + r"show_gids", "show_gids"),
        BundlePlace(_SOS + r"rdma_(?P<options>(?:-[a-z]+_)*)link(?:_show)?", "rdma {options}link"),
        BundlePlace(
            _SOS + rf"dcb_(?P<options>(?:-[A-Za-z]+_)*)(?P<object>pfc|ets|app|buffer)_show_dev_{_IF}",
            "dcb {options}{object} show dev {netdev}",
        ),
        BundlePlace(_SOS + r"lldpctl", "lldpctl"),
        BundlePlace(_SOS + r"lldpctl_-f_(?P<format>json0?|plain)", "lldpctl -f {format}"),
        BundlePlace(_SOS + rf"lldptool_(?P<option>-tn?i)_{_IF}", "lldptool {option} {netdev}"),
        BundlePlace(r"sys/(?:class|devices/.+)/(?P<file>net/[^/]+/ecn/.+)", "cat /sys/class/{file}"),
        BundlePlace(
            r"sys/(?:class|devices/.+)/(?P<file>infiniband/[^/]+/(?:tc/.+|ports/\d+/(?:link_layer|(?:hw_)?counters/.+)))",
            "cat /sys/class/{file}",
        ),
        BundlePlace(r"(?P<file>etc/nccl\.conf|etc/modprobe\.d/[^/]+\.conf)", "cat /{file}"),
    ),
    {},
)

SYSINFO = Layout(
    "sysinfo-snapshot",
    "linux",
    ("commands_txt_output",),
    (
        BundlePlace(
            r"commands_txt_output/(?:hostname|ibdev2netdev|ibv_devinfo_v|ip_s_s_link_show|mst_status_v)\.txt",
            heads=_INVOKED,
        ),
        BundlePlace(r"commands_txt_output/show_pretty_gids\.txt", "show_gids", _NAMED),
        BundlePlace(r"commands_txt_output/roce_counters\.txt", "grep -r . /sys/class/infiniband/", _NAMED),
        BundlePlace(r"commands_txt_output/sys_class_net_ecn_ib\.txt", "grep -r . /sys/class/net/", _NAMED),
        BundlePlace(r"commands_txt_output/mlnx_qos_handler\.txt", "mlnx_qos", r"(?P<command>mlnx_qos -i \S+)"),
        BundlePlace(
            r"commands_txt_output/cma_roce_tos\.txt", "cma_roce_tos", r"(?P<command>cma_roce_tos -d \S+)", "-{15}"
        ),
        BundlePlace(
            r"commands_txt_output/mlxreg_d_reg_name_ROCE_ACCL_get\.txt",
            "mlxreg --reg_name ROCE_ACCL --get",
            r"(?P<command>mlxreg -d \S+ --reg_name ROCE_ACCL --get) *",
            "-{57}",
        ),
        # of its many options only the one that tells the link
        BundlePlace(
            r"commands_txt_output/mlxlink_mstlink\.txt", "mlxlink", r"#1 (?P<command>mlxlink -d \S+ -m) *", r"-{61}|#.*"
        ),
        BundlePlace(r"ecn/config/[^/]+", "grep -r . /sys/class/net/"),
        BundlePlace(r"ecn/debug/[^/]+", "grep -r . /sys/kernel/debug/mlx5/"),
        BundlePlace(
            r"firmware/m(?:lx|st)config_[0-9a-f]+", "mlxconfig q", r"(?P<command>m(?:lx|st)config -d \S+ -e +q) *"
        ),
        # what `ethtool` says is in the page alone
        BundlePlace(
            r"(?!performance_tuning_analyze|sr_iov)[^/]+\.html",
            "ethtool",
            r"(?P<command>ethtool(?: +(?:-[ai]|--show-fec|--show-priv-flags))? +[\w.][\w.@-]*)",
            is_page=True,
        ),
    ),
    {},
)

TECHSUPPORT = Layout(
    "SONiC techsupport dump",
    "sonic",
    ("dump/CONFIG_DB.json", "dump/interface.status"),
    (
        BundlePlace(r"etc/sonic/config_db\.json", "cat /etc/sonic/config_db.json"),
        BundlePlace(r"dump/CONFIG_DB\.json", "sonic-db-dump -n CONFIG_DB -y"),
        BundlePlace(r"dump/STATE_DB\.json", "sonic-db-dump -n STATE_DB -y"),
        BundlePlace(r"dump/APPL_DB\.json", "sonic-db-dump -n APPL_DB -y"),
        BundlePlace(r"dump/lldpctl", "show lldp neighbors"),  # which runs it
        BundlePlace(r"dump/interface\.status", "show interfaces status"),
        BundlePlace(r"dump/version", "show version"),
        BundlePlace(r"dump/platform\.summary", "show platform summary"),
        BundlePlace(r"sai/pg_profile_lookup\.ini", "cat pg_profile_lookup.ini"),
    ),
    {
        r"etc/sonic/config_db\d+\.json|dump/CONFIG_DB\.json\.\d+": "the configuration of one ASIC of several",
    },
)

LAYOUTS = (SOS, SYSINFO, TECHSUPPORT)
_DEEPEST_ROOT = 8  # folders above a bundle
_SIGNS = tuple((f"/{sign}/", layout) for layout in LAYOUTS for sign in layout.signs)
_PLACES = {layout.name: tuple((regex(place.path), place) for place in layout.places) for layout in LAYOUTS}
