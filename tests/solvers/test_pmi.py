"""The PMI solver against a slow, plain one, and on the real data."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.corpus.build import import_corpus
from assay.corpus.model import Corpus, corpus_in_memory
from assay.errors import AssayError
from assay.evidence.ngrams import KINDS
from assay.questions.model import Choice, PairEvidence, Question
from assay.solvers.pmi import PMI, PMISettings
from assay.text.analysis import is_stop

SENTENCES = [
    "Roots take in water from the soil, and the roots hold the plant in the soil.",
    "The stem carries water from the roots to the leaves of the plant.",
    "Leaves make food from light, water and air; a leaf is green.",
    "A balance measures mass.",
    "",
    "A thermometer measures how warm the water of a pond is, and a balance never measures that.",
]


def question(stem: str, *texts: str, number: int = 0) -> Question:
    return Question(f"q{number}", stem, tuple(map(Choice, "ABCDEFGH", texts)))


def ngrams(terms: list[str], kinds: tuple[str, ...]) -> list[tuple[str, ...]]:
    found = []
    for i in range(len(terms)):
        shapes = {
            "unigram": (terms[i],),
            "bigram": tuple(terms[i : i + 2]),
            "trigram": tuple(terms[i : i + 3]),
            "skip-bigram": (terms[i], "_", *terms[i + 2 : i + 3]),
        }
        lengths = {"unigram": 1, "bigram": 2, "trigram": 3, "skip-bigram": 3}
        found += [
            shape
            for kind, shape in shapes.items()
            if kind in kinds
            and len(shape) == lengths[kind]
            and not is_stop(shape[0])
            and not is_stop(shape[-1])
        ]
    return list(dict.fromkeys(found))


def holds(ngram: tuple[str, ...], tokens: list[str]) -> list[int]:
    return [
        start
        for start in range(len(tokens) - len(ngram) + 1)
        if all(part in ("_", token) for part, token in zip(ngram, tokens[start:], strict=False))
    ]


def slow_score(corpus: Corpus, stem: str, text: str, options: PMISettings) -> float:
    """Mean PMI from the definitions, a sentence and a pair at a time."""
    terms = corpus.analyser.all_terms
    sentences = [terms(sentence) for sentence in corpus.texts]
    window = options.window
    values = []
    for x in ngrams(terms(stem), options.kinds):
        for y in ngrams(terms(text), options.kinds):
            total = single_x = single_y = joint = 0
            for tokens in sentences:
                if options.estimator == "positions":
                    at_x, at_y = holds(x, tokens), holds(y, tokens)
                    total, single_x, single_y = (
                        total + len(tokens),
                        single_x + len(at_x),
                        single_y + len(at_y),
                    )
                    joint += sum(abs(i - j) < window for i in at_x for j in at_y)
                elif tokens:
                    for begin in range(max(1, len(tokens) - window + 1)):
                        inside = tokens[begin : begin + window]
                        has_x, has_y = bool(holds(x, inside)), bool(holds(y, inside))
                        total, single_x, single_y = total + 1, single_x + has_x, single_y + has_y
                        joint += has_x and has_y
            if joint:
                pmi = math.log((joint / total) / ((single_x / total) * (single_y / total)))
                values.append(max(pmi, 0.0) if options.clip else pmi)
            elif not options.skip_unseen:
                values.append(0.0)
    return sum(values) / len(values) if values else 0.0


WORDS = st.sampled_from(
    "roots water the plant leaf of green balance measures mass pond in light unknown".split()
)
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(
    stem=TEXTS,
    texts=st.lists(TEXTS, min_size=2, max_size=4),
    options=st.builds(
        PMISettings,
        estimator=st.sampled_from(["windows", "positions"]),
        window=st.integers(1, 12),
        kinds=st.sampled_from([KINDS, ("unigram",), ("unigram", "skip-bigram"), ("bigram", "trigram")]),
        skip_unseen=st.booleans(),
        clip=st.booleans(),
    ),
    threads=st.integers(1, 2),
)
def test_scores_are_the_definition(stem: str, texts: list[str], options: PMISettings, threads: int) -> None:
    corpus = corpus_in_memory(SENTENCES)
    (answer,) = PMI(corpus, options, threads=threads).answer([question(stem, *texts)])
    assert answer.scores == pytest.approx(
        [slow_score(corpus, stem, text, options) for text in texts], abs=1e-9
    )


def test_nothing_but_stop_words_scores_nothing() -> None:
    solver = PMI(corpus_in_memory(SENTENCES))
    (answer,) = solver.answer([question("What holds the plant?", "roots", "of the", "", "+")])
    assert answer.scores is not None
    assert answer.scores[1:] == (0.0, 0.0, 0.0)
    assert answer.scores[0] > 0
    assert answer.chosen == ("A",)
    assert answer.evidence is not None
    assert answer.evidence[1:] == ((), (), ())


def test_evidence_is_the_strongest_pairs() -> None:
    corpus = corpus_in_memory(SENTENCES)
    solver = PMI(corpus, PMISettings(evidence=2, window=4))
    (answer,) = solver.answer([question("What measures mass?", "balance", "leaf")])
    assert answer.evidence is not None
    first, second = answer.evidence[0]
    assert isinstance(first, PairEvidence)
    assert isinstance(second, PairEvidence)
    # Both stand once, in the same window: of equals the first in the stem comes first.
    assert (first.x, first.y, first.count) == ("measur mass", "balanc", 1)
    assert (second.x, second.y, second.pmi) == ("mass", "balanc", first.pmi)
    assert answer.evidence[1] == ()
    (bare,) = PMI(corpus, PMISettings(evidence=0)).answer(
        [question("What measures mass?", "balance", "leaf")]
    )
    assert bare.evidence == ((), ())


def test_a_pass_over_the_corpus_more_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = PMI(corpus_in_memory(SENTENCES))
    asked = [question("What holds the plant?", "roots", f"leaf {n}", number=n) for n in range(9)]
    whole = list(solver.answer(asked))
    monkeypatch.setattr("assay.solvers.pmi.PAIRS", 400)
    assert list(solver.answer(asked)) == whole


def test_settings_are_read_and_told() -> None:
    corpora = {"small": corpus_in_memory(SENTENCES)}
    solver = PMI.build("p", {"estimator": "positions", "kinds": ["unigram"], "window": 5}, corpora)
    assert solver.settings["corpus"] == corpora["small"].fingerprint
    assert {"estimator": "positions", "kinds": ("unigram",), "window": 5}.items() <= solver.settings.items()
    for wrong in (
        {"estimator": "docs"},
        {"window": 0},
        {"kinds": ["word"]},
        {"widow": 3},
        {"corpus": "large"},
    ):
        with pytest.raises(AssayError):
            PMI.build("p", wrong, corpora)


def arc_test(shared_data: Path, part: str) -> list[Question]:
    path = shared_data / "arc" / f"ARC-{part}" / f"ARC-{part}-Test.jsonl"
    read = []
    for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
        record = json.loads(line)
        choices = tuple(Choice(each["label"], each["text"]) for each in record["question"]["choices"])
        read.append(Question(record["id"], record["question"]["stem"], choices, record["answerKey"]))
    return read


@pytest.fixture(scope="module")
def science_corpus(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("corpus") / "science"
    return import_corpus(shared_data / "corpus" / "science.tsv.gz", folder)


@pytest.mark.real_data
@pytest.mark.slow
def test_arc_on_the_science_corpus(science_corpus: Corpus, shared_data: Path) -> None:
    """Easy within 52-58 percent and Challenge within 19-25, by both estimators."""
    easy, challenge = (arc_test(shared_data, part) for part in ("Easy", "Challenge"))
    for estimator in ("windows", "positions"):
        answers = list(PMI(science_corpus, PMISettings(estimator=estimator)).answer(easy + challenge))
        points = [
            1 / len(answer.chosen) if asked.answer in answer.chosen else 0
            for asked, answer in zip(easy + challenge, answers, strict=True)
        ]
        assert 52 < 100 * sum(points[: len(easy)]) / len(easy) < 58
        assert 19 < 100 * sum(points[len(easy) :]) / len(challenge) < 25
