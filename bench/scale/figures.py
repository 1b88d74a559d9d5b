"""The figures of a run, kept in a file: what is in it need not be measured again."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench.scale.disk import Disk
from bench.scale.operations import Cost, Costs


@dataclass(slots=True)
class Figures:
    """Of each kind of database, by axis; and what a message takes on disk."""

    costs: dict[str, dict[str, Costs]] = field(default_factory=dict)
    disk: dict[str, Disk] = field(default_factory=dict)

    def keep(self, file: Path | None) -> None:
        if file is not None:
            file.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def read(cls, file: Path | None) -> "Figures":
        if file is None or not file.exists():
            return cls()
        kept = json.loads(file.read_text(encoding="utf-8"))
        return cls(
            costs={
                kind: {
                    axis: {
                        int(size): {name: Cost(**cost) for name, cost in found.items()}
                        for size, found in costs.items()
                    }
                    for axis, costs in by_axis.items()
                }
                for kind, by_axis in kept["costs"].items()
            },
            disk={kind: Disk(**one) for kind, one in kept["disk"].items()},
        )
