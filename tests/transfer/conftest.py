"""Shares the filled SQLite database with the tests of the store."""

from tests.store.conftest import filled

__all__ = ["filled"]
