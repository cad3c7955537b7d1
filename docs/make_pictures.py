"""Take the picture of a report that the README shows, with a headless Chromium; or of a part of one.

python docs/make_pictures.py samples/science/run/report.html docs/images/report.png
python docs/make_pictures.py run/report.html#breakdown docs/images/types-scores.png 1300
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

WIDTH, HEIGHT = 1180, 1215
LARGEST = 300_000
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
]  # fmt: skip


def part_of(page: str, part: str) -> str:
    """The page with one of its parts alone, so that the picture begins with it."""
    found = re.search(f'<section id="{part}".*?</section>', page, re.DOTALL)
    if found is None:
        raise SystemExit(f"no part called {part}")
    head = page[: page.index("<body>")]
    return f"{head}<body><main>{found.group()}</main></body></html>"


def picture(report: Path, output: Path, part: str = "", height: int = HEIGHT) -> int:
    """Photograph the top of a report, or of its part; returns the picture's size in bytes."""
    browser = next((path for name in NAMES if (path := shutil.which(name))), None)
    if browser is None:
        raise SystemExit(f"no Chromium here: none of {', '.join(NAMES)} is on the PATH")
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        if part:
            page = part_of(report.read_text(encoding="utf-8"), part)
            report = Path(profile) / "part.html"
            report.write_text(page, encoding="utf-8")
        subprocess.run(
            [
                browser, *FLAGS, f"--user-data-dir={profile}", f"--window-size={WIDTH},{height}",
                f"--screenshot={output.resolve()}", report.resolve().as_uri(),
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )  # fmt: skip
    return output.stat().st_size


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    file, _, asked = sys.argv[1].partition("#")
    size = picture(Path(file), Path(sys.argv[2]), asked, int(sys.argv[3]) if sys.argv[3:] else HEIGHT)
    print(f"{sys.argv[2]}: {size:,} bytes")
    if size > LARGEST:
        raise SystemExit(f"larger than {LARGEST:,} bytes")
