"""User rows, on which everything of a user's hangs."""

from recollect.model import DeletedUser
from recollect.store.database import Run


def parts(run: Run) -> DeletedUser:
    """How much there is of theirs."""
    (counts,) = run("count_user_parts")
    return DeletedUser(**counts)


def delete(run: Run) -> None:
    """With all that is theirs."""
    run("delete_user")
