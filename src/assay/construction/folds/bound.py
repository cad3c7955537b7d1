"""A lower bound on every cut that the sizes allow, from a semidefinite relaxation.

Linear relaxations say 0: a group can lie in all folds by their shares. In the semidefinite one (in the line
of Donath & Hoffman 1973, Goemans & Williamson 1995, Karisch & Rendl 1998) it can't. Let x_ij = 1 where groups
i and j share one of q folds, z = (q x - 1) / (q - 1), w the groups' questions, m the folds' sizes, N their
sum. Then z is positive semidefinite with diagonal 1, w'zw = (q sum m^2 - N^2) / (q - 1) <= C for all allowed
m, and the cut is (q - 1) / q * 1/2 <L, z> with L the graph's Laplacian. For any mu >= 0 and d with
1/2 L + mu ww' - Diag(d) positive semidefinite, 1/2 <L, z> >= sum d - mu C: each such pair is a proof.

Good pairs come from the relaxation with mu fixed, solved by coordinate descent over unit vectors (Burer &
Monteiro 2003; Wang et al. 2017). They are made exact by lowering d until a Cholesky factor exists.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.construction.folds.search import adjacency
from assay.construction.folds.similarity import Graph, Ints
from assay.construction.folds.sizes import FoldSizes
from assay.evidence.compiled import compiled
from assay.progress import SILENT, Progress

Floats = npt.NDArray[np.float64]

MOST_GROUPS = 4000
"""Past it the dense factor (8 bytes * groups^2) and its time are too much: no bound is given."""
SWEEPS = 400
_STILL = 1e-9
"""Sweeps end when the vectors' squared moves are less, on average."""
_FARTHEST = 2.0**20
REFINED = 3
"""Steps of bisection for each cap on the sizes."""
_SAFETY = 1e-9
"""Of the matrix's scale, taken off d beyond what the factor needs: at least this, for forming the matrix."""


@dataclass(frozen=True, slots=True)
class CutBound:
    """`bound`: no allowed cut is smaller, in thousandths (0: nothing better is proved); `how` in words."""

    bound: int
    how: str


@dataclass(frozen=True, slots=True)
class _Cap:
    """The relaxation of a way to see the folds: `parts` q of them, w'zw at most `most` (mean weight 1)."""

    parts: int
    most: float

    @property
    def factor(self) -> float:
        return (self.parts - 1) / self.parts


@dataclass(frozen=True, slots=True)
class _Proof:
    """A dual pair: for every cap C, 1/2 <L, z> >= `total` - `mu` C. `spread` is w'zw of the vectors found."""

    mu: float
    total: float
    spread: float


def cut_bound(graph: Graph, weights: Ints, sizes: FoldSizes, progress: Progress = SILENT) -> CutBound:
    """The best bound found; `weights`: questions of each group, int64 (groups,).

    The folds are seen all at once, and each against the rest: half the sum of the latter bounds the cut too.
    """
    if graph.nodes > MOST_GROUPS:
        return CutBound(0, f"none: more than {MOST_GROUPS:,} groups")
    if not graph.total:
        return CutBound(0, "no edges")
    ranges = list(zip(sizes.low, sizes.high, strict=True))
    total = sizes.total
    whole = _cap(ranges, total, graph.nodes)
    alone = [_cap([(low, high), (total - high, total - low)], total, graph.nodes) for low, high in ranges]
    caps = list(dict.fromkeys([whole, *alone]))
    relaxation = _Relaxation(graph, weights)
    with progress.task("bounding the cut", None, "relaxations") as advance:
        proofs = _proofs(relaxation, [cap.most for cap in caps], lambda: advance(1))
    best = {
        cap: max([0.0, *(cap.factor * (proof.total - proof.mu * cap.most) for proof in proofs)])
        for cap in caps
    }
    found = {
        f"all {len(ranges)} folds at once": best[whole],
        "one fold against the rest": max(best[cap] for cap in alone),
        "each fold against the rest": sum(best[cap] for cap in alone) / 2,
    }
    how = max(found, key=lambda name: found[name])
    # Similarities are whole thousandths, and so is every cut.
    return CutBound(int(np.ceil(found[how] - 1e-6)), f"semidefinite, {how}")


def _cap(ranges: Sequence[tuple[int, int]], total: int, nodes: int) -> _Cap:
    """w'zw at most, for weights scaled to mean 1.

    m^2 lies below its chord over [low, high], and a sum of chords is largest where the folds of the steepest
    are filled first.
    """
    spare = total - sum(low for low, _ in ranges)
    squares = float(sum(low * low for low, _ in ranges))
    for low, high in sorted(ranges, key=sum, reverse=True):
        taken = min(spare, high - low)
        squares += taken * (low + high)
        spare -= taken
    parts = len(ranges)
    return _Cap(parts, (parts * squares / total**2 - 1) / (parts - 1) * nodes**2)


