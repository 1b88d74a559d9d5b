"""Settings: read once from the environment into one frozen object.

A field's name gives its environment variable: `RECOLLECT_` and the name in capitals, or the name
alone for the numbers of the specifications and for variables that other tools use as well. A wrong
value stops the start with a sentence that names the variable. Only the composition root, the server
and the command line read settings; everything else is passed the values it needs.
"""

import difflib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import time
from pathlib import Path
from typing import Any, get_args

import platformdirs

from recollect.core.errors import Misconfigured
from recollect.core.policy import (
    DEFAULT_POLICY,
    MAX_POLICY_MESSAGES,
    PRESETS,
    Layout,
    Policy,
    PolicySettings,
    RecallScope,
    Timing,
    presets,
)
from recollect.llm.protocols import HostedPrompt
from recollect.llm.variants import LOCAL, Variant, parse_variants, with_keys
from recollect.store.database import DEFAULT_TIMEOUTS, Timeouts
from recollect.store.url import parse_database_url

LOCAL_USER = "local"
"""The only user of a server without keys and tokens."""
SUMMARY_PROMPT_ID = "pmpt_6917ebe9367c819396fe4840cf0f0e050c18a965a3366120"
LOCAL_MODELS = ("smollm2", "off")
EXTRACTIONS = ("automatic", "manual")
LOG_FORMATS = ("text", "json")
EMBEDDERS = ("local", "minilm", "multilingual", "none")
"""Both embedded models together, one of them, or none: then search is lexical only."""
MIN_JWT_SECRET_BYTES = 32
"""The size of the hash that HS256 uses."""
_HTTP_URL = re.compile(r"https?://([\w.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?(/\S*)?")
_ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
_DEFAULT_PORTS = {"http:": ":80", "https": ":443"}


def default_database_url() -> str:
    path = Path(platformdirs.user_data_dir("recollect", appauthor=False)) / "recollect.db"
    return f"sqlite:///{path}"


