"""Unusable PostgreSQL servers and roles: the error says what to do."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql

from recollect import Misconfigured, Unavailable
from recollect.cli import main
from recollect.sync import Recollect
from tests.conftest import PostgresServer

_PASSWORD = "s3cret-and-long"


@pytest.fixture
def role(postgres: PostgresServer, new_postgres: str) -> Iterator[str]:
    """A login role that owns the new database and has no other rights."""
    name = f"owner_of_{_name(new_postgres)}"
    for statement in (
        "create role {role} login",
        "alter database {database} owner to {role}",
    ):
        _administer(postgres, statement, name, new_postgres)
    # pgvector is not among the extensions that an owner may create.
    with psycopg.connect(new_postgres) as connection:
        connection.execute("create extension vector")
    yield name
    _administer(postgres, "alter database {database} owner to current_user", name, new_postgres)
    with psycopg.connect(new_postgres) as connection:
        connection.execute(
            sql.SQL("drop owned by {role} cascade").format(role=sql.Identifier(name))
        )
    _administer(postgres, "drop role {role}", name, new_postgres)


def test_missing_pgvector(postgres: PostgresServer, new_postgres: str) -> None:
    if _version(new_postgres) < 180000:
        pytest.skip("only PostgreSQL 18 can be made to forget an extension")
    change = "alter database {database} set extension_control_path = '/nonexistent'"
    _administer(postgres, change, "", new_postgres)
    with pytest.raises(Misconfigured, match=r"no pgvector: install .* `create extension vector`"):
        Recollect.open(new_postgres)
    assert _tables(new_postgres) == 0
    _administer(
        postgres, "alter database {database} reset extension_control_path", "", new_postgres
    )
    _use(new_postgres)


@pytest.mark.parametrize(
    "setting", ["datestyle = 'German'", "client_encoding = 'LATIN1'", "timezone = 'Asia/Manila'"]
)
def test_database_defaults_are_overridden(
    postgres: PostgresServer, new_postgres: str, setting: str
) -> None:
    _administer(postgres, f"alter database {{database}} set {setting}", "", new_postgres)
    _use(new_postgres)


def test_schema_named_after_user(new_postgres: str) -> None:
    """ "$user" in the search path must resolve the same after `set role`."""
    with psycopg.connect(new_postgres) as connection:
        connection.execute("create schema authorization current_user")
    _use(new_postgres)


def test_database_with_other_encoding_is_refused(postgres: PostgresServer) -> None:
    name = sql.Identifier("recollect_latin")
    postgres.execute(
        sql.SQL("create database {} template template0 encoding 'LATIN1' locale 'C'").format(name)
    )
    try:
        with pytest.raises(Misconfigured, match="UTF-8"):
            Recollect.open(postgres.url("recollect_latin"))
    finally:
        postgres.drop(postgres.url("recollect_latin"))


def test_connection_refused() -> None:
    with pytest.raises(Unavailable, match=r"cannot be reached: .*refused") as refused:
        Recollect.open(f"postgresql://postgres:{_PASSWORD}@127.0.0.1:1/recollect")
    assert _PASSWORD not in str(refused.value)


def test_unknown_host() -> None:
    with pytest.raises(Unavailable, match=r"cannot be reached: .*nowhere\.invalid"):
        Recollect.open(f"postgresql://postgres:{_PASSWORD}@nowhere.invalid/recollect")


def test_unknown_database(postgres: PostgresServer) -> None:
    with pytest.raises((Misconfigured, Unavailable), match='database "nowhere" does not exist'):
        Recollect.open(postgres.url("nowhere"))


def test_unknown_role(new_postgres: str) -> None:
    with pytest.raises((Misconfigured, Unavailable), match="nobody"):
        Recollect.open(_as(new_postgres, "nobody"))


def test_wrong_password(postgres: PostgresServer, new_postgres: str, role: str) -> None:
    change = f"alter role {{role}} password '{_PASSWORD}'"
    _administer(postgres, change, role, new_postgres)
    with _PasswordsWanted(postgres, new_postgres, role):
        with pytest.raises(
            (Misconfigured, Unavailable), match="password authentication failed"
        ) as refused:
            Recollect.open(_as(new_postgres, role, "wr0ng-and-long"))
        assert "wr0ng" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://postgres:{_PASSWORD} x@127.0.0.1/recollect",
        f"postgresql://postgres:{_PASSWORD}%zz@127.0.0.1/recollect",
        f"postgresql://postgres:{_PASSWORD}@127.0.0.1/recollect?nonsense=1",
    ],
)
def test_error_hides_password(url: str) -> None:
    with pytest.raises(Misconfigured, match="DATABASE_URL") as refused:
        Recollect.open(url)
    assert _PASSWORD not in str(refused.value)


def test_role_without_membership(postgres: PostgresServer, new_postgres: str, role: str) -> None:
    """The test server already has both roles, created by another user."""
    url = _as(new_postgres, role)
    with pytest.raises(Misconfigured, match=f"recollect_app.*recollect_system.*grant.*{role}"):
        Recollect.open(url)
    assert _tables(new_postgres) == 0
    _administer(postgres, "grant recollect_app, recollect_system to {role}", role, new_postgres)
    _use(url)


def test_role_that_may_not_set_role(postgres: PostgresServer, new_postgres: str, role: str) -> None:
    """The default for the creator of a role since PostgreSQL 16."""
    if _version(new_postgres) < 160000:
        pytest.skip("before PostgreSQL 16 who is a member may become the role")
    grant = "grant recollect_app, recollect_system to {role} with admin true, set false"
    _administer(postgres, f"{grant}, inherit false", role, new_postgres)
    _use(_as(new_postgres, role))


def test_role_that_may_not_create_tables(
    postgres: PostgresServer, new_postgres: str, role: str
) -> None:
    _administer(postgres, "alter database {database} owner to current_user", role, new_postgres)
    _administer(postgres, "grant recollect_app, recollect_system to {role}", role, new_postgres)
    url = _as(new_postgres, role)
    with pytest.raises(Misconfigured, match=f"{role} may not create tables"):
        Recollect.open(url)
    assert _tables(new_postgres) == 0
    _use(new_postgres)
    _use(url)  # a migrated database needs no more rights than these


def test_vacuum_needs_the_owner(
    postgres: PostgresServer, new_postgres: str, role: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _administer(postgres, "grant recollect_app, recollect_system to {role}", role, new_postgres)
    url = _as(new_postgres, role)
    _use(url)
    assert main(["vacuum", "--database", url]) == 0
    assert "statistics" not in capsys.readouterr().out

    _administer(postgres, "alter database {database} owner to current_user", role, new_postgres)
    assert main(["vacuum", "--database", url]) == 0
    assert "statistics are not: that needs the owner" in capsys.readouterr().out

    with psycopg.connect(new_postgres) as connection:
        connection.execute("alter table messages owner to current_user")
    assert main(["vacuum", "--database", url]) == 1
    assert "Only the owner of the tables can vacuum them" in capsys.readouterr().err


def test_read_only_server(postgres: PostgresServer, new_postgres: str) -> None:
    change = "alter database {database} set default_transaction_read_only = on"
    _administer(postgres, change, "", new_postgres)
    with pytest.raises(Misconfigured, match="read-only"):
        Recollect.open(new_postgres)
    change = "alter database {database} reset default_transaction_read_only"
    _administer(postgres, change, "", new_postgres)
    _use(new_postgres)


class _PasswordsWanted:
    """Make the test server require a password for the role."""

    def __init__(self, postgres: PostgresServer, url: str, role: str) -> None:
        self._postgres, self._url, self._role = postgres, url, role
        with psycopg.connect(url) as connection:
            (path,) = connection.execute("show hba_file").fetchone() or ("",)
        self._file = Path(path)
        self._before = self._file.read_text() if self._file.is_file() else None

    def __enter__(self) -> None:
        if self._before is not None:
            rules = [f"{kind} scram-sha-256" for kind in self._kinds()]
            self._file.write_text("\n".join([*rules, self._before]))
            _administer(self._postgres, "select pg_reload_conf()", "", self._url)
        while self._trusts():
            pass

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            self._file.write_text(self._before)
            _administer(self._postgres, "select pg_reload_conf()", "", self._url)
            while not self._trusts():
                pass

    def _kinds(self) -> list[str]:
        return [f"local all {self._role}", f"host all {self._role} all"]

    def _trusts(self) -> bool:
        try:
            psycopg.connect(_as(self._url, self._role, "nonsense")).close()
        except psycopg.OperationalError:
            return False
        return True


def _use(url: str) -> None:
    with Recollect.open(url) as memory:
        memory.check()
        created = memory.conversations.create_conversation(user_id="alice")
        assert (
            memory.conversations.get_conversation(conversation_id=created.id, user_id="alice")
            == created
        )
        memory.sweep()


def _as(url: str, role: str, password: str = "") -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{role}:{password}@{host}"))


def _administer(postgres: PostgresServer, statement: str, role: str, url: str) -> None:
    names = {"role": sql.Identifier(role), "database": sql.Identifier(_name(url))}
    used = {name: value for name, value in names.items() if f"{{{name}}}" in statement}
    postgres.execute(sql.SQL(statement).format(**used))


def _name(url: str) -> str:
    return urlsplit(url).path.lstrip("/")


def _version(url: str) -> int:
    with psycopg.connect(url) as connection:
        return connection.info.server_version


def _tables(url: str) -> int:
    with psycopg.connect(url) as connection:
        found = connection.execute("select from pg_tables where schemaname = 'public'")
        return len(found.fetchall())
