"""Folds with the smallest cut: assay's own way beside integer-programming solvers, on the same instance.

    python bench/fold_cut.py generated --peers metis highs cp-sat cbc glpk --seconds 60 --glpk-seconds 600

Instances: generated (928 facts of made-up words, seed 928), qasc and openbookqa (facts of $ASSAY_DATA). All
get the same graph, weights and sizes (78/11/11 within 1%), and the same programme: x_af in {0,1}, one fold a
group, y_ab >= x_af - x_bf, minimise the sum of s_ab y_ab. assay runs with its defaults, no clock. GLPK and
CBC: Debian's glpk-utils and coinor-cbc; HiGHS: highspy; CP-SAT: ortools, without a start, on all cores;
METIS: pymetis, 200 seeds. A limit is by the clock; cpu_seconds count the work of all processors.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from assay.construction.folds.groups import group_questions
from assay.construction.folds.search import adjacency
from assay.construction.folds.similarity import UNITS, Graph, SimilaritySettings, similarity_graph
from assay.construction.folds.sizes import FoldSizes, fold_sizes
from assay.construction.folds.split import SplitSettings, split_groups
from assay.questions import read_questions

FACTS, TOPICS = 928, 60


def generated() -> tuple[list[list[str]], np.ndarray]:
    """Facts of six words: three of a topic's forty, three of two thousand, the commoner the likelier."""
    random = np.random.default_rng(928)
    topical = 1 / np.arange(1, 41)
    general = 1 / np.arange(20, 2020)
    texts = []
    for _ in range(FACTS):
        topic = random.integers(TOPICS)
        own = random.choice(40, 3, replace=False, p=topical / topical.sum())
        rest = random.choice(2000, 3, replace=False, p=general / general.sum())
        texts.append(
            [" ".join([*(f"topic{topic}word{word}" for word in own), *(f"word{word}" for word in rest)])]
        )
    weights = random.integers(6, 16, FACTS)
    return texts, weights.astype(np.int64)


def instance(name: str, threshold: float, overlap: str) -> tuple[Graph, np.ndarray, FoldSizes]:
    if name == "generated":
        texts, weights = generated()
        graph = similarity_graph(texts, SimilaritySettings(overlap, threshold, "none", "none"))
    else:
        data = Path(os.environ["ASSAY_DATA"])
        files = [data / "qasc/dev.jsonl"] if name == "qasc" else sorted((data / "openbookqa").glob("*.jsonl"))
        groups = group_questions(read_questions(files).questions, "fact1", None)
        graph = similarity_graph(groups.texts, SimilaritySettings(overlap, threshold))
        weights = np.array(groups.weights, dtype=np.int64)
    return graph, weights, fold_sizes("train=78,dev=11,test=11", int(weights.sum()))


def programme(graph: Graph, weights: np.ndarray, sizes: FoldSizes, path: Path) -> None:
    """The programme in the LP format that every solver reads; similarities in thousandths."""
    folds = range(len(sizes.names))
    edges = list(zip(graph.first.tolist(), graph.second.tolist(), graph.similarity.tolist(), strict=True))
    with path.open("w") as file:
        file.write("Minimize\n cut: " + "\n + ".join(f"{s} y{a}_{b}" for a, b, s in edges) + "\nSubject To\n")
        for a in range(graph.nodes):
            file.write(f" o{a}: " + " + ".join(f"x{a}_{f}" for f in folds) + " = 1\n")
        for f in folds:
            held = "\n + ".join(f"{w} x{a}_{f}" for a, w in enumerate(weights.tolist()))
            file.write(f" l{f}: {held} >= {sizes.low[f]}\n h{f}: {held} <= {sizes.high[f]}\n")
        for a, b, _ in edges:
            for f in folds:
                file.write(f" c{a}_{b}_{f}: y{a}_{b} - x{a}_{f} + x{b}_{f} >= 0\n")
        file.write("Binary\n")
        for a in range(graph.nodes):
            file.write(" " + " ".join(f"x{a}_{f}" for f in folds) + "\n")
        for a, b, _ in edges:
            file.write(f" y{a}_{b}\n")
        file.write("End\n")


def glpk(path: Path, seconds: float) -> tuple[float | None, float | None]:
    out = path.with_suffix(".glpk")
    said = subprocess.run(
        ["glpsol", "--lp", str(path), "--tmlim", str(int(seconds)), "-o", str(out)],
        capture_output=True,
        text=True,
    ).stdout
    text = out.read_text() if out.exists() else ""
    cut = re.search(r"Objective:\s+cut = (\S+)", text)
    status = re.search(r"Status:\s+(.+)", text)
    bounds = re.findall(r">=\s+(-?[\d.e+]+)", said)
    found = cut is not None and status is not None and "UNDEFINED" not in status[1]
    return float(cut[1]) if found else None, float(bounds[-1]) if bounds else None


def cbc(path: Path, seconds: float) -> tuple[float | None, float | None]:
    said = subprocess.run(
        ["cbc", str(path), "sec", str(int(seconds)), "timeMode", "elapsed", "solve"],
        capture_output=True,
        text=True,
    ).stdout
    cut = re.search(r"Objective value:\s+(\S+)", said)
    bound = re.search(r"Lower bound:\s+(\S+)", said)
    return float(cut[1]) if cut else None, float(bound[1]) if bound else None


