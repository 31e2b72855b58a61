"""The devices of a NetBox, over its REST API."""

import ipaddress
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from auditor.collect.target import Inventory, InventoryError, Target, make_inventory, make_target

TOKEN = "NETBOX_TOKEN"  # noqa: S105  the name of a variable of the environment
PAGE = 200
MAX_PAGES = 2000
MAX_PAGE_BYTES = 2**26
TIMEOUT_S = 30.0
"""Of one wait for the NetBox."""
MAX_S = 300
"""Seconds for all pages."""
_LONGEST = 200
_V2 = "nbt_"
"""The prefix of bearer tokens (NetBox 4.5 and later); older tokens use NetBox's own scheme."""
_SETTINGS = "roce_audit"
"""The key of a device's config context that may hold `sudo`, `port`, `username` or `platform`."""


def read_netbox(
    url: str, token: str | None, filters: Mapping[str, Sequence[str]], *, insecure_http: bool = False
) -> Inventory:
    """Return the devices of the NetBox at *url* that pass *filters*; raises InventoryError.

    The token goes over HTTPS or to this machine, over plain HTTP to another only with *insecure_http*.
    *filters* are NetBox's own: `site`, `role`, `tag` and `status` by slug (`status` is `active` where none is given).
    """
    if not token:
        raise InventoryError(f"{url}: API token missing; set the environment variable {TOKEN}")
    _require_httpx(url)
    _check_address(url, insecure_http=insecure_http)
    notes: list[str] = []
    query = {"status": ["active"], **filters}
    devices = list(_list_devices(url.rstrip("/"), token, query))
    return make_inventory([found for each in devices if (found := _make_target(url, each, notes)) is not None], notes)


def _require_httpx(url: str) -> None:
    try:
        import httpx  # noqa: F401, PLC0415  an extra: most inventories are files
    except ImportError:
        why = "a NetBox needs the package httpx"
        raise InventoryError(f"{url}: {why}; install roce-audit with its extra `netbox`") from None


def _check_address(url: str, *, insecure_http: bool) -> None:
    """Raise InventoryError if anybody on the way to *url* could read the token."""
    import httpx  # noqa: PLC0415  deferred: only this inventory needs it

    try:
        address = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise InventoryError(f"{url}: {error}; expected the address of a NetBox") from None
    if address.userinfo:
        raise InventoryError(f"{address.host}: expected an address without user and password; set {TOKEN}")
    if address.scheme != "https" and not _is_loopback(address.host) and not insecure_http:
        raise InventoryError(
            f"{url}: the API token would cross the network in clear text; use https://, or allow it by --insecure-http"
        )


def _is_loopback(host: str) -> bool:
    """Return whether *host* is this machine.

    >>> _is_loopback("127.8.9.1"), _is_loopback("::1"), _is_loopback("localhost.example.net")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _list_devices(base: str, token: str, query: Mapping[str, Sequence[str]]) -> Iterator[Mapping[str, Any]]:
    import httpx  # noqa: PLC0415  deferred: only this inventory needs it

    scheme = "Bearer" if token.startswith(_V2) else "Token"
    headers = {"Authorization": f"{scheme} {token}", "Accept": "application/json"}
    pairs = [(key, value) for key, values in query.items() for value in values] + [("limit", str(PAGE))]
    address = str(httpx.URL(f"{base}/api/dcim/devices/", params=pairs))
    parts = httpx.URL(base)
    # A proxy of the environment would read what goes to this machine over plain HTTP.
    trusts = parts.scheme == "https" or not _is_loopback(parts.host)
    until = time.monotonic() + MAX_S
    with httpx.Client(headers=headers, timeout=TIMEOUT_S, follow_redirects=False, trust_env=trusts) as client:
        for _ in range(MAX_PAGES):
            page = _fetch_page(client, address, until)
            yield from page["results"]
            if not page.get("next"):
                return
            address = _resolve_next(base, str(page["next"]))
    raise InventoryError(f"{base}: more than {MAX_PAGES} pages of devices; filter by site, role or tag")


def _read_body(answer: Any, place: str, until: float) -> bytes:  # noqa: ANN401  httpx is imported lazily
    body = bytearray()
    for chunk in answer.iter_bytes():
        body += chunk
        if time.monotonic() > until:
            raise InventoryError(f"{place}: no list of devices within {MAX_S} s; filter by site, role or tag")
        if len(body) > MAX_PAGE_BYTES:
            raise InventoryError(f"{place}: more than {MAX_PAGE_BYTES} bytes in one page")
    return bytes(body)


def _fetch_page(client: Any, address: str, until: float) -> Mapping[str, Any]:  # noqa: ANN401  httpx is imported lazily
    import httpx  # noqa: PLC0415

    place = address.partition("?")[0]
    try:
        with client.stream("GET", address) as answer:
            body = _read_body(answer, place, until)
            if answer.status_code in {401, 403}:
                raise InventoryError(f"{place}: token refused (HTTP {answer.status_code}); check {TOKEN}")
            if answer.is_redirect:
                there = answer.headers["location"].partition("?")[0][:_LONGEST]
                raise InventoryError(f"{place}: redirects to {there!r}, which gets no token; give the address itself")
            if answer.status_code != httpx.codes.OK:
                raise InventoryError(f"{place}: HTTP {answer.status_code}; check the address of the NetBox")
            page = httpx.Response(200, content=body).json()
    except httpx.HTTPError as error:
        raise InventoryError(f"{place}: {error or type(error).__name__}") from None
    except ValueError as error:
        if isinstance(error, InventoryError):
            raise
        raise InventoryError(f"{place}: answer is not JSON; check the address of the NetBox") from None
    if not isinstance(page, dict) or not isinstance(page.get("results"), list):
        raise InventoryError(f"{place}: answer lists no devices; check the address of the NetBox")
    return page


def _resolve_next(base: str, following: str) -> str:
    """Return the address of the next page on the same host: no other host may get the token.

    A NetBox behind a proxy may name itself by another scheme or host, so only path and query count.
    """
    there, here = urlsplit(following), urlsplit(base)
    if not there.path.startswith(f"{here.path.rstrip('/')}/api/"):
        raise InventoryError(f"{base}: next page {following!r} is outside the API")
    return f"{here.scheme}://{here.netloc}{there.path}?{there.query}"


def _make_target(url: str, device: Mapping[str, Any], notes: list[str]) -> Target | None:
    name = device.get("name")
    number = device.get("id")
    if not name:
        notes.append(f"device {number} of {url} is skipped: no name")
        return None
    address = _find_address(device)
    if address is None:
        notes.append(f"{name} has no primary address in {url}; its name is resolved instead")
    context = device.get("config_context")
    own = context.get(_SETTINGS) if isinstance(context, Mapping) else None
    said = {
        "hostname": address,
        "platform": _get_slug(device.get("platform")),
        **(own if isinstance(own, Mapping) else {}),
    }
    return make_target(f"{url}: device {number}", str(name), said)


def _find_address(device: Mapping[str, Any]) -> str | None:
    """Return the primary address of a device, else the management address, without the prefix length."""
    for key in ("primary_ip", "primary_ip4", "primary_ip6", "oob_ip"):
        found = device.get(key)
        text = found.get("address") if isinstance(found, Mapping) else None
        if isinstance(text, str):
            try:
                return str(ipaddress.ip_interface(text).ip)
            except ValueError:
                continue
    return None


def _get_slug(thing: object) -> str | None:
    return str(thing["slug"]) if isinstance(thing, Mapping) and thing.get("slug") else None
