"""Model variants: a name of ours for an endpoint and a model on it, chosen per message."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """`window` is what the model can read and write in one call; `answer_tokens` is kept free of it
    for the answer, and `memory_tokens` bounds the memory part where the model is small or slow."""

    name: str
    model: str
    base_url: str | None = None
    """None is OpenAI itself, or for the local variant the server that we start."""
    api_key: str | None = field(default=None, repr=False)
    window: int = 128_000
    answer_tokens: int = 4_096
    memory_tokens: int | None = None
    timeout_seconds: float = 60.0

    @property
    def is_local(self) -> bool:
        return self.name == "local" and self.base_url is None

    @property
    def is_openai(self) -> bool:
        """Whether OpenAI's own API answers, hosted prompts included."""
        if self.base_url is None:
            return not self.is_local
        return urlsplit(self.base_url).hostname == "api.openai.com"


LOCAL = Variant(
    name="local",
    model="SmolLM2-135M-Instruct",
    window=8_192,
    answer_tokens=512,
    memory_tokens=800,
    timeout_seconds=120.0,
)
"""Needs no key and no network."""
