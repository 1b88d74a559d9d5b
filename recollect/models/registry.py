"""The models by the names of their variants, each opened when it is first used."""

from collections.abc import Mapping
from dataclasses import replace

from recollect.errors import InvalidInput
from recollect.models.base import ChatModel, Meter
from recollect.models.local import LocalChat
from recollect.models.openai import OpenAIChat
from recollect.variants import Variant


class Models:
    """`memory.models`: which variants there are, and the models behind them."""

    def __init__(self, variants: Mapping[str, Variant], *, default: str, meter: Meter) -> None:
        self.variants = variants
        self.default = default
        self._meter = meter
        self._open: dict[Variant, ChatModel] = {}

    def get(self, name: str | None = None) -> ChatModel:
        """The default one where no name is given."""
        variant = self.variants.get(name or self.default)
        if variant is None:
            known = ", ".join(self.variants)
            raise InvalidInput(f"model must be one of {known}, not {name!r}.", field="model")
        return self._opened(variant)

    def summarizer(self, model: str | None) -> ChatModel | None:
        """The model that digests: `model` on the default endpoint; None where that is local.

        Where no name is given, it is the default variant's own. A small local model proves the
        path and never summarizes: the extractive summarizer cannot make things up.
        """
        variant = self.variants[self.default]
        if variant.is_local:
            return None
        return self._opened(replace(variant, model=model) if model else variant)

    async def close(self) -> None:
        for model in self._open.values():
            await model.close()
        self._open.clear()

    def _opened(self, variant: Variant) -> ChatModel:
        if variant not in self._open:
            chat = LocalChat if variant.is_local else OpenAIChat
            self._open[variant] = chat(variant, meter=self._meter)
        return self._open[variant]
