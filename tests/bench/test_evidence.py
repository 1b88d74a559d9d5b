"""Scoring, data and measurement of `bench.evidence`."""

import asyncio
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

import bench.evidence.__main__ as evidence
from bench.common.vector_cache import Vectors
from bench.evidence.chats import beam, message_text, two_people
from bench.evidence.long_chats import MAX_ANSWER, MIN_ANSWER, long_chats
from bench.evidence.measure import NAIVE, OURS, Measured, measure
from bench.evidence.methods import HIT_TOKENS, last_turn, missing_parts, naive, pack
from bench.evidence.peers import ask_library
from bench.evidence.prefix import Prefixes
from bench.evidence.recordings import Recordings
from bench.evidence.report import text
from bench.evidence.scoring import (
    MIN_SENTENCE_CHARS,
    answer_share,
    count_tokens,
    cut,
    evidence_share,
    quotable,
)
from bench.recall.data import DataSet, Person, Question, Session
from recollect import MessageIn
from recollect.core.validation import check_message
from recollect.settings import Settings

LONG = "The surveyor came on the 20th of February. He stayed for an hour.\n\nHe charged nothing."


def test_one_long_sentence_is_evidence_of_a_message() -> None:
    assert evidence_share([LONG], "He said: the surveyor came in February.") == 0
    assert evidence_share([LONG], "He stayed for an hour.") == 0  # too short to prove anything
    assert evidence_share([LONG], "> The surveyor came\n on the 20th of  February. […]") == 1
    assert evidence_share([LONG, "In Rome.", "In Bari."], f"{LONG} In Bari.") == fmean([1, 0, 1])


def test_answer_words_are_neither_stop_words_nor_in_the_question() -> None:
    question = "When did the surveyor come?"
    assert answer_share("The surveyor came on 20 February.", question, "On 20 March") == 1 / 3
    assert answer_share("The surveyor did.", question, "anything") is None


def test_packed_hits_are_cut_and_fit_the_budget() -> None:
    hits = ["one " * 1_000, "two " * 100, "three " * 1_000]
    assert count_tokens(pack(hits, 1_000)) <= 1_000
    packed = pack(hits, 350)
    assert packed.count("one") == HIT_TOKENS
    assert 0 < packed.count("two") < 100
    assert "three" not in packed
    assert count_tokens(packed) <= 350


def test_naive_context_has_the_beginnings_of_search_hits_and_nothing_else(tmp_path: Path) -> None:
    long = "The surveyor came on 20 February. " + "He measured a plank. " * 200
    messages = [
        MessageIn(role="user", content=long),
        MessageIn(role="assistant", content="Then the hull can be planked."),
    ]
    person = Person("dinghy", [Session(1, ["1", "2"], messages)], [])

    async def run() -> None:
        async with Recordings(tmp_path, Vectors()).open(person) as chat:
            built = await naive(chat, "When did the surveyor come?", 1_000)
            lines = built.text.splitlines()
            assert lines.count(cut(long, HIT_TOKENS)) == 1
            assert {*lines} <= {cut(long, HIT_TOKENS), messages[1].content}
            assert built.tokens == count_tokens(built.text)
            assert built.recalls

    asyncio.run(run())


def test_libraries_are_scored_by_what_their_hits_hold() -> None:
    """A stand-in for a library's process: it finds message 2 for questions, and nothing else."""

    class Stand:
        said: list[dict[str, Any]]

        def ask(self, **command: Any) -> dict[str, Any]:
            if command["do"] == "fill":
                self.said = command["said"]
                return {}
            answers = [["2"] if "survey" in one else [] for one in command["questions"]]
            return {"answers": answers, "times": [0.25] * len(answers)}

    moment = datetime(2024, 2, 21, tzinfo=UTC)
    call = {"id": "1", "tool_name": "look", "input": {}, "output": "The survey was on 20 February."}
    messages = [
        MessageIn(role="user", content="The hull can be planked when it is here.", event_at=moment),
        MessageIn(role="assistant", content="", tool_calls=[call], event_at=moment),
    ]
    question = Question("When was the survey?", "en", "fact", frozenset("12"), "20 February")
    person = Person("dinghy", [Session(1, ["1", "2"], messages)], [question])
    measured, library = Measured("Our own", 1), Stand()
    ask_library(library, person, "mem0", [1_000], ["Good morning!", "A new survey?"], measured)
    assert "The survey was on 20 February." in library.said[1]["content"]
    scores = measured.scores("mem0", 1_000)
    assert (scores.evidence, scores.answer) == (0.5, 1)
    assert scores.p50 >= 0.25
    assert measured.false_recall("mem0") == 0.5


