"""The token counter.

Tokens are counted with o200k, OpenAI's current tokenizer, from the package `bpe-openai`. Where that
cannot be imported, they are estimated. For models with another tokenizer, a `Counter` multiplies
the count by a scale, which a `Calibration` learns from the usage that providers report.
"""

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from math import ceil
from typing import Any

logger = logging.getLogger(__name__)

# Contexts count the same messages again and again. At worst, the cache takes 32 MB.
_CACHED_TEXTS = 2**10
_PART_CHARS = 2**13
# The tokenizer needs up to 0.1 µs for a character, but 0.5 µs in a long run of dashes.
_RUN_CHARS = 128
_LONG_RUN = re.compile(rf"([^\w\s])(?<!\1\1)\1{{{_RUN_CHARS - 1},}}")
_SURROGATE = re.compile("[\ud800-\udfff]")


def count(text: str) -> int:
    """Count the tokens of a text: 0 if it is empty, else at least 1.

    Long texts are counted in parts, because the tokenizer blocks other threads. A part ends before
    a space if possible, where a token ends anyway; another cut may add or save one.
    """
    if len(text) <= _PART_CHARS:
        return _count_short(text)
    return sum(map(_tokenizer(), _parts(text)))


@lru_cache(maxsize=_CACHED_TEXTS)
def _count_short(text: str) -> int:
    return _tokenizer()(text)


def _parts(text: str) -> Iterator[str]:
    start = 0
    for run in _LONG_RUN.finditer(text):
        yield from _cut(text, start, run.start(), size=_PART_CHARS)
        yield from _cut(text, *run.span(), size=_RUN_CHARS)
        start = run.end()
    yield from _cut(text, start, len(text), size=_PART_CHARS)


def _cut(text: str, start: int, end: int, *, size: int) -> Iterator[str]:
    while end - start > size:
        space = text.rfind(" ", start + 1, start + size)
        cut = start + size if space < 0 else space
        yield text[start:cut]
        start = cut
    yield text[start:end]


@cache
def _tokenizer() -> Callable[[str], int]:
    if counted := _o200k():
        return counted
    from recollect.core.token_estimate import estimate

    return estimate


@cache
def _o200k() -> Callable[[str], int] | None:
    try:
        bindings = _load_bindings()
    except ImportError as error:
        logger.warning("tokens.estimated", extra={"reason": str(error)})
        return None
    count_tokens: Callable[[str], int] = bindings.tokenizer_for_encoding("o200k_base").count

    def counted(text: str) -> int:
        try:
            return count_tokens(text)
        except UnicodeEncodeError:  # a lone surrogate
            return count_tokens(_SURROGATE.sub("\ufffd", text))

    return counted


def _load_bindings() -> Any:
    """Import the bindings without their package.

    The package reads three vocabularies for its own functions (0.6 s, 80 MB), which build a list of
    tokens and reject a million characters.
    """
    package = find_spec("bpe_openai")
    folders = package.submodule_search_locations if package else None
    spec = PathFinder.find_spec("bpe_openai._bindings", folders) if folders else None
    if spec is None or spec.loader is None:
        raise ImportError("bpe-openai is not installed.")
    bindings = module_from_spec(spec)
    spec.loader.exec_module(bindings)
    return bindings


# Models with the o200k tokenizer. A name may have a provider or the prefix of fine-tuned models.
_O200K_MODEL = re.compile(r"(?:.*/)?(?:ft:)?(?:gpt-(?:4o|4\.[15]|5|oss)|chatgpt-|o[134](?![^-:]))")


@dataclass(frozen=True, slots=True)
class Counter:
    """Counts tokens for one model."""

    scale: float = 1.0

    def count(self, text: str) -> int:
        return ceil(count(text) * self.scale - 1e-9)  # 100 * 1.1 is slightly more than 110


def counter_for(model: str | None, scale: float = 1.0) -> Counter:
    """Return an exact counter if o200k is the model's tokenizer, else one with the scale."""
    if model and _O200K_MODEL.match(model.lower()) and _o200k():
        return Counter()
    return Counter(scale)


class Calibration:
    """Learns the ratio of reported to estimated tokens for each model.

    Both sums start with `_PRIOR_TOKENS`, so that the first reports move the scale only part of the
    way, and a single report weighs no more than that. Above `_MAX_TOKENS` both sums are scaled
    down, so that old reports fade.

    The scale moves in steps, and down only when the ratio is more than a step below it. If each
    report changed it a little, long messages would be shortened to other lengths in each prompt,
    and no provider could reuse the beginning of the last one.
    """

    _PRIOR_TOKENS = 4_000.0
    _MAX_TOKENS = 200_000.0
    _MIN_SCALE, _MAX_SCALE = 0.5, 3.0
    _STEPS_TO_ONE = 20

    def __init__(self) -> None:
        self._sums: dict[str, tuple[float, float]] = {}
        self._steps: dict[str, int] = {}

    @classmethod
    def from_totals(cls, totals: Mapping[str, tuple[int, int]]) -> "Calibration":
        """Start from the (estimated, reported) totals of each model."""
        calibration = cls()
        for model, (estimated, reported) in totals.items():
            calibration._add(model, estimated, reported, weight=estimated)
        return calibration

    def observe(self, model: str, *, estimated: int, reported: int) -> None:
        """`estimated` is the result of `count`, without a scale."""
        self._add(model, estimated, reported, weight=min(estimated, self._PRIOR_TOKENS))

    def scale(self, model: str) -> float:
        return self._steps.get(model, self._STEPS_TO_ONE) / self._STEPS_TO_ONE

    def _add(self, model: str, estimated: int, reported: int, *, weight: float) -> None:
        if estimated <= 0 or reported <= 0:
            return
        ratio = min(max(reported / estimated, self._MIN_SCALE), self._MAX_SCALE)
        estimated_sum, reported_sum = self._sums.get(
            model, (self._PRIOR_TOKENS, self._PRIOR_TOKENS)
        )
        estimated_sum += weight
        reported_sum += weight * ratio
        fade = min(1.0, self._MAX_TOKENS / estimated_sum)
        self._sums[model] = (estimated_sum * fade, reported_sum * fade)
        needed = ceil(reported_sum / estimated_sum * self._STEPS_TO_ONE - 1e-6)
        if not 0 <= self._steps.get(model, self._STEPS_TO_ONE) - needed <= 1:
            self._steps[model] = needed
