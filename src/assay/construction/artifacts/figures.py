"""Artifacts of a question set: how far each shortcut gets above chance (see Gururangan et al. 2018)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.construction.artifacts.conditional_logit import Codes, Floats
from assay.construction.artifacts.features import (
    build_features,
    choice_features,
    question_features,
    shortcut_features,
)
from assay.construction.artifacts.folds import folds_of, groups_of
from assay.construction.artifacts.key_places import KeyPlaces, key_places
from assay.construction.artifacts.probes import cross_validate
from assay.construction.artifacts.settings import ArtifactSettings
from assay.construction.distractors.sameness import plain
from assay.errors import AssayError, FaultyInput
from assay.progress import SILENT, Progress
from assay.questions.duplicates import find_duplicates, stem_key
from assay.questions.model import Answer, Question
from assay.questions.ties import highest
from assay.scoring.chance import against_chance, chance, choice_counts
from assay.scoring.columns import cluster_numbers
from assay.scoring.comparison import holm_where_tested
from assay.scoring.interval import SMALL, Estimate, estimate, t_estimate, wilson
from assay.scoring.points import mark, no_keys
from assay.solvers.shortcut_rules import ChoiceTexts, places, shortcuts
from assay.text.analysis import Analyser

CHOICE_ONLY, QUESTION_ONLY, TOGETHER = "choice-only", "question-only", "together"
PROBES: Mapping[str, str] = {
    CHOICE_ONLY: "a probe that sees the choices, not the question",
    QUESTION_ONLY: "a probe that sees the question, not what the choices say",
    TOGETHER: "a probe that weighs all shortcuts, learned in other folds",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One shortcut on the `n` questions it says something about.

    `score` and `above`, the score less chance on the same questions, in 0..1, with intervals; `chance_half`:
    95% of guessers of one choice a question lie so near to `chance`. `p` tests the score against chance,
    `holm_p` is corrected for all shortcuts of the group. `kind`: "rule", "place", "probe" or "reader" (given
    answers). `telling`: the features a probe goes by, their weights and counts.
    """

    name: str
    kind: str
    n: int
    score: Estimate
    chance: float
    chance_half: float
    above: Estimate
    p: float | None
    holm_p: float | None = None
    telling: tuple[tuple[str, float, int], ...] = ()

    @property
    def small(self) -> bool:
        """Too few questions to say much (under 30)."""
        return self.n < SMALL


@dataclass(frozen=True, slots=True)
class GroupArtifacts:
    """The artifacts of one group of questions.

    `same_choices`: ids of questions two of whose choices are the same but for case, width and white space;
    `repeated_keys`: those of them where the key is one of the two. `duplicates`: questions whose stem stood
    earlier in the group (signs and case aside); `elsewhere`: questions whose stem stands in another group.
    """

    group: str
    n: int
    figures: tuple[Figure, ...]
    keys: KeyPlaces
    same_choices: tuple[str, ...]
    repeated_keys: tuple[str, ...]
    duplicates: int
    elsewhere: int
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Artifacts:
    """Groups of questions side by side; `hidden`: questions without a key, left out."""

    groups: tuple[GroupArtifacts, ...]
    hidden: int
    settings: ArtifactSettings
    cluster: str | None