def highs(path: Path, seconds: float) -> tuple[float | None, float | None]:
    import highspy

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("time_limit", seconds)
    solver.readModel(str(path))
    solver.run()
    info = solver.getInfo()
    return (info.objective_function_value if info.primal_solution_status == 2 else None), info.mip_dual_bound


def cp_sat(
    graph: Graph, weights: np.ndarray, sizes: FoldSizes, seconds: float
) -> tuple[float | None, float | None]:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    rows = [[model.new_bool_var("") for _ in sizes.names] for _ in weights]
    for row in rows:
        model.add_exactly_one(row)
    for f, (low, high) in enumerate(zip(sizes.low, sizes.high, strict=True)):
        held = sum(int(w) * row[f] for w, row in zip(weights, rows, strict=True))
        model.add_linear_constraint(held, low, high)
    cut = 0
    for a, b, s in zip(graph.first.tolist(), graph.second.tolist(), graph.similarity.tolist(), strict=True):
        apart = model.new_bool_var("")
        cut += s * apart
        for f in range(len(sizes.names)):
            model.add_bool_or(rows[a][f].negated(), rows[b][f], apart)
            model.add_bool_or(rows[b][f].negated(), rows[a][f], apart)
    model.minimize(cut)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    found = solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return (solver.objective_value if found else None), solver.best_objective_bound


def metis(graph: Graph, weights: np.ndarray, sizes: FoldSizes) -> tuple[float | None, None]:
    """The best allowed of 200 partitions, half of them by recursive bisection, in loose and tight balance."""
    import pymetis

    begins, others, similarity = adjacency(graph)
    shares = [target / sizes.total for target in sizes.targets]
    best = None
    for seed in range(200):
        _, parts = pymetis.part_graph(
            len(shares), pymetis.CSRAdjacency(begins.tolist(), others.tolist()), vweights=weights.tolist(),
            eweights=(similarity // 10).tolist(), tpwgts=shares, recursive=seed % 2 == 1,
            options=pymetis.Options(seed=seed, ufactor=30 if seed % 4 < 2 else 60),
        )  # fmt: skip
        fold = np.array(parts, dtype=np.int64)
        held = np.bincount(fold, weights=weights, minlength=len(shares)).astype(int).tolist()
        if sizes.allow(held):
            best = graph.cut(fold) if best is None else min(best, graph.cut(fold))
    return (None if best is None else float(best)), None


def clocks() -> tuple[float, float]:
    """By the wall, and of all processors: on a busy machine only the second tells the work."""
    return time.monotonic(), sum(os.times()[:4])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("instance", choices=["generated", "qasc", "openbookqa"])
    parser.add_argument("--peers", nargs="*", default=[], choices=["glpk", "cbc", "highs", "cp-sat", "metis"])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--glpk-seconds", type=float, default=600)
    parser.add_argument("--threshold", type=float, default=10)
    parser.add_argument("--overlap", default="product")
    parser.add_argument("--no-assay", action="store_true")
    given = parser.parse_args()
    graph, weights, sizes = instance(given.instance, given.threshold, given.overlap)
    head = {"groups": graph.nodes, "questions": int(weights.sum()), "edges": len(graph.first)}
    print(json.dumps({**head, "similarity": graph.total / UNITS, "sizes": sizes.said()}), flush=True)

    def said(
        who: str, cut: float | None, bound: float | None, began: tuple[float, float], **more: object
    ) -> None:
        wall, processors = (round(now - then, 1) for now, then in zip(clocks(), began, strict=True))
        row = {"who": who, "cut": cut, "bound": bound, "seconds": wall, "cpu_seconds": processors, **more}
        print(json.dumps(row), flush=True)

    if not given.no_assay:
        split_groups(
            graph, weights, sizes, SplitSettings(walks=1, steps=1, effort=0.01)
        )  # compiles the kernels
        for name, more in (("assay, search alone", {"solver": "none", "bound": False}), ("assay", {})):
            began = clocks()
            made = split_groups(graph, weights, sizes, SplitSettings(**more))
            said(
                name,
                made.cut / UNITS,
                made.bound / UNITS,
                began,
                status=made.status,
                found_by=made.found_by,
            )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "folds.lp"
        programme(graph, weights, sizes, path)
        for peer in given.peers:
            if shutil.which({"glpk": "glpsol", "cbc": "cbc"}.get(peer, "true")) is None:
                print(json.dumps({"who": peer, "missing": True}), flush=True)
                continue
            limit = given.glpk_seconds if peer == "glpk" else given.seconds
            began = clocks()
            if peer == "metis":
                cut, bound = metis(graph, weights, sizes)
            elif peer == "cp-sat":
                cut, bound = cp_sat(graph, weights, sizes, limit)
            else:
                cut, bound = {"glpk": glpk, "cbc": cbc, "highs": highs}[peer](path, limit)
            units = (None if figure is None else figure / UNITS for figure in (cut, bound))
            said(peer, *units, began, limit=limit)


if __name__ == "__main__":
    main()
