"""Settings: read from the environment once, into one frozen object.

A wrong value stops the start with a sentence that names the variable. Only the composition root
and the command line read this; everything else is given what it needs.
"""

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import platformdirs

from recollect.errors import Misconfigured
from recollect.policy import DEFAULT_POLICY, PRESETS


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
    sweep_seconds: int = 60

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        given: dict[str, Any] = {"database_url": default_database_url()}
        for setting in fields(cls):
            name = NAMES[setting.name]
            if text := environment.get(name):
                given[setting.name] = _number(name, text) if setting.type is int else text
        _refuse_misspelt(environment)
        settings = cls(**given)
        if settings.port > 65_535:
            raise Misconfigured(f"PORT must be at most 65535, not {settings.port}.")
        if settings.default_policy not in PRESETS:
            known = ", ".join(PRESETS)
            raise Misconfigured(
                f"RECOLLECT_DEFAULT_POLICY must be one of {known}, not {settings.default_policy!r}."
            )
        parse_database_url(settings.database_url)
        return settings


NAMES = {
    "database_url": "DATABASE_URL",
    "host": "RECOLLECT_HOST",
    "port": "PORT",
    "default_policy": "RECOLLECT_DEFAULT_POLICY",
    "max_message_bytes": "RECOLLECT_MAX_MESSAGE_BYTES",
    "max_body_bytes": "RECOLLECT_MAX_BODY_BYTES",
    "sweep_seconds": "RECOLLECT_SWEEP_SECONDS",
}
"""Which variable each setting is read from."""


def parse_database_url(url: str) -> tuple[str, str]:
    """("sqlite", path) or ("postgres", url)."""
    scheme, separator, rest = url.partition("://")
    if separator and scheme == "sqlite" and rest.startswith("/") and len(rest) > 1:
        return "sqlite", unquote(rest[1:])
    if separator and scheme in ("postgresql", "postgres"):
        if rest.partition("?")[0].count("@") > 1:
            raise Misconfigured("DATABASE_URL: an @ in the user or password is written as %40.")
        return "postgres", url
    raise Misconfigured(
        "DATABASE_URL must look like sqlite:///path.db, sqlite:///:memory: or postgresql://…, "
        f"not {scheme + '://…' if separator else 'a bare name'}."
    )


def _refuse_misspelt(environment: Mapping[str, str]) -> None:
    """A setting that is nearly ours was meant, and would silently do nothing."""
    for name in environment.keys() - set(NAMES.values()):
        meant = difflib.get_close_matches(name, NAMES.values(), n=1, cutoff=0.9)
        if name.startswith("RECOLLECT_") and meant:
            raise Misconfigured(f"{name} is not a setting; {meant[0]} is.")


def _number(name: str, text: str) -> int:
    smallest = 0 if name == "PORT" else 1
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < smallest:
        raise Misconfigured(f"{name} must be a whole number from {smallest} on, not {text!r}.")
    return value
