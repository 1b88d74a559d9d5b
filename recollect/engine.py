"""The engine: one open database and the services over it, put together here and nowhere else."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Any, NoReturn

from recollect.analytics.service import Analytics
from recollect.chat import Chat, Tool
from recollect.chat.tools import load_tools
from recollect.core.errors import Misconfigured, Unavailable
from recollect.core.instrumentation import Events
from recollect.core.policy import DEFAULT_POLICY, HISTORY_POLICY, Policy
from recollect.core.tokens import Calibration
from recollect.core.types import JobKind
from recollect.core.wording import install_hint
from recollect.digest.embeddings import EmbeddingIndexer
from recollect.digest.jobs import Jobs
from recollect.digest.memories.extraction import ExtractionSchedule, MemoryExtractor
from recollect.digest.reindex import Reindexer
from recollect.digest.summaries.compaction import Compactor
from recollect.digest.summaries.inline import InlineCompactor
from recollect.digest.summaries.service import Summaries
from recollect.digest.summaries.summarizer import SummarizerSelector
from recollect.digest.topics import TopicDeriver
from recollect.digest.worker import Handler, Worker
from recollect.llm.endpoint import Endpoint
from recollect.llm.openai import OPENAI_URL
from recollect.llm.protocols import UsageRecorder
from recollect.llm.registry import EmbedderRegistry, ModelRegistry
from recollect.llm.usage import StoredUsageRecorder
from recollect.recall.context.memory_selection import AccessCounter, MemorySelector
from recollect.recall.context.service import Contexts, ModelWindows
from recollect.recall.search.retriever import Retriever
from recollect.recall.service import Recall
from recollect.record.answers import Answers
from recollect.record.api_keys import Keys
from recollect.record.conversation_target import ConversationFactory
from recollect.record.conversations import Conversations
from recollect.record.enqueue import JobEnqueuer, requeue_missing
from recollect.record.memories import Memories
from recollect.record.retention import Expired, sweep
from recollect.record.services import ServiceDependencies
from recollect.record.turn_history import History
from recollect.record.users import Users
from recollect.settings import Settings
from recollect.store import usage
from recollect.store.answers import LEASE
from recollect.store.database import Database, Run
from recollect.store.migrations import check_schema
from recollect.store.sqlite import SqliteDatabase
from recollect.store.url import parse_database_url
from recollect.transfer.service import DataTransfer

logger = logging.getLogger(__name__)

Clock = Callable[[], datetime]
_CALIBRATION_MEMORY = timedelta(days=30)


def utc_now() -> datetime:
    return datetime.now(UTC)


class Recollect:
    """Conversation memory over one open database. Made by `open`."""

    conversations: Conversations
    """Conversations, and the messages in them."""
    history: History
    """Each user's latest turns, for as long as the policy `ephemeral` keeps them."""
    summaries: Summaries
    """What is remembered of a conversation, in versions that can be corrected."""
    contexts: Contexts
    """What to send to a model, and the receipts of what was sent."""
    recall: Recall
    """What was said, which conversation is meant, which turn."""
    memories: Memories
    """What is known about a user, to be read and corrected."""
    analytics: Analytics
    """What the memory saves, and what it costs."""
    jobs: Jobs
    """What is owed, and what failed."""
    models: ModelRegistry
    """Which model variants there are."""
    data: DataTransfer
    """All that a user has, out and in again."""
    keys: Keys
    """Who may use the server."""
    users: Users
    """Whose all this is."""
    chat: Chat
    """Questions, and the answers of models."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        *,
        policies: Mapping[str, Policy],
        calibration: Calibration,
        tools: Sequence[Tool] = (),
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._tools = tools
        self._policies = policies
        self._clock = clock
        self._calibration = calibration
        self._working: asyncio.Task[None] | None = None
        self.events = Events()
        self.settings = settings
        self._usage_recorder = usage_recorder = StoredUsageRecorder(
            database, calibration=calibration, events=self.events, clock=clock
        )
        self.models = ModelRegistry(
            settings.chat_variants(),
            default=settings.default_variant_name(),
            usage_recorder=usage_recorder,
        )
        self._embedders = _embedders(settings, usage_recorder)
        self._embedding = EmbeddingIndexer(database, self._embedders, clock=clock)
        self._indexing = Reindexer(database, embeds=self._embeds, clock=clock)
        self._summarizers = SummarizerSelector(
            self.models,
            default_policy=settings.policies()[DEFAULT_POLICY],
            hosted_prompt=settings.hosted_prompt(is_openai=self.models.is_openai),
        )
        self._compactor = Compactor(
            database,
            policies=policies,
            summarizer_for=self._summarizers.get,
            events=self.events,
            clock=clock,
        )
        self._inline_compactor = InlineCompactor(
            self._compactor, timeout_seconds=settings.eager_seconds
        )
        extraction_model = self._summarizers.extraction_model()
        self._extraction = MemoryExtractor(
            database,
            extraction_model,
            self._embedders,
            schedule=ExtractionSchedule(
                turns=settings.extract_turns,
                idle=timedelta(seconds=settings.extract_idle_seconds),
            ),
            max_attempts=settings.job_attempts,
            clock=clock,
        )
        self._accesses = AccessCounter()
        self._add_services()
        topics = TopicDeriver(
            database,
            extraction_model,
            policies=policies,
            embeds=self._embeds,
            clock=clock,
        )
        handlers: dict[JobKind, Handler] = {
            "digest": self._compactor.run_job,
            "topic": topics.run_job,
            "index": self._indexing.run_job,
            "extract": self._extraction.run_job,
        }
        if self._embeds:
            handlers["embed"] = self._embedding.run_job
        self._worker = Worker(
            database,
            handlers,
            clock=clock,
            lease=timedelta(seconds=settings.lease_seconds),
            max_attempts=settings.job_attempts,
        )

    def _add_services(self) -> None:
        database, settings, policies, clock = (
            self._database,
            self.settings,
            self._policies,
            self._clock,
        )
        enqueuer = JobEnqueuer(
            policies=policies,
            digest_at=settings.digest_time(),
            eager_grace=timedelta(seconds=2 * settings.eager_seconds),
            embeds=self._embeds,
            extract_turns=settings.extract_turns if settings.extraction == "automatic" else None,
            extract_idle=timedelta(seconds=settings.extract_idle_seconds),
        )
        self._enqueuer = enqueuer
        factory = ConversationFactory(
            policies=policies,
            default_policy=settings.default_policy,
            max_bytes=settings.max_message_bytes,
            clock=clock,
        )
        dependencies = ServiceDependencies(
            database=database,
            enqueuer=enqueuer,
            factory=factory,
            max_message_bytes=settings.max_message_bytes,
            compactor=self._inline_compactor,
            events=self.events,
            clock=clock,
        )
        self.conversations = Conversations(dependencies)
        self.history = History(dependencies)
        self._answers = Answers(dependencies)
        self.summaries = Summaries(
            database, policies=policies, compactor=self._compactor, clock=clock
        )
        self._retriever = retriever = Retriever(database, self._embedders)
        self.recall = Recall(
            database,
            retriever,
            margin=settings.switch_margin,
            window=settings.summary_window_size,
            clock=clock,
        )
        self.contexts = Contexts(
            database,
            retriever,
            policies=policies,
            windows=ModelWindows(
                variants=self.models.variants,
                window=settings.context_window,
                answer_tokens=settings.answer_tokens,
            ),
            calibration=self._calibration,
            accesses=self._accesses,
            compactor=self._inline_compactor,
            max_bytes=settings.max_message_bytes,
            clock=clock,
        )
        self.memories = Memories(
            database,
            enqueuer=enqueuer,
            pinned_tokens=settings.memory_pinned_token_cap,
            extraction=self._extraction,
            selection=MemorySelector(database, retriever, accesses=self._accesses, clock=clock),
            clock=clock,
        )
        self.analytics = Analytics(
            database, policies=policies, calls_written=self._usage_recorder.flush, clock=clock
        )
        self.jobs = Jobs(database, clock=clock)
        self.data = DataTransfer(
            database,
            enqueuer=enqueuer,
            default_policy=settings.default_policy,
            max_message_bytes=settings.max_message_bytes,
            pinned_memory_tokens=settings.memory_pinned_token_cap,
            events=self.events,
            clock=clock,
        )
        self.keys = Keys(database, clock=clock)
        self.users = Users(database, clock=clock)
        self.chat = Chat(
            answers=self._answers,
            contexts=self.contexts,
            models=self.models,
            factory=factory,
            tools=self._tools,
            compactor=self._inline_compactor,
            max_answer_bytes=settings.max_message_bytes,
            events=self.events,
        )

    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        settings: Settings | None = None,
        policies: Mapping[str, Policy] | None = None,
        tools: Sequence[Tool] | None = None,
        clock: Clock = utc_now,
    ) -> "Opening":
        """Opens, and creates or migrates if need be. To be awaited, or used in `async with`.

        Without a URL the settings' database is opened; without settings, the environment's;
        without policies, the presets with the settings' numbers; without tools, the settings'.
        """

        async def opened() -> Recollect:
            chosen = settings or Settings.from_environment()
            if url is not None:
                chosen = replace(chosen, database_url=url)
            known = chosen.policies() if policies is None else policies
            offered = load_tools(chosen.tools) if tools is None else tools
            _check_policies(known, chosen.default_policy)
            _check_dimensions(chosen)
            database = await open_database(chosen.database_url)
            since = clock() - _CALIBRATION_MEMORY
            totals = await database.system(
                lambda run: usage.totals_by_model(run, since=since), read_only=True
            )
            calibration = Calibration.from_totals(totals)
            try:
                engine = cls(
                    database,
                    chosen,
                    policies=known,
                    calibration=calibration,
                    tools=offered,
                    clock=clock,
                )
                await engine._embedding.check()
            except BaseException:
                await database.close()
                raise
            return engine

        return Opening(opened)

    @property
    def embedder(self) -> str | None:
        """The model that embeds what is said; None where search goes by words alone."""
        configured = self._embedders.configured
        return configured.model if configured else None

    @property
    def waiting(self) -> int:
        """How many calls are queued for the database."""
        return self._database.queue_size

    @property
    def _embeds(self) -> bool:
        return self._embedders.configured is not None

    async def rebuild(self) -> int:
        """Owes anew whatever is derived, for all conversations of all users.

        Returns how many there are. The work itself is done by the worker, or by `work`.
        """
        return await self._indexing.enqueue_all()

    async def unfinished(self) -> int:
        """How many jobs search still waits for: they are waiting, running, or have failed."""
        return await self._indexing.unfinished()

    async def check(self) -> None:
        """Returns when the database answers and its schema is this release's."""
        await check_schema(self._database)

    async def vector_version(self) -> str:
        """The version of the database's vector extension."""
        return await self._database.system(_vector_version, read_only=True)

    async def warm_up(self) -> None:
        """Loads what else the first question, search or embedding job would wait for."""
        await self.models.load()
        await self._embedders.load()

    async def start_worker(self) -> None:
        """Does what is owed in the background from now on, until the engine is closed."""
        if self._working is None:
            await self._embedding.register()
            self._working = asyncio.create_task(self._worker.run())

    async def work(self) -> int:
        """Does all that is owed and due now, and returns how many jobs that were."""
        await self._embedding.register()
        done = await self._worker.run_due()
        await self._usage_recorder.flush()
        return done

    async def sweep(self) -> Expired:
        """Removes what retention rules no longer keep, and finds owed work whose job was lost.

        For all conversations of all users. The server does this every minute. A program that uses
        the library alone calls it.
        """
        now = self._clock()
        await self._answers.interrupt_expired()
        expired = await sweep(self._database, self._policies, now=now)
        await requeue_missing(self._database, self._enqueuer, now=now)
        await self._embedding.requeue_missing(now)
        await self._accesses.write(self._database)
        return expired

    async def sweep_forever(self) -> None:
        """Sweeps now and every `sweep_seconds`, until it is cancelled; and more often looks for
        answers whose server is gone."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_forever(self.sweep, every=self.settings.sweep_seconds))
            tasks.create_task(_forever(self._answers.interrupt_expired, every=LEASE.seconds / 4))

    async def run_worker(self) -> None:
        """Does what is owed, and sweeps, until it is cancelled: a process of its own."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._worker.run())
            tasks.create_task(self.sweep_forever())

    async def drain(self, seconds: float) -> None:
        """Takes no new questions, and gives running answers so long to end."""
        await self.chat.drain(seconds)

    async def close(self) -> None:
        await self.chat.drain(0)
        if self._working is not None:
            self._working.cancel()
            await asyncio.gather(self._working, return_exceptions=True)
            self._working = None
        await self._accesses.write(self._database)
        await self.models.close()
        await self._embedders.close()
        await self._usage_recorder.flush()
        await self._database.close()


