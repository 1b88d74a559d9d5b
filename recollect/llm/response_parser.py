"""Parses the answers of OpenAI-compatible endpoints by their JSON shape.

Endpoints differ in many details. An answer of an unexpected shape raises ModelFailed, never an
AttributeError. A completion is parsed like a stream of one chunk.
"""

from dataclasses import dataclass, field

from recollect.core.errors import ModelFailed
from recollect.core.sanitize import sanitized
from recollect.core.types import Json
from recollect.llm.protocols import CallRecord, Delta, Reply, ToolCall

_CACHE_FIELDS = ("prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens")
"""The names that DeepSeek, Moonshot and Anthropic have for the tokens read from a cache."""
_MAX_REPORTED_TOKENS = 2**24
_MAX_TOOL_CALLS = 128
_MAX_TOOL_CHARS = 1_000_000
"""Of the names and arguments of all tool calls. The text is limited where it is stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedTokens:
    """Tokens as the provider counted them, None where it did not. `read` includes `cached`."""

    read: int | None = None
    written: int | None = None
    cached: int | None = None


@dataclass(slots=True, kw_only=True)
class _PartialToolCall:
    index: int | None
    id: str
    name: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class ResponseParser(CallRecord):
    """Collects the chunks of an answer, and its usage."""

    has_choice: bool = False
    finish: str | None = None
    is_refusal: bool = False
    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    tool_calls: list[_PartialToolCall] = field(default_factory=list)
    size: int = 0
    """Characters received so far."""
    tool_chars: int = 0

    def add(self, chunk: Json) -> Delta | None:
        """Add a chunk of a stream, or a whole completion. Return its text, if it has any."""
        self._add_usage(chunk)
        match chunk:
            case {"choices": [{"delta": dict(message), **choice}, *_]}:
                pass
            case {"choices": [{"message": dict(message), **choice}, *_]}:
                pass
            case _:
                return None
        self.has_choice = True
        self.finish = _string(choice.get("finish_reason")) or self.finish
        match message:
            case {"tool_calls": list(parts)}:
                for part in parts:
                    self._add_tool_call(part)
        content = message.get("content")
        refusal = None if content else message.get("refusal")
        self.is_refusal |= bool(refusal)
        text = _string(content or refusal)
        thinking = _string(message.get("reasoning_content") or message.get("reasoning"))
        return self._add_text(text, thinking)

    def add_response(self, response: Json) -> None:
        """Add an answer of the Responses API."""
        self._add_usage(response)
        match response:
            case {"status": "failed", "error": {"message": message}}:
                raise ModelFailed(f"{self.model} failed", detail=str(message))
            case {"output": list(items), **rest}:
                self.model = _string(rest.get("model")) or self.model
            case _:
                raise ModelFailed(f"{self.model} answered without an output.")
        for item in items:
            match item:
                case {"type": "message", "content": list(parts)}:
                    self._add_text(_joined(parts), "")
                    self.is_refusal |= any(_is_refusal(part) for part in parts)
                case {"type": "reasoning", "summary": list(parts)}:
                    self._add_text("", _joined(parts))
        match rest:
            case {"incomplete_details": {"reason": "max_output_tokens"}}:
                self.finish = "length"
            case {"incomplete_details": {"reason": str(reason)}}:
                self.finish = reason

    def reply(self) -> Reply:
        """Return the whole answer, sanitized."""
        return Reply(
            text=sanitized("".join(self.text)),
            thinking=sanitized("".join(self.thinking)),
            tool_calls=tuple(
                ToolCall(
                    id=sanitized(call.id) or f"call_{n}",
                    name=sanitized("".join(call.name)),
                    arguments=sanitized("".join(call.arguments)),
                )
                for n, call in enumerate(self.tool_calls, start=1)
            ),
            finish=self.finish or "stop",
            is_refusal=self.is_refusal,
            tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
            tokens_cached=self.reported_cached,
        )

    def _add_usage(self, body: Json) -> None:
        reported = parse_usage(body)
        self.reported_in = _first(reported.read, self.reported_in)
        self.reported_out = _first(reported.written, self.reported_out)
        self.reported_cached = _first(reported.cached, self.reported_cached)

    def _add_text(self, text: str, thinking: str) -> Delta | None:
        if not text and not thinking:
            return None
        self.text.append(text)
        self.thinking.append(thinking)
        self.output += [thinking, text]
        self.size += len(thinking) + len(text)
        return Delta(text=text, thinking=thinking)

    def _add_tool_call(self, part: Json) -> None:
        """Start a tool call, or continue one.

        Some endpoints omit the index, and some give all calls the same one; then the id decides.
        """
        match part:
            case {"function": dict(function)}:
                index, id = part.get("index"), _string(part.get("id"))
            case _:
                raise ModelFailed(f"{self.model} answered with a tool call that has no function.")
        for call in reversed(self.tool_calls):
            if call.index == index and id in ("", call.id):
                break
        else:
            call = _PartialToolCall(index=index, id=id)
            self.tool_calls.append(call)
        name, arguments = _string(function.get("name")), _string(function.get("arguments"))
        call.name.append(name)
        call.arguments.append(arguments)
        self.output += [name, arguments]
        self.size += len(name) + len(arguments)
        self.tool_chars += len(name) + len(arguments)
        if len(self.tool_calls) > _MAX_TOOL_CALLS or self.tool_chars > _MAX_TOOL_CHARS:
            raise ModelFailed(
                f"{self.model} called over {_MAX_TOOL_CALLS} tools, or with over "
                f"{_MAX_TOOL_CHARS:,} characters of arguments."
            )


def parse_usage(body: Json) -> ReportedTokens:
    """Return the tokens of a call, under any of the protocol's names for them."""
    match body:
        case {"usage": dict(usage)}:
            return ReportedTokens(
                read=_tokens_read(usage),
                written=_reported(usage, "completion_tokens", "output_tokens"),
                cached=_tokens_cached(usage),
            )
        case _:
            return ReportedTokens()


def _tokens_read(usage: dict[str, Json]) -> int | None:
    read = _reported(usage, "prompt_tokens", "input_tokens")
    if read is None or "prompt_tokens" in usage:
        return read
    # Anthropic's `input_tokens` are only those that its cache neither had nor stored.
    apart = ("cache_read_input_tokens", "cache_creation_input_tokens")
    return read + sum(_reported(usage, name) or 0 for name in apart)


def _tokens_cached(usage: dict[str, Json]) -> int | None:
    for name in ("prompt_tokens_details", "input_tokens_details"):
        match usage.get(name):
            case {"cached_tokens": value} if (cached := _tokens(value)) is not None:
                return cached
    return _reported(usage, *_CACHE_FIELDS)


def _reported(usage: dict[str, Json], *names: str) -> int | None:
    """Return the first of these fields that is a plausible number of tokens."""
    return _first(*(_tokens(usage.get(name)) for name in names))


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)


def _tokens(value: Json) -> int | None:
    """Return a plausible number of tokens, else None."""
    return value if type(value) is int and 0 <= value <= _MAX_REPORTED_TOKENS else None


def _string(value: Json) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ModelFailed("The model answered with something that is not text.")
    return value


def _joined(parts: list[Json]) -> str:
    text = ""
    for part in parts:
        match part:
            case {"text": str(content)} | {"refusal": str(content)}:
                text += content
    return text


def _is_refusal(part: Json) -> bool:
    return isinstance(part, dict) and isinstance(part.get("refusal"), str)
