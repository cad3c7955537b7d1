"""A trained reader as an ONNX graph, for quicker reading on a CPU: fp32, or int8 weights.

reader.json      the model folder's own card, with what was exported and how far its scores are from it
network.onnx     the network in place of weights.safetensors
reader/          as in the model folder
"""

from __future__ import annotations

import importlib.util
import shutil
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch

from assay.errors import AssayError, MissingExtra
from assay.settings import read_settings
from assay.solvers.neural.encoding import encode, pooled
from assay.solvers.neural.mcq import MCQReader
from assay.solvers.neural.model_folder import CARD, OWN, load_reader, whole_card
from assay.solvers.neural.reader import Example, Reader
from assay.solvers.neural.readers import reader_class
from assay.solvers.neural.similarity import SimilarityReader
from assay.solvers.neural.tensor_files import check_files, files_of
from assay.solvers.neural.trained_on import FILE as TRAINED_ON
from assay.storage import to_json, whole_folder

AGAIN = "export the model again"
GRAPH = "network.onnx"
FORMAT = "assay-reader-onnx-1"
OPSET = 17
TOLERANCE = 1e-3
"""Farthest that an fp32 graph's scores may be from the network's own."""
WHAT = "a model as an ONNX graph"
INPUTS = ("ids", "mask", "segments")


class OnnxNetwork(torch.nn.Module):
    """A session in the place of a reader's network: the same calls, on one thread, without gradients."""

    def __init__(self, path: Path, scale: float | None) -> None:
        """Raises AssayError when ONNX Runtime isn't installed or the graph is damaged."""
        super().__init__()
        runtime = _runtime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        try:
            self._session = runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime raises of its own kinds
            said = str(error).splitlines()[0]
            raise AssayError(f"no whole ONNX graph: {said}", file=path) from None
        self.device = torch.device("cpu")
        self.register_buffer("scale", torch.tensor(0.0 if scale is None else scale))

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor | None, segments: torch.Tensor | None = None
    ) -> torch.Tensor:
        """As the network's own: int64 [rows, pieces] to scores [rows], or to vectors [rows, d]."""
        given = {
            "ids": ids,
            "mask": torch.ones_like(ids) if mask is None else mask,
            "segments": torch.zeros_like(ids) if segments is None else segments,
        }
        wanted = {entry.name for entry in self._session.get_inputs()}
        feed = {name: tensor.numpy() for name, tensor in given.items() if name in wanted}
        return torch.from_numpy(self._session.run(None, feed)[0])

    def vectors(
        self, ids: torch.Tensor, mask: torch.Tensor | None, *, sentences: bool = False
    ) -> torch.Tensor:
        """Unit vectors, as `SimilarityNetwork.vectors`."""
        return cast(torch.Tensor, self(ids, mask))


class _Vectors(torch.nn.Module):
    def __init__(self, network: Any) -> None:
        super().__init__()
        self.network = network

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        output = encode(self.network.encoder, ids, mask, torch.zeros_like(ids))
        return torch.nn.functional.normalize(pooled(output, mask, "mean").float(), dim=-1)


def export(model: str | Path, to: str | Path, *, int8: bool = False) -> Mapping[str, Any]:
    """Write the reader of model folder `model` to folder `to`, whole or not at all, and return its card.

    `int8`: weights of products as 8-bit integers, a scale a column; activations are scaled as they come
    (dynamic quantisation). The graph is read back, and its scores of made-up questions compared: an fp32
    graph's must be within TOLERANCE. What lies between them stands in the card under "export".
    Raises AssayError when `to` is something else than an earlier export, the reader's kind has no ONNX form,
    or the scores are too far off.
    """
    model, to = Path(model), Path(to)
    if to.exists() and not is_onnx(to):
        raise AssayError("is there already, and no exported model", file=to, hint="name another folder")
    reader, card = load_reader(model)
    _check_kind(reader)
    with whole_folder(to) as part:
        _write_graph(reader, part / GRAPH)
        if int8:
            _quantise(part / GRAPH)
        shutil.copytree(model / OWN, part / OWN)
        if (model / TRAINED_ON).is_file():
            shutil.copyfile(model / TRAINED_ON, part / TRAINED_ON)
        scale = getattr(reader.network, "scale", None)
        record: dict[str, Any] = {
            **card,
            "format": FORMAT,
            "export": {
                "precision": "int8" if int8 else "fp32",
                "opset": OPSET,
                "weights": card["weights"],
                "scale": None if scale is None else float(scale.detach()),
            },
        }
        found = _open(part, record, {})
        record["export"]["farthest"] = _farthest(reader, found)
        if not int8 and record["export"]["farthest"] > TOLERANCE:
            raise AssayError(
                f"the graph's scores are up to {record['export']['farthest']:.2g} off the network's",
                file=model,
            )
        files = files_of(part)
        record |= {"weights": files[GRAPH], "files": files}
        (part / CARD).write_text(to_json(record, indent=2) + "\n", encoding="utf-8")
    return record


