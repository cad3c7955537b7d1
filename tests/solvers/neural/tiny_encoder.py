"""A BERT of a few thousand weights in a folder, with a vocabulary of whole words and letters."""

import string
from pathlib import Path

WORDS = """root leaf flower seed water soil plant which part takes in what is the a of sun heat light bat
eagle mammal bird flies at night iron ore ground deep under stone mass balance ruler clock""".split()


def save_tiny_encoder(folder: Path, *, seed: int = 1, longest: int = 64, pooler: bool = True) -> Path:
    """Write config, weights and tokeniser of a BERT with 2 layers of 16 numbers."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [*string.ascii_lowercase, *string.digits, *string.punctuation]
    vocabulary = list(dict.fromkeys([*marks, *WORDS, *letters, *("##" + c for c in letters)]))
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    tokenizer = BertTokenizerFast(vocab=str(folder / "vocab.txt"), do_lower_case=True)
    tokenizer.save_pretrained(folder)
    assert tokenizer.convert_tokens_to_ids("root") == vocabulary.index("root")
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=longest,
        initializer_range=0.2,
    )
    state = torch.random.get_rng_state()
    torch.manual_seed(seed)
    BertModel(config, add_pooling_layer=pooler).save_pretrained(folder)
    torch.random.set_rng_state(state)
    return folder
