"""Import, then IR and PMI over question files: time, sentences a second, peak memory of all processes.

python bench/import_speed.py 14m.tsv --questions $ASSAY_DATA/arc/*/*.jsonl
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SAMPLE_SECONDS = 0.2
ASSAY = [sys.executable, "-m", "assay"]


def memory_of(pid: int) -> tuple[int, int]:
    """Resident bytes of a process and its children: all (shared pages counted once), and anonymous alone."""
    proportional = anonymous = 0
    waiting = [pid]
    while waiting:
        process = waiting.pop()
        try:
            for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    proportional += int(line.split()[1]) * 1024
                elif line.startswith("Anonymous:"):
                    anonymous += int(line.split()[1]) * 1024
            for task in Path(f"/proc/{process}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return proportional, anonymous


def measured(what: str, command: list[str]) -> tuple[float, str]:
    """Run `command`, print its time and peak memory; returns the seconds and what it printed."""
    started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peaks = [0, 0]

    def watch() -> None:
        while process.poll() is None:
            peaks[:] = map(max, peaks, memory_of(process.pid))
            time.sleep(SAMPLE_SECONDS)

    watcher = threading.Thread(target=watch)
    watcher.start()
    assert process.stdout is not None
    said = process.stdout.read()
    process.wait()
    watcher.join()
    seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    state = "" if process.returncode == 0 else f", exit status {process.returncode}"
    print(
        f"{what}: {seconds:.1f} s ({busy:.1f} s of processors), peak {peaks[0] / 1e9:.2f} GB "
        f"({peaks[1] / 1e9:.2f} GB without file pages){state}",
        flush=True,
    )
    return seconds, said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sentences", type=Path, help="sentences to import, or a corpus folder")
    parser.add_argument("--questions", nargs="*", type=Path, default=[])
    parser.add_argument("--to", type=Path, help="keep the corpus here (by default it is thrown away)")
    parser.add_argument("--workers", default=str(os.cpu_count()))
    asked = parser.parse_args()
    if asked.sentences.is_dir():
        answer(asked.sentences, asked.questions)
        return
    folder = asked.to or Path(tempfile.mkdtemp(prefix="assay-bench-"))
    shutil.rmtree(folder, ignore_errors=True)
    command = [*ASSAY, "corpus", "import", str(asked.sentences), "--to", str(folder), "--json"]
    seconds, said = measured("import", [*command, "--workers", asked.workers])
    info = json.loads(said)
    print(
        f"  {info['sentences']:,} of {info['read']:,} sentences, {info['tokens']:,} tokens, "
        f"{info['terms']:,} terms, {info['bytes'] / 1e9:.2f} GB on disk: "
        f"{info['read'] / seconds:,.0f} sentences/s"
    )
    answer(folder, asked.questions)
    if asked.to is None:
        shutil.rmtree(folder)


def answer(folder: Path, questions: list[Path]) -> None:
    """Let IR and PMI answer all questions over the corpus in `folder`."""
    answers = Path(tempfile.mkdtemp(prefix="assay-bench-answers-"))
    for solver in ("ir", "pmi") if questions else ():
        command = [*ASSAY, "answer", *map(str, questions), "--solver", solver, "--corpus", str(folder)]
        measured(solver, [*command, "-o", str(answers / f"{solver}.jsonl")])
    shutil.rmtree(answers)


if __name__ == "__main__":
    main()