async def _forever(sweep: Callable[[], Awaitable[object]], *, every: float) -> None:
    while True:
        try:
            await sweep()
        except Unavailable as error:
            logger.warning("sweep_waits", extra={"reason": error.log_message})
        except Exception:
            logger.exception("A sweep failed; the next one will try again.")
        await asyncio.sleep(every)


def _check_policies(policies: Mapping[str, Policy], default: str) -> None:
    for name in (default, HISTORY_POLICY):
        if name not in policies:
            raise Misconfigured(f"The policy {name} is needed, and not among those given.")


def _check_dimensions(settings: Settings) -> None:
    """SQLite looks at the signs of all vectors first, and keeps them in whole bytes."""
    dialect, _ = parse_database_url(settings.database_url)
    if dialect == "sqlite" and settings.embedding_model and settings.embedding_dimensions % 8:
        raise Misconfigured(
            f"RECOLLECT_EMBEDDING_DIMENSIONS is {settings.embedding_dimensions:,}, and SQLite "
            "needs a multiple of 8: set it to one that the model gives, or use PostgreSQL."
        )


class Opening:
    """What `Recollect.open` returns: `await` it, or enter it and have it closed for you."""

    def __init__(self, opened: Callable[[], Awaitable[Recollect]]) -> None:
        self._opened = opened
        self._engine: Recollect | None = None

    def __await__(self) -> Generator[Any, None, Recollect]:
        return (yield from self._opened().__await__())

    def __enter__(self) -> NoReturn:
        raise TypeError("Use `async with`; without an event loop, recollect.sync.Recollect.")

    def __exit__(self, *_: object) -> None: ...

    async def __aenter__(self) -> Recollect:
        self._engine = await self
        return self._engine

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._engine is not None:
            await self._engine.close()


async def open_database(url: str) -> Database:
    dialect, address = parse_database_url(url)
    if dialect == "sqlite":
        return await SqliteDatabase.open(address)
    try:
        from recollect.store.postgres import PostgresDatabase
    except ImportError as error:
        raise Misconfigured(f"PostgreSQL needs its driver, {install_hint('postgres')}.") from error
    return await PostgresDatabase.open(address)


def _embedders(settings: Settings, usage_recorder: UsageRecorder) -> EmbedderRegistry:
    base_url = settings.embedding_base_url or settings.openai_base_url
    api_key = settings.embedding_api_key or settings.openai_api_key
    endpoint = None
    if base_url or api_key:
        endpoint = Endpoint(base_url=base_url or OPENAI_URL, api_key=api_key or None)
    return EmbedderRegistry(
        settings.embedder,
        endpoint=endpoint,
        model=settings.embedding_model,
        dimensions=settings.embedding_dimensions,
        related_cosine=settings.embedding_near,
        deadline_seconds=settings.query_milliseconds / 1000,
        usage_recorder=usage_recorder,
    )


def _vector_version(run: Run) -> str:
    (row,) = run("vector_version")
    return str(row["version"])
