"""The loader of named queries."""

import pytest

from recollect.store.queries import load_queries, percent_parameters


def test_both_databases_have_the_same_queries() -> None:
    sqlite, postgres = load_queries("sqlite"), load_queries("postgres")
    assert sqlite.user.keys() == postgres.user.keys()
    assert sqlite.system.keys() == postgres.system.keys()
    assert sqlite.user.keys().isdisjoint(sqlite.system)


def test_comments_and_semicolons_are_removed() -> None:
    for statement in load_queries("sqlite").user.values():
        assert "--" not in statement
        assert not statement.endswith(";")


def test_parts_are_expanded() -> None:
    for dialect in ("sqlite", "postgres"):
        queries = load_queries(dialect)
        for statement in (*queries.user.values(), *queries.system.values()):
            assert "{" not in statement
        assert "message_columns" not in queries.user, "a part is no query"
        assert "as rating" in queries.user["list_turn"]


@pytest.mark.parametrize(
    ("statement", "translated"),
    [
        ("select :a, :b_c", "select %(a)s, %(b_c)s"),
        ("like '50%'", "like '50%%'"),
        ("x::text", "x::text"),
    ],
)
def test_parameters_are_converted(statement: str, translated: str) -> None:
    assert percent_parameters(statement) == translated
