"""Model variants: names for an endpoint and a model on it, chosen per message."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from recollect.core.errors import Misconfigured

DEFAULT_ANSWER_TOKENS = 4_096


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A model and its limits.

    `window` is the number of tokens that the model can read and write in one call, of which
    `answer_tokens` are reserved for the answer. `memory_tokens` limits the memory in a context, for
    small or slow models. One process requests at most `most_answers` at a time.
    """

    name: str
    model: str
    base_url: str | None = None
    """None means OpenAI, or the server that the local variant starts."""
    api_key: str | None = field(default=None, repr=False)
    window: int = 128_000
    answer_tokens: int = DEFAULT_ANSWER_TOKENS
    memory_tokens: int | None = None
    timeout_seconds: float = 60.0
    most_answers: int = 500
    is_custom: bool = False
    """Whether the caller brought the model object; then there is no endpoint."""

    @property
    def is_local(self) -> bool:
        return self.name == "local" and self.base_url is None and not self.is_custom

    @property
    def is_openai(self) -> bool:
        """Whether the endpoint is OpenAI's own, which has hosted prompts."""
        if self.base_url is None:
            return not (self.is_local or self.is_custom)
        return urlsplit(self.base_url).hostname == "api.openai.com"

    @property
    def limit_field(self) -> str:
        """The endpoint's name for the maximum number of tokens in an answer."""
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
    """Return the JSON of RECOLLECT_VARIANTS with each `api_key_env` replaced by its key.

    `api_key_env` names a variable, so that the JSON itself contains no secrets.
    """
    variants = _parse(text)
    for name, fields in variants.items():
        if variable := fields.pop("api_key_env", None):
            if not environment.get(variable):
                raise Misconfigured(f"RECOLLECT_VARIANTS: {name} wants its key in {variable}.")
            fields["api_key"] = environment[variable]
    return json.dumps(variants)


def parse_variants(text: str, defaults: Variant) -> dict[str, Variant]:
    """Return the variants of RECOLLECT_VARIANTS by name; missing fields come from `defaults`."""
    parsed = {name: replace(defaults, name=name, **fields) for name, fields in _parse(text).items()}
    for variant in parsed.values():
        if variant.answer_tokens >= variant.window:
            raise Misconfigured(
                f"RECOLLECT_VARIANTS: {variant.name} needs a window larger than its answer_tokens."
            )
    return parsed


def _parse(text: str) -> dict[str, dict[str, Any]]:
    try:
        variants = json.loads(text)
    except ValueError as error:
        raise Misconfigured(f"RECOLLECT_VARIANTS must be JSON: {error}.") from None
    if not isinstance(variants, dict):
        raise Misconfigured("RECOLLECT_VARIANTS must be a JSON object.")
    for name, fields in variants.items():
        _check(name, fields)
    return variants


def _check(name: str, fields: Any) -> None:
    if not isinstance(fields, dict) or not fields.get("model"):
        raise Misconfigured(f"RECOLLECT_VARIANTS: {name} must be an object with a model.")
    known = {*_TEXTS, *_NUMBERS}
    if unknown := fields.keys() - known:
        raise Misconfigured(
            f"RECOLLECT_VARIANTS: {name} takes {', '.join(sorted(known))}; not {min(unknown)}."
        )
    for field_name in fields.keys() & set(_TEXTS):
        if not isinstance(fields[field_name], str):
            raise Misconfigured(f"RECOLLECT_VARIANTS: {name}: {field_name} must be text.")
    for field_name in fields.keys() & set(_NUMBERS):
        value = fields[field_name]
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            raise Misconfigured(
                f"RECOLLECT_VARIANTS: {name}: {field_name} must be a number above 0."
            )
