"""The engine: one open database and the services over it, put together here and nowhere else."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, Self

from recollect.analytics.service import Analytics
from recollect.chat.service import Chat
from recollect.chat.tools import Tool, load_tools
from recollect.core.errors import Misconfigured, Unavailable
from recollect.core.instrumentation import Events
from recollect.core.policy import DEFAULT_POLICY, HISTORY_POLICY, PRESETS, Policy
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
from recollect.handles import UserHandle
from recollect.llm.endpoint import Endpoint
from recollect.llm.openai import OPENAI_URL
from recollect.llm.protocols import ChatModel, CompletionModel, Embedder, UsageRecorder
from recollect.llm.registry import EmbedderRegistry, ModelRegistry
from recollect.llm.usage import StoredUsageRecorder
from recollect.recall.context.memory_selection import AccessCounter, MemorySelector
from recollect.recall.context.service import Contexts
from recollect.recall.search.retriever import Retriever
from recollect.recall.service import Recall
from recollect.record.answers import Answers
from recollect.record.api_keys import Keys, KeyUses
from recollect.record.audit import AuditLog
from recollect.record.conversations import Conversations
from recollect.record.enqueue import JobEnqueuer
from recollect.record.memories import Memories
from recollect.record.retention import Expired, sweep
from recollect.record.services import ServiceDependencies
from recollect.record.turn_history import History
from recollect.record.users import Users
from recollect.settings import Settings
from recollect.store import usage
from recollect.store.answers import LEASE
from recollect.store.database import DEFAULT_TIMEOUTS, Database, Run, Timeouts
from recollect.store.migrations import check_schema
from recollect.store.sqlite import SqliteDatabase
from recollect.store.url import parse_database_url
from recollect.transfer.service import DataTransfer

logger = logging.getLogger(__name__)

Clock = Callable[[], datetime]
_AUDIT_SECONDS = 1.0
"""Between two writes of the audit log."""
_CALIBRATION_PERIOD = timedelta(days=30)


def utc_now() -> datetime:
    return datetime.now(UTC)


class Recollect:
    """Conversation memory over one database.

        async with Recollect("sqlite:///chat.db") as memory:
            chat = memory.user("alice").conversation("lisbon")

    Background work (summaries, embeddings, memories) runs inside until the engine is closed;
    `worker=False` turns it off, for programs that call `work` themselves or run `recollect worker`.
    Without a URL the settings' database is used; without settings, the environment's; without
    policies, the presets with the settings' numbers. `chat_model`, `summarizer` and `embedder` take
    objects that fulfil the protocols in `recollect.llm.protocols`.
    """

    conversations: Conversations
    """Conversations and their messages."""
    history: History
    """Each user's turn history, kept as long as the policy `ephemeral` says."""
    summaries: Summaries
    """Summaries in versions: read, edit, compare, roll back, rebuild."""
    contexts: Contexts
    """Contexts for model calls, and their receipts."""
    recall: Recall
    """Search, conversation lookup by a sentence, references to turns."""
    memories: Memories
    """Memories about a user."""
    analytics: Analytics
    """Tokens saved and spent."""
    jobs: Jobs
    """Background jobs and their failures."""
    models: ModelRegistry
    """The configured model variants."""
    data: DataTransfer
    """Export and import of a user's data."""
    keys: Keys
    """API keys of the server."""
    audit: AuditLog
    users: Users
    """Deletion of users."""
    chat: Chat
    """Questions to models, and their answers."""

    def __init__(
        self,
        url: str | None = None,
        *,
        settings: Settings | None = None,
        policies: Mapping[str, Policy] | None = None,
        tools: Sequence[Tool] | None = None,
        chat_model: ChatModel | None = None,
        summarizer: CompletionModel | None = None,
        embedder: Embedder | None = None,
        worker: bool = True,
        database: Database | None = None,
        clock: Clock = utc_now,
    ) -> None:
        _check_model("chat_model", chat_model, ("model", "window", "complete", "stream"))
        _check_model("summarizer", summarizer, ("model", "window", "complete"))
        _check_model("embedder", embedder, ("model", "dimensions", "embed"))
        self._url = url
        self._given_settings = settings
        self._given_policies = policies
        self._given_tools = tools
        self._chat_model = chat_model
        self._summarizer = summarizer
        self._embedder = embedder
        self._runs_worker = worker
        self._given_database = database
        self._clock = clock
        self._background: list[asyncio.Task[None]] = []
        self._is_open = False
        self._is_working = False
        self.events = Events()

    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        settings: Settings | None = None,
        policies: Mapping[str, Policy] | None = None,
        tools: Sequence[Tool] | None = None,
        chat_model: ChatModel | None = None,
        summarizer: CompletionModel | None = None,
        embedder: Embedder | None = None,
        clock: Clock = utc_now,
    ) -> "Recollect":
        """`Recollect(...)` without the worker: await it, or use it in `async with`."""
        return cls(
            url,
            settings=settings,
            policies=policies,
            tools=tools,
            chat_model=chat_model,
            summarizer=summarizer,
            embedder=embedder,
            worker=False,
            clock=clock,
        )

    def __await__(self) -> Generator[Any, None, "Recollect"]:
        return self.__aenter__().__await__()

    async def __aenter__(self) -> Self:
        """Open the database, create or migrate it if needed, and start the worker."""
        settings = self._given_settings or Settings.from_environment()
        if self._url is not None:
            settings = replace(settings, database_url=self._url)
        given_policies, given_tools = self._given_policies, self._given_tools
        policies = settings.policies() if given_policies is None else given_policies
        tools = load_tools(settings.tools) if given_tools is None else given_tools
        _check_policies(policies, settings.default_policy)
        _check_dimensions(settings, self._embedder)
        database = self._given_database or await open_database(
            settings.database_url, timeouts=settings.postgres_timeouts()
        )
        try:
            since = self._clock() - _CALIBRATION_PERIOD
            totals = await database.system(
                lambda run: usage.totals_by_model(run, since=since), read_only=True
            )
            self._build(database, settings, policies, tools, Calibration.from_totals(totals))
            await self._embedding.check()
            self._is_open = True
            if self._runs_worker:
                await self.start_worker()
                self._background.append(asyncio.create_task(self.sweep_forever()))
        except BaseException:
            await database.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def __enter__(self) -> NoReturn:
        raise TypeError("Use `async with`; without an event loop, recollect.sync.Recollect.")

    def __exit__(self, *_: object) -> None: ...

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            if name in type(self).__annotations__:
                raise Unavailable(
                    "The database is not open: use `async with Recollect(...) as memory`, or "
                    "`memory = await Recollect.open(...)`."
                )
            raise AttributeError(f"Recollect has no attribute {name!r}.")

    def _build(
        self,
        database: Database,
        settings: Settings,
        policies: Mapping[str, Policy],
        tools: Sequence[Tool],
        calibration: Calibration,
    ) -> None:
        """Wire the services, each after those it uses."""
        clock, events = self._clock, self.events
        self.settings = settings
        self._database = database
        self._policies = policies

        # Models
        self._usage_recorder = StoredUsageRecorder(
            database, calibration=calibration, events=events, clock=clock
        )
        self.models = ModelRegistry(
            settings.chat_variants(),
            default=settings.default_variant_name(),
            chat_model=self._chat_model,
            summarizer=self._summarizer,
            usage_recorder=self._usage_recorder,
        )
        self._embedders = _embedders(settings, self._usage_recorder, self._embedder)
        embeds = self._embedders.configured is not None

        # Digest
        summarizers = SummarizerSelector(
            self.models,
            default_policy=policies.get(DEFAULT_POLICY, PRESETS[DEFAULT_POLICY]),
            hosted_prompt=settings.hosted_prompt(is_openai=self.models.is_openai),
        )
        extraction_model = summarizers.extraction_model()
        self._compactor = Compactor(
            database,
            policies=policies,
            summarizer_for=summarizers.get,
            events=events,
            clock=clock,
        )
        inline_compactor = InlineCompactor(self._compactor, timeout_seconds=settings.eager_seconds)
        self._embedding = EmbeddingIndexer(database, self._embedders, clock=clock)
        self._reindexer = Reindexer(database, embeds=embeds, clock=clock)
        topics = TopicDeriver(
            database, extraction_model, policies=policies, embeds=embeds, clock=clock
        )
        extractor = MemoryExtractor(
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
        self.summaries = Summaries(
            database, policies=policies, compactor=self._compactor, clock=clock
        )
        self.jobs = Jobs(database, clock=clock)

        # Recall
        self._retriever = Retriever(database, self._embedders)
        self._accesses = AccessCounter()
        self.recall = Recall(database, self._retriever, margin=settings.switch_margin, clock=clock)
        self.contexts = Contexts(
            database,
            self._retriever,
            policies=policies,
            variants=self.models.variants,
            window=settings.context_window - settings.answer_tokens,
            calibration=calibration,
            accesses=self._accesses,
            compactor=inline_compactor,
            max_bytes=settings.max_message_bytes,
            clock=clock,
        )
        selector = MemorySelector(database, self._retriever, accesses=self._accesses, clock=clock)

        # Record
        self._enqueuer = JobEnqueuer(
            policies=policies,
            digest_at=settings.digest_time(),
            eager_grace=timedelta(seconds=2 * settings.eager_seconds),
            embeds=embeds,
            extract_turns=settings.extract_turns if settings.extraction == "automatic" else None,
            extract_idle=timedelta(seconds=settings.extract_idle_seconds),
        )
        dependencies = ServiceDependencies(
            database=database,
            enqueuer=self._enqueuer,
            default_policy=settings.default_policy,
            max_message_bytes=settings.max_message_bytes,
            compactor=inline_compactor,
            events=events,
            clock=clock,
        )
        self.conversations = Conversations(dependencies)
        self.history = History(dependencies)
        self._answers = Answers(dependencies)
        self.memories = Memories(
            database,
            enqueuer=self._enqueuer,
            pinned_tokens=settings.memory_pinned_token_cap,
            extraction=extractor,
            selection=selector,
            clock=clock,
        )
        self._key_uses = KeyUses()
        self.keys = Keys(database, uses=self._key_uses, clock=clock)
        self.audit = AuditLog(database, days=settings.audit_days, clock=clock)
        self.users = Users(database, clock=clock)

        # Chat, analytics, transfer
        self.chat = Chat(
            dependencies,
            answers=self._answers,
            contexts=self.contexts,
            models=self.models,
            tools=tools,
            max_seconds=settings.answer_seconds,
        )
        self.analytics = Analytics(
            database, policies=policies, flush_usage=self._usage_recorder.flush, clock=clock
        )
        self.data = DataTransfer(
            database,
            enqueuer=self._enqueuer,
            default_policy=settings.default_policy,
            max_message_bytes=settings.max_message_bytes,
            pinned_memory_tokens=settings.memory_pinned_token_cap,
            events=events,
            clock=clock,
        )

        handlers: dict[JobKind, Handler] = {
            "digest": self._compactor.run_job,
            "topic": topics.run_job,
            "index": self._reindexer.run_job,
            "extract": extractor.run_job,
        }
        if embeds:
            handlers["embed"] = self._embedding.run_job
        self._worker = Worker(
            database,
            handlers,
            clock=clock,
            lease=timedelta(seconds=settings.lease_seconds),
            max_attempts=settings.job_attempts,
        )

    def user(self, user_id: str) -> UserHandle:
        """A handle to one user's conversations and memories. Nothing is read or written."""
        return UserHandle(self, user_id)

    @property
    def embedder(self) -> str | None:
        """The name of the embedding model; None if search is lexical only."""
        configured = self._embedders.configured
        return configured.model if configured else None

    @property
    def queue_size(self) -> int:
        """The number of calls queued for the database."""
        return self._database.queue_size

    async def rebuild(self) -> int:
        """Enqueue the rebuild of all derived data; return the number of conversations.

        The worker, or `work`, runs the jobs.
        """
        return await self._reindexer.enqueue_all()

    async def count_pending_index_jobs(self) -> int:
        """The number of jobs that search still waits for: waiting, running or failed."""
        return await self._reindexer.count_pending_index_jobs()

    async def check(self) -> None:
        """Raise if the database does not answer or its schema is not this release's."""
        await check_schema(self._database)

    async def vector_version(self) -> str:
        """The version of the database's vector extension."""
        return await self._database.system(_vector_version, read_only=True)

    async def warm_up(self) -> None:
        """Load models now instead of at the first question, search or embedding job."""
        await self.models.load()
        await self._embedders.load()

    async def start_worker(self) -> None:
        """Run background jobs until the engine is closed."""
        if not self._is_working:
            self._is_working = True
            await self._embedding.register()
            self._background.append(asyncio.create_task(self._worker.run()))

    async def work(self) -> int:
        """Run all jobs that are due now, and return how many there were."""
        await self._embedding.register()
        done = await self._worker.run_due()
        await self._usage_recorder.flush()
        return done

    async def sweep(self) -> Expired:
        """Delete expired messages, enqueue missing jobs and release abandoned answers.

        For all users. `Recollect(...)` and the server do this every minute.
        """
        now = self._clock()
        await self._answers.interrupt_expired()
        expired = await sweep(self._database, self._policies, now=now)
        await self._enqueuer.requeue_missing(self._database, now=now)
        await self._reindexer.requeue_missing()
        await self._embedding.requeue_missing(now)
        await self._accesses.flush(self._database)
        await self._key_uses.flush(self._database)
        await self.audit.delete_expired()
        return expired

    async def sweep_forever(self) -> None:
        """Sweep now and every `sweep_seconds`; interrupt abandoned answers more often."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_repeat(self.sweep, every=self.settings.sweep_seconds))
            tasks.create_task(_repeat(self._answers.interrupt_expired, every=LEASE.seconds / 4))
            tasks.create_task(_repeat(self.audit.flush, every=_AUDIT_SECONDS))

    async def run_worker(self) -> None:
        """Run jobs and sweeps until cancelled, for a worker process."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._worker.run())
            tasks.create_task(self.sweep_forever())

    async def drain(self, seconds: float) -> None:
        """Accept no new questions, and wait up to `seconds` for running answers."""
        await self.chat.drain(seconds)

    async def close(self) -> None:
        """Stop background work and close the database. Closing twice does no harm."""
        if not self._is_open:
            return
        self._is_open = False
        await self.chat.close()
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        self._background.clear()
        await self._accesses.flush(self._database)
        await self._key_uses.flush(self._database)
        await self.audit.flush()
        await self.models.close()
        await self._embedders.close()
        await self._usage_recorder.flush()
        await self._database.close()


async def _repeat(sweep: Callable[[], Awaitable[object]], *, every: float) -> None:
    while True:
        try:
            await sweep()
        except Unavailable as error:
            logger.warning("sweep.retry", extra={"reason": error.log_message})
        except Exception:
            logger.exception("sweep.failed")
        await asyncio.sleep(every)


def _check_policies(policies: Mapping[str, Policy], default: str) -> None:
    for name in (default, HISTORY_POLICY):
        if name not in policies:
            raise Misconfigured(f"policies must contain {name!r}.")


def _check_model(parameter: str, model: object, attributes: Sequence[str]) -> None:
    if isinstance(model, type):
        raise Misconfigured(f"{parameter} must be an object, not the class {model.__name__}.")
    missing = [name for name in attributes if not hasattr(model, name)]
    if model is not None and missing:
        raise Misconfigured(f"{parameter} has no `{missing[0]}`: see recollect.llm.protocols.")


def _check_dimensions(settings: Settings, embedder: Embedder | None) -> None:
    """SQLite compares the signs of vectors first, stored in whole bytes."""
    dialect, _ = parse_database_url(settings.database_url)
    dimensions = 0
    if embedder is not None:
        dimensions = embedder.dimensions
    elif settings.embedding_model:
        dimensions = settings.embedding_dimensions
    if dialect == "sqlite" and dimensions % 8:
        raise Misconfigured(
            f"RECOLLECT_EMBEDDING_DIMENSIONS is {dimensions:,}, and SQLite needs a multiple of 8: "
            "set it to one that the model gives, or use PostgreSQL."
        )


async def open_database(url: str, *, timeouts: Timeouts = DEFAULT_TIMEOUTS) -> Database:
    dialect, address = parse_database_url(url)
    if dialect == "sqlite":
        return await SqliteDatabase.open(address)
    try:
        from recollect.store.postgres import PostgresDatabase
    except ImportError as error:
        raise Misconfigured(f"PostgreSQL needs its driver, {install_hint('postgres')}.") from error
    return await PostgresDatabase.open(address, timeouts=timeouts)


def _embedders(
    settings: Settings, usage_recorder: UsageRecorder, embedder: Embedder | None
) -> EmbedderRegistry:
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
        embedder=embedder,
    )


def _vector_version(run: Run) -> str:
    (row,) = run("vector_version")
    return str(row["version"])
