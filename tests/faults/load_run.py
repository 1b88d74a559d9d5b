"""Runs servers under mixed load during a fault, then checks the invariants."""

import asyncio
import random
from collections.abc import Awaitable, Callable

from recollect.sync import Recollect
from tests.faults.client_load import ClientLoad
from tests.faults.expected_state import ExpectedState
from tests.faults.fault_report import Findings
from tests.faults.faulty_model import FaultyModel
from tests.faults.invariants import check_invariants
from tests.faults.server_group import ServerGroup
from tests.scripted_model import ScriptedModel

_USERS = ("ada", "bea", "cyd")
_CLIENTS_EACH = 2

DuringLoad = Callable[[ServerGroup, ClientLoad], Awaitable[None]]


class LoadRun:
    """`raw_url` is the direct URL of the database, if it differs from `url`."""

    def __init__(
        self, url: str, *, servers: int, model_faults: float = 0.0, raw_url: str | None = None
    ) -> None:
        self.seed = random.SystemRandom().randrange(2**32)
        self._url = url
        self._raw_url = raw_url or url
        self._servers = servers
        self.model_behaviour = FaultyModel(self._raw_url, seed=self.seed, faults=model_faults)
        with Recollect.open(url) as memory:
            keys = {user: memory.keys.create_key(user_id=user) for user in _USERS}
        self.client_load = ClientLoad(keys, clients_each=_CLIENTS_EACH, seed=self.seed)

    @property
    def expected(self) -> ExpectedState:
        return self.client_load.expected

    def run_load(self, during: DuringLoad) -> Findings:
        """Run `during` under load, finish all jobs, and return the findings."""
        with ScriptedModel() as model:
            model.always = self.model_behaviour
            with ServerGroup(self._url, model, size=self._servers) as group:
                self.client_load.urls = group.urls
                asyncio.run(self.client_load.run(lambda: during(group, self.client_load)))
            self.model_behaviour.faults = 0.0
            group.finish_jobs()
        early = (
            f"the model was asked too early: {one}"
            for one in self.model_behaviour.asked_before_commit
        )
        found = check_invariants(self._raw_url, self.expected) + Findings(broken=tuple(early))
        if found != Findings():
            found += Findings(broken=(f"(the seed was {self.seed})",))
        return found