def is_onnx(folder: str | Path) -> bool:
    """Whether `export` wrote the folder."""
    return (Path(folder) / GRAPH).is_file() and (Path(folder) / CARD).is_file()


def load_onnx(folder: str | Path, changed: Mapping[str, Any]) -> tuple[Reader, Mapping[str, Any]]:
    """The exported reader, ready to score, and its card; `changed` as in `load_reader`.

    Raises AssayError when a file is missing, cut off or altered, or ONNX Runtime isn't installed.
    """
    path = Path(folder) / CARD
    card = whole_card(path, FORMAT, GRAPH, AGAIN)
    made = card.get("export")
    scale = made.get("scale", "missing") if isinstance(made, dict) else "missing"
    if scale is not None and (isinstance(scale, bool) or not isinstance(scale, int | float)):
        raise AssayError("the card is damaged: how it was exported is missing", file=path, hint=AGAIN)
    check_files(Path(folder), card["files"], AGAIN)
    return _open(Path(folder), card, changed), card


def _open(folder: Path, card: Mapping[str, Any], changed: Mapping[str, Any]) -> Reader:
    kind = reader_class(card["kind"])
    settings = read_settings(kind.declared, {**card["settings"], **changed}, f"reader {card['kind']!r}")
    reader = cast(Reader, kind.load(settings, folder / OWN))
    reader.network = OnnxNetwork(folder / GRAPH, card["export"]["scale"]).eval()
    return reader


def _check_kind(reader: Reader) -> None:
    if not isinstance(reader, MCQReader | SimilarityReader):
        raise AssayError(f"a reader of kind {reader.kind} can't be exported", hint="mcq and similarity can")
    if isinstance(reader, SimilarityReader) and reader.settings.freeze_sentences:
        raise AssayError("a similarity reader with frozen sentences has two encoders: it can't be exported")


def _write_graph(reader: Reader, path: Path) -> None:
    # PyTorch raises an error of its own where it is missing.
    if importlib.util.find_spec("onnx") is None:
        raise MissingExtra(WHAT, "onnx")
    network = reader.network
    mcq = isinstance(reader, MCQReader)
    ids = torch.tensor([[7, 8, 9, 10, 11], [7, 8, 9, 10, 0]])
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 1, 0]])
    given = (ids, mask, torch.zeros_like(ids)) if mcq else (ids, mask)
    names = INPUTS[: len(given)]
    encoder = cast(Any, network).encoder
    encoder.set_attn_implementation("eager")
    try:
        with warnings.catch_warnings(), torch.no_grad():
            # The tracer warns of branches on shapes, which the axes below leave open.
            warnings.simplefilter("ignore")
            # Set to eval here too: the exporter puts what it is given back into the mode it came in.
            torch.onnx.export(
                (network if mcq else _Vectors(network)).eval(),
                given,
                str(path),
                dynamo=False,
                opset_version=OPSET,
                input_names=list(names),
                output_names=["scores" if mcq else "vectors"],
                dynamic_axes={name: {0: "rows", 1: "pieces"} for name in names},
            )
    except ImportError:
        raise MissingExtra(WHAT, "onnx") from None
    finally:
        encoder.set_attn_implementation("sdpa")


def _quantise(path: Path) -> None:
    _runtime()
    try:
        from onnxruntime.quantization import QuantType, quantize_dynamic
    except ImportError:
        raise MissingExtra(WHAT, "onnx") from None
    import logging

    whole = path.with_name("fp32.onnx")
    path.rename(whole)
    logging.disable(logging.WARNING)
    try:
        quantize_dynamic(
            whole,
            path,
            weight_type=QuantType.QInt8,
            per_channel=True,
            op_types_to_quantize=["MatMul", "Gemm"],
        )
    finally:
        logging.disable(logging.NOTSET)
    whole.unlink()


def _farthest(reader: Reader, other: Reader) -> float:
    """The largest difference between two readers' scores of made-up questions of all lengths."""
    words = ["water", "a", "stone", "heat", "the", "plants", "moves", "is", "x", "light"]
    draw = np.random.default_rng(0)
    most = 0.0
    for number in range(8):

        def text(longest: int) -> str:
            return " ".join(draw.choice(words, int(draw.integers(1, longest))))

        choices = tuple(text(6) for _ in range(4))
        contexts = tuple(tuple(text(14) for _ in range(number)) for _ in choices)
        example = Example(f"made up {number}", text(20), choices, contexts, None)
        with torch.inference_mode():
            (own,), (exported,) = (one.scores([one.prepare(example)]) for one in (reader, other))
        most = max(most, float((own - exported).abs().max()))
    return most


def _runtime() -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise MissingExtra(WHAT, "onnx") from None
    return onnxruntime
