"""The commands that are known, and the reader of each."""

from dataclasses import dataclass

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.parsers.host import (
    amd,
    dcb,
    ethtool,
    files,
    ibv_devinfo,
    ip_link,
    lldp,
    mlnx_qos,
    mlxconfig,
    nvidia,
    rdma,
    text,
    tlv,
)
from auditor.parsers.host.evidence import (
    Call,
    Events,
    Hostname,
    Reader,
    Statement,
    Strength,
    modelled,
    nic_port,
    not_modelled,
)

_QOS = (
    "config.pfc.mode",
    "config.pfc.priorities",
    "config.pfc.tx_priorities",
    "config.pfc.rx_priorities",
    "config.classification.trust",
    "config.classification.classes",
    "config.classification.dscp_to_class",
    "config.queues",
    "config.priority_groups",
    "config.nic.receive_buffers_bytes",
    "config.nic.cable_length_m",
)
_PAUSE = ("config.pause.rx", "config.pause.tx")
_DRIVER = ("config.nic.driver", "config.nic.firmware", "config.nic.vendor")
_IP_LINK = ("config.ethernet.mtu_bytes", "config.ethernet.ip_mtu_bytes", "config.ethernet.enabled")
_RDMA = ("config.nic.rdma_device",)
_DEVINFO = ("config.nic.link_layer", "config.nic.transport", "config.nic.active_mtu_bytes")
_FIRMWARE = ("config.nic.dcqcn", "config.nic.cnp_dscp", "config.nic.next_boot", "config.nic.cc_engine")
_LINK = ("config.ethernet.speed_gbps", "config.ethernet.lanes", "config.ethernet.fec")


@dataclass(frozen=True, slots=True)
class Command:
    """A command: the form it is typed in, what its output looks like, its reader, and what an error leaves unknown.

    In `name` brackets hold an argument that need not be known.
    In `form` a space stands for any separator (a file name has `_` there) and `{netdev}` and the like for an
    argument; `content` is looked for in the first lines of a capture.
    """

    name: str
    form: str
    read: Reader
    silent: tuple[str, ...] = ()
    content: str = ""


def _read_hostname(capture: Capture, call: Call) -> Events:
    for index, line in text.lines(capture):
        words = line.split()
        name = words[1] if call.text.endswith("-a") and len(words) > 1 else words[-1]
        if not text.is_error(line) and (not line.startswith("Static") or "hostname:" in line):
            yield Hostname(name)
            yield modelled(index)
        break


def _read_nothing(capture: Capture, call: Call) -> Events:
    """Yield that no line has a place in the model; that the command was run on a netdev makes a port of it."""
    if call.subject.is_named:
        yield Statement(call.subject, nic_port(Nic(), capture.where(0)), Strength.NIC)
    yield from (not_modelled(index) for index, _ in text.lines(capture))


_IP_OPTIONS = r"(?: -[a-z]+)*"
_DEVICE = r"(?: -d {device}| -e| -p [0-9]+| -m| -c| --[a-z_]+(?: [A-Z_]+)?)*"