def test_missing_summary_values_and_last_turn_are_named() -> None:
    summary, values = "The surveyor came on the 20th of February.", ["SL-20417"]
    turn = last_turn(
        [
            MessageIn(role="user", content="Before."),
            MessageIn(role="user", content="And the larch planks?"),
            MessageIn(role="assistant", content="They arrive on Monday, by lorry, before noon."),
        ]
    )
    system = f"{summary}\n\nExact values:\n20 February: SL-20417\n\nQuoted."
    spoken = [{"role": "user", "content": turn[0]}, {"role": "assistant", "content": turn[1]}]

    def missing(system: str, spoken: list[dict[str, str]]) -> tuple[str, ...]:
        sent = [{"role": "system", "content": system}, *spoken]
        return missing_parts(sent, summary=summary, values=values, last_turn=turn)

    assert missing(system, spoken) == ()
    assert missing("Quoted: SL-20417", spoken) == ("summary", "exact values")
    assert missing(f"{system} {turn[1]}", spoken[:1]) == ("last turn",)


def test_tool_outputs_belong_to_the_text_of_a_message() -> None:
    call = {"id": "1", "tool_name": "book", "input": {}}
    calls = [{**call, "output": "Reference SL-20417"}, call]
    message = MessageIn(role="assistant", content="Done.", tool_calls=calls)
    assert message_text(message) == "Done.\nReference SL-20417"


def test_a_day_of_beam_holds_until_the_next_is_given(tmp_path: Path) -> None:
    days = ["March-15-2024", "", "April-02-2024"]
    messages = [
        {"id": number, "role": "user", "time": day, "content": "Hello."}
        for number, day in enumerate(days)
    ]
    question = {"question": "?", "kind": "update", "evidence": [0, 2], "answer": "Yes."}
    file = tmp_path / "beam.json"
    chat = {"id": "beam-1", "messages": messages, "questions": [question]}
    file.write_text(json.dumps([chat]))
    (person,) = beam(file).people
    said = [message.event_at for message in person.sessions[0].messages]
    assert [f"{moment:%m-%d}" for moment in said if moment] == ["03-15", "03-15", "04-02"]
    assert person.questions == [Question("?", "en", "update", frozenset({"0", "2"}), "Yes.")]


def test_sessions_of_two_people_become_one_conversation(tmp_path: Path) -> None:
    sessions = [
        {
            "session": number,
            "date_time": "1:56 pm on 8 May, 2023",
            "turns": [{"id": f"D{number}:1", "speaker": "Ann", "text": f"Hello {number}."}],
        }
        for number in (1, 2)
    ]
    question = {"question": "?", "answer": 7, "evidence": ["D1:1; D2:1", "D9:9"], "category": 1}
    chat = {"id": "a", "speakers": ["Ann", "Bob"], "sessions": sessions, "questions": [question]}
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([chat]))
    (person,) = two_people(file).people
    assert [message.content for message in person.sessions[0].messages] == ["Hello 1.", "Hello 2."]
    assert person.questions[0].evidence == {"D1:1", "D2:1"}
    assert person.questions[0].answer == "7"


def test_our_own_chats_are_long_and_always_the_same() -> None:
    people = long_chats().people
    assert len(people) >= 6
    assert sum(len(person.questions) for person in people) >= 60
    assert people == long_chats().people
    for person in people:
        (session,) = person.sessions
        assert 120 <= len(session.messages) <= 200
        for message in session.messages:
            check_message(message, limit=Settings().max_message_bytes)
        answers = [m.content for m in session.messages if m.role == "assistant" and m.content]
        assert all(MIN_ANSWER <= count_tokens(answer) <= MAX_ANSWER for answer in answers)


