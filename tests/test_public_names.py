"""What is public, and that the blocking facade has all of it."""

import inspect

import recollect
from recollect import engine, sync
from recollect.analytics.service import Analytics
from recollect.chat.service import Chat
from recollect.digest.jobs import Jobs
from recollect.digest.summaries.service import Summaries
from recollect.handles import ConversationHandle, MemoriesHandle, UserHandle
from recollect.recall.context.service import Contexts
from recollect.recall.service import Recall
from recollect.record.api_keys import Keys
from recollect.record.conversations import Conversations
from recollect.record.memories import Memories
from recollect.record.turn_history import History
from recollect.record.users import Users
from recollect.transfer.service import DataTransfer

ASYNC_ONLY = {
    engine.Recollect.run_worker,
    engine.Recollect.sweep_forever,
    Contexts.build,
    Chat.close,
}
"""Methods that never return, or that only other services call."""


def test_all_names_what_is_public() -> None:
    public = {name for name in vars(recollect) if not name.startswith("_")}
    modules = {name for name in public if inspect.ismodule(getattr(recollect, name))}
    assert public - modules == set(recollect.__all__)


def test_every_asynchronous_method_has_its_blocking_twin() -> None:
    pairs = [
        (Conversations, sync.Conversations),
        (History, sync.History),
        (Summaries, sync.Summaries),
        (Contexts, sync.Contexts),
        (Recall, sync.Recall),
        (Memories, sync.Memories),
        (Analytics, sync.Analytics),
        (Jobs, sync.Jobs),
        (DataTransfer, sync.DataTransfer),
        (Keys, sync.Keys),
        (Users, sync.Users),
        (Chat, sync.Chat),
        (engine.Recollect, sync.Recollect),
        (UserHandle, sync.UserHandle),
        (ConversationHandle, sync.ConversationHandle),
        (MemoriesHandle, sync.MemoriesHandle),
    ]
    for asynchronous, blocking in pairs:
        for name, method in inspect.getmembers(asynchronous, inspect.iscoroutinefunction):
            if method in ASYNC_ONLY:
                assert not hasattr(blocking, name)
            elif not name.startswith("_"):
                assert callable(getattr(blocking, name)), f"{asynchronous.__name__}.{name}"
                assert getattr(blocking, name).__doc__ == method.__doc__ or name == "close"


def test_every_service_is_on_the_blocking_engine() -> None:
    with sync.Recollect.open("sqlite:///:memory:") as memory:
        missing = set(inspect.get_annotations(engine.Recollect)) - vars(memory).keys()
    assert missing == {"models"}  # which are asynchronous themselves


def test_the_services_have_the_methods_of_the_seed() -> None:
    for name in (
        "create_conversation",
        "get_conversation",
        "list_conversations",
        "update_conversation",
        "delete_conversation",
        "add_message",
        "get_messages",
    ):
        assert hasattr(Conversations, name)
    for name in (
        "create_memory",
        "get_memories",
        "update_memory",
        "delete_memory",
        "extract_memories",
        "get_context_memories",
    ):
        assert hasattr(Memories, name)
