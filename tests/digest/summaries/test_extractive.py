"""The extractive summarizer quotes the most salient sentences within its cap."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.core import tokens
from recollect.core.turns import group_turns
from recollect.core.types import Message, Role, Turn
from recollect.digest.summaries.extractive import summarize
from recollect.language.sentences import split_sentences
from tests.recall.sample_conversations import a_message


def message(seq: int, role: Role, content: str) -> Message:
    turn = (seq + 1) // 2
    return a_message(content, role=role, seq=seq, turn=turn, thinking="Think of PO-99999.")


def talk(*said: str) -> list[Turn]:
    roles: tuple[Role, Role] = ("user", "assistant")
    return group_turns(message(n + 1, roles[n % 2], text) for n, text in enumerate(said))


DAY = "4 March 2026:"
"""The line with the day on which everything here is said, unless a test says otherwise."""


def parts(summary: str) -> list[str]:
    lines = (
        line.removeprefix("[User] ").removeprefix("[Assistant] ")
        for line in summary.split("\n")
        if line != DAY
    )
    return [sentence for line in lines for sentence in split_sentences(line)]


SMALL_TALK = [
    "Hi! How are you?",
    "Hello! Fine, thanks. What can I do for you?",
    "Yesterday I saw a film about whales.",
    "Nice! Whales can live for 200 years. The oldest known one was 211.",
    "How far is it to the moon?",
    "It is 384,400 km away. Light takes 1.3 seconds.",
    "Thanks!",
    "You're welcome!",
]


@pytest.mark.parametrize(
    "sentence",
    [
        "We decided to take the night ferry.",
        "Whatever you do, do not use Redis.",
        "I prefer aisle seats.",
        "I need everything finished by May.",
        "The colour is still to be decided.",
        "Abbiamo deciso di prendere il traghetto.",
        "Non usare Redis.",
        "Preferisco i posti lato corridoio.",
        "Napagpasyahan naming sumakay ng barko.",
        "Huwag gumamit ng Redis.",
        "Mas gusto ko ang upuan sa tabi ng bintana.",
        "Prefiero el pasillo.",
        "Nous avons choisi le bleu.",
        "Wir haben uns für Blau entschieden.",
        "Não use o Dropbox.",
    ],
)
def test_salient_sentences_are_chosen_first(sentence: str) -> None:
    turns = talk(*SMALL_TALK, sentence, "Understood.", *SMALL_TALK)
    cap = tokens.count(f"[User] {sentence}") + 2
    assert summarize("", turns, cap_tokens=cap) == f"[User] {sentence}"


def test_summary_keeps_order_and_speakers() -> None:
    turns = talk("We decided on blue.", "I agreed to send the file.", "My deadline is May 3. Hi!")
    assert summarize("", turns, cap_tokens=100) == (
        f"{DAY}\n"
        "[User] We decided on blue.\n"
        "[Assistant] I agreed to send the file.\n"
        "[User] My deadline is May 3."
    )


def test_previous_summary_comes_first_with_its_speakers() -> None:
    first = summarize("", talk("We decided on blue.", "Ok. The sky is blue."), cap_tokens=100)
    second = summarize(first, talk("My deadline is May 3.", "Noted."), cap_tokens=100)
    assert second == (
        f"{DAY}\n"
        "[User] We decided on blue.\n[Assistant] The sky is blue.\n[User] My deadline is May 3."
    )
    assert summarize(second, [], cap_tokens=100) == second


def test_days_are_written_where_they_change() -> None:
    said = [
        a_message("We decided on blue.", seq=1, event_at=datetime(2024, 6, 4, 9, tzinfo=UTC)),
        a_message("I prefer trains.", seq=2, event_at=datetime(2024, 6, 4, 20, tzinfo=UTC)),
        a_message("I leave tomorrow.", seq=3, event_at=datetime(2024, 6, 9, tzinfo=UTC)),
    ]
    first = summarize("", group_turns(said[:2]), cap_tokens=100)
    assert first == "4 June 2024:\n[User] We decided on blue. I prefer trains."
    second = summarize(first, group_turns(said[2:]), cap_tokens=100)
    assert second == f"{first}\n9 June 2024:\n[User] I leave tomorrow (10 June 2024)."
    assert summarize(second, [], cap_tokens=100) == second


def test_named_speakers_are_named_in_every_generation() -> None:
    def told(name: str, content: str, **more: Any) -> Message:
        return a_message(content, metadata={"speaker": name}, **more)

    turns = group_turns(
        [
            told("Caroline", "I decided to adopt a cat.", seq=1, turn=1),
            told("Melanie [Mel]", "I prefer dogs.", role="assistant", seq=2, turn=1),
        ]
    )
    expected = f"{DAY}\n[Caroline] I decided to adopt a cat.\n[Melanie Mel] I prefer dogs."
    first = summarize("", turns, cap_tokens=100)
    assert first == expected
    assert summarize(first, [], cap_tokens=100) == expected
    assert summarize(first, turns, cap_tokens=100) == expected


def test_named_model_weighs_as_an_assistant() -> None:
    def answer(seq: int, content: str) -> Message:
        named = {"speaker": "Jarvis"}
        return a_message(content, role="assistant", seq=seq, turn=1, metadata=named)

    said = a_message("I moved house.", seq=1, turn=1)
    turns = group_turns([said, *(answer(seq, f"Fact {seq} is long.") for seq in range(2, 9))])
    cap = tokens.count(f"{DAY}\n[User] I moved house.")
    assert summarize("", turns, cap_tokens=cap) == f"{DAY}\n[User] I moved house."


def test_model_summary_is_continued() -> None:
    told = "The user decided on blue. They prefer aisle seats."
    new = summarize(told, talk("I never fly.", "Noted."), cap_tokens=100)
    assert new == f"{told}\n{DAY}\n[User] I never fly."


def test_duplicates_are_dropped() -> None:
    turns = talk(*["Do not use Redis for the queue.", "Ok, no Redis for the queue then."] * 20)
    assert summarize("", turns, cap_tokens=200).count("Do not use Redis") == 1


def test_sentences_without_full_stops_are_parsed_again() -> None:
    turns = talk("do not use redis", "ok", "i prefer short answers", "ok", "my budget is 300", "ok")
    summary = summarize("", turns, cap_tokens=100)
    assert parts(summary) == ["do not use redis", "i prefer short answers", "my budget is 300"]
    assert summarize(summary, [], cap_tokens=100) == summary


def test_user_text_comes_first() -> None:
    keep = "The client is ACME.\nNever call before ten."
    turns = talk(*SMALL_TALK, "We decided on blue.", "Ok.")
    first = summarize("", turns, cap_tokens=60, keep=keep)
    assert first.startswith(f"{keep}\n{DAY}\n[User] ")
    again = summarize(first, talk("I prefer mornings.", "Ok."), cap_tokens=60, keep=keep)
    assert again.startswith(f"{keep}\n{DAY}\n[User] ")
    assert again.count("ACME") == 1


def test_tool_results_and_thinking_are_excluded() -> None:
    turn = Turn(
        1,
        (
            message(2, "user", "Look up my order."),
            message(3, "tool", "We decided PO-22222."),
            message(4, "assistant", ""),
            message(5, "assistant", "It is on its way."),
        ),
    )
    summary = summarize("", [turn], cap_tokens=100)
    assert summary == f"{DAY}\n[User] Look up my order.\n[Assistant] It is on its way."


def test_code_is_excluded_unless_there_is_nothing_else() -> None:
    code = "```python\nprint('hello')\n```"
    summary = summarize("", talk(f"We use this:\n{code}", "Ok."), cap_tokens=50)
    assert summary == f"{DAY}\n[User] We use this:"
    assert "print('hello')" in summarize("", talk(code), cap_tokens=50)


def test_sentence_over_the_cap_is_truncated_at_a_word() -> None:
    long = "We decided to " + "walk and walk " * 100
    summary = summarize("", talk(long, ""), cap_tokens=20)
    assert summary.startswith("[User] We decided to walk")
    assert summary.endswith(("walk…", "and…"))
    assert 15 <= tokens.count(summary) <= 20
    assert summarize("", talk(long, "It is fine."), cap_tokens=20) == "[Assistant] It is fine."


def test_empty_input_gives_an_empty_summary() -> None:
    assert summarize("", [], cap_tokens=100) == ""
    assert summarize("", talk("", " \n "), cap_tokens=100) == ""
    assert summarize("", talk("Thanks!", "👍"), cap_tokens=100) == (
        f"{DAY}\n[User] Thanks!\n[Assistant] 👍"
    )


TEXT = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(
            [
                *(
                    "Do not use Redis.",
                    "i prefer tea",
                    "Why?",
                    "[User] hi.",
                    "[Assistant] no",
                    "- a",
                ),
                *(
                    "```\nx = 1\n```",
                    "今天很好。",
                    "\n",
                    "Dr.",
                    "the order is PO-77123",
                    "…",
                    "ok!",
                ),
            ]
        ),
        max_size=8,
    ).map(" ".join),
)
TALK = st.lists(TEXT, max_size=8).map(lambda said: talk(*said))


@given(TEXT, TALK, st.integers(0, 80))
def test_summary_is_within_the_cap_and_deterministic(
    previous: str, turns: list[Turn], cap: int
) -> None:
    summary = summarize(previous, turns, cap_tokens=cap)
    assert tokens.count(summary) <= cap
    assert summarize(previous, turns, cap_tokens=cap) == summary


@given(TEXT, TALK)
def test_every_sentence_is_quoted(previous: str, turns: list[Turn]) -> None:
    summary = summarize(previous, turns, cap_tokens=200)
    said = [previous, *(m.content for turn in turns for m in turn.messages)]
    for line in summary.splitlines():
        if line == DAY:
            continue
        spoken = line.removeprefix("[User] ").removeprefix("[Assistant] ")
        for sentence in split_sentences(line) if spoken == line else split_sentences(spoken):
            assert any(sentence.removesuffix("…") in text for text in said), sentence
    has_text = any(piece for text in said for piece in split_sentences(text))
    assert bool(summary) == has_text


@given(st.lists(TALK, min_size=3, max_size=3))
def test_later_generations_only_quote(talks: list[Sequence[Turn]]) -> None:
    summary = ""
    known: set[str] = set()
    for turns in talks:
        spoken = [m.content for turn in turns for m in turn.messages]
        pieces = [piece for text in spoken for piece in split_sentences(text)]
        known |= {line.strip() for piece in pieces for line in piece.splitlines()}
        summary = summarize(summary, turns, cap_tokens=60)
        for part in parts(summary):
            assert part in known or _is_cut_from(part, known)


def _is_cut_from(part: str, known: set[str]) -> bool:
    return any(part.removesuffix("…") in sentence for sentence in known)