def artifacts(
    groups: Mapping[str, Sequence[Question]],
    settings: ArtifactSettings | None = None,
    *,
    cluster: str | None = None,
    cues: Mapping[str, str] | None = None,
    readers: Mapping[str, Mapping[str, Answer]] | None = None,
    progress: Progress = SILENT,
) -> Artifacts:
    """How far each shortcut gets above chance in each group.

    `cluster` names the column by which intervals are clustered and folds kept whole. `cues`: further words
    that tell, a pattern by name. `readers`: answers by name, then by question id, of systems that didn't see
    all (a choice-only reader of another kind). Probes are trained and judged by folds; duplicates stay
    together. Raises AssayError when no question has a key, for one whose choices are all the same, for an
    unknown column or language, a pattern that can't be, or a reader named as a shortcut is.
    """
    settings = settings or ArtifactSettings()
    if settings.folds == 1:
        raise AssayError("folds must be at least 2, or 0 for no probes. Got 1.")
    named = {one.name for one in shortcuts(cues)}
    asked = {name: [one for one in of if one.answer is not None] for name, of in groups.items()}
    every = [question for of in groups.values() for question in of]
    hidden = len(every) - sum(map(len, asked.values()))
    if not every:
        raise AssayError("no questions")
    if hidden == len(every):
        raise no_keys(every, hidden)
    _refuse_sameness(asked)
    analyser = Analyser(settings.language)
    elsewhere = _elsewhere(asked)
    found = []
    with progress.task("looking for artifacts", len(every) - hidden, "questions") as advance:
        for name, questions in asked.items():
            if not questions:
                continue
            measured = _Measured(questions, analyser, settings, cluster, cues or {})
            figures = [*measured.rules(), *measured.probes()]
            _refuse_names(readers or {}, named.union(PROBES, (figure.name for figure in figures)))
            figures += measured.given(readers or {})
            same, repeated = _same_choices(questions)
            found.append(
                GroupArtifacts(
                    name,
                    len(questions),
                    _corrected(figures),
                    key_places(questions, settings.seed),
                    same,
                    repeated,
                    _duplicates(questions),
                    elsewhere[name],
                    tuple(measured.notes),
                )
            )
            advance(len(questions))
    return Artifacts(tuple(found), hidden, settings, cluster)


def _refuse_names(readers: Mapping[str, object], taken: set[str]) -> None:
    """A threshold for the name would hold for one of the two alone."""
    for name in readers:
        if name in taken:
            raise AssayError(
                f"a reader is called {name}, as a shortcut is", hint="give it another: NAME=FILE"
            )


class _Measured:
    """One group's questions, read once for all shortcuts."""

    def __init__(
        self,
        questions: Sequence[Question],
        analyser: Analyser,
        settings: ArtifactSettings,
        cluster: str | None,
        cues: Mapping[str, str],
    ) -> None:
        self.questions, self.analyser, self.settings, self.cluster = questions, analyser, settings, cluster
        self.texts = [ChoiceTexts(question, analyser) for question in questions]
        self.counts = choice_counts(questions)
        self.clusters = None if cluster is None else cluster_numbers(questions, cluster)
        self.general = shortcuts(cues)
        self.notes: list[str] = []

    def rules(self) -> list[Figure]:
        found = []
        most = int(self.counts.max())
        for kind, rules in (("rule", self.general), ("place", places(most))):
            for rule in rules:
                inside, hits, sizes = [], [], []
                for place, texts in enumerate(self.texts):
                    scores = rule.scores(texts)
                    if scores is not None:
                        chosen = highest(scores)
                        key = texts.question.labels.index(str(texts.question.answer))
                        inside.append(place)
                        hits.append(key in chosen)
                        sizes.append(len(chosen))
                if inside:
                    chosen_sizes = np.array(sizes, dtype=np.float64)
                    figure = self._figure(rule.name, kind, np.array(inside), np.array(hits) / chosen_sizes)
                    if len(set(hits)) == 1:
                        figure = _all_or_none(figure, hits[0], chosen_sizes, self.counts[np.array(inside)])
                    found.append(figure)
        return found

    def probes(self) -> list[Figure]:
        folds = self.settings.folds
        if not folds:
            return []
        groups = groups_of(self.questions, self.cluster)
        independent = int(groups.max()) + 1
        if folds < 3 or independent < 2 * folds:
            self.notes.append(
                f"probes left out: {folds} folds (3 at least) need {2 * folds:,} questions or clusters that "
                f"don't repeat each other; there are {independent:,}"
            )
            return []
        fold_of = folds_of(groups, folds, self.settings.seed)
        seen = {
            CHOICE_ONLY: (choice_features(texts, self.analyser) for texts in self.texts),
            QUESTION_ONLY: (question_features(texts, self.analyser) for texts in self.texts),
            TOGETHER: (shortcut_features(texts, self.general) for texts in self.texts),
        }
        every = np.arange(len(self.questions))
        found = []
        for name, rows in seen.items():
            probed = cross_validate(build_features(self.questions, rows), fold_of)
            found.append(replace(self._figure(name, "probe", every, probed.points), telling=probed.telling))
        return found

    def given(self, readers: Mapping[str, Mapping[str, Answer]]) -> list[Figure]:
        every = np.arange(len(self.questions))
        return [
            self._figure(
                name,
                "reader",
                every,
                mark(self.questions, [answers[one.id] for one in self.questions]).points,
            )
            for name, answers in readers.items()
        ]

    def _figure(self, name: str, kind: str, inside: Codes, points: Floats) -> Figure:
        counts = self.counts[inside]
        clusters = None
        if self.clusters is not None:
            clusters = np.unique(self.clusters[inside], return_inverse=True)[1]
        score = estimate(points, clusters)
        guessing = chance(counts)
        level = float(np.mean(1 / counts))
        half = (guessing.high or level) - level
        above = t_estimate(points - 1 / counts, clusters)
        if np.all(points == points[0]) and points[0] in (0.0, 1.0):
            # All right or all wrong: t would claim certainty; the score's own interval doesn't.
            low, high = (None if end is None else end - level for end in (score.low, score.high))
            above = replace(
                above, low=low, high=high, method=score.method, degenerate=False, notes=score.notes
            )
        elif above.low is not None and above.high is not None:
            # The t of two questions is wider than all that points can be.
            above = replace(above, low=max(above.low, -level), high=min(above.high, 1 - level))
        p = against_chance(points, counts, clusters).p
        return Figure(name, kind, len(points), score, level, half, above, p)


