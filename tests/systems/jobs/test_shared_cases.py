"""The small reproductions of jobs and their hosts, as the table beside them wants them; skipped without them."""

from pathlib import Path

import pytest

import auditor

CASES = Path(__file__).parents[4] / "shared" / "cases"
pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="no shared material lies beside this checkout")

FOUND = {
    "jobs/abs.sh": ("job-marking-differs-from-intent", "UCX_IB_TRAFFIC_CLASS=96 and NCCL_IB_TC=106 are different"),
    "jobs/rel.sh": ("job-marking-differs-from-intent", "UCX_IB_TRAFFIC_CLASS=96 and NCCL_IB_TC=106 are different"),
    "jobs/bs.sh": ("job-marking-differs-from-intent", "NVSHMEM_IB_TRAFFIC_CLASS=64 and NCCL_IB_TC=184 are different"),
    "jobs/gidjob": ("gid-index-unfit", "asks for GID index 3, but on h1 mlx5_0 the table of this NIC has no such GID"),
    "jobs/tcv": ("nccl-without-traffic-class", "leaves with DSCP 0, but the fabric expects 26"),
    "hosts/emptygid.txt": ("gid-index-unfit", "asks for GID index 3, but the GID table is empty"),
}


@pytest.mark.parametrize("case", FOUND)
def test_a_case_is_found(case: str) -> None:
    report = auditor.audit(CASES / case, auditor.Options(jobs=1))
    rule, message = FOUND[case]
    assert [found.rule for found in report.findings if found.name == rule and message in found.message]
    assert not report.problems
