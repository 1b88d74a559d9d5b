"""Base class of the services that read and write one user's rows."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from recollect.core.validation import check_user_id
from recollect.store.database import Database, Run

T = TypeVar("T")


class ServiceBase:
    def __init__(self, database: Database, *, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def _read(self, fn: Callable[[Run], T], user_id: str) -> T:
        check_user_id(user_id)
        return await self._database.read(fn, user_id=user_id)

    async def _write(self, fn: Callable[[Run], T], user_id: str) -> T:
        check_user_id(user_id)
        return await self._database.write(fn, user_id=user_id)
