"""Generated ChatGPT exports in the real format, deterministic by seed.

Conversations have regenerated answers and edited questions, tools and their results, reasoning,
images, files, hidden instructions, messages without a time, and all of Unicode.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

Json = Any

_EPOCH = 1_680_000_000.0
_VOCABULARY = (
    "plan trip Lisbon budget train weather recipe garden Python function error table query server "
    "birthday letter contract music history river mountain winter summer coffee bread cheese "
    "perché domani città naïve façade Straße 東京 天気 привет погода مرحبا 🌍 👩‍🚀 e\u0301 \u2028"
)
_TITLES = ("Trip to Lisbon", "Errore in Python", "東京の天気", "Budget 2024", "New chat", "", None)
_MODELS = ("gpt-4", "gpt-4o", "o3", "text-davinci-002-render-sha")


@dataclass
class _Builder:
    random: random.Random
    clock: float
    mapping: dict[str, Json] = field(default_factory=dict)

    def id(self) -> str:
        return str(UUID(int=self.random.getrandbits(128), version=4))

    def text(self, most: int = 40) -> str:
        words = self.random.choices(_VOCABULARY.split(" "), k=self.random.randint(1, most))
        return " ".join(words).capitalize() + self.random.choice([".", "?", "!\n\n- a\n- b", " …"])

    def node(self, parent: str | None, message: Json) -> str:
        id = message["id"] if message else self.id()
        self.mapping[id] = {"id": id, "message": message, "parent": parent, "children": []}
        if parent is not None:
            self.mapping[parent]["children"].append(id)
        return id

    def message(self, role: str, content: Json, **more: Json) -> Json:
        self.clock += self.random.uniform(1, 300)
        has_time = self.random.random() > 0.05
        message = {
            "id": self.id(),
            "author": {"role": role, "name": more.pop("name", None), "metadata": {}},
            "create_time": round(self.clock, 6) if has_time else None,
            "update_time": None,
            "content": content,
            "status": "finished_successfully",
            "end_turn": True,
            "weight": 1.0,
            "metadata": {"timestamp_": "absolute"},
            "recipient": "all",
            "channel": None,
        }
        message["metadata"] |= more.pop("metadata", {})
        return message | more

    def hidden(self, parent: str) -> str:
        shown = {"is_visually_hidden_from_conversation": True}
        if self.random.random() < 0.5:
            content = {"content_type": "text", "parts": [""]}
        else:
            content = {
                "content_type": "user_editable_context",
                "user_profile": self.text(),
                "user_instructions": self.text(),
            }
        message = self.message("system", content, metadata=shown, create_time=None)
        return self.node(parent, message)

    def question(self, parent: str) -> str:
        if self.random.random() < 0.15:
            image = {
                "content_type": "image_asset_pointer",
                "asset_pointer": f"file-service://file-{self.id()}",
                "size_bytes": 1234,
                "width": 640,
                "height": 480,
                "metadata": {"dalle": None},
            }
            parts = [image, self.random.choice([self.text(), ""])]
            content = {"content_type": "multimodal_text", "parts": parts}
        else:
            content = {"content_type": "text", "parts": [self.text()]}
        about = {}
        if self.random.random() < 0.1:
            about = {"attachments": [{"id": self.id(), "name": "über plan.pdf", "size": 10}]}
        return self.node(parent, self.message("user", content, metadata=about))

    def answer(self, parent: str) -> str:
        model = {"model_slug": self.random.choice(_MODELS)}
        if self.random.random() < 0.1:
            thoughts = [{"summary": "Thinking", "content": self.text(), "chunks": []}]
            content: Json = {"content_type": "thoughts", "thoughts": thoughts}
            parent = self.node(parent, self.message("assistant", content, metadata=model))
            recap = {"content_type": "reasoning_recap", "content": "Thought for 5 seconds"}
            parent = self.node(parent, self.message("assistant", recap, metadata=model))
        if self.random.random() < 0.15:
            parent = self.tool(parent, model)
        content = {"content_type": "text", "parts": [self.text(120)]}
        return self.node(parent, self.message("assistant", content, metadata=model))

    def tool(self, parent: str, model: Json) -> str:
        if self.random.random() < 0.5:
            code = {"content_type": "code", "language": "unknown", "text": "print(2 + 2)  # è"}
            output = {"content_type": "execution_output", "text": "4"}
            name = "python"
        else:
            code = {"content_type": "code", "language": "json", "text": '{"query": "meteo 東京"}'}
            output = {"content_type": "tether_browsing_display", "result": self.text()}
            name = "browser"
        call = self.message("assistant", code, metadata=model, recipient=name, end_turn=False)
        called = self.node(parent, call)
        return self.node(called, self.message("tool", output, name=name))

    def conversation(self, number: int) -> Json:
        started = self.clock
        parent = self.hidden(self.node(None, None))
        for _ in range(self.random.randint(1, 9)):
            if self.random.random() < 0.08:  # edited: what was asked first is left behind
                self.answer(self.question(parent))
            parent = self.question(parent)
            while self.random.random() < 0.12:  # answered anew
                self.answer(parent)
            parent = self.answer(parent)
        id = self.id()
        return {
            "title": self.random.choice(_TITLES),
            "create_time": started,
            "update_time": round(self.clock, 6),
            "mapping": self.mapping,
            "moderation_results": [],
            "current_node": parent,
            "plugin_ids": None,
            "conversation_id": id,
            "conversation_template_id": None,
            "gizmo_id": None,
            "is_archived": number % 17 == 3,
            "safe_urls": [],
            "default_model_slug": "gpt-4o",
            "id": id,
        }


def conversations(count: int, *, seed: int = 1) -> Iterator[Json]:
    for number in range(count):
        dice = random.Random(f"{seed}/{number}")
        yield _Builder(dice, _EPOCH + number * 40_000).conversation(number)


def export_chunks(count: int, *, seed: int = 1) -> Iterator[bytes]:
    """Yield the file in chunks. ChatGPT writes ASCII."""
    before = b"["
    for one in conversations(count, seed=seed):
        yield before + json.dumps(one).encode()
        before = b", "
    yield b"]" if count else b"[]"
