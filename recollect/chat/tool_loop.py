"""Generate one answer: build the context, call the model, run the tools it calls, and repeat."""

import json
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import TypedDict

from recollect.chat.active_answer import ActiveAnswer
from recollect.chat.tools import Tool, parse_arguments, run_tool
from recollect.core.errors import ModelFailed, TooLarge
from recollect.core.offload import Pacer, rough_size, run_off_loop
from recollect.core.policy import Layout, RecallScope
from recollect.core.sanitize import truncate_middle
from recollect.core.types import Json
from recollect.llm.protocols import CallContext, ChatMessage, ToolCall, VariantModel
from recollect.recall.context.receipt import Mode
from recollect.recall.context.selection import text_cost
from recollect.recall.context.service import Contexts
from recollect.recall.context.types import ContextRequest, Count, MessagesContext

_MAX_ROUNDS = 8


class PromptOptions(TypedDict, total=False):
    """How a question is answered.

    `tools` run in this process; None means those of the engine. `client_tools`, in OpenAI's form,
    are run by the caller. `options` are passed to the model unchanged.
    """

    model: str | None
    mode: Mode
    system: str | None
    context: Mapping[str, Json] | None
    layout: Layout | None
    recall_scope: RecallScope | None
    tools: Sequence[Tool] | None
    client_tools: Sequence[Mapping[str, Json]]
    options: Mapping[str, Json] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedPrompt:
    """Validated prompt options, with the model and the tools that they name."""

    model: VariantModel
    request: ContextRequest
    tools: Mapping[str, Tool]
    """Those that run in this process, by name."""
    client_tools: Sequence[Mapping[str, Json]]
    tool_schemas: Sequence[Mapping[str, Json]]
    """All tools that the model may call, in OpenAI's form."""
    options: Mapping[str, Json] | None

    @property
    def variant(self) -> str:
        return self.model.variant.name


async def generate(active: ActiveAnswer, prompt: ResolvedPrompt, contexts: Contexts) -> None:
    """Generate until the model is done, or has called a client tool. Raises ModelFailed."""
    answer, count = active.answer, prompt.request.count
    context = await contexts.build(
        prompt.request,
        conversation_id=answer.conversation_id,
        user_id=active.user_id,
        before_seq=active.started.before_seq,
    )
    assert isinstance(context, MessagesContext)
    active.set_receipt(context.receipt)
    messages: list[ChatMessage] = [*context.messages]
    room = prompt.request.room - context.tokens
    client_tools = {_tool_name(tool) for tool in prompt.client_tools}
    call_context = CallContext(
        purpose="chat",
        user_id=active.user_id,
        conversation_id=answer.conversation_id,
        message_id=answer.id,
    )
    for _ in range(_MAX_ROUNDS):
        stream = prompt.model.stream(
            messages, call=call_context, tools=prompt.tool_schemas, options=prompt.options
        )
        async with aclosing(stream) as deltas:
            reply, pacer = None, Pacer()
            async for delta in deltas:
                active.add_delta(delta)
                reply = delta.reply
                await pacer.pause()
        active.finish_round(reply)
        if reply is None or not (reply.tool_calls or active.state.text.strip()):
            raise ModelFailed(f"{prompt.variant} answered nothing.")
        ours = [call for call in reply.tool_calls if call.name not in client_tools]
        results = [await _run_tool(active, call, prompt.tools) for call in ours]
        for call in reply.tool_calls:
            if call.name in client_tools:
                active.start_tool_call(call.id, call.name, await _arguments(call))
        if len(ours) < len(reply.tool_calls) or not ours:
            return
        calls = [_to_openai(call) for call in ours]
        message = {"role": "assistant", "content": reply.text, "tool_calls": calls}
        fit = partial(_fit_round, message, results, room, count)
        results, room = await run_off_loop(fit, size=rough_size(message, results))
        messages += [message, *results]
    raise ModelFailed(f"{prompt.variant} called tools in {_MAX_ROUNDS} rounds without an end.")


async def _run_tool(active: ActiveAnswer, call: ToolCall, tools: Mapping[str, Tool]) -> ChatMessage:
    """Run a tool, and return its result as a message for the model."""
    arguments = await _arguments(call)
    active.start_tool_call(call.id, call.name, arguments)
    outcome = await run_tool(tools.get(call.name), arguments)
    active.finish_tool_call(outcome)
    output = outcome.output
    text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    return {"role": "tool", "tool_call_id": call.id, "content": text}


async def _arguments(call: ToolCall) -> Json:
    parse = partial(parse_arguments, call.arguments)
    return await run_off_loop(parse, size=len(call.arguments))


def _to_openai(call: ToolCall) -> Json:
    function = {"name": call.name, "arguments": call.arguments or "{}"}
    return {"id": call.id, "type": "function", "function": function}


def _fit_round(
    message: ChatMessage, results: Sequence[ChatMessage], room: int, count: Count
) -> tuple[list[ChatMessage], int]:
    """Return the results as they are sent after the calls, and the room that is left."""
    room -= text_cost(json.dumps(message, ensure_ascii=False), count)
    return _truncate_results(results, room, count)


def _truncate_results(
    results: Sequence[ChatMessage], room: int, count: Count
) -> tuple[list[ChatMessage], int]:
    """Truncate tool results to half of the room, and return them with the room that is left.

    The other half is for the next round. The stored results are not truncated.
    """
    truncated: list[ChatMessage] = []
    half = room // 2
    for index, result in enumerate(results):
        text = result["content"]
        max_tokens = half // (len(results) - index) - text_cost("", count)
        shorter = truncate_middle(text, max_tokens, count=count) or ("[…]" if text else "")
        half -= text_cost(shorter, count)
        room -= text_cost(shorter, count)
        truncated.append({**result, "content": shorter})
    if room < 0:
        raise TooLarge("The results of the tools do not fit the model's window.")
    return truncated, room


def _tool_name(tool: Mapping[str, Json]) -> Json:
    match tool:
        case {"function": {"name": name}}:
            return name
    return None
