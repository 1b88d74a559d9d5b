"""`memory.users`: delete a user. Users are created by their first write."""

from datetime import datetime
from functools import partial

from recollect.core.types import DeletedUser
from recollect.store import api_keys, users
from recollect.store.database import Run
from recollect.store.service_base import ServiceBase


class Users(ServiceBase):
    async def delete_user(self, *, user_id: str) -> DeletedUser:
        """Delete a user with all data and API keys, and return the deleted counts.

        A server that requires API keys still does after the last one was deleted.
        """
        deleted: DeletedUser | None = None
        while deleted is None:
            now = self._clock()
            is_auth_kept = await self._database.system(
                partial(api_keys.keep_auth_required, now=now)
            )
            delete = partial(_delete, is_auth_kept=is_auth_kept, now=now)
            deleted = await self._write(delete, user_id)
        return deleted


def _delete(run: Run, *, is_auth_kept: bool, now: datetime) -> DeletedUser | None:
    """Delete the user, or return None if the first of all keys was created meanwhile, for them."""
    users.lock(run, now=now)  # waits for a key that is being created
    counts = users.count_rows(run)
    if counts.keys and not is_auth_kept:
        return None
    users.delete(run)
    return counts
