"""Moving everything from one database to another, whichever two they are.

Table by table, in batches. A batch and the mark that says how far the move has come are committed
together, in the target: so a move that was killed goes on where it ended, and two that write to one
target find out at once. The marks also carry the digest of what has been copied. At the end both
databases are read once more, and both must be what was copied.

Within one run the source is read as it was at one moment, so whatever somebody writes meanwhile
does not tear anything apart; but it is not copied either, and the last reading tells. Then the
target is emptied again, for the next try.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from recollect.core.errors import Conflict, Misconfigured, NotFound
from recollect.transfer.copy.digest import Digest
from recollect.transfer.copy.port import End, Plain, Row, Table
from recollect.transfer.copy.tables import HARMLESS, agreed, check_release, check_vectors, compared

_SOURCE = "source"
_MOST_ROWS = 1_000
_MOST_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class Progress:
    """Rows, of all tables together."""

    doing: str
    table: str
    done: int
    total: int


Report = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class _Mark:
    """How far a table has been copied."""

    digest: Digest = field(default_factory=Digest)
    after: Sequence[Plain] | None = None
    is_done: bool = False

    def text(self) -> str:
        total = f"{self.digest.total:x}"
        return json.dumps([self.digest.rows, total, self.after, self.is_done])

    @classmethod
    def from_text(cls, text: str) -> "_Mark":
        rows, total, after, is_done = json.loads(text)
        return cls(Digest(rows, int(total, 16)), after, is_done)


def move(source: End, target: End, report: Report = lambda progress: None) -> dict[str, Digest]:
    """What was copied, by table.

    Both are migrated already. Raises Conflict when the source is not whole itself, when the target
    holds something else, when anybody has written to either meanwhile, or another move to the
    target; SchemaMismatch when a later release has added to one of them; Misconfigured when the
    target cannot take the vectors.
    """
    if source.address == target.address:
        raise Misconfigured(f"{source.address} cannot be moved to itself.")
    for end in (source, target):
        check_release(end)
    if source.marks() is not None:
        raise Conflict(
            f"{source.address} holds only the beginning of a move: finish that one, and then move "
            "on from there."
        )
    tables = agreed(source.tables(), target.tables())
    check_vectors(source, target)
    return _Move(source, target, tables, report).run()


class _Move:
    def __init__(self, source: End, target: End, tables: list[Table], report: Report) -> None:
        self._source = source
        self._target = target
        self._tables = tables
        self._report = report
        self._marks: dict[str, _Mark] = {}

    def run(self) -> dict[str, Digest]:
        self._begin()
        with self._source.reading():
            self._copy_all()
        self._check()
        with self._target.writing():
            self._target.drop_marks()
            self._target.settle()
        return {name: mark.digest for name, mark in self._marks.items()}

    def _begin(self) -> None:
        marks = self._target.marks()
        names = [table.name for table in self._tables]
        if marks is None:
            marks = {name: _Mark().text() for name in names}
            with self._target.writing():
                self._take_possession()
                self._target.make_marks({_SOURCE: self._source.address, **marks})
        elif marks.pop(_SOURCE) != self._source.address or marks.keys() != {*names}:
            raise Conflict(
                f"{self._target.address} holds the beginning of another move. Finish that one, "
                "with the same SOURCE and the same release, or move to an empty database."
            )
        self._marks = {name: _Mark.from_text(marks[name]) for name in names}

    def _take_possession(self) -> None:
        for name in HARMLESS:
            self._target.clear(name)
        held = [table.name for table in self._tables if self._target.count(table.name)]
        if held:
            raise Conflict(
                f"{self._target.address} holds data already ({', '.join(held)}): move to an empty "
                "database."
            )

    def _copy_all(self) -> None:
        total = sum(self._source.count(table.name) for table in self._tables)
        for table in self._tables:
            if not self._marks[table.name].is_done:
                self._copy(table, total)

    def _copy(self, table: Table, total: int) -> None:
        mark = self._marks[table.name]
        key = [table.columns.index(column) for column in table.key]
        counted = [table.columns.index(column) for column in compared(table)]
        with closing(self._source.rows(table, table.columns, after=mark.after)) as rows:
            for batch in _batches(rows):
                digest = mark.digest.plus(_only(counted, row) for row in batch)
                mark = _Mark(digest, _only(key, batch[-1]))
                self._put(table, batch, mark)
                done = sum(copied.digest.rows for copied in self._marks.values())
                self._report(Progress("Copying", table.name, done, total))
        self._put(table, [], replace(mark, is_done=True))

    def _put(self, table: Table, rows: Sequence[Row], mark: _Mark) -> None:
        old = self._marks[table.name]
        try:
            with self._target.writing():
                is_ours = self._target.set_mark(table.name, old.text(), mark.text())
                if is_ours and rows:
                    self._target.insert(table, rows)
        except (Conflict, NotFound) as error:
            # It is there already, or hangs on nothing: one of the two is not what it was when an
            # earlier run ended.
            self._check_target()
            raise self._source_changed([table.name]) from error
        if not is_ours:
            raise Conflict(f"Another move is writing to {self._target.address}.")
        self._marks[table.name] = mark

    def _check(self) -> None:
        total = 2 * sum(mark.digest.rows for mark in self._marks.values())
        self._check_target(total)
        if changed := self._differing(self._source, done=total // 2, total=total):
            raise self._source_changed(changed)

    def _check_target(self, total: int | None = None) -> None:
        if total is None:
            total = sum(mark.digest.rows for mark in self._marks.values())
        if differing := self._differing(self._target, done=0, total=total):
            raise Conflict(
                f"{self._target.address} is not what was copied ({', '.join(differing)}): somebody "
                "has written to it meanwhile. Move to an empty database."
            )

    def _source_changed(self, tables: Sequence[str]) -> Conflict:
        """The target holds what was copied and nothing else, so it can be emptied."""
        with self._target.writing():
            for table in reversed(self._tables):
                self._target.clear(table.name)
            self._target.drop_marks()
        return Conflict(
            f"{self._source.address} has changed since the move began ({', '.join(tables)}). Stop "
            "every server and worker that uses it, and move once more: what was copied is removed "
            f"from {self._target.address}."
        )

    def _differing(self, end: End, *, done: int, total: int) -> list[str]:
        """The tables that are not what was copied."""
        found = []
        with end.reading():
            for table in self._tables:
                digest = Digest()
                with closing(end.rows(table, compared(table))) as rows:
                    for batch in _batches(rows):
                        digest = digest.plus(batch)
                        report = Progress("Checking", table.name, done + digest.rows, total)
                        self._report(report)
                done += digest.rows
                if digest != self._marks[table.name].digest:
                    found.append(table.name)
        return found


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """As many rows as are sent and committed at once."""
    batch: list[Row] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if len(batch) == _MOST_ROWS or size > _MOST_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _only(places: Sequence[int], row: Row) -> Row:
    return tuple([row[place] for place in places])
