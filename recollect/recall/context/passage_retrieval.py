"""Turn search results into passages that a context can quote."""

from collections.abc import Collection, Mapping, Sequence

from recollect.language.questions import is_personal
from recollect.recall.context.passage_selection import (
    is_clearly_relevant,
    select_passages,
    value_by_length,
)
from recollect.recall.context.quotes import Quote
from recollect.recall.context.tool_pairs import pair_tool_calls
from recollect.recall.context.types import RetrievedPassage
from recollect.recall.search.ranking import PassageCandidate
from recollect.recall.search.retriever import SearchResults
from recollect.store import messages
from recollect.store.database import Run

_MAX_CALLS_READ = 8
_MAX_ARGUMENTS_CHARS = 200
_MIN_COSINE_ELSEWHERE = 0.85
"""Of the best cosine in the conversation itself."""
_MIN_SCORE_BESIDE_CACHE = 0.8
"""Of the best score of the cached messages."""


def choose_passages(
    results: SearchResults, question: str, *, cached: Collection[str] = ()
) -> list[PassageCandidate]:
    """Return the relevant passages in the order in which a context takes them. One from another
    conversation has to be relevant by itself, and to match hardly worse than those of this one.

    `cached` are the ids of messages that the provider has probably cached. Passages make the end of
    the prompt longer, which is not cached, so they have to match hardly worse than the best of
    these.
    """
    own = select_passages(results.ranked, results.texts, is_personal=is_personal(question))
    min_cosine = _MIN_COSINE_ELSEWHERE * max((c.similarity or 0.0 for c in own), default=0.0)
    best = max((c.score for c in results.ranked if c.message_id in cached), default=0.0)
    own = [candidate for candidate in own if candidate.score >= _MIN_SCORE_BESIDE_CACHE * best]
    elsewhere = [
        candidate
        for candidate in select_passages(results.elsewhere, results.texts)
        if is_clearly_relevant(candidate) and (candidate.similarity or 0.0) >= min_cosine
    ]
    chosen = [*own, *elsewhere]
    return sorted(chosen, key=lambda c: value_by_length(c, results.texts[c.key]), reverse=True)


def read_passages(
    run: Run, results: SearchResults, chosen: Sequence[PassageCandidate], *, conversation_id: str
) -> list[RetrievedPassage]:
    """Return the passages with their texts; results of tools with the calls that asked for them."""
    calls = _read_calls(run, chosen)
    passages = []
    for candidate in chosen:
        is_elsewhere = candidate.conversation_id != conversation_id
        quote = Quote(
            seq=candidate.seq,
            speaker=candidate.speaker or candidate.role,
            said_at=candidate.said_at,
            text=results.texts[candidate.key],
            call=calls.get(candidate.message_id, ""),
            is_elsewhere=is_elsewhere,
            title=results.titles.get(candidate.conversation_id) if is_elsewhere else None,
        )
        passage = RetrievedPassage(
            message_id=candidate.message_id,
            conversation_id=candidate.conversation_id,
            start=candidate.start,
            end=min(candidate.end, candidate.start + len(quote.text)),
            role=candidate.role,
            quote=quote,
        )
        passages.append(passage)
    return passages


def _read_calls(run: Run, chosen: Sequence[PassageCandidate]) -> Mapping[str, str]:
    """Return the calls by the id of the message with their result."""
    calls: dict[str, str] = {}
    results = {c.message_id: c for c in chosen if c.role == "tool"}
    for id, candidate in [*results.items()][:_MAX_CALLS_READ]:
        turn = messages.turn_of(
            run, candidate.conversation_id, seq=candidate.seq, turn=candidate.turn
        )
        for entry in pair_tool_calls(turn)[0]:
            for result, tool in zip(entry.results, entry.tools, strict=False):
                if result.id == id:
                    calls[id] = f"{tool.name}({tool.arguments[:_MAX_ARGUMENTS_CHARS]})"
    return calls
