"""Bodies of chat requests: our own, and the one that the AI SDK's `useChat` sends."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from recollect.chat.tool_loop import PromptOptions
from recollect.core.errors import InvalidInput
from recollect.core.ids import canonical_id
from recollect.core.policy import Layout, RecallScope
from recollect.core.types import MessageIn
from recollect.recall.context.receipt import Mode
from recollect.record.message_diff import KnownPrefix
from recollect.server.schema_base import FailFastList, JsonObject, LimitedModel, RequestModel


class _AnswerOptionsIn(BaseModel):
    context: JsonObject | None = None
    model: str | None = None
    mode: Mode = "compressed"
    system: str | None = None
    layout: Layout | None = None
    recall_scope: RecallScope | None = None

    def prompt(self) -> PromptOptions:
        return PromptOptions(
            model=self.model,
            mode=self.mode,
            system=self.system,
            context=self.context,
            layout=self.layout,
            recall_scope=self.recall_scope,
        )


class _NewChatIn(_AnswerOptionsIn):
    """`policy` is that of a new conversation."""

    policy: str | None = None


class PlainChatIn(_NewChatIn, RequestModel):
    message: str
    conversation_id: str | None = None


class RegenerateIn(_AnswerOptionsIn, RequestModel):
    """`context` and `system` are not stored: the client sends them again."""


class EditIn(RegenerateIn):
    message: str


class UiPart(LimitedModel):
    """A part of a message. Parts without text are stored unchanged."""

    model_config = ConfigDict(extra="allow")

    type: str
    text: str | None = None


class UiMessage(LimitedModel):
    model_config = ConfigDict(extra="allow")

    id: str | None = None
    role: Literal["system", "user", "assistant"]
    parts: FailFastList[UiPart]

    def text(self) -> str:
        return "".join(part.text or "" for part in self.parts if part.type == "text")

    def to_model(self) -> MessageIn:
        """Parts of a user message other than text, such as files, become its payload."""
        others = [
            part.model_dump(exclude_unset=True)
            for part in self.parts
            if self.role == "user" and part.type not in ("text", "step-start")
        ]
        return MessageIn(
            role=self.role,
            content=self.text(),
            custom_payload={"parts": others} if others else None,
        )


class UiChatIn(_NewChatIn):
    """The body that `useChat` sends. Fields that an application adds are ignored."""

    model_config = ConfigDict(extra="allow")

    messages: Annotated[FailFastList[UiMessage], Field(min_length=1)]
    id: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    trigger: Literal["submit-message", "regenerate-message"] = "submit-message"
    messageId: str | None = None

    def to_messages(self) -> Sequence[MessageIn]:
        """Leave out system messages and answers without text."""
        if self.messages[-1].role != "user":
            raise InvalidInput("The last message must be the user's.", field="messages")
        return [message.to_model() for message in self.messages if self._is_stored(message)]

    def known_prefix(self) -> KnownPrefix | None:
        """The messages up to the last answer, if the client uses our id for it, as the AI SDK
        does."""
        for index in reversed(range(len(self.messages))):
            if self.messages[index].role == "assistant":
                answer_id = canonical_id(self.messages[index].id or "")
                stored = [m for m in self.messages[: index + 1] if self._is_stored(m)]
                return KnownPrefix(answer_id, len(stored)) if answer_id else None
        return None

    def _is_stored(self, message: UiMessage) -> bool:
        has_text = bool(message.text().strip()) or message is self.messages[-1]
        return message.role != "system" and has_text


def _body_kind(body: Any) -> str:
    is_ui = "messages" in body if isinstance(body, dict) else isinstance(body, UiChatIn)
    return "ui" if is_ui else "plain"


ChatBody = Annotated[
    Annotated[PlainChatIn, Tag("plain")] | Annotated[UiChatIn, Tag("ui")],
    Discriminator(_body_kind),
]
