"""Tools that a model may call and that run in this process."""

import asyncio
import importlib
import inspect
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.core.errors import InvalidInput, Misconfigured
from recollect.core.sanitize import sanitized, sanitized_json
from recollect.core.types import Json
from recollect.core.validation import json_text

logger = logging.getLogger(__name__)

TOOL_SECONDS = 60.0
_MAX_JSON_BYTES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A function with a JSON schema of its `parameters`.

    `run` gets the arguments by name and returns a JSON value. If it is not a coroutine function,
    it runs in a thread.
    """

    name: str
    description: str
    parameters: Mapping[str, Json]
    run: Callable[..., Awaitable[Json] | Json]

    def to_openai(self) -> dict[str, Json]:
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": dict(self.parameters),
            },
        }


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """The output of a tool, or the error message for the model if it failed."""

    output: Json
    is_error: bool = False


async def run_tool(tool: Tool | None, arguments: Json) -> ToolOutcome:
    """Run a tool. Never raises: the model gets the error as its output, and can go on."""
    if tool is None:
        return ToolOutcome("There is no such tool.", is_error=True)
    if not isinstance(arguments, Mapping):
        return ToolOutcome("The arguments must be a JSON object.", is_error=True)
    try:
        async with asyncio.timeout(TOOL_SECONDS):
            output = sanitized_json(await _call(tool.run, arguments))
        text = json_text(output, "output", limit=_MAX_JSON_BYTES)
    except TimeoutError:
        return ToolOutcome(f"The tool took longer than {TOOL_SECONDS:g} seconds.", is_error=True)
    except InvalidInput as error:
        return ToolOutcome(
            f"The output of the tool cannot be stored: {error.message}", is_error=True
        )
    except Exception as error:
        logger.exception("tool.failed", extra={"tool": tool.name})
        return ToolOutcome(f"The tool failed: {type(error).__name__}.", is_error=True)
    return ToolOutcome(json.loads(text))


def parse_arguments(text: str) -> Json:
    """Parse a model's arguments; return them as text if they are not valid JSON."""
    try:
        arguments = sanitized_json(json.loads(text or "{}"))
        json_text(arguments, "arguments", limit=_MAX_JSON_BYTES)
    except (ValueError, RecursionError, InvalidInput):
        return sanitized(text)[:_MAX_JSON_BYTES]
    return arguments


async def _call(run: Callable[..., Any], arguments: Mapping[str, Json]) -> Json:
    if inspect.iscoroutinefunction(run):
        return await run(**arguments)
    return await asyncio.to_thread(run, **arguments)


def load_tools(path: str) -> Sequence[Tool]:
    """Import the list of tools at `package.module:name`. An empty path means no tools."""
    if not path:
        return ()
    module, _, name = path.partition(":")
    try:
        tools = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise Misconfigured(f"RECOLLECT_TOOLS: {path} cannot be loaded: {error}.") from error
    if not isinstance(tools, Sequence) or not all(isinstance(tool, Tool) for tool in tools):
        raise Misconfigured(f"RECOLLECT_TOOLS: {path} must be a list of recollect.Tool.")
    return tools
