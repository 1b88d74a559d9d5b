"""An embedder that knows a few pairs of words with the same meaning."""

from collections.abc import Sequence

from recollect.llm.protocols import CallContext

MODEL, DIMENSIONS = "concepts", 8
_CONCEPTS = (
    ("heron", "bird"),
    ("ferry", "boat"),
    ("tram", "streetcar"),
    ("tart", "cake"),
    ("castle", "fortress"),
)


def concept_vector(text: str) -> list[float]:
    """Return how often each meaning occurs, and a little noise against the zero vector."""
    words = text.lower()
    counts = [sum(words.count(word) for word in concept) for concept in _CONCEPTS]
    return [*map(float, counts), *[0.1] * (DIMENSIONS - len(counts))]


class ConceptEmbedder:
    model, dimensions = MODEL, DIMENSIONS

    async def embed(self, texts: Sequence[str], *, call: CallContext) -> list[list[float]]:
        return [concept_vector(text) for text in texts]
