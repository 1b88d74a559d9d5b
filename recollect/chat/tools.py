"""Tools that a model may call, run here: functions with a name, and a schema of what they take."""

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
_LARGEST_OUTPUT = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """`run` gets the arguments by name, and returns whatever JSON can hold; it may be a coroutine
    function. A plain one runs in a thread. `parameters` is a JSON schema."""

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
    """What a tool gave back; of one that failed, the reason, for the model to read."""

    output: Json
    is_error: bool = False


async def run_tool(tool: Tool | None, arguments: Json) -> ToolOutcome:
    """Never raises: a model that is told what went wrong can go on."""
    if tool is None:
        return ToolOutcome("There is no such tool.", is_error=True)
    if not isinstance(arguments, Mapping):
        return ToolOutcome("The arguments must be a JSON object.", is_error=True)
    try:
        async with asyncio.timeout(TOOL_SECONDS):
            output = sanitized_json(await _call(tool.run, arguments))
        text = json_text(output, "output", limit=_LARGEST_OUTPUT)
    except TimeoutError:
        return ToolOutcome(f"The tool took longer than {TOOL_SECONDS:g} seconds.", is_error=True)
    except InvalidInput as error:
        return ToolOutcome(
            f"What the tool gave back cannot be kept: {error.message}", is_error=True
        )
    except Exception as error:
        logger.exception("A tool failed.")
        return ToolOutcome(f"The tool failed: {type(error).__name__}.", is_error=True)
    return ToolOutcome(json.loads(text))


def parse_arguments(text: str) -> Json:
    """What a model means to be JSON, as it can be kept; as text where it is none."""
    try:
        arguments = sanitized_json(json.loads(text or "{}"))
        json_text(arguments, "arguments", limit=_LARGEST_OUTPUT)
    except (ValueError, RecursionError, InvalidInput):
        return sanitized(text)[:_LARGEST_OUTPUT]
    return arguments


async def _call(run: Callable[..., Any], arguments: Mapping[str, Json]) -> Json:
    if inspect.iscoroutinefunction(run):
        return await run(**arguments)
    return await asyncio.to_thread(run, **arguments)


def load_tools(where: str) -> Sequence[Tool]:
    """What `package.module:name` holds: a list of tools. Nothing holds none."""
    if not where:
        return ()
    module, _, name = where.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise Misconfigured(f"RECOLLECT_TOOLS: {where} cannot be loaded: {error}.") from error
    if not isinstance(found, Sequence) or not all(isinstance(one, Tool) for one in found):
        raise Misconfigured(f"RECOLLECT_TOOLS: {where} must be a list of recollect.Tool.")
    return found
