"""Take the picture of a report that the README shows, with a headless Chromium.

python docs/make_pictures.py samples/science/run/report.html docs/images/report.png
"""

from __future__ import annotations

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


def picture(report: Path, output: Path) -> int:
    """Photograph the top of a report; returns the picture's size in bytes."""
    browser = next((path for name in NAMES if (path := shutil.which(name))), None)
    if browser is None:
        raise SystemExit(f"no Chromium here: none of {', '.join(NAMES)} is on the PATH")
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [
                browser, *FLAGS, f"--user-data-dir={profile}", f"--window-size={WIDTH},{HEIGHT}",
                f"--screenshot={output.resolve()}", report.resolve().as_uri(),
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )  # fmt: skip
    return output.stat().st_size


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    size = picture(Path(sys.argv[1]), Path(sys.argv[2]))
    print(f"{sys.argv[2]}: {size:,} bytes")
    if size > LARGEST:
        raise SystemExit(f"larger than {LARGEST:,} bytes")
