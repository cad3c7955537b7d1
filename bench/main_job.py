"""The main job on ARC, from raw files to report: time and peak memory; then again, with nothing changed.

Needs the real data (ASSAY_DATA, by default ../shared/data). Writes benchmark.toml and the run folder to --to.

    python bench/main_job.py --to runs/arc
    python bench/main_job.py --to runs/arc-contaminated --contaminated
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ASSAY_DATA", ROOT / "../shared/data")).resolve()


def benchmark(contaminated: bool, matrix: bool) -> str:
    """benchmark.toml: all 7,787 questions, the science sentences, the filters, two stored systems."""
    questions = [
        f'"{DATA}/arc/ARC-{name}/ARC-{name}-{split}.jsonl"'
        for name in ("Easy", "Challenge")
        for split in ("Train", "Dev", "Test")
    ]
    corpus = [f'"{DATA}/corpus/science.tsv.gz"']
    title, why = "ARC over 383,491 science sentences", ""
    if contaminated:
        corpus += [f'"{DATA}/corpus/openbook.tsv.gz"', f'"{DATA}/corpus/worldtree.tsv.gz"']
        title = "ARC, contaminated: with sentences written to explain its questions"
        why = 'contaminated = "holds sentences written to explain ARC questions, test questions included"'
    more = "without_answer_sentences = 0.5\n"
    parts = ""
    if matrix:
        sources = {
            "textbooks": "openstax",
            "wordnet": "wordnet",
            "generics": "genericskb",
            "qasc": "qasc-corpus",
        }
        for name, prefix in sources.items():
            listed = [source for source in all_sources() if source.startswith(prefix)]
            parts += f"[corpora.{name}]\nfiles = {json.dumps(corpus_file())}\n"
            parts += f"include_sources = {json.dumps(listed)}\n"
        more += f"corpora = {json.dumps(['science', *sources])}\n"
    stored = "".join(
        f'[solvers.{name}]\nkind = "predictions"\nfile = "{DATA}/predictions/arc-challenge-test/{name}.csv"\n'
        'only = { set = "Challenge", split = "Test" }\n'
        for name in ("DGEM", "GSA")
    )
    return f"""name = "{title}"
seed = 2018
[questions]
files = [{", ".join(questions)}]
tags = ["{DATA}/arc/labels/challenge-test-reasoning-types.tsv"]
[corpora.science]
files = [{", ".join(corpus)}]
{why}
{parts}
[solvers.guess-all]
[solvers.random]
seed = 1
[solvers.ir]
corpus = "science"
[solvers.pmi]
corpus = "science"
{stored}
[partition]
filters = ["ir", "pmi"]
{more}
[scores]
only = {{ split = "Test" }}
by = ["choices", "type"]
"""


def corpus_file() -> list[str]:
    """The science sentences."""
    return [f"{DATA}/corpus/science.tsv.gz"]


def all_sources() -> list[str]:
    """Names of the sources in the science sentences, in alphabetical order."""
    import gzip

    with gzip.open(corpus_file()[0], "rt", encoding="utf-8") as file:
        return sorted({line.split("\t", 1)[0] for line in file})


def timed(arguments: list[str]) -> tuple[float, float]:
    """Seconds of one run of the command, and the largest resident size of any of its processes, in GB."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-m", "assay", *arguments], check=True)
    return time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--to", type=Path, default=ROOT / "runs/arc", help="folder for benchmark.toml and run"
    )
    parser.add_argument(
        "--contaminated", action="store_true", help="add the OpenBookQA and WorldTree sentences"
    )
    parser.add_argument("--matrix", action="store_true", help="also ask the filters over each kind of source")
    options = parser.parse_args()
    if not DATA.is_dir():
        sys.exit(f"no real data at {DATA}: set ASSAY_DATA")
    shutil.rmtree(options.to / "run", ignore_errors=True)
    options.to.mkdir(parents=True, exist_ok=True)
    (options.to / "benchmark.toml").write_text(
        benchmark(options.contaminated, options.matrix), encoding="utf-8"
    )
    job = ["run", str(options.to / "benchmark.toml")]
    first, peak = timed(job)
    second, _ = timed([*job, "--quiet"])
    print(f"\nfrom raw files to report: {first:.1f} s, largest process {peak:.2f} GB")
    print(f"again, nothing changed: {second:.1f} s")
    for line in (options.to / "run/log.jsonl").read_text(encoding="utf-8").splitlines():
        step = json.loads(line)
        print(f"  {step['step']}: {step['seconds']} s")


if __name__ == "__main__":
    main()
