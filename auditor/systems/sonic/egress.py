"""The buffer of an egress queue: its row of BUFFER_QUEUE, and the profile that it names."""

from dataclasses import replace

from auditor.model.qos import Queue
from auditor.model.setting import Known, Setting
from auditor.systems.sonic.config import Config, convert_number, convert_setting, find_target
from auditor.systems.sonic.rows import RowEntry


def add_buffer(config: Config, row: RowEntry | None, queue: Queue) -> Queue:
    """Return *queue* with what its profile lets it hold; *row* is None where the port has none for it."""
    name: Setting[str] = row.get("profile") if row else config.silent("BUFFER_QUEUE")
    if not isinstance(name, Known):
        return replace(queue, pool=name, reserved_bytes=name, alpha=name, static_threshold_bytes=name)
    profile = config.entry("BUFFER_PROFILE", name)
    if profile is None:
        missing = config.missing("BUFFER_PROFILE", find_target(name.value))
        return replace(queue, pool=missing, reserved_bytes=missing, alpha=missing, static_threshold_bytes=missing)
    pool = profile.get("pool")
    return replace(
        queue,
        pool=Known(find_target(pool.value), name.origin, name.where) if isinstance(pool, Known) else pool,
        reserved_bytes=convert_number(profile.get("size")),
        alpha=convert_setting(profile.get("dynamic_th"), lambda text: 2.0 ** int(text)),
        static_threshold_bytes=convert_number(profile.get("static_th")),
    )
