"""What clients send to have something answered: our own body, and the one of the AI SDK's chats."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypedDict

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from recollect.chat import Prompt
from recollect.core.errors import InvalidInput
from recollect.core.ids import canonical_id, derived_id
from recollect.core.types import MessageIn
from recollect.recall.context.receipt import Mode
from recollect.record.message_diff import Known
from recollect.server.schema_base import In, JsonObject, Listed


class How(TypedDict):
    model: str | None
    mode: Mode
    system: str | None
    context: JsonObject | None


class _Manner(BaseModel):
    """How it is to be answered."""

    context: JsonObject | None = None
    model: str | None = None
    mode: Mode = "compressed"
    system: str | None = None

    def how(self) -> How:
        return How(model=self.model, mode=self.mode, system=self.system, context=self.context)

    def prompt(self) -> Prompt:
        return Prompt(**self.how())


class _Asking(_Manner):
    """And under which policy, where a conversation is made for it."""

    policy: str | None = None


class PlainChatIn(_Asking, In):
    message: str
    conversation_id: str | None = None


class RegenerateIn(_Manner, In):
    """What the model was shown beside the conversation is not kept: it is given again."""


class EditIn(RegenerateIn):
    message: str


class UiPart(BaseModel):
    """A part of a message; those without text are kept as they are."""

    model_config = ConfigDict(extra="allow")

    type: str
    text: str | None = None


class UiMessage(BaseModel):
    model_config = ConfigDict(extra="allow")

    id: str | None = None
    role: Literal["system", "user", "assistant"]
    parts: Listed[UiPart]

    def text(self) -> str:
        return "".join(part.text or "" for part in self.parts if part.type == "text")

    def to_model(self) -> MessageIn:
        """Whatever is not text, such as a file, is the message's payload."""
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


class UiChatIn(_Asking):
    """As `useChat` sends it; what else an application adds to it is left alone."""

    model_config = ConfigDict(extra="allow")

    messages: Annotated[Listed[UiMessage], Field(min_length=1)]
    id: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    trigger: Literal["submit-message", "regenerate-message"] = "submit-message"
    messageId: str | None = None

    def said(self) -> Sequence[MessageIn]:
        """Without the instructions, and without answers that have no words."""
        if self.messages[-1].role != "user":
            raise InvalidInput("The last message must be the user's.", field="messages")
        return [one.to_model() for one in self.messages if self._counts(one)]

    def known(self) -> Known | None:
        """What the client has from us, if it goes by our ids, as the AI SDK does."""
        for place in reversed(range(len(self.messages))):
            if self.messages[place].role == "assistant":
                answer_id = canonical_id(self.messages[place].id or "")
                before = [one for one in self.messages[: place + 1] if self._counts(one)]
                return Known(answer_id, len(before)) if answer_id else None
        return None

    def _counts(self, message: UiMessage) -> bool:
        has_words = bool(message.text().strip()) or message is self.messages[-1]
        return message.role != "system" and has_words


def _kind(body: Any) -> str:
    is_ui = "messages" in body if isinstance(body, dict) else isinstance(body, UiChatIn)
    return "ui" if is_ui else "plain"


ChatIn = Annotated[
    Annotated[PlainChatIn, Tag("plain")] | Annotated[UiChatIn, Tag("ui")], Discriminator(_kind)
]


def conversation_of(user_id: str, id: str) -> str:
    """The conversation that a client knows by an id of its own."""
    return canonical_id(id) or derived_id("conversation", user_id, id)
