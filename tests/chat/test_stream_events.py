"""Reading an answer from any point: nothing comes twice, and nothing is left out."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import (
    Cursor,
    InvalidInput,
    TextDelta,
    ThinkingDelta,
    ToolCalled,
    ToolCallState,
    ToolReturned,
)
from recollect.chat.stream_events import AnswerState, ContentEvent, events_after

Change = tuple[str, str]


@st.composite
def histories(draw: st.DrawFn) -> list[AnswerState]:
    """The states of an answer as it grows."""
    states = [AnswerState()]
    for number in range(draw(st.integers(0, 12))):
        state = states[-1]
        is_open = bool(state.tools) and not state.tools[-1].is_done
        kind = "return" if is_open else draw(st.sampled_from(["text", "thinking", "call"]))
        words = draw(st.text(st.characters(codec="utf-8"), min_size=1, max_size=8))
        match kind:
            case "text":
                state = replace(state, text=state.text + words)
            case "thinking":
                state = replace(state, thinking=state.thinking + words)
            case "call":
                tool = ToolCallState(id=f"c{number}", name=words, input={}, at=len(state.text))
                state = replace(state, tools=(*state.tools, tool))
            case _:
                done = replace(state.tools[-1], output=words, is_done=True)
                state = replace(state, tools=(*state.tools[:-1], done))
        states.append(state)
    return states


def read(states: list[AnswerState], cursor: Cursor | None = None) -> list[ContentEvent]:
    """What somebody hears who looks at each of these states."""
    heard: list[ContentEvent] = []
    at = cursor or Cursor()
    for state in states:
        for piece in events_after(at, state):
            heard.append(piece)
            at = piece.cursor
    return heard


def told(pieces: list[ContentEvent]) -> tuple[str, str, list[tuple[str, str, int]]]:
    """Thoughts, text, and the steps of tools with their place in the text."""
    text, thinking, steps = "", "", []
    for piece in pieces:
        match piece:
            case TextDelta(more):
                text += more
            case ThinkingDelta(more):
                thinking += more
            case ToolCalled(tool) | ToolReturned(tool):
                steps.append((type(piece).__name__, tool.id, len(text)))
    return thinking, text, steps


@given(histories(), st.data())
def test_events_do_not_depend_on_how_often_the_state_is_read(
    states: list[AnswerState], data: st.DataObject
) -> None:
    seen = [state for state in states if data.draw(st.booleans())]
    assert told(read([*seen, states[-1]])) == told(read(states))


@given(histories(), st.data())
def test_resumed_reader_gets_the_rest(states: list[AnswerState], data: st.DataObject) -> None:
    whole = read(states)
    left = data.draw(st.integers(0, len(whole)))
    cursor = whole[left - 1].cursor if left else Cursor()
    rest = read([states[-1]], Cursor.parse(str(cursor)))
    thinking, text, steps = told(whole)
    before, after = told(whole[:left]), told([*whole[:left], *rest])
    assert after == (thinking, text, steps)
    assert before[1] == text[: len(before[1])]


@given(histories())
def test_tool_calls_survive_storage(states: list[AnswerState]) -> None:
    stored = [tool.to_json() for tool in states[-1].tools]
    again = [ToolCallState.from_json(one, number) for number, one in enumerate(stored)]
    assert again == list(states[-1].tools)


@pytest.mark.parametrize("text", ["", "1", "1.2", "1.2.3.4", "a.b.c", "-1.2.3", "1.2.9999999999"])
def test_invalid_cursors_are_rejected(text: str) -> None:
    with pytest.raises(InvalidInput):
        Cursor.parse(text)
