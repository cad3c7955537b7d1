"""Tensors by name in safetensors files, with what they are checked by."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from assay.errors import AssayError
from assay.storage import sha256_of

Tensors = Mapping[str, torch.Tensor]


def copy_of(tensors: Tensors) -> dict[str, torch.Tensor]:
    """The tensors, each in memory of its own on the CPU."""
    return {name: tensor.detach().to("cpu", copy=True).contiguous() for name, tensor in tensors.items()}


def write_tensors(path: Path, tensors: Tensors) -> None:
    """The same tensors make the same bytes. The caller sees to it that the file appears whole."""
    path.touch()
    # save_file's own permissions would keep everybody else from reading it.
    mode = path.stat().st_mode
    save_file(copy_of(tensors), path)
    path.chmod(mode)


def read_tensors(path: Path) -> dict[str, torch.Tensor]:
    """Tensors by name, on the CPU. Raises AssayError for a file that isn't there, cut off or damaged."""
    try:
        return load_file(path)
    except (SafetensorError, OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise AssayError(f"no whole safetensors file: {reason}", file=path) from None


def files_of(folder: Path) -> dict[str, str]:
    """SHA-256 of every file in the folder and below, by its path within."""
    return {
        path.relative_to(folder).as_posix(): sha256_of(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def check_files(folder: Path, hashes: Mapping[str, str], hint: str) -> None:
    """Raises AssayError when a file is missing or other than its hash says."""
    for name, known in hashes.items():
        path = folder / name
        if not path.is_file():
            raise AssayError("missing", file=path, hint=hint)
        if sha256_of(path) != known:
            raise AssayError(
                "cut off or altered since it was written (its SHA-256 differs)", file=path, hint=hint
            )
