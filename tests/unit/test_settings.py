"""Settings: right ones are read, wrong ones stop the start with the variable's name."""

import pytest

from recollect import Misconfigured, Settings
from recollect.settings import parse_database_url


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


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PORT", "http"),
        ("PORT", "-1"),
        ("PORT", "70000"),
        ("RECOLLECT_MAX_MESSAGE_BYTES", "0"),
        ("RECOLLECT_SWEEP_SECONDS", "1.5"),
        ("RECOLLECT_DEFAULT_POLICY", "forever"),
        ("DATABASE_URL", "mysql://secret@host/db"),
        ("DATABASE_URL", "chat.db"),
        ("DATABASE_URL", "sqlite://"),
    ],
)
def test_wrong_values_are_named(variable: str, value: str) -> None:
    with pytest.raises(Misconfigured, match=variable) as refused:
        Settings.from_environment({variable: value})
    assert "secret" not in refused.value.message


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
