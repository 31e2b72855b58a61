"""The tables of the port view: no field of a port is lost between them, and rows have the same columns."""

from auditor.view.documents import ClassifierView, EcmpView, EndView, FabricView, MatchView, PortView
from auditor.view.tables import _columns, list_maps, list_parts, list_ports

ELSEWHERE = {"classes", "classifiers", "policers", "queues", "priority_groups"}
"""Fields of a port that are tables of their own."""


def port(**fields: object) -> PortView:
    empty = dict.fromkeys(PortView.model_fields)
    return PortView.model_validate({**empty, "name": "Ethernet1/1", "aliases": [], **fields})


def view(given: PortView) -> FabricView:
    device = {"name": "leaf1", "kind": "switch", "os": "x", "source": "x", "ports": [given]}
    ecmp = dict.fromkeys(EcmpView.model_fields)
    rest = ("os_version", "model", "asic", "role", "buffer_architecture", "captured_at", "pools")
    return FabricView.model_validate({"devices": [{**dict.fromkeys(rest), **device, "ecmp": ecmp}], "links": []})


def test_every_field_of_a_port_is_in_a_table() -> None:
    (row,) = list_ports(view(port()))
    documents = {name for name, shape, _ in _columns(PortView) if shape == "document"}
    maps = {name for name, shape, _ in _columns(PortView) if shape == "map"}
    plain = {"port" if name == "name" else name for name in PortView.model_fields} - documents - maps - ELSEWHERE
    assert plain <= {*row}
    assert documents == {"peer", "nic", "hardware", "headroom_needed"}
    assert all(any(column.startswith(f"{name}_") for column in row) for name in documents)


def test_a_document_without_value_keeps_its_columns() -> None:
    (without,), (given,) = (list_ports(view(port(peer=peer))) for peer in (None, EndView(device="a", port="b")))
    assert [*without] == [*given]
    assert (without["peer_device"], given["peer_device"], given["peer_port"]) == (None, "a", "b")


def test_numbers_are_fractions_in_every_row() -> None:
    (row,) = list_ports(view(port(speed_gbps=400, lanes=4)))
    assert (type(row["speed_gbps"]), type(row["lanes"])) == (float, int)


def test_entries_of_maps() -> None:
    rows = list_maps(view(port(dscp_to_class={"26": "3"}, counters={"drops": 7})))
    assert [(row["map"], row["key"], row["value"]) for row in rows] == [
        ("dscp_to_class", "26", "3"),
        ("counters", "drops", "7"),
    ]


def test_parts_of_a_port() -> None:
    match = MatchView(dscp=[26], pcp=[], acl=None, udp_port=None, family=None)
    step = ClassifierView.model_validate({"match": match, "class": "3", "order": 1})
    (row,) = list_parts(view(port(classifiers=[step])), "classifiers")
    assert (row["port"], row["match_dscp"], row["class"], row["order"]) == ("Ethernet1/1", [26], "3", 1)
    assert list_parts(view(port()), "classifiers") == []
