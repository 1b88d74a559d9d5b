"""The fields of a line of ours, each read as what it must be.

A file comes from outside, whoever wrote it: a value that a table cannot hold, or that something
else would stumble over later, is refused here, by its name.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from recollect.core.errors import InvalidInput
from recollect.core.ids import canonical_id
from recollect.core.types import Json, utc_text
from recollect.core.validation import (
    check_flag,
    check_name,
    check_size,
    check_text,
    json_text,
    utc_moment,
)

T = TypeVar("T")

LARGEST_NUMBER = 1_000_000_000
"""Of anything that is counted on: there has to be room behind it."""


class Fields:
    def __init__(self, line: Mapping[str, Json], *, limit: int) -> None:
        """`limit` is in bytes, of a text."""
        self._line = line
        self._limit = limit

    def __contains__(self, name: str) -> bool:
        return self._line.get(name) is not None

    def maybe(self, read: Callable[[str], T], name: str) -> T | None:
        """None for what is null, or not there."""
        return read(name) if name in self else None

    def raw(self, name: str) -> Json:
        return self._line.get(name)

    def id(self, name: str) -> str:
        given = self._line.get(name)
        id = canonical_id(given) if isinstance(given, str) and given.isascii() else None
        if id is None:
            raise InvalidInput(f"{name} must be a UUID.", field=name)
        return id

    def text(self, name: str) -> str:
        given = self._line.get(name)
        if not isinstance(given, str):
            raise InvalidInput(f"{name} must be text.", field=name)
        check_text(given, name)
        check_size(given, name, limit=self._limit)
        return given

    def name(self, name: str, *, limit: int = 255) -> str:
        given = self.text(name)
        check_name(given, name, limit=limit)
        return given

    def number(self, name: str, *, least: int = 0, most: int = LARGEST_NUMBER) -> int:
        given = self._line.get(name)
        if not isinstance(given, int) or isinstance(given, bool) or not least <= given <= most:
            message = f"{name} must be a whole number from {least:,} to {most:,}."
            raise InvalidInput(message, field=name)
        return given

    def share(self, name: str) -> float:
        given = self._line.get(name)
        if isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= 1:
            return float(given)
        raise InvalidInput(f"{name} must be a number from 0 to 1.", field=name)

    def flag(self, name: str) -> bool:
        given: Json = self._line.get(name)
        check_flag(given, name)
        return bool(given)

    def one_of(self, name: str, known: tuple[Any, ...]) -> Any:
        given = self._line.get(name)
        for value in known:
            if given == value and isinstance(given, str):
                return value
        raise InvalidInput(f"{name} must be one of {', '.join(known)}.", field=name)

    def moment(self, name: str) -> datetime:
        given = self._line.get(name)
        try:
            found = datetime.fromisoformat(given) if isinstance(given, str) else None
        except ValueError:
            found = None
        if found is None:
            raise InvalidInput(f"{name} must be a time, such as 2026-11-01T00:00:00Z.", field=name)
        return utc_moment(found, name)

    def time(self, name: str) -> str:
        """In the form in which it is stored."""
        return utc_text(self.moment(name))

    def object(self, name: str) -> dict[str, Json]:
        given = self._line.get(name)
        if not isinstance(given, dict):
            raise InvalidInput(f"{name} must be an object.", field=name)
        return given

    def objects(self, name: str) -> "list[Fields]":
        given = self._line.get(name)
        if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
            raise InvalidInput(f"{name} must be a list of objects.", field=name)
        return [Fields(one, limit=self._limit) for one in given]

    def json(self, name: str) -> str:
        """An object, in the form in which it is stored."""
        return json_text(self.object(name), name, limit=self._limit)
