"""Baselines on the same texts: BM25, and cosine similarity with the same embedder."""

from collections.abc import Sequence

import bm25s
import numpy as np
import Stemmer

from bench.common.vector_cache import embed
from bench.recall.data import DataSet, Person, Question
from bench.recall.measure import DEPTH, Answer, Ask
from recollect.llm.local_embedder import LocalEmbedder

_STEMMER = Stemmer.Stemmer("english")


def bm25(data: DataSet) -> Ask:
    """BM25 with English stemming and stop words."""
    indexes = {}
    for person in data.people:
        indexes[person.name] = bm25s.BM25()
        indexes[person.name].index(_tokens([*person.texts.values()]), show_progress=False)

    async def ask(person: Person, question: Question) -> Answer:
        turns = [*person.texts]
        numbers, scores = indexes[person.name].retrieve(
            _tokens([question.text]), k=min(DEPTH, len(turns)), show_progress=False
        )
        pairs = zip(numbers[0], scores[0], strict=True)
        return Answer([turns[number] for number, score in pairs if score > 0])

    return ask


def _tokens(texts: Sequence[str]) -> list[list[str]]:
    found: list[list[str]] = bm25s.tokenize(
        texts, stopwords="en", stemmer=_STEMMER, return_ids=False, show_progress=False
    )
    return found


async def cosine(data: DataSet, embedder: LocalEmbedder) -> Ask:
    """Cosine similarity of texts without speaker and date."""
    matrices = {
        person.name: np.array(await embed(embedder, [*person.texts.values()]))
        for person in data.people
    }

    async def ask(person: Person, question: Question) -> Answer:
        (vector,) = await embed(embedder, [question.text])
        best = np.argsort(-(matrices[person.name] @ np.array(vector)), kind="stable")
        turns = [*person.texts]
        return Answer([turns[number] for number in best[:DEPTH]])

    return ask
