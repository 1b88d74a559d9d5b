"""/api/audit: who read, changed, exported or deleted what."""

from recollect.core.errors import Forbidden
from recollect.core.types import AuditEntry, Page
from recollect.server.auth import Caller, Engine
from recollect.server.schema_base import Limit
from recollect.server.schemas import Router

router = Router(prefix="/api/audit", tags=["audit"])


@router.get("")
async def list_audit_entries(
    caller: Caller,
    engine: Engine,
    user_id: str | None = None,
    all_users: bool = False,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Page[AuditEntry]:
    """Newest first: the caller's own; for admins also another user's, or all."""
    if (all_users or user_id not in (None, caller.user_id)) and not caller.is_admin:
        raise Forbidden("Only an admin may read the audit log of others.")
    whose = None if all_users else user_id or caller.user_id
    return await engine.audit.list_entries(limit, user_id=whose, cursor=cursor)