def test_a_sentence_of_our_own_chats_proves_its_message() -> None:
    for person in long_chats().people:
        (session,) = person.sessions
        texts = dict(zip(session.turns, map(message_text, session.messages), strict=True))
        sentences = [
            sentence
            for message in texts.values()
            for sentence in {*quotable(message)}
            if len(sentence) >= MIN_SENTENCE_CHARS
        ]
        assert len(sentences) == len({*sentences})
        for question in person.questions:
            everything = "\n".join(texts[turn] for turn in question.evidence)
            assert answer_share(question.answer, question.text, everything)


def test_evidence_of_our_own_chats_is_not_in_the_first_sentence() -> None:
    for person in long_chats().people:
        (session,) = person.sessions
        said = dict(zip(session.turns, session.messages, strict=True))
        for question in person.questions:
            for message in (said[turn] for turn in question.evidence):
                if message.role == "tool" or message.tool_calls:
                    continue
                first, *others = quotable(message.content)
                shares = [
                    answer_share(question.answer, question.text, part) or 0
                    for part in (first, " ".join(others))
                ]
                assert shares[1] >= shares[0]


@pytest.mark.parametrize(
    "option", ["--quick", "--reuse", "--sets=own", "--methods=ours,naive", "--beam=nowhere.json"]
)
def test_a_partial_run_is_not_written(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- evidence -->\n<!-- /evidence -->\n")

    async def run(given: object, sets: object) -> str:
        return "New figures."

    monkeypatch.setattr(evidence, "_run", run)
    monkeypatch.setattr(evidence, "long_chats", lambda: DataSet("Our own", []))
    files = [f"--{name}={tmp_path / name}" for name in ("beam", "locomo")]
    for name in ("beam", "locomo"):
        (tmp_path / name).write_text("[]")
    for more, written in (([option], False), ([], True)):
        monkeypatch.setattr(sys, "argv", ["bench", *files, f"--write={page}", *more])
        evidence.main()
        assert ("New figures." in page.read_text()) == written
        assert ("nothing is written" in capsys.readouterr().out) != written


def test_prompts_after_a_digest_do_not_count() -> None:
    prefixes = Prefixes("chat", "cache")
    for prompt, version in (("one two", 0), ("one two three four", 0), ("new", 1), ("new five", 1)):
        prefixes.add(prompt, version)
    assert prefixes.digests == 1
    assert prefixes.share == pytest.approx(3 / 6)


def test_a_chat_is_recorded_once_and_measured(tmp_path: Path) -> None:
    messages = [
        MessageIn(role="user", content="The surveyor came on 20 February and stayed for an hour."),
        MessageIn(role="assistant", content="Then the hull can be planked when the larch is here."),
        MessageIn(role="user", content="Fine."),
        MessageIn(role="assistant", content="Let me know how it goes."),
    ]
    question = Question("When was the survey?", "en", "fact", frozenset({"1"}), "20 February")
    person = Person("dinghy", [Session(1, ["1", "2", "3", "4"], messages)], [question])
    recordings = Recordings(tmp_path, Vectors())

    async def run() -> str:
        measured = await measure(
            DataSet("Our own", [person]),
            recordings,
            methods=[OURS, NAIVE],
            budgets=[1_000],
            unrelated=["How are you?"],
        )
        scores = measured.scores(OURS, 1_000)
        assert (scores.evidence, scores.answer) == (1, 1)
        assert 0 < scores.tokens <= 1_000
        assert not scores.incomplete
        return text([measured], {"mem0": "not installed"}, [], None, [])

    report = asyncio.run(run())
    assert "Met: Our own, 1,000 tokens: evidence 62% (100.0%)." in report
    assert "Not measured: mem0 (not installed)." in report
    (recorded,) = tmp_path.glob("dinghy-*.db")
    before = recorded.stat().st_mtime_ns, recorded.read_bytes()
    asyncio.run(run())
    assert (recorded.stat().st_mtime_ns, recorded.read_bytes()) == before
