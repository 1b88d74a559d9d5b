"""Slow, wrong and endless models: every answer is stored, every digest ends with a summary."""

import json
from collections import Counter
from collections.abc import Collection
from pathlib import Path

import pytest

from recollect import MessageIn, Settings
from recollect.sync import Recollect
from tests.faults.append_log import all_messages
from tests.faults.fault_report import FaultReport, Findings
from tests.scripted_model import (
    Answer,
    Plain,
    ScriptedModel,
    cut,
    endless,
    fails,
    garbage,
    stalls,
)

_LIMIT = 20_000
_BAD: dict[str, Plain] = {
    "down": fails(503),
    "out of quota": fails(429, retry_after="3600"),
    "wrong key": fails(401),
    "slow": Answer(text="At last.", delay=0.3),
    "silent": stalls(),
    "stuck": stalls("It begins "),
    "cut": cut("It begins "),
    "endless": endless("on and "),
    "too long": "word " * _LIMIT,
    "empty": "",
    "only thinking": Answer(thinking="Let me see", text=""),
    "cut at its limit": Answer(text="It goes on and", finish="length"),
    "no JSON": garbage(),
    "other JSON": garbage('{"choices": "many"}'),
    "no choices": garbage('{"choices": []}'),
    "not quite text": Answer(text="\x00 Done.\ud800"),
    "silent about its usage": Answer(text="Done.", reports_usage=False),
    "calls tools that nobody has": Answer(
        tool_calls=[{"id": "1", "name": "rm", "arguments": "not even JSON"}]
    ),
}
_NOT_WAITED_FOR = {"silent", "stuck"}
"""Cases that wait for a timeout: only in the long run."""
_ENOUGH = 31
"""Number of messages that trigger a digest with `window`."""


def test_bad_model_responses(tmp_path: Path, fault_report: FaultReport) -> None:
    _suffer(f"sqlite:///{tmp_path}/recollect.db", fault_report, _BAD.keys() - _NOT_WAITED_FOR)


@pytest.mark.torture
@pytest.mark.timeout(1800)
def test_bad_model_responses_and_timeouts(database_url: str, fault_report: FaultReport) -> None:
    _suffer(database_url, fault_report, _BAD.keys())


def _suffer(database_url: str, fault_report: FaultReport, kinds: Collection[str]) -> None:
    seen = Seen()
    with ScriptedModel() as model:
        settings = _settings(database_url, model)
        with Recollect.open(settings=settings) as memory:
            chat = memory.conversations.create_conversation(
                "Chat", user_id="alice", policy="window"
            ).id
            for kind in kinds:
                model.always = _BAD[kind]
                seen.ask(memory, chat, kind)
            model.always = "Yes."
            assert seen.ask(memory, chat, "well again") == "Yes."
        for kind in kinds:
            model.always = _BAD[kind]
            with Recollect.open(
                settings=settings
            ) as memory:  # the circuit breaker may have stopped the calls
                seen.digest(memory, chat, kind)
        with Recollect.open(settings=settings) as memory:
            kept = [one for one in all_messages(memory, chat) if one.role == "user"]
            stored = Counter(message.content for message in kept)
            versions = memory.summaries.list_versions(conversation_id=chat, user_id="alice")
    fault_report.record(
        "bad model responses",
        database_url,
        Findings(
            lost=tuple(f"{text!r} is lost" for text in seen.said if text not in stored),
            duplicated=tuple(text for text, times in stored.items() if times > 1),
            broken=tuple(seen.wrong),
        ),
        cases=len(kinds),
        answers=seen.statuses.total(),
        of_them_failed=seen.statuses["error"],
        digests=len(versions),
        of_them_without_the_model=sum(version.author == "extractive" for version in versions),
    )


class Seen:
    """Questions and stored answers."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.wrong: list[str] = []
        self.statuses: Counter[str] = Counter()

    def ask(self, memory: Recollect, chat: str, kind: str) -> str:
        self.said.append(f"Are you {kind}?")
        answer = (
            memory.chat.ask(self.said[-1], user_id="alice", conversation_id=chat).result().message
        )
        self.statuses[answer.status] += 1
        if answer.status not in ("complete", "error"):
            self.wrong.append(f"{kind}: the answer is {answer.status}")
        return answer.content

    def digest(self, memory: Recollect, chat: str, kind: str) -> None:
        """Inline compaction finishes within its deadline."""
        before = memory.summaries.get_summary(conversation_id=chat, user_id="alice")
        batch = [f"{kind}, {part}: here is something to sum up." for part in range(_ENOUGH)]
        self.said += batch
        drafts = [MessageIn(role="user", content=text) for text in batch]
        memory.conversations.add_messages(drafts, conversation_id=chat, user_id="alice")
        after = memory.summaries.get_summary(conversation_id=chat, user_id="alice")
        if after.through_seq <= before.through_seq:
            self.wrong.append(f"{kind}: nothing was digested")


def _settings(database_url: str, model: ScriptedModel) -> Settings:
    variants = {"bad": {"model": "bad", "timeout_seconds": 1}}
    return Settings.from_environment(
        {
            "DATABASE_URL": database_url,
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "k",
            "RECOLLECT_CHAT_MODEL": "bad",
            "RECOLLECT_VARIANTS": json.dumps(variants),
            "RECOLLECT_DEFAULT_VARIANT": "bad",
            "RECOLLECT_EAGER_SECONDS": "1",
            "RECOLLECT_EMBEDDER": "none",
            "RECOLLECT_EXTRACTION": "manual",
            "RECOLLECT_MAX_MESSAGE_BYTES": str(_LIMIT),
        }
    )
