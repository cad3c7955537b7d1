"""What a run found, in a sentence: sizes of the sets, the best system on the hardest, chance beside it."""

from __future__ import annotations

from assay.pipeline.finished_run import Run
from assay.scoring.interval import Estimate
from assay.scoring.summary import SystemScore

GUESSERS = ("guess-all", "random")


def finding(run: Run) -> str:
    """The finding in words: sizes of the sets, the best system on the hardest column, chance beside it.

    Guessers are no contenders, nor are the filters on the very sets that they made.
    """
    hardest = next(
        (c for c in run.results.columns if c.headline and c.name == "Challenge"), run.results.columns[-1]
    )
    total = len(run.results.scored)
    said = f"{total:,} questions"
    if hardest.name == "Challenge":
        verb = "is" if len(hardest.questions) == 1 else "are"
        said = f"Of {total:,} questions {len(hardest.questions):,} {verb} Challenge"
    filters = run.configuration.partition.filters if hardest.basis == "made" else ()
    contenders = [
        system
        for system in hardest.scores.systems
        if system.system not in filters and run.systems[system.system].kind not in GUESSERS
    ]
    best = max(contenders, key=_mean, default=None)
    chance = hardest.scores.chance
    guessing = f"chance {'there ' if best is None else ''}is {100 * (chance.mean or 0.0):.1f}"
    if chance.mean is not None and chance.high is not None:
        guessing += f" ± {100 * (chance.high - chance.mean):.1f}"
    if best is not None and best.score.mean is not None:
        beside = " beside the filters" if filters else ""
        named = f"{best.system}, scores {_pm(best.score)} there"
        if run.contaminated(best.system):
            clean = [system for system in contenders if not run.contaminated(system.system)]
            next_best = max(clean, key=_mean, default=None)
            named = f"{best.system}, reads contaminated sources and scores {_pm(best.score)} there"
            if next_best is not None:
                named += f", the best of the others, {next_best.system}, {_pm(next_best.score)}"
        return f"{said}. The best system{beside}, {named}; {guessing}."
    if filters:
        return f"{said}: {' and '.join(filters)} don't answer them; {guessing}."
    return f"{said}; {guessing}."


def _mean(system: SystemScore) -> float:
    return system.score.mean or 0.0


def _pm(score: Estimate) -> str:
    text = f"{100 * (score.mean or 0.0):.1f}"
    if score.low is None or score.high is None:
        return text
    return f"{text} (95% interval {100 * score.low:.1f} to {100 * score.high:.1f})"