def _secret() -> Any:
    return field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(PolicySettings):
    """All settings of a deployment. `Settings(...)` in code is validated like the environment."""

    database_url: str = field(default_factory=default_database_url)
    host: str = "127.0.0.1"
    port: int = 8000
    default_policy: str = DEFAULT_POLICY
    max_message_bytes: int = 2_000_000
    max_body_bytes: int = 10_000_000
    max_import_bytes: int = 2_000_000_000
    max_connections: int = 2_000
    requests_per_minute: int = 6_000
    answers_per_minute: int = 120
    shutdown_seconds: int = 20
    sweep_seconds: int = 60
    audit_days: int = 90
    cors_origins: str = ""
    log_format: str = "text"

    postgres_lock_milliseconds: int = DEFAULT_TIMEOUTS.lock
    postgres_statement_milliseconds: int = DEFAULT_TIMEOUTS.statement
    postgres_idle_milliseconds: int = DEFAULT_TIMEOUTS.idle

    jwt_secret: str = _secret()
    jwks_url: str = ""
    jwt_audience: str = "authenticated"
    jwt_issuer: str = ""

    prompt_id_summary_global: str = SUMMARY_PROMPT_ID
    prompt_version_summary_global: str = ""
    digest_at: str = "03:00"
    eager_seconds: int = 10

    extraction: str = "automatic"
    extract_turns: int = 5
    extract_idle_seconds: int = 120

    worker: bool = True
    job_attempts: int = 5
    lease_seconds: int = 60

    openai_api_key: str = _secret()
    openai_base_url: str = ""
    chat_model: str = ""
    variants: str = _secret()
    default_variant: str = ""
    local_model: str = "smollm2"
    context_window: int = 128_000
    answer_tokens: int = 4_096
    answer_seconds: int = 1_800
    tools: str = ""

    embedder: str = ""
    embedding_model: str = ""
    embedding_dimensions: int = 1_536
    embedding_near: float = 0.35
    embedding_base_url: str = ""
    embedding_api_key: str = _secret()
    query_milliseconds: int = 2_000
    switch_margin: float = 0.1

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """Read every setting that has a variable; raise Misconfigured for a wrong value."""
        values: dict[str, Any] = {}
        for setting in fields(cls):
            variable = VARIABLES[setting.name]
            if text := environment.get(variable):
                values[setting.name] = _parse(setting.type, text)
        if "variants" in values:
            values["variants"] = with_keys(values["variants"], environment)
        _reject_misspelt(environment)
        return cls(**values)

    def __post_init__(self) -> None:
        for setting in fields(self):
            _check_type(setting.type, VARIABLES[setting.name], getattr(self, setting.name))
        _check_choice("RECOLLECT_DEFAULT_POLICY", self.default_policy, tuple(PRESETS))
        if self.digest_timing:
            timings = tuple(timing for timing in get_args(Timing) if timing != "never")
            _check_choice("RECOLLECT_DIGEST_TIMING", self.digest_timing, timings)
        _check_choice("MEMORY_RECALL_SCOPE", self.memory_recall_scope, get_args(RecallScope))
        if self.memory_layout:
            _check_choice("MEMORY_LAYOUT", self.memory_layout, get_args(Layout))
        _check_choice("RECOLLECT_EXTRACTION", self.extraction, EXTRACTIONS)
        _check_choice("RECOLLECT_LOG_FORMAT", self.log_format, LOG_FORMATS)
        _check_choice("RECOLLECT_LOCAL_MODEL", self.local_model, LOCAL_MODELS)
        if self.embedder:
            _check_choice("RECOLLECT_EMBEDDER", self.embedder, EMBEDDERS)
        self._check_numbers()
        self._check_identity()
        parse_database_url(self.database_url)
        self.digest_time()
        self.policies()
        variants = self.chat_variants()
        if variants or self.default_variant:
            default = self.default_variant_name() or ""
            _check_choice("RECOLLECT_DEFAULT_VARIANT", default, tuple(variants))

    def _check_numbers(self) -> None:
        if self.port > 65_535:
            raise Misconfigured(f"PORT must be at most 65535, not {self.port}.")
        if self.answer_tokens >= self.context_window:
            raise Misconfigured(
                "RECOLLECT_ANSWER_TOKENS must be less than RECOLLECT_CONTEXT_WINDOW, "
                f"{self.context_window:,}, not {self.answer_tokens:,}."
            )
        if self.summary_window_size < 2:
            raise Misconfigured("SUMMARY_WINDOW_SIZE must be at least 2: a summary and a message.")
        for variable, value in (
            ("SUMMARY_WINDOW_SIZE", self.summary_window_size),
            ("COMPRESS_THRESHOLD", self.compress_threshold),
        ):
            if value > MAX_POLICY_MESSAGES:
                raise Misconfigured(
                    f"{variable} must be at most {MAX_POLICY_MESSAGES}, not {value}."
                )
        if self.recent_message_count >= self.compress_threshold:
            raise Misconfigured(
                "RECENT_MESSAGE_COUNT must be less than COMPRESS_THRESHOLD, "
                f"{self.compress_threshold}, not {self.recent_message_count}."
            )
        if not 0 < self.embedding_near <= 1:
            raise Misconfigured(
                f"RECOLLECT_EMBEDDING_NEAR must be over 0 and at most 1, not {self.embedding_near}."
            )
        if not 0 <= self.switch_margin <= 1:
            raise Misconfigured(
                f"RECOLLECT_SWITCH_MARGIN must be between 0 and 1, not {self.switch_margin}."
            )

    def _check_identity(self) -> None:
        if self.jwt_secret and len(self.jwt_secret.encode()) < MIN_JWT_SECRET_BYTES:
            raise Misconfigured(
                f"RECOLLECT_JWT_SECRET must have at least {MIN_JWT_SECRET_BYTES} bytes."
            )
        if self.jwks_url and not _HTTP_URL.fullmatch(self.jwks_url):
            raise Misconfigured(
                "RECOLLECT_JWKS_URL must be a URL such as "
                "https://issuer.example/.well-known/jwks.json."
            )
        for origin in self.allowed_origins():
            if not _ORIGIN.fullmatch(origin) or origin.endswith(_DEFAULT_PORTS[origin[:5]]):
                raise Misconfigured(
                    "RECOLLECT_CORS_ORIGINS must be origins as browsers send them, such as "
                    "https://app.example, separated by commas: in lower case, without wildcards, "
                    f"default ports and paths, not {origin!r}."
                )

    def policies(self) -> dict[str, Policy]:
        """The preset policies with this deployment's numbers, by name."""
        return presets(self)

    def allowed_origins(self) -> tuple[str, ...]:
        return tuple(part.strip() for part in self.cors_origins.split(",") if part.strip())

    def postgres_timeouts(self) -> Timeouts:
        return Timeouts(
            lock=self.postgres_lock_milliseconds,
            statement=self.postgres_statement_milliseconds,
            idle=self.postgres_idle_milliseconds,
        )

    def accepts_jwt(self) -> bool:
        return bool(self.jwt_secret or self.jwks_url)

    def digest_time(self) -> time:
        """The time of day, in UTC, at which scheduled digests run."""
        if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", self.digest_at):
            raise Misconfigured(
                f"RECOLLECT_DIGEST_AT must be a time such as 03:00, not {self.digest_at!r}."
            )
        return time.fromisoformat(self.digest_at)

    def chat_variants(self) -> dict[str, Variant]:
        """The model variants by name: the chat model, those of RECOLLECT_VARIANTS, the local one.

        An API key alone configures nothing: sending data elsewhere needs a model's name.
        """
        endpoint = Variant(
            name="default",
            model=self.chat_model,
            base_url=self.openai_base_url or None,
            api_key=self.openai_api_key or None,
            window=self.context_window,
            answer_tokens=self.answer_tokens,
        )
        variants = {"default": endpoint} if self.chat_model else {}
        if self.variants:
            variants |= parse_variants(self.variants, endpoint)
        if self.local_model != "off":
            variants.setdefault(LOCAL.name, LOCAL)
        return variants

    def default_variant_name(self) -> str | None:
        """None if no chat model is configured."""
        return self.default_variant or next(iter(self.chat_variants()), None)

    def hosted_prompt(self, *, is_openai: bool) -> HostedPrompt | None:
        """The hosted summary prompt. The built-in id is used on OpenAI's own endpoint only."""
        id, version = self.prompt_id_summary_global, self.prompt_version_summary_global
        is_configured = id != SUMMARY_PROMPT_ID or version
        if id == "none" or not (is_openai or is_configured):
            return None
        return HostedPrompt(id=id, version=version or None)


