"""Servers under a mixed load, while something happens to them; then the scan of what is left."""

import asyncio
import random
from collections.abc import Awaitable, Callable

from recollect.sync import Recollect
from tests.faults.facts import Facts
from tests.faults.fleet import Fleet
from tests.faults.scan import scan
from tests.faults.talking import Talking
from tests.faults.tally import Findings
from tests.faults.traffic import Traffic
from tests.scripted_model import ScriptedModel

_USERS = ("ada", "bea", "cyd")
_CLIENTS_EACH = 2

Meanwhile = Callable[[Fleet, Traffic], Awaitable[None]]


class Siege:
    """`raw_url` is how the database is looked at from outside, where that is another address."""

    def __init__(
        self, url: str, *, servers: int, model_faults: float = 0.0, raw_url: str | None = None
    ) -> None:
        self.seed = random.SystemRandom().randrange(2**32)
        self._url = url
        self._raw_url = raw_url or url
        self._servers = servers
        self.talking = Talking(self._raw_url, seed=self.seed, faults=model_faults)
        with Recollect.open(url) as memory:
            keys = {user: memory.keys.create_key(user_id=user) for user in _USERS}
        self.traffic = Traffic(keys, clients_each=_CLIENTS_EACH, seed=self.seed)

    @property
    def facts(self) -> Facts:
        return self.traffic.facts

    def hold(self, meanwhile: Meanwhile) -> Findings:
        """What is wrong after it, once all that was owed is done."""
        with ScriptedModel() as model:
            model.always = self.talking
            with Fleet(self._url, model, size=self._servers) as fleet:
                self.traffic.urls = fleet.urls
                asyncio.run(self.traffic.run(lambda: meanwhile(fleet, self.traffic)))
            self.talking.faults = 0.0
            fleet.settle()
        early = (f"the model was asked too early: {one}" for one in self.talking.too_early)
        found = scan(self._raw_url, self.facts) + Findings(broken=tuple(early))
        if found != Findings():
            found += Findings(broken=(f"(the seed was {self.seed})",))
        return found
