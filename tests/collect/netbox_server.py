"""A NetBox on loopback: the list of devices of its REST API, as its OpenAPI document describes it."""

import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

TOKEN = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class NetBox:
    """What it has, and what it was asked."""

    devices: Sequence[Mapping[str, Any]]
    token: str = f"Token {TOKEN}"
    public: str = ""
    """The address by which it calls itself, where a proxy stands before it."""
    redirect: str = ""
    drips: int = 0
    """2: answers by single bytes and without an end."""
    asked: list[tuple[str, str]] = field(default_factory=list)
    url: str = ""


def _slug(text: str) -> dict[str, Any]:
    return {"id": 1, "url": "", "display": text, "name": text.upper(), "slug": text}


def device(number: int, name: str | None, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a device as the API shows it; *more* overrides fields."""
    shown: dict[str, Any] = {
        "id": number,
        "url": f"/api/dcim/devices/{number}/",
        "display": name or f"device {number}",
        "name": name,
        "device_type": {"id": 1, "model": "N9K-C9364D", "slug": "n9k", "manufacturer": _slug("cisco")},
        "role": _slug("leaf"),
        "platform": _slug("nxos"),
        "site": _slug("ams1"),
        "status": {"value": "active", "label": "Active"},
        "primary_ip": {"id": 1, "family": {"value": 4}, "address": f"192.0.2.{number}/24"},
        "primary_ip4": None,
        "primary_ip6": None,
        "oob_ip": None,
        "tags": [_slug("roce")],
        "config_context": {},
        "local_context_data": None,
    }
    return shown | more


@contextmanager
def serving(box: NetBox) -> Iterator[NetBox]:
    """Serve *box*; its `url` says where."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:  # quiet
            pass

        def do_GET(self) -> None:
            box.asked.append((self.path, self.headers.get("Authorization", "")))
            parts = urlsplit(self.path)
            while box.drips:
                self.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n" if box.drips > 1 else b"[")
                self.wfile.flush()
                box.drips = 1
                time.sleep(0.1)
            if box.redirect:
                self.send_response(302)
                self.send_header("Location", box.redirect)
                self.end_headers()
                return
            if self.headers.get("Authorization") != box.token:
                self._answer(403, {"detail": "Invalid token"})
            elif parts.path != "/api/dcim/devices/":
                self._answer(404, {"detail": "Not found"})
            else:
                self._answer(200, _page(box, parse_qs(parts.query)))

        def _answer(self, status: int, body: object) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    box.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield box
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def _page(box: NetBox, query: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    found = [each for each in box.devices if _passes(each, query)]
    limit, offset = int(query.get("limit", ["50"])[0]), int(query.get("offset", ["0"])[0])
    limit = min(limit, 3)  # MAX_PAGE_SIZE: the server may give less than it is asked for
    more = {key: value for key, value in query.items() if key not in {"limit", "offset"}}
    asked = urlencode({**more, "limit": limit, "offset": offset + limit}, doseq=True)
    following = f"{box.public or box.url}/api/dcim/devices/?{asked}"
    return {
        "count": len(found),
        "next": following if offset + limit < len(found) else None,
        "previous": None,
        "results": found[offset : offset + limit],
    }


def _passes(each: Mapping[str, Any], query: Mapping[str, Sequence[str]]) -> bool:
    values = {
        "site": {each["site"]["slug"]},
        "role": {each["role"]["slug"]},
        "status": {each["status"]["value"]},
        "tag": {tag["slug"] for tag in each["tags"]},
    }
    return all(values[key] & set(wanted) for key, wanted in query.items() if key in values)
