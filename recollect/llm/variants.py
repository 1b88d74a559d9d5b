"""Model variants: a name of ours for an endpoint and a model on it, chosen per message."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any
from urllib.parse import urlsplit

from recollect.core.errors import Misconfigured


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """`window` is what the model can read and write in one call; `answer_tokens` is kept free of it
    for the answer, and `memory_tokens` bounds the memory part where the model is small or slow. No
    more than `most_answers` are asked for at a time by one process."""

    name: str
    model: str
    base_url: str | None = None
    """None is OpenAI itself, or for the local variant the server that we start."""
    api_key: str | None = field(default=None, repr=False)
    window: int = 128_000
    answer_tokens: int = 4_096
    memory_tokens: int | None = None
    timeout_seconds: float = 60.0
    most_answers: int = 500

    @property
    def is_local(self) -> bool:
        return self.name == "local" and self.base_url is None

    @property
    def is_openai(self) -> bool:
        """Whether OpenAI's own API answers, hosted prompts included."""
        if self.base_url is None:
            return not self.is_local
        return urlsplit(self.base_url).hostname == "api.openai.com"

    @property
    def limit_field(self) -> str:
        """What the endpoint calls the most tokens that it may write."""
        return "max_completion_tokens" if self.is_openai else "max_tokens"


LOCAL = Variant(
    name="local",
    model="SmolLM2-135M-Instruct",
    window=8_192,
    answer_tokens=512,
    memory_tokens=1_000,
    timeout_seconds=120.0,
    most_answers=8,
)
"""Needs no key and no network."""

_TEXTS = ("model", "base_url", "api_key", "api_key_env")
_NUMBERS = ("window", "answer_tokens", "memory_tokens", "timeout_seconds", "most_answers")


def with_keys(text: str, environment: Mapping[str, str]) -> str:
    """The JSON of RECOLLECT_VARIANTS with its keys filled in: `api_key_env` names the variable that
    holds one, so that no secret has to stand in the JSON."""
    variants = _read(text)
    for name, given in variants.items():
        if variable := given.pop("api_key_env", None):
            if not environment.get(variable):
                raise Misconfigured(f"RECOLLECT_VARIANTS: {name} wants its key in {variable}.")
            given["api_key"] = environment[variable]
    return json.dumps(variants)


def parse_variants(text: str, defaults: Variant) -> dict[str, Variant]:
    """By name. What a variant does not say, it has from the defaults."""
    parsed = {name: replace(defaults, name=name, **given) for name, given in _read(text).items()}
    for variant in parsed.values():
        if variant.answer_tokens >= variant.window:
            raise Misconfigured(
                f"RECOLLECT_VARIANTS: {variant.name} needs a window larger than its answer_tokens."
            )
    return parsed


def _read(text: str) -> dict[str, dict[str, Any]]:
    try:
        variants = json.loads(text)
    except ValueError as error:
        raise Misconfigured(f"RECOLLECT_VARIANTS must be JSON: {error}.") from None
    if not isinstance(variants, dict):
        raise Misconfigured("RECOLLECT_VARIANTS must be a JSON object.")
    for name, given in variants.items():
        _check(name, given)
    return variants


def _check(name: str, given: Any) -> None:
    if not isinstance(given, dict) or not given.get("model"):
        raise Misconfigured(f"RECOLLECT_VARIANTS: {name} must be an object with a model.")
    known = {field.name for field in fields(Variant)} - {"name"} | {"api_key_env"}
    if unknown := given.keys() - known:
        raise Misconfigured(
            f"RECOLLECT_VARIANTS: {name} takes {', '.join(sorted(known))}; not {min(unknown)}."
        )
    for field_name in given.keys() & set(_TEXTS):
        if not isinstance(given[field_name], str):
            raise Misconfigured(f"RECOLLECT_VARIANTS: {name}: {field_name} must be text.")
    for field_name in given.keys() & set(_NUMBERS):
        value = given[field_name]
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            raise Misconfigured(
                f"RECOLLECT_VARIANTS: {name}: {field_name} must be a number above 0."
            )
