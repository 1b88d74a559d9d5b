"""Moves all data from one database to another, SQLite or PostgreSQL.

Tables are copied one by one, in batches. Each batch is committed in the target together with a
checkpoint: a move that was killed continues there, and two moves into one target detect each
other. The checkpoints also hold the checksums of the copied rows. At the end both databases are
read again, and both must have these checksums.

One run reads the source from one snapshot. Rows that are written meanwhile are not copied, so the
final check fails, and the target is emptied for the next attempt.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from recollect.core.errors import Conflict, Misconfigured, NotFound
from recollect.store.sqlite import MEMORY
from recollect.store.url import parse_database_url
from recollect.transfer.copy.checksum import TableChecksum
from recollect.transfer.copy.endpoint import CopiedValue, MoveEndpoint, Table, TableRow
from recollect.transfer.copy.sqlite import SqliteEndpoint
from recollect.transfer.copy.tables import (
    REPLACEABLE_TABLES,
    check_release,
    check_vectors,
    compared_columns,
    matching_tables,
)

_SOURCE = "source"
_MAX_BATCH_ROWS = 1_000
_MAX_BATCH_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class MoveProgress:
    step: str
    table: str
    done: int
    """Rows of all tables."""
    total: int


OnMoveProgress = Callable[[MoveProgress], None]


@dataclass(frozen=True, slots=True)
class _Checkpoint:
    checksum: TableChecksum = field(default_factory=TableChecksum)
    after: Sequence[CopiedValue] | None = None
    """The key of the last copied row."""
    is_done: bool = False

    def text(self) -> str:
        total = f"{self.checksum.total:x}"
        return json.dumps([self.checksum.rows, total, self.after, self.is_done])

    @classmethod
    def from_text(cls, text: str) -> "_Checkpoint":
        rows, total, after, is_done = json.loads(text)
        return cls(TableChecksum(rows, int(total, 16)), after, is_done)


def check_move_url(url: str, *, exists: bool) -> None:
    """Raises Misconfigured. To be called before opening, which would create a mistyped source."""
    dialect, path = parse_database_url(url)
    if dialect != "sqlite":
        return
    if path == MEMORY:
        raise Misconfigured("A database in memory cannot be moved: it ends with its process.")
    if exists and not Path(path).is_file():
        raise Misconfigured(f"There is no database at {path}.")


def open_endpoint(url: str) -> MoveEndpoint:
    """Open a database that exists and is migrated."""
    dialect, address = parse_database_url(url)
    if dialect == "sqlite":
        return SqliteEndpoint(address)
    from recollect.transfer.copy.postgres import PostgresEndpoint

    return PostgresEndpoint(address)


def move(
    source: MoveEndpoint, target: MoveEndpoint, report: OnMoveProgress = lambda progress: None
) -> dict[str, TableChecksum]:
    """Copy all tables and return their checksums. Both databases must be migrated.

    Raises Conflict if the source is the target of an unfinished move, if the target has other
    data, or if one of them changes meanwhile; SchemaMismatch if a later release has migrated one
    of them; Misconfigured if the target cannot store the vectors.
    """
    if source.address == target.address:
        raise Misconfigured(f"{source.address} cannot be moved to itself.")
    for endpoint in (source, target):
        check_release(endpoint)
    if source.read_checkpoints() is not None:
        raise Conflict(
            f"{source.address} holds only the beginning of a move: finish that one, and then move "
            "on from there."
        )
    tables = matching_tables(source.tables(), target.tables())
    check_vectors(source, target)
    return _Move(source, target, tables, report).run()


class _Move:
    def __init__(
        self,
        source: MoveEndpoint,
        target: MoveEndpoint,
        tables: list[Table],
        report: OnMoveProgress,
    ) -> None:
        self._source = source
        self._target = target
        self._tables = tables
        self._report = report
        self._checkpoints: dict[str, _Checkpoint] = {}

    def run(self) -> dict[str, TableChecksum]:
        self._begin()
        with self._source.reading():
            total = sum(self._source.count(table.name) for table in self._tables)
            for table in self._tables:
                if not self._checkpoints[table.name].is_done:
                    self._copy(table, total)
        self._verify()
        with self._target.writing():
            self._target.drop_checkpoints()
            self._target.update_statistics()
        return {name: checkpoint.checksum for name, checkpoint in self._checkpoints.items()}

    def _begin(self) -> None:
        texts = self._target.read_checkpoints()
        names = [table.name for table in self._tables]
        if texts is None:
            texts = {name: _Checkpoint().text() for name in names}
            with self._target.writing():
                self._check_target_empty()
                self._target.create_checkpoints({_SOURCE: self._source.address, **texts})
        elif texts.pop(_SOURCE) != self._source.address or texts.keys() != {*names}:
            raise Conflict(
                f"{self._target.address} holds the beginning of another move. Finish that one, "
                "with the same SOURCE and the same release, or move to an empty database."
            )
        self._checkpoints = {name: _Checkpoint.from_text(texts[name]) for name in names}

    def _check_target_empty(self) -> None:
        for name in REPLACEABLE_TABLES:
            self._target.clear(name)
        filled = [table.name for table in self._tables if self._target.count(table.name)]
        if filled:
            raise Conflict(
                f"{self._target.address} holds data already ({', '.join(filled)}): move to an "
                "empty database."
            )

    def _copy(self, table: Table, total: int) -> None:
        checkpoint = self._checkpoints[table.name]
        key = [table.columns.index(column) for column in table.key]
        compared = [table.columns.index(column) for column in compared_columns(table)]
        with closing(self._source.rows(table, table.columns, after=checkpoint.after)) as rows:
            for batch in _batches(rows):
                checksum = checkpoint.checksum.plus(_select(compared, row) for row in batch)
                checkpoint = _Checkpoint(checksum, _select(key, batch[-1]))
                self._write(table, batch, checkpoint)
                done = sum(copied.checksum.rows for copied in self._checkpoints.values())
                self._report(MoveProgress("Copying", table.name, done, total))
        self._write(table, [], replace(checkpoint, is_done=True))

    def _write(self, table: Table, rows: Sequence[TableRow], checkpoint: _Checkpoint) -> None:
        old = self._checkpoints[table.name]
        try:
            with self._target.writing():
                is_ours = self._target.update_checkpoint(table.name, old.text(), checkpoint.text())
                if is_ours and rows:
                    self._target.insert(table, rows)
        except (Conflict, NotFound) as error:
            # A row exists already, or its foreign key does not: one of the databases has changed
            # since an earlier run.
            self._verify_target(sum(c.checksum.rows for c in self._checkpoints.values()))
            raise self._source_changed([table.name]) from error
        if not is_ours:
            raise Conflict(f"Another move is writing to {self._target.address}.")
        self._checkpoints[table.name] = checkpoint

    def _verify(self) -> None:
        rows = sum(checkpoint.checksum.rows for checkpoint in self._checkpoints.values())
        self._verify_target(2 * rows)
        if changed := self._differing_tables(self._source, done=rows, total=2 * rows):
            raise self._source_changed(changed)

    def _verify_target(self, total: int) -> None:
        if differing := self._differing_tables(self._target, done=0, total=total):
            raise Conflict(
                f"{self._target.address} is not what was copied ({', '.join(differing)}): another "
                "process has written to it. Move to an empty database."
            )

    def _source_changed(self, tables: Sequence[str]) -> Conflict:
        """Empty the target, which holds nothing but copied rows, and return the error."""
        with self._target.writing():
            for table in reversed(self._tables):
                self._target.clear(table.name)
            self._target.drop_checkpoints()
        return Conflict(
            f"{self._source.address} has changed since the move began ({', '.join(tables)}). Stop "
            "every server and worker that uses it, and move once more: what was copied is removed "
            f"from {self._target.address}."
        )

    def _differing_tables(self, endpoint: MoveEndpoint, *, done: int, total: int) -> list[str]:
        """Return the tables whose checksum differs from the copied rows."""
        differing = []
        with endpoint.reading():
            for table in self._tables:
                checksum = TableChecksum()
                with closing(endpoint.rows(table, compared_columns(table))) as rows:
                    for batch in _batches(rows):
                        checksum = checksum.plus(batch)
                        self._report(
                            MoveProgress("Checking", table.name, done + checksum.rows, total)
                        )
                done += checksum.rows
                if checksum != self._checkpoints[table.name].checksum:
                    differing.append(table.name)
        return differing


def _batches(rows: Iterable[TableRow]) -> Iterator[list[TableRow]]:
    batch: list[TableRow] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if len(batch) == _MAX_BATCH_ROWS or size > _MAX_BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _select(indexes: Sequence[int], row: TableRow) -> TableRow:
    return tuple([row[index] for index in indexes])
