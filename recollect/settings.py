"""Settings: read from the environment once, into one frozen object.

A wrong value stops the start with a sentence that names the variable. Only the composition root
and the command line read this; everything else is given what it needs.
"""

import difflib
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import time
from pathlib import Path
from typing import Any, get_args

import platformdirs

from recollect.core.errors import Misconfigured
from recollect.core.policy import (
    DEFAULT_POLICY,
    MOST_MESSAGES,
    PRESETS,
    Policy,
    PolicySettings,
    Timing,
    presets,
)
from recollect.llm.protocols import HostedPrompt
from recollect.llm.variants import LOCAL, Variant, parse_variants, with_keys
from recollect.store.url import parse_database_url

LOCAL_USER = "local"
"""Whose everything is, where nobody has to say who they are."""
SUMMARY_PROMPT_ID = "pmpt_6917ebe9367c819396fe4840cf0f0e050c18a965a3366120"


def default_database_url() -> str:
    path = Path(platformdirs.user_data_dir("recollect", appauthor=False)) / "recollect.db"
    return f"sqlite:///{path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Each field is read from the environment variable that `NAMES` gives for it."""

    database_url: str
    host: str = "127.0.0.1"
    port: int = 8000
    default_policy: str = DEFAULT_POLICY
    max_message_bytes: int = 2_000_000
    max_body_bytes: int = 10_000_000
    max_import_bytes: int = 2_000_000_000
    requests_per_minute: int = 6_000
    answers_per_minute: int = 120
    shutdown_seconds: int = 20
    sweep_seconds: int = 60
    cors_origins: str = ""
    log_format: str = "text"

    jwt_secret: str = field(default="", repr=False)
    jwks_url: str = ""
    jwt_audience: str = "authenticated"
    jwt_issuer: str = ""

    memory_k_raw_turns: int = 3
    memory_summary_token_cap: int = 500
    memory_prompt_token_budget: int = 3_000
    memory_chunk_summarize_threshold: int = 6_000
    memory_summarizer_model: str = "gpt-5.1-nano"
    prompt_id_summary_global: str = SUMMARY_PROMPT_ID
    prompt_version_summary_global: str = ""
    memory_fill_tail: bool = True
    memory_ledger_token_cap: int = 250
    memory_pinned_token_cap: int = 1_000
    summary_window_size: int = 30
    recent_message_count: int = 8
    compress_threshold: int = 20
    compression_model: str = "gpt-5-mini"
    target_summary_tokens: int = 500
    digest_timing: str = ""
    digest_at: str = "03:00"
    eager_seconds: int = 10

    extraction: str = "automatic"
    extract_turns: int = 5
    extract_idle_seconds: int = 120

    worker: bool = True
    job_attempts: int = 5
    lease_seconds: int = 60

    openai_api_key: str = field(default="", repr=False)
    openai_base_url: str = ""
    chat_model: str = ""
    variants: str = field(default="", repr=False)
    default_variant: str = ""
    context_window: int = 128_000
    answer_tokens: int = 4_096
    tools: str = ""

    embedder: str = ""
    embedding_model: str = ""
    embedding_dimensions: int = 1_536
    embedding_near: float = 0.35
    embedding_base_url: str = ""
    embedding_api_key: str = field(default="", repr=False)
    query_milliseconds: int = 2_000
    switch_margin: float = 0.1

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        given: dict[str, Any] = {"database_url": default_database_url()}
        for setting in fields(cls):
            name = NAMES[setting.name]
            if text := environment.get(name):
                given[setting.name] = _READERS[setting.type](name, text)
        if "variants" in given:
            given["variants"] = with_keys(given["variants"], environment)
        _refuse_misspelt(environment)
        settings = cls(**given)
        settings.check()
        return settings

    def check(self) -> None:
        if self.port > 65_535:
            raise Misconfigured(f"PORT must be at most 65535, not {self.port}.")
        _check_choice("RECOLLECT_DEFAULT_POLICY", self.default_policy, tuple(PRESETS))
        if self.digest_timing:
            timings = tuple(timing for timing in get_args(Timing) if timing != "never")
            _check_choice("RECOLLECT_DIGEST_TIMING", self.digest_timing, timings)
        _check_choice("RECOLLECT_EXTRACTION", self.extraction, EXTRACTIONS)
        _check_choice("RECOLLECT_LOG_FORMAT", self.log_format, LOG_FORMATS)
        self._check_identity()
        if self.answer_tokens >= self.context_window:
            raise Misconfigured(
                "RECOLLECT_ANSWER_TOKENS must be less than RECOLLECT_CONTEXT_WINDOW."
            )
        if self.summary_window_size < 2:
            raise Misconfigured("SUMMARY_WINDOW_SIZE must be at least 2: a summary and a message.")
        for name, value in (
            ("SUMMARY_WINDOW_SIZE", self.summary_window_size),
            ("COMPRESS_THRESHOLD", self.compress_threshold),
        ):
            if value > MOST_MESSAGES:
                raise Misconfigured(f"{name} must be at most {MOST_MESSAGES}, not {value}.")
        if self.recent_message_count >= self.compress_threshold:
            raise Misconfigured("RECENT_MESSAGE_COUNT must be less than COMPRESS_THRESHOLD.")
        if self.embedder:
            _check_choice("RECOLLECT_EMBEDDER", self.embedder, tuple(EMBEDDERS))
        if not 0 < self.embedding_near <= 1:
            raise Misconfigured("RECOLLECT_EMBEDDING_NEAR must be over 0, and at most 1.")
        if not 0 <= self.switch_margin <= 1:
            raise Misconfigured("RECOLLECT_SWITCH_MARGIN must be between 0 and 1.")
        parse_database_url(self.database_url)
        self.digest_time()
        self.policies()
        variants = self.chat_variants()
        _check_choice("RECOLLECT_DEFAULT_VARIANT", self.default_variant_name(), tuple(variants))

    def _check_identity(self) -> None:
        if self.jwt_secret and len(self.jwt_secret.encode()) < SHORTEST_JWT_SECRET:
            raise Misconfigured(
                f"RECOLLECT_JWT_SECRET must have at least {SHORTEST_JWT_SECRET} bytes."
            )
        if self.jwks_url and not _WEB_ADDRESS.fullmatch(self.jwks_url):
            raise Misconfigured(
                "RECOLLECT_JWKS_URL must be an address such as "
                "https://issuer.example/.well-known/jwks.json."
            )
        for origin in self.allowed_origins():
            if not re.fullmatch(r"https?://[^/\s]+", origin):
                raise Misconfigured(
                    "RECOLLECT_CORS_ORIGINS must be origins such as https://app.example, separated "
                    f"by commas, not {origin!r}."
                )

    def policies(self) -> dict[str, Policy]:
        """The presets, with this deployment's numbers."""
        values = asdict(self)
        knobs = {knob.name: values[knob.name] for knob in fields(PolicySettings)}
        knobs["digest_timing"] = self.digest_timing or None
        return presets(PolicySettings(**knobs))

    def allowed_origins(self) -> tuple[str, ...]:
        """Of the pages elsewhere that may use this server."""
        return tuple(part.strip() for part in self.cors_origins.split(",") if part.strip())

    def takes_tokens(self) -> bool:
        """Whether users sign in elsewhere, and bring a token from there."""
        return bool(self.jwt_secret or self.jwks_url)

    def digest_time(self) -> time:
        """The hour, in UTC, at which scheduled digests run."""
        if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", self.digest_at):
            raise Misconfigured(
                f"RECOLLECT_DIGEST_AT must be an hour such as 03:00, not {self.digest_at!r}."
            )
        return time.fromisoformat(self.digest_at)

    def chat_variants(self) -> dict[str, Variant]:
        """By name: those of RECOLLECT_VARIANTS, the one of RECOLLECT_CHAT_MODEL, the local one.

        A key in the environment alone changes nothing: what leaves this machine is said outright.
        """
        found = {}
        if self.chat_model:
            found["default"] = Variant(
                name="default",
                model=self.chat_model,
                base_url=self.openai_base_url or None,
                api_key=self.openai_api_key or None,
                window=self.context_window,
                answer_tokens=self.answer_tokens,
            )
        if self.variants:
            defaults = Variant(
                name="",
                model="",
                base_url=self.openai_base_url or None,
                api_key=self.openai_api_key or None,
                window=self.context_window,
                answer_tokens=self.answer_tokens,
            )
            found |= parse_variants(self.variants, defaults)
        found.setdefault(LOCAL.name, LOCAL)
        return found

    def hosted_prompt(self, *, is_openai: bool) -> HostedPrompt | None:
        """The hosted summary prompt. The built-in id is used on OpenAI's own endpoint only."""
        id, version = self.prompt_id_summary_global, self.prompt_version_summary_global
        is_configured = id != SUMMARY_PROMPT_ID or version
        if id == "none" or not (is_openai or is_configured):
            return None
        return HostedPrompt(id=id, version=version or None)

    def default_variant_name(self) -> str:
        return self.default_variant or next(iter(self.chat_variants()))


