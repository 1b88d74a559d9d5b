"""One answer: context, model, record. What the server streams, and the library returns.

    ask        the question and an empty row for the answer are committed, under its owner's name
    show       the context is built, and what the model is shown is noted in a receipt
    write      the model speaks; once a second what there is of the answer is written to its row
    end        the row becomes complete, interrupted or error, and owes what an answer owes

An answer is written by a task of its own, so it does not depend on anybody who reads it. It can be
read from its beginning or from any point on, while it is written or afterwards: see `pieces`. Where
it is written by another process it is read from its row.
"""

from recollect.chat.active_answer import AnswerResult, AnswerStream
from recollect.chat.service import Chat
from recollect.chat.stream_events import (
    ContextBuilt,
    Cursor,
    Finished,
    KeepAlive,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    ToolCalled,
    ToolReturned,
    ToolUse,
)
from recollect.chat.tool_loop import Prompt
from recollect.chat.tools import Tool

__all__ = [
    "AnswerResult",
    "AnswerStream",
    "Chat",
    "ContextBuilt",
    "Cursor",
    "Finished",
    "KeepAlive",
    "Prompt",
    "StreamEvent",
    "TextDelta",
    "ThinkingDelta",
    "Tool",
    "ToolCalled",
    "ToolReturned",
    "ToolUse",
]