_UNPREFIXED = {setting.name for setting in fields(PolicySettings)} - {"digest_timing"} | {
    "database_url",
    "port",
    "openai_api_key",
    "openai_base_url",
    "prompt_id_summary_global",
    "prompt_version_summary_global",
}
VARIABLES: Mapping[str, str] = {
    setting.name: ("" if setting.name in _UNPREFIXED else "RECOLLECT_") + setting.name.upper()
    for setting in fields(Settings)
}
"""The environment variable of each setting."""
SECRETS = frozenset(setting.name for setting in fields(Settings) if not setting.repr)
"""Settings that are never shown."""
_MAY_BE_ZERO = frozenset(
    VARIABLES[name]
    for name in (
        "port",
        "requests_per_minute",
        "answers_per_minute",
        "shutdown_seconds",
        "audit_days",
        "postgres_lock_milliseconds",
        "postgres_statement_milliseconds",
        "postgres_idle_milliseconds",
    )
)
_FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def _check_choice(variable: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise Misconfigured(f"{variable} must be one of {', '.join(choices)}, not {value!r}.")


def _reject_misspelt(environment: Mapping[str, str]) -> None:
    """A misspelt variable would be ignored silently."""
    for name in environment.keys() - set(VARIABLES.values()):
        if not name.startswith(("RECOLLECT_", "MEMORY_")):
            continue
        if close := difflib.get_close_matches(name, VARIABLES.values(), n=1, cutoff=0.9):
            raise Misconfigured(f"{name} is not a setting; {close[0]} is.")


def _parse(kind: object, text: str) -> str | int | float | bool:
    """Convert the text of a variable; `_check_type` rejects what stays a text."""
    if kind is bool:
        return _FLAGS.get(text.lower(), text)
    if kind is int and re.fullmatch(r"\s*[+-]?\d+(_\d+)*\s*", text):
        return int(text)
    if kind is float:
        try:
            return float(text)
        except ValueError:
            return text
    return text


def _check_type(kind: object, variable: str, value: object) -> None:
    if kind is bool and not isinstance(value, bool):
        raise Misconfigured(f"{variable} must be true or false, not {value!r}.")
    if kind is float and not isinstance(value, float | int):
        raise Misconfigured(f"{variable} must be a number, not {value!r}.")
    if kind is int:
        minimum = 0 if variable in _MAY_BE_ZERO else 1
        if not isinstance(value, int) or isinstance(value, bool) or value < minimum:
            raise Misconfigured(
                f"{variable} must be a whole number from {minimum} on, not {value!r}."
            )
    if kind is str and not isinstance(value, str):
        raise Misconfigured(f"{variable} must be text, not {value!r}.")
