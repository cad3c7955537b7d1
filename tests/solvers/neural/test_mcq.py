"""BERT-MCQ: what it reads, and that it learns."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the neural extra isn't installed")

import torch

from assay.errors import AssayError
from assay.solvers.neural.mcq import MCQReader, MCQSettings
from assay.solvers.neural.reader import Example
from tests.solvers.neural.tiny_encoder import WORDS, save_tiny_encoder


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_tiny_encoder(tmp_path_factory.mktemp("tiny") / "encoder"))


def reader(encoder: str, **settings: object) -> MCQReader:
    given = {"encoder": encoder, "pieces": 40, "dropout": 0.0, "encoder_dropout": 0.0, **settings}
    return MCQReader.new(MCQSettings(**given), seed=7)


EXAMPLE = Example(
    "q",
    "which part takes water",
    ("root", "the deep iron ore"),
    (("root takes water", "soil is ground"), ()),
    0,
)


def words(made: MCQReader, row: object) -> str:
    return " ".join(made._encoder.tokenizer.convert_ids_to_tokens(row.tolist()))


def test_the_sequence_is_context_question_choice_with_the_best_sentence_last(encoder: str) -> None:
    made = reader(encoder)
    rows, choice_at = made.prepare(EXAMPLE)
    assert words(made, rows[0]) == (
        "[CLS] soil is ground root takes water [SEP] which part takes water [SEP] root [SEP]"
    )
    assert words(made, rows[1]) == "[CLS] which part takes water [SEP] the deep iron ore [SEP]"
    for row, at in zip(rows, choice_at, strict=True):
        assert words(made, row[:at]).endswith("water [SEP]")
    assert made.cost(made.prepare(EXAMPLE)) == len(rows[0])


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("choice",), "[CLS] [SEP] root [SEP]"),
        (("stem",), "[CLS] which part takes water [SEP] [SEP]"),
        (("context", "choice"), "[CLS] soil is ground root takes water [SEP] [SEP] root [SEP]"),
    ],
)
def test_parts_that_are_not_named_are_not_read(encoder: str, parts: tuple[str, ...], expected: str) -> None:
    made = reader(encoder, parts=parts)
    assert words(made, made.prepare(EXAMPLE).rows[0]) == expected
    hidden = {"stem": replace(EXAMPLE, stem="sun"), "context": replace(EXAMPLE, contexts=((), ()))}
    for part in set(hidden) - set(parts):
        changed = made.prepare(hidden[part])
        assert [row.tolist() for row in changed.rows] == [row.tolist() for row in made.prepare(EXAMPLE).rows]


@torch.inference_mode()
def test_without_the_choices_all_scores_are_equal(encoder: str) -> None:
    made = reader(encoder, parts=("stem",))
    (scores,) = made.scores([made.prepare(EXAMPLE)])
    assert scores[0] == scores[1]


def random_example(draw: random.Random, number: int) -> Example:
    def text(most: int) -> str:
        return " ".join(draw.choices(WORDS, k=draw.randrange(most)))

    choices = tuple(text(40) for _ in range(draw.randrange(1, 5)))
    contexts = tuple(tuple(text(12) for _ in range(draw.randrange(6))) for _ in choices)
    return Example(f"q{number}", text(30), choices, contexts, None)


def test_truncation_against_cutting_one_by_one(encoder: str) -> None:
    made = reader(encoder, pieces=24, sentences=3)
    tokenizer = made._encoder.tokenizer
    draw = random.Random(11)
    cut = 0
    for number in range(200):
        example = random_example(draw, number)
        for choice, context, row in zip(
            example.choices, example.contexts, made.prepare(example).rows, strict=True
        ):
            sentences = [tokenizer.tokenize(text) for text in reversed(context[:3])]
            first = [token for sentence in sentences for token in sentence]
            first = [*first, "[SEP]"] if first else []
            first += tokenizer.tokenize(example.stem)
            second = tokenizer.tokenize(choice)
            while len(first) + len(second) > 24 - 3:
                cut += 1
                if len(first) > len(second):
                    del first[0]
                else:
                    del second[-1]
            assert words(made, row).split() == ["[CLS]", *first, "[SEP]", *second, "[SEP]"]
    assert cut


@torch.inference_mode()
def test_scores_are_those_of_each_sequence_alone(encoder: str) -> None:
    made = reader(encoder)
    draw = random.Random(2)
    examples = [random_example(draw, number) for number in range(20)]
    prepared = [made.prepare(example) for example in examples]
    together = made.scores(prepared)
    for example, sequences, scores in zip(examples, prepared, together, strict=True):
        assert scores.shape == (len(example.choices),)
        assert scores.dtype == torch.float32
        for row, at, score in zip(sequences.rows, sequences.choice_at, scores, strict=True):
            ids = torch.tensor(row.tolist())[None]
            segments = (torch.arange(len(row)) >= at).long()[None]
            network = made.network
            states = network.encoder(input_ids=ids, token_type_ids=segments)
            alone = network.score(states.pooler_output)
            assert float(score) == pytest.approx(float(alone), abs=1e-5)


def test_both_ways_of_attention_give_the_same_scores(encoder: str) -> None:
    made = reader(encoder)
    made.network.score.weight.data *= 50
    draw = random.Random(8)
    prepared = [made.prepare(random_example(draw, number)) for number in range(8)]
    with torch.autocast("cpu", torch.bfloat16):
        trained = torch.cat(made.scores(prepared))
        assert made.network.encoder.config._attn_implementation == "eager"
        with torch.no_grad():
            read = torch.cat(made.scores(prepared))
    assert made.network.encoder.config._attn_implementation == "sdpa"
    assert trained.requires_grad
    assert torch.allclose(trained, read, atol=0.05)
    assert read.std() > 0.1


def toy() -> list[Example]:
    """The choice is right that its sentence says is in the soil."""
    examples = []
    things = ("root", "leaf", "flower", "seed", "stone", "bat")
    draw = random.Random(4)
    for number in range(12):
        choices = tuple(draw.sample(things, 3))
        key = number % 3
        contexts = tuple(
            (f"the {text} is in the {'soil' if place == key else 'light'}",)
            for place, text in enumerate(choices)
        )
        examples.append(Example(f"t{number}", "what is in the soil", choices, contexts, key))
    return examples


def fit(made: object, examples: list[Example], steps: int, rate: float) -> float:
    """Accuracy on the examples after training on them."""
    prepared = [made.prepare(example) for example in examples]
    keys = torch.tensor([example.key for example in examples])
    optimiser = torch.optim.AdamW(made.network.parameters(), lr=rate)
    made.network.train()
    for _ in range(steps):
        loss = torch.nn.functional.cross_entropy(torch.stack(made.scores(prepared)), keys)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    made.network.eval()
    with torch.no_grad():
        return float((torch.stack(made.scores(prepared)).argmax(1) == keys).float().mean())


@pytest.mark.parametrize("pooling", ["pooler", "cls", "mean"])
def test_it_fits_a_toy_set(encoder: str, pooling: str) -> None:
    assert fit(reader(encoder, pooling=pooling), toy(), 40, 0.01) == 1.0


def test_choices_alone_do_not_tell(encoder: str) -> None:
    swapped = [replace(example, key=(example.key + 1) % 3) for example in toy()]
    made = reader(encoder, parts=("stem",))
    assert fit(made, toy() + swapped, 5, 0.01) < 1.0


def test_every_weight_learns(encoder: str) -> None:
    made = reader(encoder)
    torch.stack(made.scores([made.prepare(example) for example in toy()]))[:, 0].sum().backward()
    idle = [
        name
        for name, weight in made.network.named_parameters()
        if weight.grad is None or not weight.grad.abs().sum() > 0
    ]
    # A key's bias moves every score of attention alike.
    assert all(name.endswith("key.bias") for name in idle), idle


@torch.inference_mode()
def test_saved_and_loaded_it_scores_the_same(encoder: str, tmp_path: Path) -> None:
    made = reader(encoder)
    made.save(tmp_path)
    back = MCQReader.load(made.settings, tmp_path)
    back.network.load_state_dict(made.network.state_dict())
    back.network.eval()
    for one, other in zip(
        made.scores([made.prepare(EXAMPLE)]), back.scores([back.prepare(EXAMPLE)]), strict=True
    ):
        assert one.tolist() == other.tolist()


def test_the_seed_draws_what_the_encoder_lacks(tmp_path: Path) -> None:
    bare = str(save_tiny_encoder(tmp_path, pooler=False))
    assert reader(bare).settings.pooling == "mean"
    weights = [
        MCQReader.new(MCQSettings(encoder=bare, pieces=40, pooling="pooler"), seed=seed).network.state_dict()
        for seed in (1, 1, 2)
    ]
    for name in ("score.weight", "encoder.pooler.dense.weight"):
        assert torch.equal(weights[0][name], weights[1][name])
        assert not torch.equal(weights[0][name], weights[2][name])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"pieces": 65}, "pieces = 65, but encoder .* reads 64 at most"),
        ({"parts": ()}, "parts must be any of"),
        ({"parts": ("question",)}, "parts must be any of context, stem, choice. Got .'question'"),
    ],
)
def test_settings_that_do_not_fit_are_refused(encoder: str, wrong: dict[str, object], message: str) -> None:
    with pytest.raises(AssayError, match=message):
        reader(encoder, **wrong)