def _all_or_none(figure: Figure, hit: bool, chosen: Floats, counts: Codes) -> Figure:
    """A rule's figure where the key is among what it chooses in every question, or in none.

    The points then have no spread but that of what ties, and t would claim certainty: Wilson's interval of
    the share of hits, times the mean point of one, takes its place. `p`: twice the chance of that.
    """
    among = chosen / counts
    if np.all(among == 1):
        return replace(figure, p=1.0)
    point = float(np.mean(1 / chosen))
    low, high = (end * point for end in wilson(float(hit), len(chosen)))
    note = "the key is always, or never, among what it chooses: Wilson's interval, clusters aside"
    score, above = (
        replace(
            of,
            low=low - less,
            high=high - less,
            se=None,
            df=None,
            method="wilson",
            degenerate=False,
            notes=(note,),
        )
        for of, less in ((figure.score, 0.0), (figure.above, figure.chance))
    )
    p = min(1.0, 2 * float(np.prod(among if hit else 1 - among)))
    return replace(figure, score=score, above=above, p=p)


def _corrected(figures: Sequence[Figure]) -> tuple[Figure, ...]:
    corrected = holm_where_tested([figure.p for figure in figures])
    return tuple(replace(figure, holm_p=p) for figure, p in zip(figures, corrected, strict=True))


def _refuse_sameness(groups: Mapping[str, Sequence[Question]]) -> None:
    faults = [
        question.fault("all choices are the same: none can be wrong")
        for of in groups.values()
        for question in of
        if len({plain(choice.text) for choice in question.choices}) == 1
    ]
    if faults:
        raise FaultyInput(faults, hint="give them other choices, or leave these questions out")


def _same_choices(questions: Sequence[Question]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    same, repeated = [], []
    for question in questions:
        texts = [plain(choice.text) for choice in question.choices]
        if len(set(texts)) < len(texts):
            same.append(question.id)
            if texts.count(texts[question.labels.index(str(question.answer))]) > 1:
                repeated.append(question.id)
    return tuple(same), tuple(repeated)


def _duplicates(questions: Sequence[Question]) -> int:
    return int(find_duplicates(questions)["stem_alnum"].summary()["surplus"])


def _elsewhere(groups: Mapping[str, Sequence[Question]]) -> dict[str, int]:
    """How many questions of each group have a stem that stands in another."""
    keys = {name: [stem_key(one, "stem_alnum") for one in of] for name, of in groups.items()}
    distinct = {name: set(of) for name, of in keys.items()}
    found = {}
    for name, of in keys.items():
        others = set[bytes]().union(*(own for other, own in distinct.items() if other != name))
        found[name] = sum(key in others for key in of)
    return found
