"""What a model says in one answer, round by round: it is shown a context, it speaks, it may call
tools, and what they give back is read in one more round."""

import json
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from recollect.chat.active_answer import ActiveAnswer
from recollect.chat.tools import Tool, parse_arguments, run_tool
from recollect.core.errors import ModelFailed, TooLarge
from recollect.core.sanitize import truncate_middle
from recollect.core.types import Json
from recollect.llm.protocols import CallContext, ChatMessage, ChatModel, Reply, ToolCall
from recollect.recall.context.budget import Count, text_cost
from recollect.recall.context.receipt import Mode
from recollect.recall.context.service import Contexts

_MOST_ROUNDS = 8
"""Of tools in one answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """How a question is to be answered.

    `tools` are run here, and None stands for the engine's own; `client_tools` are the caller's to
    run, in OpenAI's form. `options` go to the model as they are.
    """

    model: str | None = None
    mode: Mode = "compressed"
    system: str | None = None
    context: Mapping[str, Json] | None = None
    tools: Sequence[Tool] | None = None
    client_tools: Sequence[Mapping[str, Json]] = ()
    options: Mapping[str, Json] | None = None


class ToolLoop:
    def __init__(self, contexts: Contexts, tools: Sequence[Tool]) -> None:
        self._contexts = contexts
        self._tools = tools

    async def speak(self, running: ActiveAnswer, prompt: Prompt, model: ChatModel) -> None:
        """Until the model is done, or has called what its caller is to run. Raises ModelFailed."""
        answer, name = running.answer, model.variant.name
        offered = self.offered(prompt)
        context = await self._contexts.build_context(
            conversation_id=answer.conversation_id,
            user_id=running.user_id,
            mode=prompt.mode,
            system=prompt.system,
            context=prompt.context,
            model=name,
            tools=offered,
            before_seq=running.before_seq,
        )
        running.show(context.receipt)
        messages: list[ChatMessage] = [*(context.messages or ())]
        room, count = self._contexts.room_for(name, offered)
        left = room - context.tokens
        tools = self._run_here(prompt)
        theirs = {_tool_name(tool) for tool in prompt.client_tools}
        purpose = CallContext(
            use="chat",
            user_id=running.user_id,
            conversation_id=answer.conversation_id,
            message_id=answer.id,
        )
        for _ in range(_MOST_ROUNDS):
            stream = model.stream(messages, purpose=purpose, tools=offered, options=prompt.options)
            async with aclosing(stream) as deltas:
                reply = None
                async for delta in deltas:
                    running.say(delta)
                    reply = delta.reply
            running.finish_round(reply)
            if reply is None or not (reply.tool_calls or running.state.text.strip()):
                raise ModelFailed(f"{name} answered nothing.")
            handed_over = [call for call in reply.tool_calls if call.name in theirs]
            said, results = await _run_tools(running, reply, tools, left_out=handed_over)
            for call in handed_over:
                running.call_tool(call.id, call.name, parse_arguments(call.arguments))
            if handed_over or not reply.tool_calls:
                return
            left -= text_cost(json.dumps(said, ensure_ascii=False), count)
            results, left = _fitted(results, left, count)
            messages += [said, *results]
        raise ModelFailed(f"{name} called tools again and again.")

    def offered(self, prompt: Prompt) -> list[Mapping[str, Json]]:
        """All tools that the model may call, in OpenAI's form."""
        ours = self._run_here(prompt).values()
        return [*(tool.to_openai() for tool in ours), *prompt.client_tools]

    def _run_here(self, prompt: Prompt) -> dict[str, Tool]:
        tools = self._tools if prompt.tools is None else prompt.tools
        return {tool.name: tool for tool in tools}


async def _run_tools(
    running: ActiveAnswer, reply: Reply, tools: Mapping[str, Tool], *, left_out: Sequence[ToolCall]
) -> tuple[ChatMessage, list[ChatMessage]]:
    """Calls what the model asked for, one after the other; what it gets to read next: its own words
    and the results."""
    calls: list[Json] = []
    results: list[ChatMessage] = []
    for call in reply.tool_calls:
        if call in left_out:
            continue
        arguments = parse_arguments(call.arguments)
        running.call_tool(call.id, call.name, arguments)
        used = running.return_tool(await run_tool(tools.get(call.name), arguments))
        function = {"name": call.name, "arguments": call.arguments or "{}"}
        calls.append({"id": call.id, "type": "function", "function": function})
        output = used.output
        text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
        results.append({"role": "tool", "tool_call_id": call.id, "content": text})
    return {"role": "assistant", "content": reply.text, "tool_calls": calls}, results


def _fitted(
    results: Sequence[ChatMessage], room: int, count: Count
) -> tuple[list[ChatMessage], int]:
    """All within half of the room, so that there is some for the next round; and what is left of
    it. On record they are whole."""
    fitted: list[ChatMessage] = []
    half = room // 2
    for place, result in enumerate(results):
        text = result["content"]
        most = half // (len(results) - place) - text_cost("", count)
        shorter = truncate_middle(text, most, count=count) or ("[…]" if text else "")
        half -= text_cost(shorter, count)
        room -= text_cost(shorter, count)
        fitted.append({**result, "content": shorter})
    if room < 0:
        raise TooLarge("What the tools gave back does not fit the model's window.")
    return fitted, room


def _tool_name(tool: Mapping[str, Json]) -> Json:
    """Of one in OpenAI's form."""
    match tool:
        case {"function": {"name": name}}:
            return name
    return None
