"""Sends requests generated from /openapi.json, valid and invalid, and checks the responses with it.

schemathesis generates the requests, but rarely with an existing id or model. So most requests get
plausible names before they are sent, some plausible texts too, and some the worst possible texts
and numbers. Deliberately invalid parts are not changed.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, MutableMapping
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import schemathesis
from schemathesis import GenerationMode
from schemathesis.engine import events, from_schema

from tests.server.plausible import Plausible, Values

_NASTY = ["\0", "a\0b", "%00", "\u202e", "' or 1=1 --", "../..", "9" * 400, "ﷺ" * 200]
_CONTROL = "".join(map(chr, (*range(32), 127)))
"""HTTP forbids them in headers, and the server's parser refuses them without a response body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Depth:
    """How much is tried beyond the boundary values of each field."""

    examples: int
    is_whole: bool = False
    """Also invalid values of each field, and stateful sequences of requests."""


@dataclass(frozen=True, slots=True)
class Explored:
    """The statuses of each operation, and the failed checks."""

    statuses: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    failures: list[str] = field(default_factory=list)

    def note(self, event: events.EngineEvent) -> None:
        match event:
            case events.ScenarioFinished():
                self._note_scenario(event.recorder)
            case events.NonFatalError():
                self.failures.append(f"{event.label}: {event.value}")
            case events.FatalError():
                raise event.exception

    def _note_scenario(self, recorder: Any) -> None:
        for interaction in recorder.interactions.values():
            if interaction.response is not None:
                self.statuses[recorder.label][interaction.response.status_code] += 1
        for node in (node for nodes in recorder.checks.values() for node in nodes):
            if found := node.failure_info:
                failure = found.failure
                self.failures.append(
                    f"{recorder.label}: {failure.title}\n{failure.message}\n{found.code_sample}"
                )


def explore(url: str, plausible: Plausible, *, key: str, depth: Depth) -> Explored:
    """Explore all operations except DELETE /api/me."""
    described = schemathesis.openapi.from_url(f"{url}/openapi.json", config=_config(key, depth))
    schema = described.exclude(path="/api/me", method="DELETE")
    ways: defaultdict[tuple[str, bool], Iterator[str]] = defaultdict(
        lambda: cycle(("with texts", "unchanged", "with names", "worst values"))
    )

    @schema.hook
    def map_case(context: Any, case: Any) -> Any:
        label = case.operation.label
        is_sound = case.meta.generation.mode is GenerationMode.POSITIVE
        way = next(ways[label, is_sound])
        if isinstance(case.body, dict | list):
            case.body = deepcopy(case.body)  # which other requests may have as well
        if way != "unchanged":
            _fill_in(case, plausible.names(label))
        if way == "with texts":
            _fill_in(case, plausible.words(label))
            if label == "POST /api/import":
                case.body, case.media_type = plausible.file, "application/octet-stream"
        if way == "worst values" and is_sound:
            plausible.spoil(case.body)
        return case

    explored = Explored()
    for event in from_schema(schema).execute():
        explored.note(event)
    return explored


def leave(url: str, *, key: str) -> None:
    """Call DELETE /api/me, which `explore` leaves out, as another user."""
    schema = schemathesis.openapi.from_url(f"{url}/openapi.json")
    schema["/api/me"]["DELETE"].Case().call_and_validate(headers={"Authorization": f"Bearer {key}"})


def _fill_in(case: Any, values: Values) -> None:
    for location, component in case.meta.components.items():
        given = case.get_container(location)
        if component.mode is GenerationMode.POSITIVE and isinstance(given, MutableMapping):
            for name in [name for name in given if name in values]:
                if values[name] is None:
                    del given[name]
                else:
                    given[name] = values[name]


def _config(key: str, depth: Depth) -> schemathesis.Config:
    return schemathesis.Config.from_dict(
        {
            "seed": random.randrange(2**32),  # which pytest-randomly makes repeatable
            "headers": {"Authorization": f"Bearer {key}"},
            "suppress-health-check": ["all"],
            "cache": {"enabled": False},
            "dictionaries": {"nasty": {"values": _NASTY}},
            "generation": {
                "max-examples": depth.examples,
                "database": "none",
                "no-shrink": True,
                "with-security-parameters": False,
                "exclude-header-characters": _CONTROL,
                "dictionaries": {"string": {"dictionary": "nasty", "probability": 0.1}},
            },
            "phases": {
                "coverage": {"generation": {"mode": "all" if depth.is_whole else "positive"}},
                "stateful": {"enabled": depth.is_whole},
            },
            # A name that no model or policy has fits the schema, and is refused all the same.
            "checks": {"positive_data_acceptance": {"enabled": False}},
        }
    )
