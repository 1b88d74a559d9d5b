"""Chats: conversations as one value with both of their histories, found by their meaning alone.

`full_history` is all that was said and still stands, for people to read. `assistant_history` is
what a model is given in its place: the summary, as a turn of its own, and the newest turns word for
word, never more than a window holds. Nothing that was retrieved or is known besides stands in it,
since a summary is settled truth. On PostgreSQL, the view `chats` has the same columns.

Looking for a chat goes by the vectors of what chats are about, and by their latest activity. Words
in common do not count, so without an embedder there is no answer. One chat that is near, and
clearly ahead of the next, is the match; otherwise the user is to be asked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from recollect.core.errors import EmbedderUnavailable
from recollect.core.sanitize import TOOL_INTERACTION
from recollect.core.types import Conversation, Json, Message
from recollect.language.request_phrases import strip_request_phrases
from recollect.recall.context.tool_pairs import pair_tool_calls
from recollect.recall.search.retriever import MOST_CANDIDATES, Query, SearchService
from recollect.recall.search.service import check_query
from recollect.store import conversations, messages, summaries, vectors
from recollect.store.database import Run
from recollect.store.search_index import Filters, Scope

_MOST_SHOWN = 5
_NOT_FAR, _NEAR = 0.05, 0.2
"""The cosines from which on a chat is shown at all, and from which on it may be meant unasked."""
_RECENCY = 0.02
"""What a month without activity costs: enough to decide between equals, and no more."""
_DAYS_TO_FADE = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatView:
    """Turns are `{role: user or model, parts: [{text}], thinking?}`. `summary_text` says what the
    chat is about; None until that is known."""

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
    """`match` is None where nothing fits, or where the user has to say which one is meant."""

    match: ChatView | None
    candidates: tuple[ChatCandidate, ...]
    needs_confirmation: bool


@dataclass(frozen=True, slots=True)
class _Ranked:
    conversation: Conversation
    similarity: float
    score: float


class Chats(SearchService):
    async def get_chat(self, *, conversation_id: str, user_id: str) -> ChatView:
        """A conversation with both of its histories."""
        return await self._read(
            lambda run: self._view(run, conversations.get(run, conversation_id)), user_id
        )

    async def search_chats(self, query: str, *, user_id: str) -> ChatSearchResult:
        """The chat that a sentence asks for, or those it may ask for, by meaning and recency.

        Raises Unavailable where there is no embedder, or it is late: words do not stand in.
        """
        check_query(query, "search")

        def look(run: Run, question: Query, scope: Scope) -> ChatSearchResult:
            if question.vector is None:
                return ChatSearchResult(None, (), needs_confirmation=False)
            near = vectors.nearest(
                run, "topic", question.vector, filters=Filters(), limit=MOST_CANDIDATES
            )
            return self._found(run, self._best(run, near))

        found, question = await self._retriever.ask(
            strip_request_phrases(query), user_id, look, across_languages=True
        )
        if question.vector is None:
            raise EmbedderUnavailable
        return found

    def _best(self, run: Run, near: Mapping[str, float]) -> list[_Ranked]:
        """Reads no more conversations than could still get among them: fading only takes away."""
        best: list[_Ranked] = []
        for id, similarity in sorted(near.items(), key=lambda item: item[1], reverse=True):
            if similarity < _NOT_FAR:
                break
            if len(best) == _MOST_SHOWN and similarity <= best[-1].score:
                break
            conversation = conversations.find(run, id)
            if conversation is None or conversation.is_archived:
                continue
            best.append(_Ranked(conversation, similarity, self._faded(similarity, conversation)))
            best.sort(key=lambda one: one.score, reverse=True)
            del best[_MOST_SHOWN:]
        return best

    def _faded(self, similarity: float, conversation: Conversation) -> float:
        days = (self._clock() - conversation.last_activity_at) / timedelta(days=1)
        return similarity - _RECENCY * min(1.0, max(0.0, days) / _DAYS_TO_FADE)

    def _found(self, run: Run, best: list[_Ranked]) -> ChatSearchResult:
        if not best:
            return ChatSearchResult(None, (), needs_confirmation=False)
        candidates = tuple(
            ChatCandidate(self._view(run, one.conversation), one.similarity) for one in best
        )
        first, *others = best
        has_rival = any(first.score - one.score < self._margin for one in others)
        is_meant = first.similarity >= _NEAR and not has_rival
        match = candidates[0].chat if is_meant else None
        return ChatSearchResult(match, candidates, needs_confirmation=not is_meant)

    def _view(self, run: Run, conversation: Conversation) -> ChatView:
        stored = [*messages.iter_active(run, conversation.id)]
        summary = summaries.current(run, conversation.id)
        through_seq = summary.through_seq if summary else 0
        entries, _ = pair_tool_calls([message for message in stored if message.seq > through_seq])
        recent = [_turn(entry.message) for entry in entries if _is_spoken(entry.message)]
        digested = [_said("model", summary.text)] if summary else []
        return ChatView(
            id=conversation.id,
            title=conversation.title,
            full_history=tuple(_turn(message) for message in stored if _is_spoken(message)),
            assistant_history=(*digested, *recent[len(digested) - self._window :]),
            summary_text=conversation.topic,
            last_activity_at=conversation.last_activity_at,
            created_at=conversation.created_at,
        )


def _is_spoken(message: Message) -> bool:
    """Instructions and the results of tools are no turns of anybody's."""
    return message.role in ("user", "assistant")


def _turn(message: Message) -> Mapping[str, Json]:
    text = message.content
    if not text.strip() and message.tool_calls:
        text = TOOL_INTERACTION
    turn = _said("user" if message.role == "user" else "model", text)
    return turn if message.thinking is None else {**turn, "thinking": message.thinking}


def _said(role: str, text: str) -> dict[str, Json]:
    return {"role": role, "parts": [{"text": text}]}
