"""Draw the first screen of the HTML page of a faulty pod, for the README.

python tests/tools/draw_page.py docs/images/pod-faulty.png
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), *(str(ROOT / "tests" / folder) for folder in ("benchmarks", "fabrics", "report/html"))]

from html_pages import read_report, write_page  # noqa: E402  it lies beside the tests, not in a package
from playwright.sync_api import sync_playwright  # noqa: E402  the path comes first

CHROMIUM = "/usr/bin/chromium"
WIDTH, HEIGHT = 1280, 800
MOST_BYTES = 250_000


def draw_page(page: str, target: Path) -> None:
    """Write what Chromium shows of *page* to the PNG file *target*."""
    with TemporaryDirectory() as folder, sync_playwright() as started:
        file = Path(folder, "page.html")
        file.write_text(page, encoding="utf-8")
        browser = started.chromium.launch(
            executable_path=CHROMIUM, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        view = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        view.goto(file.as_uri())
        view.screenshot(path=target)
        browser.close()


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    draw_page(write_page(read_report("pod-faulty")), target)
    size = target.stat().st_size
    print(f"{target}: {size:,} bytes")
    sys.exit(size > MOST_BYTES)
