"""Made-up reports: shape and size of a real run, from a seed. Statistics are plausible, not computed."""

from __future__ import annotations

import random
from collections.abc import Sequence

from assay.construction.partition import PartitionAgreement, Set
from assay.construction.sensitivity import SensitivityRow
from assay.questions.model import (
    Answer,
    Choice,
    PairEvidence,
    Question,
    ReplyEvidence,
    SentenceEvidence,
    Status,
)
from assay.report import data as shown

SYSTEMS = [
    ("guess-all", "guess-all", "", False, 25.0, 25.0),
    ("IR", "ir", "school science, 383,491 sentences", True, 52.6, 23.4),
    ("PMI", "pmi", "school science, 383,491 sentences", True, 54.6, 22.0),
    ("TableILP", "predictions", "tableilp.csv", False, 36.2, 27.0),
    ("TupleInference", "predictions", "tuples.csv", False, 60.8, 23.8),
    ("DGEM", "predictions", "dgem.csv", False, 59.0, 27.1),
    ("DecompAttn", "predictions", "decomp.csv", False, 58.3, 24.3),
    ("BiDAF", "predictions", "bidaf.csv", False, 50.1, 26.5),
    ("small reader, 3 seeds", "predictions", "reader.jsonl", False, 71.9, 44.7),
    ("large model, no corpus", "predictions", "model.jsonl", False, 93.4, 84.2),
]
TOPICS = ["Earth and sky", "Living things", "Forces and motion", "Matter", "Energy", "Measuring"]
THINGS = "ice,salt,copper,wax,clay,basalt,pollen,a magnet,a lever,moss,a fern,glass,sand".split(",")
STEMS = [
    "Which of these would melt first on a warm plate: {0} or {1}?",
    "A student leaves {0} beside {1} in a sunny window for a week. What is she most likely testing?",
    "Why does {0} sink in fresh water while {1} floats? Choose the best explanation for what is seen.",
    "Which tool would best show how {0} changes when it is cooled next to {1}?",
    "What do {0} and {1} have in common?",
]


