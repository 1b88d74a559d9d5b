"""What OpenAI's clients send to have something answered, in our terms.

Instructions are the system prompt of this answer, and not stored; everything else is said in the
conversation. Tools are the client's to run. Fields that mean nothing here are left alone, since
clients send many; what would be silently lost is refused.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from recollect.chat import Prompt
from recollect.chat.tools import parse_arguments
from recollect.core.errors import InvalidInput, NotFound
from recollect.core.types import Json, MessageIn
from recollect.core.validation import json_text
from recollect.llm.registry import Models
from recollect.llm.variants import Variant
from recollect.server.schema_base import JsonObject, Listed

_OPTIONS = frozenset(
    {
        "temperature",
        "top_p",
        "stop",
        "seed",
        "presence_penalty",
        "frequency_penalty",
        "logit_bias",
        "response_format",
        "reasoning_effort",
        "user",
    }
)
"""What goes to the model as it is."""
_TOOL_OPTIONS = frozenset({"tool_choice", "parallel_tool_calls"})
"""What goes there with tools."""
_NO_OUTPUT = "(no output)"
_NO_LIMIT = 2**31
"""The whole body has one."""

Tokens = Annotated[int, Field(ge=1)]
Penalty = Annotated[float, Field(ge=-2, le=2)]


class Part(BaseModel):
    type: str
    text: str | None = None
    refusal: str | None = None


class Function(BaseModel):
    name: str
    arguments: str = ""


class ToolCall(BaseModel):
    id: str
    type: Literal["function"] = "function"
    function: Function

    def to_model(self) -> dict[str, Json]:
        """As it is stored."""
        arguments = parse_arguments(self.function.arguments)
        return {"id": self.id, "tool_name": self.function.name, "input": arguments}


class ChatMessage(BaseModel):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | Listed[Part] | None = None
    refusal: str | None = None
    tool_calls: Listed[ToolCall] | None = None
    tool_call_id: str | None = None

    @property
    def is_instruction(self) -> bool:
        return self.role in ("system", "developer")

    def text(self, place: int) -> str:
        """Raises InvalidInput for pictures and the like, which would not reach the model."""
        if isinstance(self.content, str):
            return self.content
        texts = []
        for number, part in enumerate(self.content or ()):
            text = part.refusal if part.type == "refusal" else part.text
            if part.type not in ("text", "refusal") or text is None:
                field = f"messages.{place}.content.{number}"
                raise InvalidInput(f"{part.type} parts cannot be kept: only text can.", field=field)
            texts.append(text)
        return "\n\n".join(texts) or self.refusal or ""

    def to_model(self, place: int) -> MessageIn | None:
        """None for an answer in which there is nothing."""
        text = self.text(place)
        match self.role:
            case "assistant":
                calls = [call.to_model() for call in self.tool_calls or ()] or None
                if not calls and not text.strip():
                    return None
                return MessageIn(role="assistant", content=text, tool_calls=calls)
            case "tool":
                named = {"tool_call_id": self.tool_call_id} if self.tool_call_id else {}
                content = text if text.strip() else _NO_OUTPUT
                return MessageIn(role="tool", content=content, metadata=named)
            case _:
                return MessageIn(role="user", content=text)


class StreamOptions(BaseModel):
    include_usage: bool = False


class CompletionIn(BaseModel):
    """The body of /v1/chat/completions. `conversation` is ours."""

    messages: Annotated[Listed[ChatMessage], Field(min_length=1)]
    model: Annotated[str, Field(max_length=255)] | None = None
    conversation: str | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = None
    tools: Listed[JsonObject] | None = None
    functions: Listed[JsonObject] | None = None
    tool_choice: str | JsonObject | None = None
    parallel_tool_calls: bool | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    stop: str | Listed[str] | None = None
    seed: int | None = None
    presence_penalty: Penalty | None = None
    frequency_penalty: Penalty | None = None
    logit_bias: JsonObject | None = None
    response_format: JsonObject | None = None
    reasoning_effort: str | None = None
    user: str | None = None
    max_tokens: Tokens | None = None
    max_completion_tokens: Tokens | None = None

    @property
    def wants_usage(self) -> bool:
        return self.stream_options is not None and self.stream_options.include_usage

    def said(self) -> Sequence[MessageIn]:
        """Without the instructions."""
        given = [
            message.to_model(place)
            for place, message in enumerate(self.messages)
            if not message.is_instruction
        ]
        said = [message for message in given if message is not None]
        if not said or said[-1].role == "assistant":
            raise InvalidInput(
                "The last message must be the user's, or a tool's result.", field="messages"
            )
        return said

    def prompt(self, variant: Variant) -> Prompt:
        if self.functions:
            raise InvalidInput("functions are called tools here.", field="functions")
        instructions = [
            message.text(place)
            for place, message in enumerate(self.messages)
            if message.is_instruction
        ]
        return Prompt(
            model=variant.name,
            system="\n\n".join(text for text in instructions if text.strip()) or None,
            client_tools=self.tools or (),
            options=self._options(variant),
        )

    def _options(self, variant: Variant) -> Mapping[str, Any]:
        names = _OPTIONS | (_TOOL_OPTIONS if self.tools else frozenset())
        options = self.model_dump(include=set(names), exclude_none=True)
        if most := self.max_completion_tokens or self.max_tokens:
            options[variant.limit_field] = min(most, variant.answer_tokens)
        for name, value in (*options.items(), ("tools", self.tools)):
            json_text(value, name, limit=_NO_LIMIT)
        return options


def find_variant(models: Models, name: str | None) -> Variant:
    """By its own name, or by the name of the model behind it."""
    variants = models.variants
    if name is None:
        return variants[models.default]
    if name in variants:
        return variants[name]
    for variant in (variants[models.default], *variants.values()):
        if variant.model == name:
            return variant
    known = ", ".join(variants)
    raise NotFound(f"There is no model {name!r}, only {known}.", field="model")
