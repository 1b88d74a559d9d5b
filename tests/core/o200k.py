"""The tokenizer o200k, through its package's own functions."""

import warnings
from importlib import import_module

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it reads its data with an old function
    _encoding = import_module("bpe_openai").get_encoding("o200k_base")


def exact(text: str) -> int:
    """Return the number of tokens."""
    return len(_encoding._backend.encode(text))  # `encode_ordinary` rejects a million characters
