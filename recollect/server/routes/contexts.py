"""The context for a model call, and the receipts of earlier answers."""

from typing import Annotated

from pydantic import Field, StrictInt

from recollect.core.offload import rough_size, run_off_loop
from recollect.core.policy import Layout, RecallScope
from recollect.recall.context.assemble import check_room
from recollect.recall.context.receipt import Mode, Receipt
from recollect.recall.context.types import ContextRequest, Format
from recollect.server.auth import Caller, Engine, ReadInConversation
from recollect.server.schema_base import JsonObject, RequestModel, ResponseModel
from recollect.server.schemas import Published, Router

router = Router(prefix="/api", tags=["context"])


class ContextIn(RequestModel):
    message: str | None = None
    budget: Annotated[StrictInt, Field(ge=1)] | None = None
    format: Format = "openai"
    mode: Mode = "compressed"
    system: str | None = None
    context: JsonObject | None = None
    model: str | None = None
    layout: Layout | None = None
    recall_scope: RecallScope | None = None


class ContextSchema(ResponseModel):
    """`messages` or `text`, depending on the format; `system` is a text in the format `gemini`, a
    list of blocks in `anthropic`."""

    messages: list[JsonObject] | None = None
    text: str | None = None
    system: str | list[JsonObject] | None = None
    tokens: int
    receipt: Published[Receipt]


@router.post("/conversations/{conversation_id}/context", response_model_exclude_unset=True)
async def build_context(
    ids: ReadInConversation, engine: Engine, body: ContextIn | None = None
) -> ContextSchema:
    """Build the messages for a model call. Stores no message and generates no answer."""
    options = dict(body or ContextIn())

    def prepare() -> ContextRequest:
        request = engine.contexts.prepare(**options)
        check_room(request)
        return request

    request = await run_off_loop(prepare, size=rough_size(options))
    context = await engine.contexts.build(request, **ids)
    fields = {name: getattr(context, name, None) for name in ContextSchema.model_fields}
    given = {name: value for name, value in fields.items() if value is not None}
    return await run_off_loop(
        lambda: ContextSchema.model_validate(given), size=rough_size(context.receipt)
    )


@router.get("/messages/{message_id}/receipt")
async def get_receipt(message_id: str, caller: Caller, engine: Engine) -> Receipt:
    """The context that the model got for this answer, and why."""
    return await engine.contexts.get_receipt(message_id=message_id, user_id=caller.user_id)
