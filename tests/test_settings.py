"""Settings: right ones are read, wrong ones stop the start with the variable's name."""

import json

import pytest

from recollect import Misconfigured, Settings
from recollect.store.url import parse_database_url


def test_defaults_need_no_environment() -> None:
    settings = Settings.from_environment({})
    assert (settings.host, settings.port, settings.default_policy) == ("127.0.0.1", 8000, "chunked")
    assert settings.database_url.startswith("sqlite:////")


def test_the_environment_is_read() -> None:
    settings = Settings.from_environment(
        {"PORT": "0", "DATABASE_URL": "postgresql://h/d", "RECOLLECT_DEFAULT_POLICY": "window"}
    )
    assert (settings.port, settings.database_url) == (0, "postgresql://h/d")
    assert settings.default_policy == "window"


def test_extraction_is_automatic_by_default() -> None:
    settings = Settings.from_environment({})
    assert settings.extraction == "automatic"
    assert (settings.extract_turns, settings.extract_idle_seconds) == (5, 120)
    given = {
        "RECOLLECT_EXTRACTION": "manual",
        "RECOLLECT_EXTRACT_TURNS": "1",
        "RECOLLECT_EXTRACT_IDLE_SECONDS": "3600",
    }
    settings = Settings.from_environment(given)
    assert settings.extraction == "manual"
    assert (settings.extract_turns, settings.extract_idle_seconds) == (1, 3_600)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PORT", "http"),
        ("PORT", "-1"),
        ("PORT", "70000"),
        ("RECOLLECT_MAX_MESSAGE_BYTES", "0"),
        ("RECOLLECT_SWEEP_SECONDS", "1.5"),
        ("RECOLLECT_DEFAULT_POLICY", "forever"),
        ("MEMORY_K_RAW_TURNS", "0"),
        ("MEMORY_SUMMARY_TOKEN_CAP", "many"),
        ("MEMORY_PROMPT_TOKEN_BUDGET", "-1"),
        ("MEMORY_CHUNK_SUMMARIZE_THRESHOLD", "6k"),
        ("MEMORY_FILL_TAIL", "perhaps"),
        ("MEMORY_LEDGER_TOKEN_CAP", "0"),
        ("MEMORY_PINNED_TOKEN_CAP", "1.5"),
        ("SUMMARY_WINDOW_SIZE", "0"),
        ("SUMMARY_WINDOW_SIZE", "1"),
        ("SUMMARY_WINDOW_SIZE", "1001"),
        ("RECENT_MESSAGE_COUNT", "0"),
        ("RECENT_MESSAGE_COUNT", "20"),
        ("COMPRESS_THRESHOLD", "8"),
        ("COMPRESS_THRESHOLD", "1001"),
        ("TARGET_SUMMARY_TOKENS", "0"),
        ("RECOLLECT_DIGEST_TIMING", "never"),
        ("RECOLLECT_DIGEST_TIMING", "later"),
        ("RECOLLECT_DIGEST_AT", "3"),
        ("RECOLLECT_DIGEST_AT", "3:00"),
        ("RECOLLECT_DIGEST_AT", "24:00"),
        ("RECOLLECT_EAGER_SECONDS", "0"),
        ("RECOLLECT_EXTRACTION", "never"),
        ("RECOLLECT_EXTRACTION", "Automatic"),
        ("RECOLLECT_EXTRACT_TURNS", "0"),
        ("RECOLLECT_EXTRACT_TURNS", "some"),
        ("RECOLLECT_EXTRACT_IDLE_SECONDS", "0"),
        ("RECOLLECT_EXTRACT_IDLE_SECONDS", "2.5"),
        ("RECOLLECT_WORKER", "on"),
        ("RECOLLECT_JOB_ATTEMPTS", "0"),
        ("RECOLLECT_LEASE_SECONDS", "a minute"),
        ("RECOLLECT_CONTEXT_WINDOW", "4096"),
        ("RECOLLECT_ANSWER_TOKENS", "128000"),
        ("RECOLLECT_DEFAULT_VARIANT", "nobody"),
        ("RECOLLECT_VARIANTS", '{"a": {"model": "m", "api_key": "secret"}'),
        ("RECOLLECT_VARIANTS", '["secret"]'),
        ("RECOLLECT_VARIANTS", '{"a": "secret"}'),
        ("RECOLLECT_VARIANTS", '{"a": {"api_key": "secret"}}'),
        ("RECOLLECT_VARIANTS", '{"a": {"model": 7, "api_key": "secret"}}'),
        ("RECOLLECT_VARIANTS", '{"a": {"model": "m", "speed": 9, "api_key": "secret"}}'),
        ("RECOLLECT_VARIANTS", '{"a": {"model": "m", "name": "b"}}'),
        ("RECOLLECT_VARIANTS", '{"a": {"model": "m", "window": "wide"}}'),
        ("RECOLLECT_VARIANTS", '{"a": {"model": "m", "window": 4096}}'),
        ("RECOLLECT_VARIANTS", '{"a": {"model": "m", "answer_tokens": -1}}'),
        ("RECOLLECT_VARIANTS", '{"a": {"model": "m", "timeout_seconds": "long"}}'),
        ("RECOLLECT_VARIANTS", '{"a": {"model": "m", "base_url": 7}}'),
        ("RECOLLECT_VARIANTS", '{"a": {"model": "m", "api_key_env": "NOT_SET"}}'),
        ("RECOLLECT_VARIANTS", '{"a": {"model": "m", "api_key_env": 7}}'),
        ("RECOLLECT_CORS_ORIGINS", "*"),
        ("RECOLLECT_CORS_ORIGINS", "null"),
        ("RECOLLECT_CORS_ORIGINS", "app.example"),
        ("RECOLLECT_CORS_ORIGINS", "https://*.example.com"),
        ("RECOLLECT_CORS_ORIGINS", "https://app.example, https://*.example.com"),
        ("RECOLLECT_CORS_ORIGINS", "https://app.example/"),
        ("RECOLLECT_CORS_ORIGINS", "https://someone@app.example"),
        ("RECOLLECT_CORS_ORIGINS", "https://App.example"),
        ("RECOLLECT_CORS_ORIGINS", "https://app.example:443"),
        ("RECOLLECT_CORS_ORIGINS", "http://app.example:80"),
        ("RECOLLECT_CORS_ORIGINS", "https://app.example:"),
        ("RECOLLECT_CORS_ORIGINS", "https://caf\u00e9.example"),
        ("RECOLLECT_CORS_ORIGINS", "file://app.example"),
        ("DATABASE_URL", "mysql://secret@host/db"),
        ("DATABASE_URL", "chat.db"),
        ("DATABASE_URL", "sqlite://"),
    ],
)
def test_wrong_values_are_named(variable: str, value: str) -> None:
    with pytest.raises(Misconfigured, match=variable) as refused:
        Settings.from_environment({variable: value})
    assert "secret" not in refused.value.message


