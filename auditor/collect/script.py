"""A POSIX shell script that gathers the captures of a Linux host into a transcript."""

from collections.abc import Iterator
from importlib.resources import files

from auditor import __version__
from auditor.systems.linux.fetch import ADAPTER, HOST, NETDEV, RDMA, Fetch
from auditor.systems.linux.show import SCRIPTED
from auditor.util.regex import regex

_SLOT = regex(r"\{(\w+)\}")
_LOOPS = {
    HOST: (),
    ADAPTER: ("for adapter in $(adapters); do",),
    RDMA: ("for rdma in $rdmas; do", '    driver=$(target "$root/sys/class/infiniband/$rdma/device/driver")'),
    NETDEV: (
        "for netdev in $netdevs; do",
        '    pci=$(target "$root/sys/class/net/$netdev/device")',
        '    driver=$(target "$root/sys/class/net/$netdev/device/driver")',
    ),
}


def build_script() -> str:
    """Return the script, which any POSIX shell runs without further tools."""
    prelude = files("auditor.collect").joinpath("prelude.sh").read_text(encoding="utf-8")
    return prelude.replace("@VERSION@", __version__) + "\n".join(_list_commands()) + "\n"


def _list_commands() -> Iterator[str]:
    """Yield the commands, first the commands of the host: each loop over devices sets its own driver."""
    for over, head in _LOOPS.items():
        yield ""
        yield from head
        for each in SCRIPTED:
            if each.over == over:
                yield from (f"    {line}" if head else line for line in _format_fetch(each))
        if head:
            yield "done"
    yield '[ "$failed" -eq 0 ] || echo "$failed could not be read" >&2'


def _format_fetch(each: Fetch) -> Iterator[str]:
    conditions = [f"driven {' '.join(each.drivers)}"] if each.drivers else []
    if each.needs:
        conditions.append(f"has {_quote_word(each.needs)}")
    run = [
        " || ".join(f"try {' '.join(map(_format_word, form.split()))}" for form in each.forms),
        f"show {'answer' if each.tells else 'root' if each.is_root else 'user'}",
    ]
    yield f"# {each.why}"
    if conditions:
        yield f"if {' && '.join(conditions)}; then"
        yield from (f"    {line}" for line in run)
        yield "fi"
    else:
        yield from run


def _format_word(word: str) -> str:
    if word.startswith("/"):
        return _quote_word(f"$root{word}")
    return _quote_word(word) if _SLOT.search(word) else word


def _quote_word(text: str) -> str:
    """Return *text* as one word of a shell, with its slots as variables.

    >>> _quote_word("/sys/class/net/{netdev}/ecn/")
    '"/sys/class/net/$netdev/ecn/"'
    """
    slots = _SLOT.sub(r"$\1", text)
    return f'"{slots}"'
