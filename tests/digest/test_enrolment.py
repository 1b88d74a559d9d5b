"""Who may change which embedder there is, and who only looks on: processes with other settings."""

import asyncio

from recollect import MessageIn, Settings
from recollect.engine import open_database
from recollect.store import vectors
from recollect.store.database import Run
from recollect.sync import Recollect
from tests.conftest import Clock
from tests.raw import RawDatabase
from tests.scripted_model import ScriptedModel

USER = "ada"


def opened(url: str, model: ScriptedModel, name: str, clock: Clock) -> Recollect:
    settings = Settings(
        database_url=url,
        embedding_model=name,
        embedding_dimensions=8,
        embedding_base_url=model.url,
    )
    return Recollect.open(settings=settings, clock=clock)


def talk(memory: Recollect) -> str:
    said = MessageIn(role="user", content="The heron is back.")
    return memory.conversations.create_conversation(user_id=USER, messages=[said]).id


def models(url: str) -> set[tuple[str, str]]:
    found = RawDatabase(url).execute("select model, state from embedders")
    return {(str(name), str(state)) for name, state in found}


def test_looking_on_with_another_embedder_changes_nothing(
    database_url: str, model: ScriptedModel, clock: Clock
) -> None:
    with opened(database_url, model, "a", clock) as working:
        talk(working)
        working.work()
        with opened(database_url, model, "b", clock) as looking:
            assert looking.recall.search("heron", user_id=USER)
            assert looking.keys.list_keys() == []
        assert models(database_url) == {("a", "active")}


def test_a_worker_without_an_embedder_leaves_its_jobs_to_others(
    database_url: str, model: ScriptedModel, clock: Clock
) -> None:
    with opened(database_url, model, "a", clock) as able:
        talk(able)
        with Recollect.open(database_url, clock=clock) as unable:
            unable.work()
            unable.sweep()
        (job,) = [job for job in able.jobs.list_jobs(user_id=USER) if job.kind == "embed"]
        assert (job.state, job.attempts) == ("waiting", 0)
        able.work()
        assert RawDatabase(database_url).count("embeddings") == 1


def test_progress_that_was_set_back_meanwhile_stays_there(
    database_url: str, memory: Recollect
) -> None:
    """An index that was made anew while a batch was at the embedder: it has to be read again."""
    chat = talk(memory)

    def read(run: Run) -> int:
        return vectors.get_progress(run, chat, "a")[0]

    def move(run: Run, start: int, end: int) -> int:
        vectors.set_progress(run, chat, "a", read_from=start, through_seq=end)
        return read(run)

    async def work() -> None:
        database = await open_database(database_url)
        try:
            assert await database.write(lambda run: move(run, 0, 64), user_id=USER) == 64
            await database.write(lambda run: vectors.rewind(run, chat, through_seq=0), user_id=USER)
            assert await database.write(lambda run: move(run, 64, 128), user_id=USER) == 0
            assert await database.write(lambda run: move(run, 0, 64), user_id=USER) == 64
        finally:
            await database.close()

    asyncio.run(work())