COMMANDS: tuple[Command, ...] = (
    Command(
        "set-rdma-qos.sh",
        r"(?:ba)?(?:sh )?(?:\.)?/?set-rdma-qos\.sh(?: q(?:uery)?)?",
        nvidia.read_set_rdma_qos,
        _QOS,
        r"^=+ ?show configuration for device ",
    ),
    Command(
        "mlnx_qos[ -i {netdev}]",
        r"mlnx_qos(?: -a)?(?: (?:-i|--interface) {netdev})?(?: -.*)?",
        mlnx_qos.read,
        _QOS,
        r"^\s*(?:Priority trust state: *\S+$|DCBX mode: (?:OS|Firmware) controlled|tc: *\d+ ratelimit: )",
    ),
    Command(
        "ip -d link",
        rf"ip{_IP_OPTIONS} (?:link|addr|address|l|a)(?: (?:show|list|ls|s))?(?: (?:dev )?{{netdev}})?",
        ip_link.read,
        _IP_LINK,
        r"^\d+: [^\s:]+: <[A-Z_,0-9-]*> mtu \d+"
        r"|\"ifindex\"\s*:\s*\d+\s*,\s*(?:\"link\"\s*:[^,]*,\s*)?\"ifname\"\s*:\s*\"[^\"]*\"\s*,\s*\"flags\"",
    ),
    Command(
        "ethtool -i[ {netdev}]", r"ethtool (?:-i|--driver) {netdev}", ethtool.read_driver, _DRIVER, r"^driver: \S+$"
    ),
    Command(
        "ethtool -a[ {netdev}]",
        r"ethtool(?: -I| --include-statistics| --json)* (?:-a|--show-pause) {netdev}",
        ethtool.read_pause,
        _PAUSE,
        r"^Pause parameters for |\"ifname\"\s*:\s*\"[^\"]*\"\s*,\s*\"autonegotiate\"",
    ),
    Command(
        "ethtool -S[ {netdev}]",
        r"ethtool (?:-S|--statistics) {netdev}",
        ethtool.read_statistics,
        (),
        r"^NIC statistics:",
    ),
    Command(
        "ethtool --show-fec[ {netdev}]",
        r"ethtool --show-fec {netdev}",
        ethtool.read_fec,
        ("config.ethernet.fec",),
        r"^FEC parameters for ",
    ),
    Command("ethtool OPTION[ {netdev}]", r"ethtool(?: --json)? --?[A-Za-z][a-z-]* {netdev}", _read_nothing),
    Command("ethtool[ {netdev}]", r"ethtool {netdev}", ethtool.read_link, _LINK, r"^Settings for \S+:$"),
    Command(
        "show_gids",
        r"show_gids(?: {rdma})?",
        rdma.read_gids,
        ("config.nic.gids",),
        r"^DEV\s+PORT\s+INDEX\s+GID|n_gids_found=",
    ),
    Command(
        "ibdev2netdev",
        r"ibdev2netdev(?: -v)?",
        rdma.read_ibdev2netdev,
        _RDMA,
        r"^\S+ port \d+ ==> |^\S+ \S+ \(.{1,300}? port \d+ \(\w+\) +==> ",
    ),
    Command(
        "rdma statistic",
        r"rdma(?: -[a-z]+)* stat(?:istics?)?(?: show)?(?: link)?(?: .+)?",
        rdma.read_statistic,
        (),
        r"^link \S+/\d+ (?:rx_|tx_|out_|[a-z_]+ \d+ )"
        r"|\"ifname\"\s*:\s*\"[^\"]*\"\s*,\s*\"port\"\s*:\s*\d+\s*,\s*\"(?:rx|tx|out|req|resp)_",
    ),
    Command(
        "rdma link",
        r"rdma(?: -[a-z]+)* link(?: show)?(?: .+)?",
        rdma.read_link,
        _RDMA,
        r"^(?:link |\d+/\d+: )\S+/\d+:? (?:subnet_prefix \S+ .*)?state |\"physical_state\" *:",
    ),
    Command(
        "rdma dev",
        r"rdma(?: -[a-z]+)* dev(?: show)?(?: .+)?",
        rdma.read_device,
        (),
        r"^\d+: \S+: node_type |\"node_type\" *:",
    ),
    Command("ibv_devinfo -v", r"ibv_devinfo(?: -.+)?", ibv_devinfo.read, _DEVINFO, r"^hca_id:\s"),
    Command(
        "mlxconfig[ -d {device}] q",
        rf"m(?:lx|st)config{_DEVICE} (?:q|query)(?: .+)?",
        mlxconfig.read,
        _FIRMWARE,
        r"^Configurations:\s.*Next Boot|^\*?\s+(?:RPG_TIME_RESET|ROCE_CC_PRIO_MASK|CNP_DSCP)_P1\s",
    ),
    Command(
        "mlxlink[ -d {device}]",
        rf"mlxlink{_DEVICE}",
        nvidia.read_mlxlink,
        _LINK,
        r"^\W*Operational Info|\"Operational Info\"",
    ),
    Command("mst status -v", r"mst status(?: -v)?", nvidia.read_mst, (), r"^MST modules:"),
    Command(
        "mlxreg[ -d {device}] --get --reg_name ROCE_ACCL",
        r"mlxreg(?: -d {device}| --get| -g| --reg_name ROCE_ACCL)*",
        nvidia.read_mlxreg,
        ("config.nic.adaptive_routing",),
        r"^(?:roce_adp_retrans|adaptive_routing_forced)\w* +\|",
    ),
    Command("mlxreg", r"mlxreg .+", _read_nothing),
    Command(
        "cma_roce_tos[ -d {rdma}]",
        r"cma_roce_tos(?: -d {rdma})?(?: -p [0-9]+)?",
        nvidia.read_cma_roce_tos,
        ("config.nic.rdma_cm_tos",),
    ),
    Command(
        "lldpctl -f json0",
        r"lldpc(?:tl|li)(?: show neighbors)?(?: details)?(?: -f (?:json0?|plain))?(?: .+)?",
        lldp.read,
        ("peer",),
        r"^LLDP neighbors:|\A\s*\{\s*\"lldp\"\s*:\s*[\[{]",
    ),
    Command(
        "dcb[ OBJECT show dev {netdev}]",
        r"dcb(?: -[A-Za-z]+)* (?:pfc|ets|app|buffer) show(?: dev)? {netdev}(?: [a-z-]+)*",
        dcb.read,
        _QOS,
        r"^(?:prio-pfc|prio-tc|tc-tsa|dscp-prio|prio-buffer) [0-9A-Z]+:"
        r"|\"(?:prio_pfc|tc_tsa|dscp_prio|prio_buffer)\"\s*:",
    ),
    Command("dcb", r"dcb(?: -[A-Za-z]+)* [a-z]+(?: show(?: dev)? {netdev})?(?: [a-z-]+)*", _read_nothing),
    Command(
        "niccli --list_devices",
        r"niccli (?:--list_devices|--list)",
        amd.read_niccli_devices,
        (),
        r"^\d+\) Broadcom \S+ .*Adp#",
    ),
    Command(
        "niccli qos --ets --show",
        r"niccli(?: --?dev \S+)? qos --ets --show",
        tlv.read,
        _QOS,
        r"^IEEE 8021QAZ \w+ .*TLV:$",
    ),
    Command("niccli", r"niccli .+", _read_nothing),
    Command(
        "lldptool -ti[ {netdev}]",
        r"lldptool (?:-t -i|-ti|-tni|-tin|-t -n -i|get-tlv -i) {netdev}(?: -n)?(?: -V .+)?(?: -n)?",
        tlv.read,
        (*_QOS, "peer"),
    ),
    Command("nicctl show qos", r"nicctl show qos", amd.read_qos, _QOS, r"^ *Classification type +:"),
    Command(
        "nicctl show dcqcn", r"nicctl show dcqcn(?: .+)?", amd.read_dcqcn, ("config.nic.dcqcn",), r"^ROCE device +:"
    ),
    Command("nicctl show port", r"nicctl show port(?: .+)?", amd.read_port, _IP_LINK, r"^Port : [0-9a-f-]{36} \(eth"),
    Command("nicctl", r"nicctl .+", _read_nothing, content=r"^NIC +: [0-9a-f-]{20,40} +\([0-9a-f:.]+\) :"),
    Command("NCCL log", r"NCCL .+", rdma.read_nccl, (), r"NCCL INFO NET/IB : Using "),
    Command("hostname", r"hostname(?: -[sf])?|uname -n|uname -a|hostnamectl(?: .+)?", _read_hostname),
    Command(
        "other",
        r"(?:sysctl|lsmod|lspci|dmesg|tc|nvidia-smi|rocm-smi|ofed_info|devlink|uname|ibstat|ibstatus|numactl|systemctl"
        r"|journalctl|cma_roce_mode|flint|mlxfwmanager|lscpu|modinfo|ls|readlink)(?: (?:-|qdisc|class|filter|show|topo"
        r"|net\.|dev|port|is-active|sys|mlx|bnxt|irdma|ice|ionic|nvidia).*)?"
        r"|ip(?: -[a-z]+)* (?:route|rule|neigh|netns|-V).*|rdma(?: -[a-z]+)* (?:res|resource|system).*",
        _read_nothing,
        content=r"^(?:qdisc \S+ \S+ dev |\[ *\d+\.\d+\] \S|[0-9a-f:]{5,12}\.\d (?:Ethernet|Infiniband) controller"
        r"|\s+GPU0\b)",
    ),
)

FILES = Command("cat FILE", "", files.read)
