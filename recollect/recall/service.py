"""`memory.recall`: search, conversation switching and references."""

from recollect.recall.references import References
from recollect.recall.search.service import Search
from recollect.recall.switch import Switch


class Recall(Search, Switch, References):
    """Finds messages, conversations, memories and turns, by words and by meaning."""