EXTRACTIONS = ("automatic", "manual")
"""Conversations are read for memories of themselves, or only when somebody asks for it."""
LOG_FORMATS = ("text", "json")
"""For people, or for machines."""
SHORTEST_JWT_SECRET = 32
"""HS256 asks for as many bytes as its hash has."""
_WEB_ADDRESS = re.compile(r"https?://([\w.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?(/\S*)?")
EMBEDDERS = ("local", "minilm", "multilingual", "none")
"""The embedded models together, either alone, or none: then search goes by words only."""

NAMES = {
    "database_url": "DATABASE_URL",
    "host": "RECOLLECT_HOST",
    "port": "PORT",
    "default_policy": "RECOLLECT_DEFAULT_POLICY",
    "max_message_bytes": "RECOLLECT_MAX_MESSAGE_BYTES",
    "max_body_bytes": "RECOLLECT_MAX_BODY_BYTES",
    "max_import_bytes": "RECOLLECT_MAX_IMPORT_BYTES",
    "requests_per_minute": "RECOLLECT_REQUESTS_PER_MINUTE",
    "answers_per_minute": "RECOLLECT_ANSWERS_PER_MINUTE",
    "shutdown_seconds": "RECOLLECT_SHUTDOWN_SECONDS",
    "sweep_seconds": "RECOLLECT_SWEEP_SECONDS",
    "cors_origins": "RECOLLECT_CORS_ORIGINS",
    "log_format": "RECOLLECT_LOG_FORMAT",
    "jwt_secret": "RECOLLECT_JWT_SECRET",
    "jwks_url": "RECOLLECT_JWKS_URL",
    "jwt_audience": "RECOLLECT_JWT_AUDIENCE",
    "jwt_issuer": "RECOLLECT_JWT_ISSUER",
    "memory_k_raw_turns": "MEMORY_K_RAW_TURNS",
    "memory_summary_token_cap": "MEMORY_SUMMARY_TOKEN_CAP",
    "memory_prompt_token_budget": "MEMORY_PROMPT_TOKEN_BUDGET",
    "memory_chunk_summarize_threshold": "MEMORY_CHUNK_SUMMARIZE_THRESHOLD",
    "memory_summarizer_model": "MEMORY_SUMMARIZER_MODEL",
    "prompt_id_summary_global": "PROMPT_ID_SUMMARY_GLOBAL",
    "prompt_version_summary_global": "PROMPT_VERSION_SUMMARY_GLOBAL",
    "memory_fill_tail": "MEMORY_FILL_TAIL",
    "memory_ledger_token_cap": "MEMORY_LEDGER_TOKEN_CAP",
    "memory_pinned_token_cap": "MEMORY_PINNED_TOKEN_CAP",
    "summary_window_size": "SUMMARY_WINDOW_SIZE",
    "recent_message_count": "RECENT_MESSAGE_COUNT",
    "compress_threshold": "COMPRESS_THRESHOLD",
    "compression_model": "COMPRESSION_MODEL",
    "target_summary_tokens": "TARGET_SUMMARY_TOKENS",
    "digest_timing": "RECOLLECT_DIGEST_TIMING",
    "digest_at": "RECOLLECT_DIGEST_AT",
    "eager_seconds": "RECOLLECT_EAGER_SECONDS",
    "extraction": "RECOLLECT_EXTRACTION",
    "extract_turns": "RECOLLECT_EXTRACT_TURNS",
    "extract_idle_seconds": "RECOLLECT_EXTRACT_IDLE_SECONDS",
    "worker": "RECOLLECT_WORKER",
    "job_attempts": "RECOLLECT_JOB_ATTEMPTS",
    "lease_seconds": "RECOLLECT_LEASE_SECONDS",
    "openai_api_key": "OPENAI_API_KEY",
    "openai_base_url": "OPENAI_BASE_URL",
    "chat_model": "RECOLLECT_CHAT_MODEL",
    "variants": "RECOLLECT_VARIANTS",
    "default_variant": "RECOLLECT_DEFAULT_VARIANT",
    "context_window": "RECOLLECT_CONTEXT_WINDOW",
    "answer_tokens": "RECOLLECT_ANSWER_TOKENS",
    "tools": "RECOLLECT_TOOLS",
    "embedder": "RECOLLECT_EMBEDDER",
    "embedding_model": "RECOLLECT_EMBEDDING_MODEL",
    "embedding_dimensions": "RECOLLECT_EMBEDDING_DIMENSIONS",
    "embedding_near": "RECOLLECT_EMBEDDING_NEAR",
    "embedding_base_url": "RECOLLECT_EMBEDDING_BASE_URL",
    "embedding_api_key": "RECOLLECT_EMBEDDING_API_KEY",
    "query_milliseconds": "RECOLLECT_QUERY_MILLISECONDS",
    "switch_margin": "RECOLLECT_SWITCH_MARGIN",
}
"""Which variable each setting is read from."""

