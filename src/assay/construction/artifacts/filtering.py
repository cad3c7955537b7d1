"""A question set through AFLite: what is kept, what is left out, and what shortcuts get before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.construction.artifacts.aflite import (
    AfliteSettings,
    Filtered,
    aflite,
    named_parts,
    random_filter,
)
from assay.construction.artifacts.features import (
    Features,
    Named,
    build_features,
    choice_features,
    question_features,
    shortcut_features,
)
from assay.construction.artifacts.figures import (
    CHOICE_ONLY,
    QUESTION_ONLY,
    TOGETHER,
    Artifacts,
    artifacts,
)
from assay.construction.artifacts.folds import groups_of
from assay.construction.artifacts.probes import fit
from assay.construction.artifacts.settings import ArtifactSettings
from assay.errors import AssayError
from assay.progress import SILENT, Progress
from assay.questions.duplicates import stem_key
from assay.questions.model import Answer, Question
from assay.questions.ties import highest
from assay.scoring.columns import NO_VALUE, column
from assay.scoring.points import no_keys
from assay.solvers.shortcut_rules import ChoiceTexts, shortcuts
from assay.text.analysis import Analyser

SEEN = (CHOICE_ONLY, QUESTION_ONLY, TOGETHER)
"""What the filter's probes may see."""
HELD_OUT = "held-out"
BEFORE, KEPT, RANDOM = "before", "kept", "as many at random"


@dataclass(frozen=True, slots=True, eq=False)
class Filtering:
    """A filtered set. `parts`: by value of a column, questions before and kept. `figures`: the artifacts of
    all questions, of those kept, and of as many at random; with "held-out", a probe trained on questions that
    took no part, where there were some. `repeated`: how many of those were left out, for their stem stands
    among the questions, signs and case aside."""

    questions: tuple[Question, ...]
    filtered: Filtered
    parts: dict[str, tuple[int, int]]
    figures: Artifacts
    repeated: int
    seen: str
    settings: AfliteSettings

    def marked(self, *, kept: bool) -> list[Question]:
        """The questions kept, or those left out, with predictability and iteration in their metadata."""
        found = []
        for place, question in enumerate(self.questions):
            iteration = int(self.filtered.removed_in[place])
            if (iteration == 0) == kept:
                score = float(self.filtered.predictability[place])
                more = {
                    "predictability": None if np.isnan(score) else round(score, 6),
                    "removed_in": iteration,
                }
                found.append(replace(question, metadata={**question.metadata, **more}))
        return found


def filter_questions(
    questions: Sequence[Question],
    settings: AfliteSettings | None = None,
    *,
    seen: str = CHOICE_ONLY,
    by: str = "file",
    cluster: str | None = None,
    held_out: Sequence[Question] = (),
    language: str = "english",
    progress: Progress = SILENT,
) -> Filtering:
    """Filter questions with keys by how predictable they are to probes that see `seen`, and say what it did.

    Raises AssayError for an unknown `seen` or column, a question without a key, or a target that can't be.
    """
    settings = settings or AfliteSettings()
    if seen not in SEEN:
        raise AssayError(f"no probe sees {seen!r}", hint="one of: " + ", ".join(SEEN))
    hidden = [question for question in (*questions, *held_out) if question.answer is None]
    if hidden:
        raise no_keys(hidden, len(questions) + len(held_out))
    if not questions:
        raise AssayError("no questions")
    names = [values[0] if values else NO_VALUE for values in column(questions, by).values]
    analyser = Analyser(language)
    features = features_of(questions, seen, analyser)
    filtered = aflite(features, groups_of(questions, cluster), settings, progress=progress)
    kept = filtered.kept
    chosen = random_filter(len(questions), len(kept), settings.seed)
    sets = {BEFORE: list(questions), KEPT: [questions[place] for place in kept]}
    sets[RANDOM] = [questions[place] for place in chosen]
    stems = {stem_key(question, "stem_alnum") for question in questions}
    apart = [question for question in held_out if stem_key(question, "stem_alnum") not in stems]
    readers = {HELD_OUT: held_out_answers(apart, questions, seen, analyser, settings)} if apart else {}
    measured = ArtifactSettings(language=language, seed=settings.seed + 1)
    figures = artifacts(sets, measured, cluster=cluster, readers=readers, progress=progress)
    repeated = len(held_out) - len(apart)
    return Filtering(tuple(questions), filtered, named_parts(names, kept), figures, repeated, seen, settings)


def features_of(questions: Sequence[Question], seen: str, analyser: Analyser) -> Features:
    """What probes that see `seen` see of the questions."""
    rules = shortcuts()

    def rows(texts: ChoiceTexts) -> list[Named]:
        if seen == CHOICE_ONLY:
            return choice_features(texts, analyser)
        return (
            question_features(texts, analyser) if seen == QUESTION_ONLY else shortcut_features(texts, rules)
        )

    return build_features(questions, (rows(ChoiceTexts(question, analyser)) for question in questions))


def held_out_answers(
    trained_on: Sequence[Question],
    judged: Sequence[Question],
    seen: str,
    analyser: Analyser,
    settings: AfliteSettings,
) -> dict[str, Answer]:
    """Answers, by question id, of one probe trained on questions that took no part in the filter."""
    every = [*trained_on, *judged]
    features = features_of(every, seen, analyser)
    weights = fit(features, np.arange(len(trained_on)), settings.penalty)
    scores = (features.matrix @ weights).tolist()
    answers = {}
    for place in range(len(trained_on), len(every)):
        question, start = every[place], int(features.starts[place])
        chosen = highest(scores[start : start + len(question.choices)])
        answers[question.id] = Answer(question.id, "answered", tuple(question.labels[one] for one in chosen))
    return answers
