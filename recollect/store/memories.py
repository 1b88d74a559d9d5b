"""Memory rows."""

import json
from collections.abc import Sequence

from recollect.model import Row
from recollect.store.database import Run


def current(run: Run, memory_ids: Sequence[str]) -> list[Row]:
    """Those that still hold and are not archived."""
    return run("list_current_memories", ids=json.dumps(memory_ids)) if memory_ids else []
