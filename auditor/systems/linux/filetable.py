"""All known files, in the order of detection."""

from auditor.systems.linux import files_broadcom, files_intel, files_linux, files_nvidia
from auditor.systems.linux.fetch import Fetch
from auditor.systems.linux.sysfs import Names, SystemFile
from auditor.util.memo import remember

FILES: tuple[SystemFile, ...] = (*files_nvidia.FILES, *files_broadcom.FILES, *files_intel.FILES, *files_linux.FILES)
FETCHES: tuple[Fetch, ...] = (
    *files_nvidia.FETCHES,
    *files_broadcom.FETCHES,
    *files_intel.FETCHES,
    *files_linux.FETCHES,
)


@remember
def find_file(path: str) -> tuple[SystemFile, Names] | None:
    """Return the known file of *path* and the names in the path; None for other files."""
    return next(((each, names) for each in FILES if (names := each.names(path)) is not None), None)
