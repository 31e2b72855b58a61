"""Where a job may run, and what of a node it gets: selectors of nodes, limits of containers, options of Slurm."""

from collections.abc import Iterable, Iterator
from itertools import islice, product

from auditor.grammar.variables import unquote
from auditor.model.host import ValuesByName
from auditor.model.setting import Known, Origin, Setting, Unset, Where
from auditor.systems.jobs.manifest import ManifestObject
from auditor.systems.jobs.tree import Value
from auditor.util.regex import regex

_HOSTNAME = "kubernetes.io/hostname"
_MAX_NODES = 4096
_MAX_TERMS = 16
_MAX_RESOURCES = 64
_DEVICES = ("/dev", "/dev/infiniband")
_SLURM_NODES = regex(r"#SBATCH\s+(?:--nodelist[= ]|-w\s*)(\S+)")
_SLURM_GPUS = regex(
    r"#SBATCH\s+(?:--gpus-per-node[= ]|--gres[= ](?:\S*,)?gpu:)(?:[A-Za-z][\w.-]*:)?(\d{1,3})(?:[,(\s].*)?"
)
_BRACKETS = regex(r"\[([\d,-]+)\]")
_LONGEST_LIST = 2**16
_MAX_RANGES = 4
_SPAN = regex(r"(\d{1,8})(?:-(\d{1,8}))?")


def list_bound_nodes(spec: Value) -> tuple[str, ...]:
    """Return the nodes that the *spec* of a pod names, by `nodeName`, `nodeSelector` or a required affinity."""
    direct = (spec["nodeName"].text, spec["nodeSelector"][_HOSTNAME].text)
    named = [name for name in direct if name]
    terms = spec.at("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
    of_terms = [list(islice(_list_term(term), _MAX_NODES)) for term in terms.items[:_MAX_TERMS]]
    if of_terms and all(of_terms):  # one term suffices: without a name in one of them the pod runs anywhere
        named += [name for names in of_terms for name in names]
    return tuple(dict.fromkeys(named))[:_MAX_NODES]


def _list_term(term: Value) -> Iterator[str]:
    for rule in term["matchExpressions"].items[:_MAX_TERMS]:
        if rule["key"].text == _HOSTNAME and rule["operator"].text == "In":
            yield from (value.text for value in rule["values"].items[:_MAX_NODES] if value.text)


def read_limits(found: ManifestObject, container: Value) -> Setting[ValuesByName]:
    """Return the extended resources of a container, which are those with a `/`; limits win over requests."""
    resources = container["resources"]
    if not resources.entries:
        return Unset(found.where(container))
    known: dict[str, Known[str]] = {}
    for part in (resources["requests"], resources["limits"]):
        for name, value in list(part.entries.items())[:_MAX_RESOURCES]:
            if "/" in name and value.text is not None:
                known[name] = found.make_known(value)
    return Known(known, Origin.INTENDED, found.where(resources))


def sees_devices(spec: Value, container: Value) -> bool:
    """Return whether a container sees the devices of its node: privileged, by a path of it, or by a claim (DRA)."""
    if (container.at("securityContext", "privileged").text or "").lower() == "true":
        return True
    if container["resources"]["claims"].items or spec["resourceClaims"].items:
        return True
    paths = (volume.at("hostPath", "path").text or "" for volume in spec["volumes"].items[:_MAX_RESOURCES])
    return any(path.rstrip("/") in _DEVICES for path in paths)


def list_slurm_nodes(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the nodes that a batch script names.

    >>> list_slurm_nodes(["#SBATCH --nodelist=gpu[01-03,7],login"])
    ('gpu01', 'gpu02', 'gpu03', 'gpu7', 'login')
    """
    named = (name for line in lines if (match := _SLURM_NODES.match(line)) for name in expand_nodes(unquote(match[1])))
    return tuple(dict.fromkeys(named))


def expand_nodes(text: str) -> Iterator[str]:
    """Yield the names of a list of hosts as Slurm writes it, at most as many as a cluster has.

    >>> list(expand_nodes("rack[1-2]node[01-02],login"))
    ['rack1node01', 'rack1node02', 'rack2node01', 'rack2node02', 'login']
    """
    yield from islice((name for host in _split_hosts(text[:_LONGEST_LIST]) for name in _expand_host(host)), _MAX_NODES)


def _split_hosts(text: str) -> Iterator[str]:
    """Yield the parts of a list between commas that stand in no brackets."""
    start, is_inside = 0, False
    for index, character in enumerate(text):
        if character == "," and not is_inside:
            yield text[start:index]
            start = index + 1
        is_inside = character == "[" or (is_inside and character != "]")
    yield text[start:]


def _expand_host(text: str) -> Iterator[str]:
    """Yield the names of a host with ranges in brackets, none of which for a malformed one; the last varies first."""
    pieces = _BRACKETS.split(text)
    if "[" in "".join(pieces[::2]) or len(pieces) // 2 > _MAX_RANGES:
        return
    choices = [list(islice(_expand_spans(piece), _MAX_NODES)) if n % 2 else [piece] for n, piece in enumerate(pieces)]
    yield from filter(None, map("".join, product(*choices)))


def _expand_spans(text: str) -> Iterator[str]:
    for match in _SPAN.finditer(text):
        first, last = int(match[1]), int(match[2] or match[1])
        for number in range(first, min(last, first + _MAX_NODES) + 1):
            yield str(number).zfill(len(match[1]))


def read_slurm_limits(lines: Iterable[tuple[Where, str]]) -> Setting[ValuesByName]:
    """Return the GPUs that a batch script asks for on each node."""
    found = ((where, match) for where, line in lines if (match := _SLURM_GPUS.fullmatch(line.rstrip())))
    *_, (where, match) = ((None, None), *found)
    if match is None or where is None:
        return Unset()
    asked = Known(match[1], Origin.INTENDED, where)
    return Known({"gres/gpu": asked}, Origin.INTENDED, where)
