"""The body of OpenAI's chat completions, and its translation into our types.

System messages are the prompt of this answer and not stored; all others are appended to the
conversation. The client runs the tools. Unknown fields are ignored, since clients send many;
content that cannot be stored is refused.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from recollect.chat.tool_loop import PromptOptions
from recollect.chat.tools import parse_arguments
from recollect.core.errors import InvalidInput, NotFound
from recollect.core.types import Json, MessageIn
from recollect.core.validation import json_text
from recollect.llm.registry import ModelRegistry
from recollect.llm.variants import Variant
from recollect.server.schema_base import FailFastList, JsonObject, LimitedModel

_TOOL_OPTIONS = frozenset({"tool_choice", "parallel_tool_calls"})
"""Passed to the model only with tools."""
_NO_OUTPUT = "(no output)"
_NO_LIMIT = 2**31
"""The size of the whole body is limited already."""

Tokens = Annotated[int, Field(ge=1)]
Penalty = Annotated[float, Field(ge=-2, le=2)]


class CompletionPartIn(LimitedModel):
    type: str
    text: str | None = None
    refusal: str | None = None


class FunctionCallIn(LimitedModel):
    name: str
    arguments: str = ""


class ToolCallIn(LimitedModel):
    id: str
    type: Literal["function"] = "function"
    function: FunctionCallIn

    def to_model(self) -> dict[str, Json]:
        """The call in its stored form."""
        arguments = parse_arguments(self.function.arguments)
        return {"id": self.id, "tool_name": self.function.name, "input": arguments}


class CompletionMessageIn(LimitedModel):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | FailFastList[CompletionPartIn] | None = None
    refusal: str | None = None
    tool_calls: FailFastList[ToolCallIn] | None = None
    tool_call_id: str | None = None

    @property
    def is_instruction(self) -> bool:
        return self.role in ("system", "developer")

    def text(self, index: int) -> str:
        """Join the text parts. Raises InvalidInput for other parts, such as images."""
        if isinstance(self.content, str):
            return self.content
        texts = []
        for part_index, part in enumerate(self.content or ()):
            text = part.refusal if part.type == "refusal" else part.text
            if part.type not in ("text", "refusal") or text is None:
                field = f"messages.{index}.content.{part_index}"
                raise InvalidInput(
                    f"Only text can be stored, not a part of type {part.type!r}.", field=field
                )
            texts.append(text)
        return "\n\n".join(texts) or self.refusal or ""

    def to_model(self, index: int) -> MessageIn | None:
        """None for an empty answer."""
        text = self.text(index)
        match self.role:
            case "assistant":
                calls = [call.to_model() for call in self.tool_calls or ()] or None
                if not calls and not text.strip():
                    return None
                return MessageIn(role="assistant", content=text, tool_calls=calls)
            case "tool":
                metadata = {"tool_call_id": self.tool_call_id} if self.tool_call_id else {}
                content = text if text.strip() else _NO_OUTPUT
                return MessageIn(role="tool", content=content, metadata=metadata)
            case _:
                return MessageIn(role="user", content=text)


class StreamOptions(BaseModel):
    include_usage: bool = False


class ModelOptions(BaseModel):
    """Passed to the model unchanged."""

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    stop: str | FailFastList[str] | None = None
    seed: int | None = None
    presence_penalty: Penalty | None = None
    frequency_penalty: Penalty | None = None
    logit_bias: JsonObject | None = None
    response_format: JsonObject | None = None
    reasoning_effort: str | None = None
    user: str | None = None


class CompletionIn(ModelOptions):
    """The body of /v1/chat/completions. `conversation` is our extension."""

    messages: Annotated[FailFastList[CompletionMessageIn], Field(min_length=1)]
    model: Annotated[str, Field(max_length=255)] | None = None
    conversation: str | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = None
    tools: FailFastList[JsonObject] | None = None
    functions: FailFastList[JsonObject] | None = None
    tool_choice: str | JsonObject | None = None
    parallel_tool_calls: bool | None = None
    max_tokens: Tokens | None = None
    max_completion_tokens: Tokens | None = None

    @property
    def wants_usage(self) -> bool:
        return self.stream_options is not None and self.stream_options.include_usage

    def to_messages(self) -> Sequence[MessageIn]:
        """Leave out system messages and empty answers."""
        converted = [
            message.to_model(index)
            for index, message in enumerate(self.messages)
            if not message.is_instruction
        ]
        messages = [message for message in converted if message is not None]
        if not messages or messages[-1].role == "assistant":
            raise InvalidInput(
                "The last message must be the user's, or a tool's result.", field="messages"
            )
        return messages

    def prompt(self, variant: Variant) -> PromptOptions:
        if self.functions:
            raise InvalidInput("functions is not supported: use tools.", field="functions")
        instructions = [
            message.text(index)
            for index, message in enumerate(self.messages)
            if message.is_instruction
        ]
        return PromptOptions(
            model=variant.name,
            system="\n\n".join(text for text in instructions if text.strip()) or None,
            client_tools=self.tools or (),
            options=self._options(variant),
        )

    def _options(self, variant: Variant) -> Mapping[str, Any]:
        names = {*ModelOptions.model_fields, *(_TOOL_OPTIONS if self.tools else ())}
        options = self.model_dump(include=names, exclude_none=True)
        if limit := self.max_completion_tokens or self.max_tokens:
            options[variant.limit_field] = min(limit, variant.answer_tokens)
        for name, value in (*options.items(), ("tools", self.tools)):
            json_text(value, name, limit=_NO_LIMIT)
        return options


def find_variant(models: ModelRegistry, name: str | None) -> Variant:
    """Find a variant by its own name, or by the name of its model; "default" is the default."""
    variants = models.variants
    if name is None or (name == "default" and name not in variants):
        return models.variant()
    if name in variants:
        return variants[name]
    for variant in (models.variant(), *variants.values()):
        if variant.model == name:
            return variant
    raise NotFound(f"There is no model {name!r}, only {', '.join(variants)}.", field="model")
