"""Specification 000: a chat as one value with both of its histories, found by meaning alone.

`full_history` has all messages, for people. `assistant_history` is what a model is given instead:
the summary as one turn and the newest turns verbatim, never more than the window holds, and nothing
retrieved. On PostgreSQL, the view `chats` has the same columns.

A chat is searched by the vector of its topic and by its latest activity. Words do not count, so
the search needs an embedder. The best chat is the match if it is near and clearly ahead of the
others; otherwise the user has to confirm.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from recollect.core.errors import EmbedderUnavailable
from recollect.core.sanitize import TOOL_INTERACTION
from recollect.core.types import Conversation, Json, Message
from recollect.engine import Recollect
from recollect.language.request_phrases import strip_request_phrases
from recollect.recall.context.tool_pairs import pair_tool_calls
from recollect.recall.search.retriever import MAX_CANDIDATES, SearchQuery, SearchService
from recollect.recall.search.service import check_query
from recollect.recall.switch import inactivity_penalty
from recollect.store import conversations, messages, summaries
from recollect.store.database import Run
from recollect.store.search import Scope, nearest

_MAX_SHOWN = 5
_MIN_COSINE = 0.05
_MIN_MATCH_COSINE = 0.2
"""Below this, the user has to confirm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatView:
    """Turns are `{role: user or model, parts: [{text}], thinking?}`. `summary_text` is the topic;
    None until it has been derived."""

    id: str
    title: str | None
    full_history: tuple[Mapping[str, Json], ...]
    assistant_history: tuple[Mapping[str, Json], ...]
    summary_text: str | None
    last_activity_at: datetime
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ChatCandidate:
    chat: ChatView
    similarity: float


@dataclass(frozen=True, slots=True)
class ChatSearchResult:
    """`match` is None if nothing fits, or if the user has to choose a candidate."""

    match: ChatView | None
    candidates: tuple[ChatCandidate, ...]
    needs_confirmation: bool


class Chats(SearchService):
    """`Chats(memory)`, over an open engine."""

    def __init__(self, engine: Recollect) -> None:
        recall: SearchService = engine.recall
        super().__init__(
            recall._database, recall._retriever, clock=recall._clock, margin=recall._margin
        )
        self._window = engine.settings.summary_window_size

    async def get_chat(self, *, conversation_id: str, user_id: str) -> ChatView:
        """Return a conversation with both of its histories."""
        return await self._read(
            lambda run: self._view(run, conversations.get(run, conversation_id)), user_id
        )

    async def search_chats(self, query: str, *, user_id: str) -> ChatSearchResult:
        """Return the chat that a sentence asks for, or candidates, by meaning and recency.

        Raises EmbedderUnavailable without an embedder, or if it is late.
        """
        check_query(query, "search")

        def search(run: Run, query: SearchQuery, scope: Scope) -> tuple[ChatSearchResult, bool]:
            if query.vector is None:
                return ChatSearchResult(None, (), needs_confirmation=False), False
            near = nearest(run, "topic", query.vector, limit=MAX_CANDIDATES)
            return self._choose(run, near), True

        result, is_embedded = await self._retriever.search_snapshot(
            strip_request_phrases(query), user_id, search, across_languages=True
        )
        if not is_embedded:
            raise EmbedderUnavailable
        return result

    def _choose(self, run: Run, near: Mapping[str, float]) -> ChatSearchResult:
        """Read only chats that can still be among the best: the penalty never raises a score."""
        best: list[tuple[float, Conversation]] = []
        now = self._clock()
        for id, cosine in sorted(near.items(), key=lambda item: item[1], reverse=True):
            if cosine < _MIN_COSINE or (len(best) == _MAX_SHOWN and cosine <= best[-1][0]):
                break
            conversation = conversations.find(run, id)
            if conversation is None or conversation.is_archived:
                continue
            best.append((cosine - inactivity_penalty(conversation, now), conversation))
            best.sort(key=lambda scored: scored[0], reverse=True)
            del best[_MAX_SHOWN:]
        candidates = tuple(ChatCandidate(self._view(run, chat), near[chat.id]) for _, chat in best)
        if not candidates:
            return ChatSearchResult(None, (), needs_confirmation=False)
        has_rival = len(best) > 1 and best[0][0] - best[1][0] < self._margin
        is_match = candidates[0].similarity >= _MIN_MATCH_COSINE and not has_rival
        match = candidates[0].chat if is_match else None
        return ChatSearchResult(match, candidates, needs_confirmation=not is_match)

    def _view(self, run: Run, conversation: Conversation) -> ChatView:
        stored = [*messages.iter_active(run, conversation.id)]
        summary = summaries.current(run, conversation.id)
        through_seq = summary.through_seq if summary else 0
        entries, _ = pair_tool_calls([m for m in stored if m.seq > through_seq])
        recent = [_turn(entry.message) for entry in entries if _is_turn(entry.message)]
        digested = [_text_turn("model", summary.text)] if summary else []
        return ChatView(
            id=conversation.id,
            title=conversation.title,
            full_history=tuple(_turn(message) for message in stored if _is_turn(message)),
            assistant_history=(*digested, *recent[len(digested) - self._window :]),
            summary_text=conversation.topic,
            last_activity_at=conversation.last_activity_at,
            created_at=conversation.created_at,
        )


def _is_turn(message: Message) -> bool:
    return message.role in ("user", "assistant")


def _turn(message: Message) -> Mapping[str, Json]:
    text = message.content
    if not text.strip() and message.tool_calls:
        text = TOOL_INTERACTION
    turn = _text_turn("user" if message.role == "user" else "model", text)
    return turn if message.thinking is None else {**turn, "thinking": message.thinking}


def _text_turn(role: str, text: str) -> dict[str, Json]:
    return {"role": role, "parts": [{"text": text}]}
