"""Tokens that providers read from their caches: recorded, stored, counted, exported."""

import json
from io import BytesIO

import pytest

from recollect import ContextBuilt, Finished, TextDelta
from recollect.sync import Recollect
from tests.conftest import Open
from tests.raw import RawDatabase
from tests.scripted_model import Answer, ScriptedModel
from tests.server.process import wait_until

pytestmark = pytest.mark.both_databases

CALLS = """
    select purpose, tokens_in, tokens_cached from model_calls
    where user_id = :user order by tokens_cached
"""
RECEIPTS = """
    select prefix, unchanged_tokens, cached_tokens from receipts
    where user_id = :user order by message_id
"""


def test_cached_tokens_are_recorded_and_counted(
    memory: Recollect, model: ScriptedModel, raw: RawDatabase
) -> None:
    model.answers(Answer(text="From May on."), Answer(text="Rainy.", tokens_cached=768))
    first = memory.chat.ask("When is it warm in Lisbon?", user_id="alice").result()
    chat = first.conversation_id
    second = memory.chat.ask("And in winter?", user_id="alice", conversation_id=chat).result()
    assert first.receipt is not None
    assert second.receipt is not None
    assert (first.receipt.cached_tokens, second.receipt.cached_tokens) == (None, 768)
    assert first.receipt.unchanged_tokens == 0
    for result in (first, second):
        stored = memory.contexts.get_receipt(message_id=result.message.id, user_id="alice")
        assert stored == result.receipt

    whole = memory.analytics.get_analytics(user_id="alice")
    report = memory.analytics.get_analytics(user_id="alice", conversation_id=chat)
    assert report == whole
    assert raw.execute(CALLS, user="alice") == [("chat", 1000, 0), ("chat", 1000, 768)]
    unchanged = second.receipt.unchanged_tokens
    assert (report.unchanged_tokens, report.cached_tokens) == (unchanged, 768)
    turns = [(turn.unchanged_tokens, turn.cached_tokens) for turn in report.by_turn]
    assert turns == [(0, None), (unchanged, 768)]
    (day,) = report.by_day
    assert (day.unchanged_tokens, day.cached_tokens) == (unchanged, 768)
    assert report.by_purpose["chat"].tokens_cached == 768


def test_receipt_that_is_stored_while_streaming_gets_the_cached_tokens(
    memory: Recollect, open_with_model: Open, model: ScriptedModel, raw: RawDatabase
) -> None:
    """Also for a reader in another process, which is shown the receipt before the answer ends."""
    other = open_with_model()
    shown: list[ContextBuilt] = []

    def wait_for_reader() -> None:
        wait_until(lambda: bool(shown), "the other process has the receipt")

    text = "From May on."
    model.answers(Answer(text=text, halfway=wait_for_reader, tokens_cached=768))
    stream = memory.chat.ask("When is it warm?", user_id="alice")
    found = other.chat.find(stream.conversation_id, user_id="alice")
    assert found is not None
    said = ""
    for event in other.chat.read(found, user_id="alice"):
        if isinstance(event, ContextBuilt):
            shown.append(event)
        elif isinstance(event, TextDelta):
            said += event.text
    assert said == text
    assert [one.receipt.cached_tokens for one in shown] == [None]
    assert isinstance(event, Finished)
    result = stream.result()
    assert event == Finished(result.message, result.receipt)
    assert result.receipt is not None
    assert result.receipt.cached_tokens == 768
    assert other.chat.read(found, user_id="alice").result().tokens_cached == 768
    assert raw.execute("select cached_tokens from receipts") == [(768,)]


def test_export_and_import_keep_the_prompt_cache(
    memory: Recollect, model: ScriptedModel, raw: RawDatabase
) -> None:
    model.answers(Answer(text="From May on.", tokens_cached=768), "Rainy.")
    chat = memory.chat.ask("When is it warm?", user_id="alice").result().conversation_id
    memory.chat.ask("And in winter?", user_id="alice", conversation_id=chat).result()
    report = memory.analytics.get_analytics(user_id="alice")
    exported = "".join(memory.data.export_lines(user_id="alice")).encode()
    memory.data.import_file(BytesIO(exported), user_id="bob")
    assert memory.analytics.get_analytics(user_id="bob") == report
    (first, *_), _ = rows = raw.execute(RECEIPTS, user="alice")
    assert json.loads(first)
    assert [cached for _, _, cached in rows] == [768, None]
    assert raw.execute(RECEIPTS, user="bob") == rows
    assert raw.execute(CALLS, user="bob") == raw.execute(CALLS, user="alice")


def test_export_of_an_earlier_release_is_imported(
    memory: Recollect, model: ScriptedModel, raw: RawDatabase
) -> None:
    model.answers(Answer(text="From May on.", tokens_cached=768))
    result = memory.chat.ask("When is it warm?", user_id="alice").result()
    memory.analytics.get_analytics(user_id="alice")  # waits until the model call is recorded
    exported = "".join(memory.data.export_lines(user_id="alice"))
    lines = [json.loads(line) for line in exported.splitlines()]
    for line in lines:
        line.pop("tokens_cached", None)
        for name in ("sections", "layout", "prefix", "unchanged_tokens", "cached_tokens"):
            line.get("receipt", {}).pop(name, None)
    earlier = "".join(json.dumps(line) + "\n" for line in lines).encode()
    done = memory.data.import_file(BytesIO(earlier), user_id="bob")
    assert (done.failures, done.imported.receipts, done.imported.model_calls) == (0, 1, 1)
    assert raw.execute(RECEIPTS, user="bob") == [("[]", 0, None)]
    assert raw.execute(CALLS, user="bob") == [("chat", 1000, 0)]
    stored = memory.contexts.get_receipt(message_id=result.message.id, user_id="bob")
    assert stored.cached_tokens is None