SECRETS = frozenset({"openai_api_key", "embedding_api_key", "jwt_secret", "variants"})
"""What is never shown."""


def _check_choice(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise Misconfigured(f"{name} must be one of {', '.join(known)}, not {value!r}.")


def _refuse_misspelt(environment: Mapping[str, str]) -> None:
    """A setting that is nearly ours was meant, and would silently do nothing."""
    for name in environment.keys() - set(NAMES.values()):
        if not name.startswith(("RECOLLECT_", "MEMORY_")):
            continue
        if meant := difflib.get_close_matches(name, NAMES.values(), n=1, cutoff=0.9):
            raise Misconfigured(f"{name} is not a setting; {meant[0]} is.")


_MAY_BE_NONE = frozenset(
    {
        "PORT",
        "RECOLLECT_REQUESTS_PER_MINUTE",
        "RECOLLECT_ANSWERS_PER_MINUTE",
        "RECOLLECT_SHUTDOWN_SECONDS",
    }
)


def _number(name: str, text: str) -> int:
    smallest = 0 if name in _MAY_BE_NONE else 1
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < smallest:
        raise Misconfigured(f"{name} must be a whole number from {smallest} on, not {text!r}.")
    return value


def _flag(name: str, text: str) -> bool:
    flags = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if text.lower() not in flags:
        raise Misconfigured(f"{name} must be true or false, not {text!r}.")
    return flags[text.lower()]


def _decimal(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Misconfigured(f"{name} must be a number, not {text!r}.") from None


def _text(name: str, text: str) -> str:
    return text


_READERS: Mapping[Any, Any] = {int: _number, float: _decimal, bool: _flag, str: _text}
