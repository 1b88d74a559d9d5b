"""`memory.recall`: what was said, which conversation is meant, which turn."""

from recollect.recall.chats import Chats
from recollect.recall.references import References
from recollect.recall.search.service import Search
from recollect.recall.switch import Switch


class Recall(Search, Switch, Chats, References):
    """Finds messages, conversations and turns, by their words and by their meaning."""