def _proofs(relaxation: _Relaxation, caps: Sequence[float], solved: Callable[[], None]) -> list[_Proof]:
    """Proofs around the best mu of each cap: where the spread w'zw, which falls as mu grows, equals it."""
    found: dict[float, _Proof] = {}

    def solve(mu: float) -> _Proof:
        if mu not in found:
            found[mu] = relaxation.solve(mu)
            solved()
        return found[mu]

    high = relaxation.first_mu
    while solve(high).spread > min(caps) and high < _FARTHEST * relaxation.first_mu:
        high *= 2
    low = high / 2
    while solve(low).spread < max(caps) and low > relaxation.first_mu / _FARTHEST:
        low /= 2
    for cap in caps:
        below = max([mu for mu, proof in found.items() if proof.spread >= cap], default=low)
        above = min([mu for mu, proof in found.items() if mu > below], default=high)
        for _ in range(REFINED):
            middle = (below * above) ** 0.5
            below, above = (middle, above) if solve(middle).spread > cap else (below, middle)
    return list(found.values())


class _Relaxation:
    """min 1/2 <L, z> + mu w'zw over unit vectors, warm from the last mu."""

    def __init__(self, graph: Graph, weights: Ints) -> None:
        self.begins, self.others, similarity = adjacency(graph)
        self.half = similarity / 2
        self.weights = weights / weights.mean()
        nodes = graph.nodes
        self.degrees = np.zeros(nodes)
        np.add.at(self.degrees, np.repeat(np.arange(nodes), np.diff(self.begins)), self.half)
        self.first_mu = float(self.degrees.mean()) / nodes
        # So many dimensions lose nothing (Barvinok 1995, Pataki 1998).
        rank = int(np.ceil(np.sqrt(2 * nodes))) + 1
        vectors = np.random.default_rng(0).normal(size=(nodes, rank))
        self.vectors = vectors / np.sqrt(np.square(vectors).sum(axis=1, keepdims=True))

    def solve(self, mu: float) -> _Proof:
        """Vectors for this mu, d from their optimality conditions, lowered until it is a proof."""
        lengths, spread = _descend(
            self.begins, self.others, self.half, self.weights, mu, self.vectors, SWEEPS, _STILL
        )
        d = self.degrees + mu * self.weights**2 - lengths
        matrix = mu * np.outer(self.weights, self.weights)
        matrix[np.repeat(np.arange(len(d)), np.diff(self.begins)), self.others] -= self.half
        matrix[np.diag_indices(len(d))] += self.degrees - d
        scale = float(np.abs(matrix).sum(axis=1).max())
        lowered = _lowered(matrix, scale)
        lowered += max(_SAFETY * scale, _factor_error(matrix))
        return _Proof(mu, float(d.sum()) - len(d) * lowered, spread)


def _factor_error(matrix: Floats) -> float:
    """A Cholesky factor that exists proves the matrix positive definite but for this much.

    Its rows' backward error is (n + 1) u / (1 - (n + 1) u) times the trace at most (Higham 2002, theorem
    10.3; Rump 2006), twice that for what rounding does to the trace itself.
    """
    size = (len(matrix) + 1) * float(np.finfo(np.float64).eps) / 2
    return 2 * size / (1 - size) * float(np.trace(matrix))


def _lowered(matrix: Floats, scale: float) -> float:
    """A number near the least that makes `matrix` + number * identity positive definite."""
    diagonal = matrix.diagonal().copy()

    def enough(shift: float) -> bool:
        from scipy.linalg import LinAlgError, cholesky

        matrix[np.diag_indices(len(diagonal))] = diagonal + shift
        try:
            cholesky(matrix, lower=True, check_finite=False)
        except LinAlgError:
            return False
        return True

    low, high = 0.0, scale * 2.0**-40
    while not enough(high):
        low, high = high, high * 4
    for _ in range(6):
        middle = (low * high) ** 0.5 if low else high / 4
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


@compiled
def _descend(
    begins: Ints,
    others: Ints,
    half: Floats,
    weights: Floats,
    mu: float,
    vectors: Floats,
    sweeps: int,
    still: float,
) -> tuple[Floats, float]:
    """Coordinate descent over the unit `vectors`, in place; lengths of the gradients, and w'zw."""
    nodes, rank = vectors.shape
    lengths = np.zeros(nodes)
    gradient = np.zeros(rank)
    weighted = np.zeros(rank)
    for a in range(nodes):
        for x in range(rank):
            weighted[x] += weights[a] * vectors[a, x]
    for _ in range(sweeps):
        moved = 0.0
        for a in range(nodes):
            for x in range(rank):
                gradient[x] = mu * weights[a] * (weighted[x] - weights[a] * vectors[a, x])
            for place in range(begins[a], begins[a + 1]):
                b, c = others[place], half[place]
                for x in range(rank):
                    gradient[x] -= c * vectors[b, x]
            squared = 0.0
            for x in range(rank):
                squared += gradient[x] * gradient[x]
            lengths[a] = math.sqrt(squared)
            if lengths[a] > 0.0:
                for x in range(rank):
                    new = -gradient[x] / lengths[a]
                    step = new - vectors[a, x]
                    moved += step * step
                    weighted[x] += weights[a] * step
                    vectors[a, x] = new
        if moved < still * nodes:
            break
    spread = 0.0
    for x in range(rank):
        spread += weighted[x] * weighted[x]
    return lengths, spread
