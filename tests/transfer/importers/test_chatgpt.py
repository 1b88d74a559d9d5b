"""Parsing of ChatGPT's conversations."""

from datetime import UTC, datetime
from typing import Any

from recollect import MessageIn
from recollect.transfer.importers import chatgpt
from recollect.transfer.types import ForeignConversation, ForeignMessage
from tests.chatgpt_export import conversations

NOW = datetime(2030, 1, 1, tzinfo=UTC)
Json = Any


def text(*parts: Json) -> Json:
    return {"content_type": "text", "parts": list(parts)}


def message(role: str, content: Json, **more: Json) -> Json:
    return {"author": {"role": role, "name": more.pop("name", None)}, "content": content, **more}


def conversation(*messages: Json, **more: Json) -> Json:
    """A conversation without branches."""
    mapping: Json = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    before = "root"
    for number, one in enumerate(messages):
        mapping[f"n{number}"] = {"message": one, "parent": before, "children": []}
        before = f"n{number}"
    return {"id": "c", "create_time": 0, "mapping": mapping, "current_node": before, **more}


def read(*messages: Json, **more: Json) -> list[MessageIn]:
    return [one.message for one in chatgpt.parse(conversation(*messages, **more), now=NOW).messages]


def test_parts_are_joined_and_media_is_named() -> None:
    image = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    painted = {**image, "metadata": {"dalle": {"prompt": "A ship"}}}
    spoken = {"content_type": "audio_transcription", "text": "Hello there"}
    (said,) = read(message("user", text("One", image, "", None, "Two", painted, spoken)))
    assert said.content == "One\n[Image]\nTwo\n[Image: A ship]\nHello there"


def test_hidden_messages_are_skipped() -> None:
    hidden = {"is_visually_hidden_from_conversation": True}
    profile = {"content_type": "user_editable_context", "user_profile": "secret"}
    assert (
        read(
            message("system", text("")),
            message("system", text("Be kind."), metadata=hidden),
            message("user", profile),
            message("assistant", {"content_type": "reasoning_recap", "content": "Thought for 1 s"}),
            message("assistant", text("")),
        )
        == []
    )


def test_tool_results_refer_to_their_call() -> None:
    code = {"content_type": "code", "language": "unknown", "text": "1 + 1"}
    search = {"content_type": "code", "language": "json", "text": ' {"q": "è"}'}
    said = read(
        message("user", text("Count.")),
        message("assistant", code, recipient="python"),
        message("tool", {"content_type": "execution_output", "text": "2"}, name="python"),
        message("assistant", search, recipient="browser"),
        message("tool", {"content_type": "tether_quote", "title": "T", "text": "x"}, name="b"),
        message("tool", {"content_type": "tether_browsing_display", "result": "y"}, name="b"),
        message("assistant", text("Two."), recipient="all"),
        message("tool", text("Nobody asked."), name="bio"),
    )
    assert [one.role for one in said] == [
        *("user", "assistant", "tool", "assistant", "tool", "tool", "assistant", "tool")
    ]
    assert said[1].tool_calls == [{"id": "n1", "tool_name": "python", "input": "1 + 1"}]
    assert said[3].tool_calls == [{"id": "n3", "tool_name": "browser", "input": {"q": "è"}}]
    assert [one.metadata.get("tool_call_id") for one in said if one.role == "tool"] == [
        *("n1", "n3", "n3", None)
    ]
    assert said[4].content == "T\nx"
    assert said[1].content == said[3].content == ""


def test_thoughts_belong_to_the_next_answer() -> None:
    def thought(*texts: str) -> Json:
        given = [{"summary": one, "content": f"{one}, really"} for one in texts]
        return message("assistant", {"content_type": "thoughts", "thoughts": given})

    said = read(
        message("user", text("Why?")),
        thought("Hm"),
        thought("So", "Yes"),
        message("assistant", text("Because."), metadata={"model_slug": "o3"}),
        message("assistant", text("Really.")),
    )
    assert said[1].thinking == "Hm\n\nHm, really\n\nSo\n\nSo, really\n\nYes\n\nYes, really"
    assert said[1].metadata == {"model": "o3"}
    assert said[2].thinking is None


def test_missing_time_is_inherited() -> None:
    said = read(
        message("user", text("a"), create_time=None),
        message("assistant", text("b"), create_time=100.5),
        message("user", text("c"), create_time=None),
        create_time=50,
    )
    assert [one.event_at.timestamp() for one in said if one.event_at] == [50, 100.5, 100.5]


def test_incomplete_answers_are_marked() -> None:
    found = chatgpt.parse(
        conversation(
            message("user", text("a")), message("assistant", text("b"), status="in_progress")
        ),
        now=NOW,
    )
    assert [one.is_complete for one in found.messages] == [True, False]


def test_message_with_files_only_lists_them() -> None:
    about = {"attachments": [{"name": "plan.pdf"}, {"id": "nameless"}]}
    alone, with_words = read(
        message("user", text(""), metadata=about), message("user", text("See."), metadata=about)
    )
    assert (alone.content, with_words.content) == ("[File: plan.pdf]", "See.")
    assert alone.metadata == with_words.metadata == {"attachments": ["plan.pdf"]}


def test_ids_are_stable_and_unique_per_conversation() -> None:
    one, other = (conversation(message("user", text("a")), id=id) for id in "cd")
    assert chatgpt.parse(one, now=NOW) == chatgpt.parse(one, now=NOW)
    first, second = chatgpt.parse(one, now=NOW), chatgpt.parse(other, now=NOW)
    assert first.id != second.id
    assert first.messages[0].message.id != second.messages[0].message.id


def test_path_to_current_node_is_active() -> None:
    for element in conversations(40):
        found = chatgpt.parse(element, now=NOW)
        assert [shown(one) for one in found.messages if one.is_active] == way(element)
        assert {shown(one) for one in found.messages} == everything(element)
        assert found.created_at.timestamp() == element["create_time"]
        assert len({one.message.id for one in found.messages}) == len(found.messages)


def shown(said: ForeignMessage) -> str:
    calls = said.message.tool_calls
    return str(calls[0]["input"]) if calls else said.message.content


def way(element: Json) -> list[str]:
    """The visible messages, by an independent implementation of the format."""
    texts = []
    id = element["current_node"]
    while id is not None:
        texts += texts_of(element["mapping"][id]["message"])
        id = element["mapping"][id]["parent"]
    return texts[::-1]


def everything(element: Json) -> set[str]:
    return {text for node in element["mapping"].values() for text in texts_of(node["message"])}


def texts_of(message: Json) -> list[str]:
    if message is None or message["author"]["role"] == "system":
        return []
    content = message["content"]
    match content["content_type"]:
        case "thoughts" | "reasoning_recap":
            return []
        case "text" | "multimodal_text":
            return [
                "\n".join(
                    part if isinstance(part, str) else "[Image]"
                    for part in content["parts"]
                    if part
                )
            ]
        case "code" if content["text"].startswith("{"):
            return [str({"query": "meteo 東京"})]
        case _:
            return [content.get("text") or content["result"]]


def test_conversation_metadata_is_kept() -> None:
    found: ForeignConversation = chatgpt.parse(
        conversation(
            message("user", text("a"), create_time=7),
            title=f"  {'x' * 300} ",
            create_time=None,
            is_archived=True,
            is_do_not_remember=True,
        ),
        now=NOW,
    )
    assert found.title == "x" * 255
    assert (found.is_archived, found.remember) == (True, False)
    assert found.created_at.timestamp() == found.updated_at.timestamp() == 7
