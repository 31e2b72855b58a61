"""What children inherit."""

import subprocess
import sys

import pytest

from auditor.engine.pool import FEW


@pytest.mark.parametrize(("count", "is_there"), [(FEW, False), (FEW + 1, True)])
def test_children_of_many_devices_inherit_the_arrays(count: int, is_there: bool) -> None:
    code = f"import sys; from auditor.engine.steps import load_arrays; load_arrays(range({count}))"
    done = subprocess.run([sys.executable, "-c", f"{code}; sys.exit('numpy' in sys.modules)"], check=False)
    assert done.returncode == is_there
