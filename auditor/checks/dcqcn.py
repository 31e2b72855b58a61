"""DCQCN at the NIC: the notification point (NP), the reaction point (RP), and the ranges of their parameters."""

from collections.abc import Iterable, Iterator

from pydantic import Field

from auditor.checks.base import Context, Params, PortTraffic, list_nic_rdma_traffic
from auditor.fabric.dcqcn import CNP_INTERVAL, Parameter, find_parameter, label_parameter
from auditor.grammar.numbers import parse_whole
from auditor.model.device import Device
from auditor.model.finding import Finding, LossKind, Sign, Symptom
from auditor.model.nic import Nic, Switches
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Setting, Undetermined, value_of
from auditor.packet.classify import sends_cnps, takes_part
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class DcqcnPoint:
    """One of the two points of DCQCN on a NIC, for one RDMA class."""

    given: PortTraffic
    name: str
    does: str
    sign: Sign
    switches: Setting[Switches]


def list_points(port: PortConfig, context: Context) -> Iterable[DcqcnPoint]:
    """Return NP and RP apart; a NIC whose congestion control is not DCQCN needs neither."""
    nic = port.nic
    if nic is None or not sends_cnps(nic, context.intent):
        return ()
    return tuple(point for given in list_nic_rdma_traffic(port, context) for point in _make_points(given, nic))


def _make_points(given: PortTraffic, nic: Nic) -> tuple[DcqcnPoint, DcqcnPoint]:
    return (
        DcqcnPoint(given, "NP", "no CNP is sent for marked packets", Sign.MARKS_UNANSWERED, nic.dcqcn_np),
        DcqcnPoint(given, "RP", "CNPs do not slow this sender down", Sign.CNPS_IGNORED, nic.dcqcn_rp),
    )


def dcqcn_off(point: DcqcnPoint, _params: Params, _context: Context) -> Iterator[Finding]:
    """Marks without a notification or a reaction do not slow anyone down."""
    priority = point.given.traffic.priority.known().value
    running = point.switches.known().value.get(priority)
    if running is None:
        raise Undetermined(f"no capture shows DCQCN {point.name} on priority {priority}")
    if not running.value:
        message = f"DCQCN {point.name} is off on priority {priority}: {point.does}"
        key = f"{point.name} {point.given.traffic.name}"
        yield Finding(message, running.where, key=key, loss=LossKind.NO_REACTION, symptom=Symptom((point.sign,)))


@dataclass(frozen=True, slots=True)
class DcqcnSetting:
    """A DCQCN parameter of the table as a host has it; `port` is None where it holds for all NICs of the driver."""

    device: Device
    port: Port | None
    name: str
    value: Known[float]
    parameter: Parameter


def list_settings(device: Device, _context: Context) -> Iterable[DcqcnSetting]:
    """Return the DCQCN parameters of RoCE NICs, and those of Intel's driver where they are enabled."""
    if device.kind != "host":
        return ()
    return (*_list_nic_settings(device), *_list_driver_settings(device))


def _list_nic_settings(device: Device) -> Iterator[DcqcnSetting]:
    for port in device.ports:
        nic = port.config.nic
        if nic is None or not takes_part(port.config):
            continue
        for name, value in (value_of(nic.dcqcn) or {}).items():
            parameter = find_parameter(value_of(nic.vendor), name)
            if parameter:
                yield DcqcnSetting(device, port, name, value, parameter)


def _list_driver_settings(device: Device) -> Iterator[DcqcnSetting]:
    given = (value_of(device.host.module_parameters) if device.host else None) or {}
    in_force = given.get("irdma.dcqcn_cc_cfg_valid")
    if in_force is None or in_force.value.upper() not in {"Y", "1"}:
        return
    for name, text in given.items():
        parameter = find_parameter("Intel", name)
        number = parse_whole(text.value)
        if parameter and number is not None:
            yield DcqcnSetting(device, None, name, Known(float(number), text.origin, text.where), parameter)


def dcqcn_out_of_range(given: DcqcnSetting, _params: Params, _context: Context) -> Iterator[Finding]:
    """A value beyond the range of the hardware is cut or refused, so the running value is unknown."""
    port, value = given.port, given.value.value
    speed = value_of(port.config.ethernet.speed_gbps) if port else None
    where = port.locate(given.value.where) if port else given.value.where
    least, most = given.parameter.range_at(speed)
    if most is None and given.parameter.up_to_line_rate and (least is None or value >= least):
        what = label_parameter(given.parameter.vendor, given.name)
        raise Undetermined(f"no capture shows the port's speed, the most that DCQCN {what} may be", where)
    if (least is None or value >= least) and (most is None or value <= most):
        return
    allowed = f"{least:g} to {most:.0f}" if least is not None and most is not None else f"{least or 0:g} or more"
    yield Finding(
        f"DCQCN {label_parameter(given.parameter.vendor, given.name)} is {value:g}, outside its range of {allowed}",
        where,
        key=given.name,
        device=given.device.name,
        port=port.name if port else "",
        facts=tuple(_list_usual(given)),
    )


def _list_usual(given: DcqcnSetting) -> Iterator[tuple[str, str]]:
    """Yield the vendor's default of a parameter, with the name and the folder of its file."""
    if given.parameter.default is not None:
        yield "usual", f"{given.parameter.default:g}"
        yield "name", given.name.removeprefix("irdma.")
        yield "side", "roce_np" if given.parameter.symbol == CNP_INTERVAL else "roce_rp"


class CnpIntervalParams(Params):
    """The longest time between CNPs of a flow, in microseconds, at which senders still slow down in time."""

    most_us: float = Field(default=100, gt=0)


def list_cnp_intervals(device: Device, context: Context) -> Iterable[DcqcnSetting]:
    """Return the least times between CNPs of RoCE NICs."""
    return tuple(each for each in list_settings(device, context) if each.parameter.symbol == CNP_INTERVAL)


def cnps_too_rare(given: DcqcnSetting, params: CnpIntervalParams, _context: Context) -> Iterator[Finding]:
    """A sender slows down once for each CNP: between two CNPs it goes on at a rate that the fabric cannot carry."""
    port, value = given.port, given.value
    if value.value > params.most_us:
        message = (
            f"{given.name} is {value.value:g} us: a sender hears of congestion too seldom, and queues grow meanwhile; "
            f"at most {params.most_us:g} us"
        )
        yield Finding(
            message,
            port.locate(value.where) if port else value.where,
            key=given.name,
            device=given.device.name,
            port=port.name if port else "",
        )
