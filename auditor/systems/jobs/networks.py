"""Networks of pods that carry RDMA, and their MTU: CNI configurations, and policies for virtual functions.

A network without an MTU of its own takes over the MTU of the interface below; its MTU is unset.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from auditor.model.jobs import PodNetwork
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unset
from auditor.systems.jobs.manifest import ManifestObject
from auditor.systems.jobs.tree import Value
from auditor.util.regex import regex
from auditor.util.surrogates import replace_halves

POLICY, ATTACHMENT = "SriovNetworkNodePolicy", "NetworkAttachmentDefinition"
OPERATED = frozenset({"MacvlanNetwork", "HostDeviceNetwork"})
"""Kinds of the NVIDIA network operator, which creates an attachment of the same name."""
_CREATORS = frozenset({"IPoIBNetwork", "SriovNetwork", "SriovIBNetwork", "OVSNetwork", *OPERATED})
"""Kinds of operators that create an attachment of the same name in the namespace that they name."""
MAX_CONFIG = 2**16
MAX_MTU = 2**17
_RDMA = regex(r"rdma|roce", re.IGNORECASE)
_RESOURCE = "k8s.v1.cni.cncf.io/resourceName"


def list_networks(found: ManifestObject, used: Collection[str]) -> Iterator[PodNetwork]:
    """Yield the RDMA network of *found*; *used* names the networks of RDMA jobs."""
    spec = found.root["spec"]
    is_named = found.key[1] in used or bool(_RDMA.search(found.key[1]))
    is_policy = found.kind == POLICY and (spec["isRdma"].text or "").lower() == "true"
    if is_policy or (found.kind in OPERATED and is_named):
        yield _make_network(found, _parse_mtu(found, spec["mtu"]), _read_masters(found, spec["master"]))
    elif found.kind == ATTACHMENT:
        plugins = _parse_plugins(spec["config"].text or "")
        resource = found.root["metadata"]["annotations"][_RESOURCE].text or ""
        if is_named or _RDMA.search(resource) or any(plugin.get("type") == "rdma" for plugin in plugins):
            masters = _find_plugin_masters(found, spec["config"], plugins)
            yield _make_network(found, _find_plugin_mtu(found, spec["config"], plugins), masters)


def find_key(found: ManifestObject) -> tuple[str, str] | None:
    """Return namespace and name of the network that *found* defines, None if it defines none.

    An empty namespace is chosen where the manifest is applied.
    """
    if found.kind == ATTACHMENT:
        return found.key
    return (found.root["spec"]["networkNamespace"].text or "", found.key[1]) if found.kind in _CREATORS else None


def _make_network(found: ManifestObject, mtu: Setting[int], masters: Setting[tuple[str, ...]]) -> PodNetwork:
    return PodNetwork(found.name, found.where(found.root["metadata"]["name"]), mtu, masters)


def _read_masters(found: ManifestObject, value: Value) -> Setting[tuple[str, ...]]:
    return Known((value.text,), Origin.INTENDED, found.where(value)) if value.text else NOT_COLLECTED


def _find_plugin_masters(
    found: ManifestObject, config: Value, plugins: list[Mapping[str, Any]]
) -> Setting[tuple[str, ...]]:
    """Return the netdevs of the node that the plugins name: those below a macvlan or ipvlan, and devices moved."""
    named = [plugin.get(key) for plugin in plugins for key in ("master", "device")]
    masters = tuple(str(name) for name in named if isinstance(name, str) and name)
    if not masters:
        return NOT_COLLECTED
    index = next((index for index, line in config.lines() if masters[0] in line), config.line)
    found.where(config)
    return Known(masters, Origin.INTENDED, found.line(index))


def _parse_mtu(found: ManifestObject, value: Value) -> Setting[int]:
    size = _parse_size(value.text)
    return Known(size, Origin.INTENDED, found.where(value)) if size else Unset(found.where(found.root["spec"]))


def _parse_size(written: object) -> int:
    text = str(written)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 and int(text) < MAX_MTU else 0  # noqa: PLR2004  digits


def _parse_plugins(config: str) -> list[Mapping[str, Any]]:
    """Return the plugins of a CNI configuration in running order; empty if the configuration is unreadable."""
    if len(config) > MAX_CONFIG:
        return []
    try:
        data = json.loads(replace_halves(config))
    except (ValueError, RecursionError):
        return []
    listed = data.get("plugins", [data]) if isinstance(data, dict) else []
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []


def _find_plugin_mtu(found: ManifestObject, config: Value, plugins: list[Mapping[str, Any]]) -> Setting[int]:
    """Return the MTU of the last plugin that sets one: each plugin overrides earlier plugins."""
    size = next((size for plugin in reversed(plugins) if (size := _parse_size(plugin.get("mtu")))), 0)
    if not size:
        return Unset(found.where(config))
    written = re.compile(rf"\"mtu\"\s*:\s*\"?{size}\b")
    index = next((index for index, line in config.lines() if written.search(line)), config.line)
    found.where(config)
    return Known(size, Origin.INTENDED, found.line(index))
