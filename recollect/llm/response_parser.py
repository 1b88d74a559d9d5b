"""An answer as it arrives: plain JSON, matched by its shape.

"Compatible" endpoints agree on little beyond the paths. What does not fit is a ModelFailed, never
an AttributeError. A whole completion is read as a stream of one piece.
"""

from dataclasses import dataclass, field

from recollect.core.errors import ModelFailed
from recollect.core.sanitize import sanitized
from recollect.core.types import Json
from recollect.llm.protocols import Delta, Reply, ToolCall, Usage

_USAGE = (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens"))
_MOST_TOKENS = 2**24
"""Of one call. No window is as large, and many together still fit where they are kept."""


@dataclass(slots=True, kw_only=True)
class _ToolCallInParts:
    index: int | None
    id: str
    name: str = ""
    arguments: str = ""


@dataclass(slots=True, kw_only=True)
class Answer(Usage):
    """An answer as it grows."""

    started: bool = False
    finish: str | None = None
    is_refusal: bool = False
    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    tool_calls: list[_ToolCallInParts] = field(default_factory=list)

    def add(self, piece: Json) -> Delta | None:
        """Takes in a piece of a stream, or a completion. A delta, if there was text in it."""
        self._add_usage(piece)
        match piece:
            case {"choices": [{"delta": dict(said), **choice}, *_]}:
                pass
            case {"choices": [{"message": dict(said), **choice}, *_]}:
                pass
            case _:
                return None
        self.started = True
        self.finish = _string(choice.get("finish_reason")) or self.finish
        match said:
            case {"tool_calls": list(parts)}:
                for part in parts:
                    self._add_tool_call(part)
        content = said.get("content")
        refusal = None if content else said.get("refusal")
        self.is_refusal |= bool(refusal)
        text = _string(content or refusal)
        thinking = _string(said.get("reasoning_content") or said.get("reasoning"))
        return self._add_text(text, thinking)

    def add_response(self, response: Json) -> None:
        """Takes in what the Responses API answers."""
        self._add_usage(response)
        match response:
            case {"status": "failed", "error": {"message": message}}:
                raise ModelFailed(f"{self.model} failed", said=str(message))
            case {"output": list(items), **rest}:
                self.model = _string(rest.get("model")) or self.model
            case _:
                raise ModelFailed(f"{self.model} answered without an output.")
        for item in items:
            match item:
                case {"type": "message", "content": list(parts)}:
                    self._add_text(_joined(parts), "")
                    self.is_refusal |= any(map(_is_refusal, parts))
                case {"type": "reasoning", "summary": list(parts)}:
                    self._add_text("", _joined(parts))
        match rest:
            case {"incomplete_details": {"reason": "max_output_tokens"}}:
                self.finish = "length"
            case {"incomplete_details": {"reason": str(reason)}}:
                self.finish = reason

    def reply(self) -> Reply:
        """All of it, as it can be kept."""
        return Reply(
            text=sanitized("".join(self.text)),
            thinking=sanitized("".join(self.thinking)),
            tool_calls=tuple(
                ToolCall(
                    id=sanitized(call.id) or f"call_{n}",
                    name=sanitized(call.name),
                    arguments=sanitized(call.arguments),
                )
                for n, call in enumerate(self.tool_calls, start=1)
            ),
            finish=self.finish or "stop",
            is_refusal=self.is_refusal,
            tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
        )

    def _add_usage(self, body: Json) -> None:
        read, written = usage(body)
        self.reported_in = read if read is not None else self.reported_in
        self.reported_out = written if written is not None else self.reported_out

    def _add_text(self, text: str, thinking: str) -> Delta | None:
        if not text and not thinking:
            return None
        self.text.append(text)
        self.thinking.append(thinking)
        self.written += [thinking, text]
        return Delta(text=text, thinking=thinking)

    def _add_tool_call(self, part: Json) -> None:
        """Goes on with a call, or begins one. Some endpoints leave the index out, and some give
        every call the same one: there only the id tells them apart."""
        match part:
            case {"function": dict(function)}:
                index, id = part.get("index"), _string(part.get("id"))
            case _:
                raise ModelFailed(f"{self.model} answered with a tool call that is none.")
        for call in reversed(self.tool_calls):
            if call.index == index and id in ("", call.id):
                break
        else:
            call = _ToolCallInParts(index=index, id=id)
            self.tool_calls.append(call)
        call.name += _string(function.get("name"))
        call.arguments += _string(function.get("arguments"))
        self.written += [_string(function.get("name")), _string(function.get("arguments"))]


def _string(value: Json) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case _:
            raise ModelFailed("The model answered with something that is not text.")


def _joined(parts: list[Json]) -> str:
    text = ""
    for part in parts:
        match part:
            case {"text": str(said)} | {"refusal": str(said)}:
                text += said
    return text


def _is_refusal(part: Json) -> bool:
    match part:
        case {"refusal": str()}:
            return True
        case _:
            return False


def usage(body: Json) -> tuple[int | None, int | None]:
    """Tokens read and written, in any of the protocol's words for them."""
    match body:
        case {"usage": dict(said)}:
            read, written = (
                next((n for name in names if (n := _tokens(said.get(name))) is not None), None)
                for names in _USAGE
            )
            return read, written
        case _:
            return None, None


def _tokens(value: Json) -> int | None:
    """None where it cannot be true."""
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else None
