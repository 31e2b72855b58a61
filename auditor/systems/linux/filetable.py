"""All files whose content is known, in the order in which a path is tried."""

from auditor.systems.linux import files_broadcom, files_intel, files_linux, files_nvidia
from auditor.systems.linux.fetch import Fetch
from auditor.systems.linux.sysfs import Names, SystemFile

FILES: tuple[SystemFile, ...] = (*files_nvidia.FILES, *files_broadcom.FILES, *files_intel.FILES, *files_linux.FILES)
FETCHES: tuple[Fetch, ...] = (
    *files_nvidia.FETCHES,
    *files_broadcom.FETCHES,
    *files_intel.FETCHES,
    *files_linux.FETCHES,
)


def find_file(path: str) -> tuple[SystemFile, Names] | None:
    """Return what is known of the file *path* and the names in its path, None for a file that says nothing here."""
    return next(((each, names) for each in FILES if (names := each.names(path)) is not None), None)
