"""The table of DCQCN parameters: each in its own range, and named once per vendor."""

from auditor.fabric.dcqcn import find_parameter, label_parameter, load_parameters


def test_each_default_lies_in_its_range() -> None:
    for (vendor, name), parameter in load_parameters().items():
        least, most = parameter.range_at(400)
        assert parameter.sources, (vendor, name)
        if parameter.default is not None:
            assert least is None or least <= parameter.default, (vendor, name)
            assert most is None or parameter.default <= most, (vendor, name)


def test_all_vendors_are_there() -> None:
    assert {vendor for vendor, _ in load_parameters()} == {"NVIDIA", "AMD", "Intel", "Broadcom"}


def test_the_same_name_has_another_unit_at_another_vendor() -> None:
    nvidia, amd = find_parameter("NVIDIA", "rpg_time_reset"), find_parameter("AMD", "time_reset")
    assert nvidia is not None
    assert amd is not None
    assert (nvidia.symbol, nvidia.unit) == ("T", "us")
    assert (amd.symbol, amd.unit) == ("T", "updates of alpha")


def test_a_rate_ends_at_the_speed_of_the_port() -> None:
    rate = find_parameter("NVIDIA", "RPG_MIN_RATE_P2")
    assert rate is not None
    assert (rate.range_at(100), rate.range_at(None)) == ((1, 100_000), (1, None))


def test_a_stranger_keeps_its_name() -> None:
    assert label_parameter("Marvell", "dcqcn_k_us") == "dcqcn_k_us"
    assert find_parameter(None, "rpg_gd") is None
