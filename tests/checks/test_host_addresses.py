"""Routes of a NIC to its peers: the count by search is that of looking at each one."""

from ipaddress import IPv4Address, IPv6Address, ip_address

from hypothesis import given
from hypothesis import strategies as st

from auditor.checks.hostaddresses import Namesakes, RailRoutes
from auditor.fabric.addresses import NicAddress
from auditor.model.device import Device
from auditor.model.fabric import Attached
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin

HOSTS = [Device(f"gpu{number}", "host", "linux", "") for number in range(4)]
PORT = Port("rail0", PortConfig())
ADDRESSES = st.integers(0, 31).map(lambda n: str(IPv4Address("10.0.0.0") + n)) | st.integers(0, 31).map(
    lambda n: str(IPv6Address("fd00::") + n)
)
NETWORKS = st.one_of(
    st.just("default"),
    st.tuples(st.integers(0, 7), st.integers(28, 32)).map(
        lambda n: f"10.0.0.{(4 * n[0]) & (256 - 2 ** (32 - n[1]))}/{n[1]}"
    ),
    st.sampled_from(["fd00::/124", "fd00::10/125", "fd00::/120", "10.9.0.0/16"]),
)
NICS = st.lists(st.tuples(st.sampled_from(HOSTS), ADDRESSES), max_size=30)


@given(NICS, st.lists(NETWORKS, max_size=5))
def test_the_count_of_lost_peers(nics: list[tuple[Device, str]], networks: list[str]) -> None:
    listed = tuple(NicAddress(device, PORT, address, None, None, frozenset()) for device, address in nics)
    own = tuple(each for each in listed if each.device is HOSTS[0])
    destinations = Known(tuple(networks), Origin.LEARNED)
    routes = RailRoutes(Attached(HOSTS[0], PORT), destinations, Namesakes(listed, 0), own, (), None)
    for version in (4, 6):
        peers = [each for each in listed if each.device is not HOSTS[0] and ip_address(each.address).version == version]
        lost = [each for each in peers if not routes.reaches(each.address)]
        assert routes.count_lost(version) == len(lost)
        if lost:
            assert routes.find_lost([version]) is lost[0]
    assert routes.has_peers == any(each.device is not HOSTS[0] for each in listed)
