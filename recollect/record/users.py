"""Users: known from the first thing they do, until they are deleted."""

from datetime import datetime
from functools import partial

from recollect.core.types import DeletedUser
from recollect.store import api_keys, users
from recollect.store.database import Run
from recollect.store.service_base import ServiceBase


class Users(ServiceBase):
    """`memory.users`: those whose conversations and memories these are."""

    async def delete_user(self, *, user_id: str) -> DeletedUser:
        """Removes them and all that is theirs, their API keys too; says how much that was.

        Who comes back begins anew. A server that wanted keys goes on wanting them, also when the
        last one goes with its owner.
        """
        deleted: DeletedUser | None = None
        while deleted is None:
            now = self._clock()
            is_shut = await self._database.system(partial(api_keys.keep_auth_required, now=now))
            delete = partial(_delete, is_shut=is_shut, now=now)
            deleted = await self._write(delete, user_id)
        return deleted


def _delete(run: Run, *, is_shut: bool, now: datetime) -> DeletedUser | None:
    """None where the first key of all was made a moment ago, for this very user."""
    users.lock(run, now=now)  # who is making a key for them is done, or waits
    found = users.count_rows(run)
    if found.keys and not is_shut:
        return None
    users.delete(run)
    return found
