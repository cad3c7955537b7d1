"""Tables on a terminal."""

import os
import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
TABLE = """
from assay.cli.output import print_table
columns = {"shortcut": "left", "points above chance": "right", "95% interval": "right", "p (Holm)": "right"}
rows = [["none-of-the-above", "+25.00", "-25.00 to +75.00", "0.705"], ["longest", "+1.00", "0 to 2", "1"]]
print_table("Artifacts", columns, rows)
print_table("Long", {"file": "left", "n": "right"}, [["x" * 90, "12"]])
"""


def test_nothing_is_cut_on_a_narrow_terminal() -> None:
    reading, terminal = os.openpty()
    environment = os.environ | {
        "COLUMNS": "60",
        "TERM": "xterm",
        "NO_COLOR": "1",
        "PYTHONIOENCODING": "utf-8",
    }
    environment["PYTHONPATH"] = str(SOURCE)
    with os.fdopen(reading, "rb", buffering=0) as shown:
        subprocess.run([sys.executable, "-c", TABLE], check=True, stdout=terminal, env=environment)
        text = re.sub("\x1b[^m]*m", "", shown.read(100_000).decode())
        os.close(terminal)
    assert "none-of-the-above" in text
    assert "…" not in text
    assert text.count("x") == 90
    assert all(len(line) <= 60 for line in text.splitlines())