def test_origins_as_browsers_send_them_are_accepted() -> None:
    origins = (
        "https://app.example",
        "http://localhost:5173",
        "http://[::1]:8080",
        "https://a-b.c:80",
    )
    settings = Settings.from_environment({"RECOLLECT_CORS_ORIGINS": ", ".join(origins)})
    assert settings.allowed_origins() == origins


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [
        ("MEMORY_K_RAW_TURN", "MEMORY_K_RAW_TURNS"),
        ("MEMORY_FILL_TAILS", "MEMORY_FILL_TAIL"),
        ("RECOLLECT_DIGEST_TIMMING", "RECOLLECT_DIGEST_TIMING"),
        ("RECOLLECT_VARIANT", "RECOLLECT_VARIANTS"),
        ("RECOLLECT_EXTRACT_TURN", "RECOLLECT_EXTRACT_TURNS"),
    ],
)
def test_misspelt_names_are_noticed(misspelt: str, meant: str) -> None:
    with pytest.raises(Misconfigured, match=f"{misspelt} is not a setting; {meant} is"):
        Settings.from_environment({misspelt: "1"})


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("TRUE", True), ("1", True), ("no", False), ("0", False), ("False", False)],
)
def test_flags_are_read(text: str, value: bool) -> None:
    given = {"RECOLLECT_WORKER": text, "MEMORY_FILL_TAIL": text}
    settings = Settings.from_environment(given)
    assert (settings.worker, settings.memory_fill_tail) == (value, value)


def test_nothing_leaves_this_machine_by_itself() -> None:
    for environment in ({}, {"OPENAI_API_KEY": "sk-1"}, {"OPENAI_BASE_URL": "http://10.0.0.5/v1"}):
        settings = Settings.from_environment(environment)
        assert list(settings.chat_variants()) == ["local"]
        assert settings.chat_variants()[settings.default_variant_name() or ""].is_local


def test_a_named_model_is_the_default_variant() -> None:
    settings = Settings.from_environment(
        {"OPENAI_API_KEY": "sk-1", "RECOLLECT_CHAT_MODEL": "m", "RECOLLECT_ANSWER_TOKENS": "9"}
    )
    variant = settings.chat_variants()[settings.default_variant_name() or ""]
    assert (variant.name, variant.model, variant.is_openai) == ("default", "m", True)
    assert (variant.api_key, variant.window, variant.answer_tokens) == ("sk-1", 128_000, 9)


def test_variants_take_what_they_lack_from_the_settings() -> None:
    variants = {
        "deep-dive": {"model": "big", "window": 400_000},
        "house": {"model": "m", "base_url": "http://10.0.0.5/v1", "api_key_env": "HOUSE_KEY"},
    }
    settings = Settings.from_environment(
        {
            "RECOLLECT_VARIANTS": json.dumps(variants),
            "RECOLLECT_DEFAULT_VARIANT": "house",
            "OPENAI_API_KEY": "sk-1",
            "HOUSE_KEY": "sk-2",
        }
    )
    found = settings.chat_variants()
    assert list(found) == ["deep-dive", "house", "local"]
    assert settings.default_variant_name() == "house"
    deep, house = found["deep-dive"], found["house"]
    assert (deep.model, deep.window, deep.answer_tokens) == ("big", 400_000, 4_096)
    assert (deep.api_key, deep.is_openai) == ("sk-1", True)
    assert (house.api_key, house.base_url, house.is_openai) == (
        "sk-2",
        "http://10.0.0.5/v1",
        False,
    )


def test_secrets_are_not_shown() -> None:
    settings = Settings.from_environment(
        {
            "OPENAI_API_KEY": "sk-secret",
            "RECOLLECT_CHAT_MODEL": "m",
            "RECOLLECT_VARIANTS": '{"a": {"model": "m", "api_key": "sk-secret"}}',
        }
    )
    assert "sk-secret" not in f"{settings!r} {settings.chat_variants()!r}"


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("sqlite:///chat.db", "chat.db"),
        ("sqlite:////data/chat.db", "/data/chat.db"),
        ("sqlite:///my%20chat.db", "my chat.db"),
        ("sqlite:///:memory:", ":memory:"),
    ],
)
def test_sqlite_urls_name_a_path(url: str, path: str) -> None:
    assert parse_database_url(url) == ("sqlite", path)
