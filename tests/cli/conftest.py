import pytest


@pytest.fixture
def database_url(own_database: str) -> str:
    """Each command is a process."""
    return own_database
