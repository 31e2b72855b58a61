"""Parts of file names, which many captures share."""

from pathlib import PurePath

from auditor.util.memo import remember


@remember
def get_name(file: str) -> str:
    """Return the last part of the path *file*."""
    return PurePath(file).name


@remember
def get_stem(file: str) -> str:
    """Return the last part of the path *file*, without its suffix."""
    return PurePath(file).stem
