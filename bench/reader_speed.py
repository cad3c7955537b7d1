"""Sequences a second and core that an encoder reads or trains on: `python bench/reader_speed.py`.

By processor time on one thread, so that other work on the machine counts little.
"""

from __future__ import annotations

import argparse
import time

import torch

from assay.solvers.neural.encoder import load_encoder
from assay.solvers.neural.encoding import layers_of, set_dropout

ROWS = 8
CASES = {
    "training, fp32": (True, False, 0, "sdpa"),
    "training, bf16, fused attention": (True, True, 0, "sdpa"),
    "training, bf16": (True, True, 0, "eager"),
    "training, bf16, freeze=1 (embeddings)": (True, True, 1, "eager"),
    "training, bf16, freeze=4 (and 3 layers)": (True, True, 4, "eager"),
    "reading, fp32": (False, False, 0, "sdpa"),
    "reading, bf16": (False, True, 0, "sdpa"),
}


def once(model, pieces, training, bf16, frozen, attention):
    """Sequences a second of one pass."""
    model.requires_grad_(True)
    for layer in layers_of(model)[:frozen]:
        for weight in layer:
            weight.requires_grad_(False)
    model.set_attn_implementation(attention)
    model.train(training)
    ids = torch.randint(1000, 20000, (ROWS, pieces))
    start = time.process_time()
    with torch.set_grad_enabled(training), torch.autocast("cpu", torch.bfloat16, enabled=bf16):
        vectors = model(input_ids=ids).pooler_output
    if training:
        vectors.float().sum().backward()
        model.zero_grad(set_to_none=True)
    return ROWS / (time.process_time() - start)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--encoder", default="minilm")
    parser.add_argument("--pieces", type=int, nargs="+", default=[64, 128])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--dropout", type=float, default=0.0)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    model = load_encoder(asked.encoder).model
    set_dropout(model, asked.dropout)
    print(f"{'':42}" + "".join(f"{pieces:>8}" for pieces in asked.pieces))
    best = {}
    for _ in range(asked.repeats):
        for name, case in CASES.items():
            for pieces in asked.pieces:
                speed = once(model, pieces, *case)
                best[name, pieces] = max(speed, best.get((name, pieces), 0.0))
    for name in CASES:
        print(f"{name:42}" + "".join(f"{best[name, pieces]:8.1f}" for pieces in asked.pieces))


if __name__ == "__main__":
    main()