def made_up(questions: int = 400, seed: int = 1, systems: Sequence[tuple] = SYSTEMS) -> shown.ReportData:
    """A whole report over `questions` made-up questions."""
    rng = random.Random(seed)
    asked = tuple(_asked(number, rng, systems) for number in range(questions))
    easy = [one for one in asked if one.published == "Easy"]
    challenge = [one for one in asked if one.published == "Challenge"]
    sets = {"Easy": easy, "Challenge": challenge, "All": list(asked)}
    made = {
        "Easy, made here": [one for one in asked if one.made == "Easy"],
        "Challenge, made here": [one for one in asked if one.made == "Challenge"],
    }
    columns = (
        *(
            shown.Column(name, "all" if name == "All" else "published", len(some))
            for name, some in sets.items()
        ),
        *(shown.Column(name, "made", len(some), headline=False) for name, some in made.items()),
    )
    names = tuple(system[0] for system in systems)
    scores = tuple(
        _score(name, number, column, some)
        for number, name in enumerate(names)
        for column, some in (sets | made).items()
    )
    by = {(score.system, score.column): score for score in scores}
    table: dict[Set, dict[Set, int]] = {
        a: {b: sum(one.made == a and one.published == b for one in asked) for b in ("Easy", "Challenge")}
        for a in ("Easy", "Challenge")
    }
    return shown.ReportData(
        title="School science questions",
        sentence=_sentence(asked, challenge, by, names),
        command="assay run benchmark.toml",
        configuration='[questions]\nfiles = ["questions.jsonl"]\n\n[[solver]]\nname = "IR"\nkind = "ir"\n',
        corpora=(
            shown.CorpusUsed("school science", 383491, "9f2c41d0a6b35e77" * 4),
            shown.CorpusUsed("worked answers", 12041, "01ab77c3" * 8, "its sentences explain test questions"),
        ),
        systems=tuple(shown.SystemUsed(*system[:4]) for system in systems),
        columns=columns,
        scores=scores,
        gaps=tuple(
            shown.Gap(name, "published", gap, gap - 3.1, gap + 3.1)
            for name in names
            for gap in [(by[name, "Easy"].score or 0) - (by[name, "Challenge"].score or 0)]
        ),
        ranks=tuple(
            shown.Rank(name, "Challenge", place, max(1, place - 1), min(len(names), place + 2))
            for place, name in enumerate(
                sorted(names, key=lambda name: -(by[name, "Challenge"].score or 0)), start=1
            )
        ),
        comparisons=tuple(_comparisons(names, by, "Challenge", len(challenge), rng)),
        agreement=(_agreement("Challenge", names, rng),),
        breakdowns=tuple(_breakdowns(asked, names)),
        partition=shown.PartitionMade(
            "Easy if any of 2 filters chooses exactly the key",
            sum(one.made == "Easy" for one in asked),
            sum(one.made == "Challenge" for one in asked),
            (
                shown.FilterOutcome("IR", round(questions * 0.42), round(questions * 0.16)),
                shown.FilterOutcome("PMI", round(questions * 0.43), round(questions * 0.17)),
            ),
            PartitionAgreement(table, 0.741, 0.462, 0),
        ),
        sensitivity=(
            SensitivityRow("as configured", 4610, 3177, 0, 0),
            SensitivityRow("without IR", 3375, 4412, 0, 1235),
            SensitivityRow("without PMI", 3290, 4497, 0, 1320),
            SensitivityRow("2 of 2 filters needed", 2055, 5732, 0, 2555),
            SensitivityRow("a tie that includes the key counts", 4790, 2997, 180, 0),
            SensitivityRow("corpus with worked answers", 5120, 2667, 702, 192),
        ),
        matrix=shown.CorpusMatrixShown(
            ("school science", "worked answers"),
            tuple(
                shown.Profile(
                    answered,
                    n,
                    tuple(shown.GroupScore(s, s - 2, s + 2) for s in (30 + 20 * sum(answered), 61.2)),
                )
                for answered, n in [
                    ((False, False), 2301),
                    ((True, False), 366),
                    ((False, True), 876),
                    ((True, True), 4244),
                ]
            ),
            ("BiDAF", "DGEM"),
        ),
        calibration=(_calibration(),),
        suspects=tuple(
            shown.SuspectKey(one.question.id, one.question.labels[0], names[-3:])
            for one in asked[:: max(1, questions // 12)]
        )[:12],
        questions=asked,
        left_out=(
            "31 groups of equal stems (66 questions) were kept: they are warnings of `assay check`.",
            "TableILP was not asked about the 2,251 training questions.",
        ),
        settings={
            "tie rule": "within 1e-6 of the best is equal; a k-way tie that includes the key earns 1/k",
            "interval": "95%, t on the points",
            "PMI estimator": "windows of 10 tokens",
            "stop words": "Lucene's English list of 33",
        },
    )


def _asked(number: int, rng: random.Random, systems: Sequence[tuple]) -> shown.Asked:
    count = rng.choices([3, 4, 5], [1, 8, 1])[0]
    labels = "1234"[:count] if number % 17 == 0 and count < 5 else "ABCDE"[:count]
    things = rng.sample(THINGS, 2)
    question = Question(
        id=f"made_{number:05d}",
        stem=rng.choice(STEMS).format(*things),
        choices=tuple(Choice(label, f"{rng.choice(THINGS)} and {rng.choice(THINGS)}") for label in labels),
        answer=rng.choice(labels),
        tags={"topic": tuple(rng.sample(TOPICS, rng.choice([1, 1, 2])))},
        metadata={"grade": str(rng.randint(3, 9)), "exam": f"Exam {rng.randint(1, 22)}", "year": "2013-2014"},
    )
    easy = rng.random() < 0.667
    answers, points = [], []
    for name, kind, _, _, on_easy, on_challenge in systems:
        if name == "TableILP" and number % 10 == 3:
            answers.append(None)
            points.append(None)
            continue
        answer = _answer(question, kind, (on_easy if easy else on_challenge) / 100, rng)
        answers.append(answer)
        points.append(1 / len(answer.chosen) if question.answer in answer.chosen else 0.0)
    made: Set = "Easy" if points[1] == 1 or points[2] == 1 else "Challenge"
    return shown.Asked(
        question,
        tuple(answers),
        tuple(points),
        "Easy" if easy else "Challenge",
        made,
        f"{made}: IR {'chose exactly the key' if points[1] == 1 else 'did not'}; PMI "
        f"{'chose exactly the key' if points[2] == 1 else 'did not'}.",
    )


def _answer(question: Question, kind: str, chance: float, rng: random.Random) -> Answer:
    labels = question.labels
    if kind == "guess-all":
        return Answer(question.id, "answered", labels, (1.0,) * len(labels))
    roll = rng.random()
    if kind == "predictions" and roll > 0.985:
        status: Status = rng.choice(["unanswered", "empty", "unparsed", "refused"])
        reply = tuple((ReplyEvidence("I can't say <b>which</b>."),) for _ in labels)
        return Answer(question.id, status, evidence=reply if status != "unanswered" else None)
    best = (
        question.answer if rng.random() < chance else rng.choice([x for x in labels if x != question.answer])
    )
    chosen = tuple(x for x in labels if x == best or rng.random() < 0.02)
    if kind == "predictions":
        return Answer(question.id, "answered", chosen)
    scores = tuple(9.5 if x in chosen else rng.random() * 9 for x in labels)
    if kind == "ir":
        evidence = tuple(
            (
                SentenceEvidence(
                    f"In the lab, {choice.text} were kept dry and then warmed slowly over a small flame.",
                    score,
                    rng.randrange(383491),
                    "school science",
                ),
            )
            for choice, score in zip(question.choices, scores, strict=True)
        )
    else:
        evidence = tuple(
            tuple(
                PairEvidence(
                    rng.choice(["melt", "sink", "warm plate"]), word, rng.random() * 6, rng.randrange(900)
                )
                for word in choice.text.split(" and ")
            )
            for choice in question.choices
        )
    return Answer(question.id, "answered", chosen, scores, evidence)


def _score(name: str, number: int, column: str, some: Sequence[shown.Asked]) -> shown.Score:
    given = [(one.answers[number], one.points[number]) for one in some if one.answers[number] is not None]
    n = len(given)
    points = [point or 0.0 for _, point in given]
    score = 100 * sum(points) / n if n else None
    half = 196 * (max(0.0, (score or 0) / 100 * (1 - (score or 0) / 100)) / max(1, n)) ** 0.5
    half = 0.0 if name == "guess-all" else half
    band = 196 * (0.25 * 0.75 / max(1, n)) ** 0.5
    statuses: dict[Status, int] = {}
    for answer, _ in given:
        statuses[answer.status] = statuses.get(answer.status, 0) + 1
    right = sum(point == 1 for point in points)
    tied = sum(0 < point < 1 for point in points)
    return shown.Score(
        name,
        column,
        n,
        score,
        None if score is None else max(0.0, score - half),
        None if score is None else min(100.0, score + half),
        25.0,
        25.0 - band,
        25.0 + band,
        None if name == "guess-all" else (0.31 if score and score < 27 else 0.00001),
        right,
        tied,
        statuses.get("answered", 0) - right - tied,
        statuses,
    )


def _sentence(asked, challenge, by, names) -> str:
    best = max(names, key=lambda name: by[name, "Challenge"].score or 0)
    top = by[best, "Challenge"]
    return (
        f"Of {len(asked):,} questions {len(challenge):,} are Challenge. The best system, {best}, scores "
        f"{top.score or 0:.1f} [{top.low or 0:.1f}, {top.high or 0:.1f}] there; chance is "
        f"{top.chance:.1f} [{top.chance_low:.1f}, {top.chance_high:.1f}]."
    )


def _comparisons(names, by, column, n, rng):
    for first, a in enumerate(names):
        for b in names[first + 1 :]:
            difference = (by[b, column].score or 0) - (by[a, column].score or 0)
            p = 0.0000123 if abs(difference) > 6 else rng.random()
            yield shown.Comparison(
                b,
                a,
                column,
                n,
                difference,
                difference - 3.3,
                difference + 3.3,
                p,
                min(1.0, p * 45),
                rng.randrange(100, 500),
                rng.randrange(100, 500),
                p / 3,
                rng.randrange(100, 300),
                rng.randrange(100, 300),
                "points favour the one, fully right answers the other: the first has many partial ties"
                if (a, b) == ("IR", "PMI")
                else None,
                4.7,
            )


def _agreement(column, names, rng) -> shown.Agreement:
    size = len(names)
    share = [[1.0] * size for _ in names]
    for i in range(size):
        for j in range(i):
            share[i][j] = share[j][i] = 0.0 if j == 0 else round(0.2 + 0.6 * rng.random(), 3)
    kappa = [[None if 0 in (i, j) else (share[i][j] - 0.25) / 0.75 for j in range(size)] for i in range(size)]
    return shown.Agreement(column, tuple(names), tuple(map(tuple, share)), tuple(map(tuple, kappa)))


def _breakdowns(asked, names):
    for by, key, values_of in [
        ("grade", "metadata:grade", lambda q: [q.metadata["grade"]]),
        ("topic", "tag:topic", lambda q: q.tags["topic"]),
        ("number of choices", "choices", lambda q: [str(len(q.choices))]),
        ("exam", "metadata:exam", lambda q: [q.metadata["exam"]]),
    ]:
        found: dict[str, list[shown.Asked]] = {}
        for one in asked:
            for value in values_of(one.question):
                found.setdefault(value, []).append(one)
        groups = []
        for value in sorted(found, key=lambda value: (len(value), value)):
            some = found[value]
            scores = [_score(name, number, "", some) for number, name in enumerate(names)]
            groups.append(
                shown.Group(
                    value,
                    len(some),
                    len(some) < 30,
                    tuple(_group_score(s, small=len(some) < 30) if s.n else None for s in scores),
                    25.0,
                    len(asked) - len(some),
                )
            )
        yield shown.Breakdown(by, "All", tuple(names), tuple(groups), by == "topic", key)


def _group_score(score, *, small: bool) -> shown.GroupScore:
    difference = score.score - 45
    p_chance, p_rest = (None, None) if small else (0.001, 0.2 if abs(difference) < 10 else 0.01)
    return shown.GroupScore(
        score.score, score.low, score.high, p_chance, difference, difference - 5, difference + 5, p_rest
    )


def _calibration() -> shown.Calibration:
    bins = tuple(
        shown.CalibrationBin(
            10.0 * i, 10.0 * i + 10, 40 + 150 * i, 10.0 * i + 5, 8.5 * i + 4, 8.5 * i - 2 + 2, 8.5 * i + 10
        )
        for i in range(2, 10)
    )
    curve = tuple(shown.SelectivePoint(float(c), 99.0 - c * 0.06) for c in range(10, 101, 10))
    return shown.Calibration("large model, no corpus", "All", 7787, 5.3, 0.118, bins, curve)
