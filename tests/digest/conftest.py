"""The engine on both databases, with a scripted model."""

import pytest

from recollect.sync import Recollect
from tests.conftest import Open


@pytest.fixture
def modelled(open_with_model: Open) -> Recollect:
    return open_with_model()
