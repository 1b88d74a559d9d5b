"""Precision and recall of memory extraction on labelled dialogues.

    python -m bench.memories [--verbose] [--local N] [--write docs/benchmarks.md]

268 short dialogues in English, Italian and Filipino (`data/memories.json`). 90 of them (`test`)
were not seen while the patterns were developed. Each dialogue is recorded for its own user, and
memories are extracted after each conversation, by patterns. A sample is extracted by the local
model too, with patterns as fallback for unusable answers.
"""

import argparse
import asyncio
import json
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product, zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from bench.common.report import argument_parser, machine, publish, table, verdict
from bench.memories.scoring import Dialogue, ScoredDialogue, Scores, Split, StoredMemory, score
from recollect import Memory, MemoryFilters, MessageIn, ModelFailed, Settings
from recollect.core.types import MemoryAuthor
from recollect.digest.memories.extraction import (
    ExtractionSchedule,
    MemoryExtractor,
    _ExtractionBatch,
)
from recollect.digest.memories.llm_extractor import ExtractedMemory
from recollect.llm.protocols import CompletionModel
from recollect.llm.variants import LOCAL
from recollect.sync import Recollect

DATA = Path(__file__).parents[1] / "data/memories.json"
_LANGUAGES = {"en": "English", "it": "Italian", "fil": "Filipino"}
_SPLITS: tuple[Split, ...] = ("dev", "test")
_DISTRACTOR_KINDS = ("small_talk", "question", "hypothetical", "quote", "system")
"""Kinds of dialogue from which nothing should be extracted."""
_MIN_PRECISION = 0.9
_SAMPLE = 30
_SEED = 2026
_LOCAL_SECONDS = 360
_PAGE = 200
_START = datetime(2026, 1, 1, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Read:
    """A dialogue and the memories stored from it, oldest first."""

    dialogue: Dialogue
    current: Sequence[Memory]
    superseded: Sequence[Memory]

    def scored(self, author: MemoryAuthor | None = None) -> ScoredDialogue:
        """Score all memories, or those of one author."""
        current, superseded = (
            [StoredMemory.of(one) for one in found if author in {None, one.author}]
            for found in (self.current, self.superseded)
        )
        return score(self.dialogue, current, superseded)


@dataclass(slots=True)
class Answers:
    """Counts of a model's answers."""

    readable: int = 0
    unreadable: int = 0
    """Invalid twice: patterns are the fallback."""
    failed: int = 0
    """Timed out or failed: patterns are the fallback, as in a job's last attempt."""

    @property
    def total(self) -> int:
        return self.readable + self.unreadable + self.failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """Results of the local model within the time limit."""

    read: Sequence[Read]
    answers: Answers
    chosen: int
    seconds: float


class _LocalModelExtraction(MemoryExtractor):
    """The engine's own reading, with the local model in it, and an eye on its answers and on the
    clock."""

    def __init__(self, memory: Recollect, *, until: float) -> None:
        engine, settings = memory._engine, memory.settings
        super().__init__(
            engine._database,
            engine.models.get(LOCAL.name),
            engine._embedders,
            schedule=ExtractionSchedule(turns=settings.extract_turns, idle=timedelta()),
            max_attempts=settings.job_attempts,
            clock=engine._clock,
        )
        self.answers = Answers()
        self._until = until

    async def _ask_model(
        self, model: CompletionModel, batch: _ExtractionBatch, user_id: str, is_last_attempt: bool
    ) -> list[ExtractedMemory] | None:
        """Raise TimeoutError when the total time is used up."""
        try:
            async with asyncio.timeout(self._until - time.monotonic()):
                notes = await super()._ask_model(model, batch, user_id, is_last_attempt)
        except ModelFailed:
            self.answers.failed += 1
            return None
        if notes is None:
            self.answers.unreadable += 1
        else:
            self.answers.readable += 1
        return notes


def main() -> None:
    given = _arguments()
    chosen = dialogues()
    patterns = read_by_patterns(chosen)
    local = (
        read_by_local_model(_sample(chosen, given.local), given.seconds) if given.local else None
    )
    publish("memories", _text(patterns, local), given.write)
    if given.verbose:
        splits = _SPLITS if given.show_test else ("dev",)
        print("\npatterns:", *_errors_found([one.scored() for one in patterns], splits), sep="\n")
        if local is not None:
            own = [one.scored("model") for one in local.read]
            print("\nlocal model:", *_errors_found(own, splits), sep="\n")


def _arguments() -> argparse.Namespace:
    parser = argument_parser(__doc__)
    parser.add_argument("--verbose", action="store_true", help="print what is wrong or missing")
    parser.add_argument("--show-test", action="store_true", help="of the test part as well")
    parser.add_argument(
        "--local",
        type=int,
        default=_SAMPLE,
        metavar="N",
        help=f"how many dialogues the local model reads ({_SAMPLE}); 0 leaves it out",
    )
    parser.add_argument(
        "--seconds", type=float, default=_LOCAL_SECONDS, help="the most it may take for them"
    )
    return parser.parse_args()


def measure_patterns(split: Split | Literal["all"] = "all") -> Scores:
    """Score the pattern extractor, without a model."""
    chosen = [one for one in dialogues() if split in {"all", one.split}]
    return Scores([one.scored() for one in read_by_patterns(chosen)])


def dialogues() -> list[Dialogue]:
    return [*map(Dialogue.of, json.loads(DATA.read_text(encoding="utf-8"))["dialogues"])]


def read_by_patterns(chosen: Sequence[Dialogue]) -> list[Read]:
    with TemporaryDirectory() as folder, _opened(folder) as memory:
        return [_read(memory, dialogue) for dialogue in chosen]


def read_by_local_model(chosen: Sequence[Dialogue], seconds: float) -> Local:
    """Extract from as many dialogues as the time limit allows; drop an unfinished one."""
    start = time.monotonic()
    read: list[Read] = []
    with TemporaryDirectory() as folder, _opened(folder) as memory:
        asking = _LocalModelExtraction(memory, until=start + seconds)
        memory._engine.memories._extraction = asking
        for dialogue in chosen:
            try:
                read.append(_read(memory, dialogue))
            except TimeoutError:
                break
    return Local(
        read=read,
        answers=asking.answers,
        chosen=len(chosen),
        seconds=time.monotonic() - start,
    )


def _opened(folder: str) -> Recollect:
    url = f"sqlite:///{Path(folder) / 'memories.db'}"
    return Recollect.open(settings=Settings(database_url=url, embedder="none"))


def _read(memory: Recollect, dialogue: Dialogue) -> Read:
    """One user each, so nobody knows anything of the dialogue before."""
    user_id = dialogue.id
    for day, conversation in enumerate(dialogue.conversations):
        said = [
            MessageIn(role=role, content=content, event_at=_START + timedelta(days=day, minutes=n))
            for n, (role, content) in enumerate(conversation)
        ]
        created = memory.conversations.create_conversation(user_id=user_id, messages=said)
        memory.memories.extract_memories(conversation_id=created.id, user_id=user_id)
    return Read(
        dialogue,
        _listed(memory, user_id, MemoryFilters()),
        _listed(memory, user_id, MemoryFilters(superseded=True)),
    )


def _listed(memory: Recollect, user_id: str, filters: MemoryFilters) -> list[Memory]:
    page = memory.memories.get_memories(filters, _PAGE, user_id=user_id)
    assert page.next_cursor is None, f"{user_id} has more than {_PAGE} memories."
    return [*reversed(page)]


def _sample(everything: Sequence[Dialogue], count: int) -> list[Dialogue]:
    """Return a deterministic sample, balanced by language and split."""
    groups, dice = [], random.Random(_SEED)
    for split, language in product(_SPLITS, _LANGUAGES):
        group = [one for one in everything if (one.language, one.split) == (language, split)]
        dice.shuffle(group)
        groups.append(group)
    mixed = [one for each in zip_longest(*groups) for one in each if one is not None]
    return mixed[:count]


def _text(patterns: Sequence[Read], local: Local | None) -> str:
    scored = [one.scored() for one in patterns]
    rows = [*_rows("patterns", scored)]
    noise = {"patterns": scored}
    notes = []
    if local is not None and local.read:
        own = [one.scored("model") for one in local.read]
        read = {one.dialogue.id for one in local.read}
        same = [one for one in scored if one.dialogue.id in read]
        stored = [one.scored() for one in local.read]
        rows.append(_row("local model", own))
        rows.append(_row("local model, patterns as fallback", stored))
        rows.append(_row("patterns, the same dialogues", same))
        noise["local model"] = own
        notes.append(_note(local))
    head = ["read by", "dialogues", "memories", "precision", "recall", "right type"]
    head += ["duplicates", "wrong supersedes", "missed supersedes"]
    parts = [machine(), table(head, rows), _noise_table(noise), *notes, _aims(scored)]
    return "\n\n".join(parts)


def _rows(label: str, scored: Sequence[ScoredDialogue]) -> Iterator[list[str]]:
    for split in _SPLITS:
        yield _row(f"{label}, {split}", [one for one in scored if one.dialogue.split == split])
    for language, name in _LANGUAGES.items():
        of_it = [one for one in scored if one.dialogue.language == language]
        yield _row(f"{label}, {name}", of_it)
    yield _row(f"{label}, all", scored)


def _row(label: str, scored: Sequence[ScoredDialogue]) -> list[str]:
    scores = Scores(scored)
    counts = (scores.duplicates, scores.wrong_supersedes, scores.missed_supersedes)
    return [
        label,
        str(scores.dialogues),
        str(scores.memories),
        f"{scores.precision:.1%}" if scores.memories else "",
        f"{scores.recall:.1%}" if scores.wanted else "",
        f"{scores.type_accuracy:.1%}" if scores.typed else "",
        *(str(count or "") for count in counts),
    ]


def _noise_table(extractors: Mapping[str, Sequence[ScoredDialogue]]) -> str:
    rows = []
    for kind in _DISTRACTOR_KINDS:
        scores = [Scores(scored).of_kind(kind) for scored in extractors.values()]
        found = [f"{one.noise} in {one.dialogues}" if one.dialogues else "" for one in scores]
        rows.append([kind.replace("_", " "), *found])
    return table(["noise, in how many dialogues of the kind", *extractors], rows)


def _note(local: Local) -> str:
    answers = local.answers
    authors = [memory.author for one in local.read for memory in one.current]
    return (
        f"The local model, {LOCAL.model}, read {len(local.read)} of {local.chosen} dialogues in "
        f"{local.seconds:.0f} seconds. It was asked {answers.total} times: "
        f"{answers.unreadable} answers ({answers.unreadable / answers.total:.0%}) could not be "
        f"read, and {answers.failed} ({answers.failed / answers.total:.0%}) did not come in time, "
        f"so that patterns read instead. Of the {len(authors)} memories that are current, it "
        f"noted {authors.count('model')} and patterns {authors.count('pattern')}; "
        "notes whose words, names or numbers nobody said are dropped before they are stored."
    )


def _aims(scored: Sequence[ScoredDialogue]) -> str:
    """Verdicts for the unseen dialogues and for all."""
    lines = []
    for label, of_it in (
        ("unseen dialogues", [one for one in scored if one.dialogue.split == "test"]),
        ("all dialogues", scored),
    ):
        scores = Scores(of_it)
        lines += [
            verdict(
                scores.precision >= _MIN_PRECISION,
                f"patterns, {label}: {_MIN_PRECISION:.0%} precision",
                f"{scores.precision:.1%}",
            ),
            verdict(
                not scores.duplicates and not scores.wrong_supersedes,
                f"patterns, {label}: no duplicate and no wrong supersede",
                f"{scores.duplicates} and {scores.wrong_supersedes}",
            ),
        ]
    return "\n".join(lines)


def _errors_found(scored: Sequence[ScoredDialogue], splits: Sequence[Split]) -> Iterator[str]:
    for one in scored:
        if one.dialogue.split not in splits:
            continue
        lists = {
            "noise": one.noise,
            "stale": one.stale,
            "twice": one.duplicates,
            "wrongly retired": one.wrongly_superseded,
        }
        for name, found in lists.items():
            for known in found:
                about = f" ({known.key[1]} of {known.key[0]})" if known.key else ""
                note = f"{known.memory_type}: {known.content}{about}"
                yield f"{one.dialogue.id:<22} {name:<16} {note}"
        for entry in one.missed:
            says = " + ".join("/".join(choice) for choice in entry.says)
            yield f"{one.dialogue.id:<22} {'missing':<16} {entry.memory_type}: {says}"


if __name__ == "__main__":
    main()
