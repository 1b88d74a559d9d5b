"""Writes docs/licences.md: the licences of all runtime dependencies.

    python -m tools.licences

Lists the installed dependencies of `recollect[all]`, the wheels with weights, and the packages
in the web app's build. Development dependencies and versions are left out.
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licences.md"

_UNKNOWN = "unknown"
_NOT_BUILT = {"dev", "optional", "devOptional"}
_COPYLEFT = re.compile(r"GPL|MPL|EPL|CDDL|EUPL|OSL|CC-BY-SA|SSPL|BUSL")
_IN_SPDX = {
    "3-Clause BSD License": "BSD-3-Clause",
    "any-OSI": "any OSI-approved licence",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "MIT License": "MIT",
    "MIT License, Apache License, Version 2.0": "MIT OR Apache-2.0",
    "MIT, BSD": "MIT AND BSD-3-Clause",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
_NOTES = {
    "certifi": "weak copyleft per file; used unmodified",
    "psycopg": "weak copyleft; a separate library, used unmodified, only for PostgreSQL",
    "psycopg-binary": "see psycopg",
    "psycopg-pool": "see psycopg",
    "tqdm": "weak copyleft per file; used unmodified",
}
"""Notes on copyleft licences."""
_HEAD = """# Licences

Recollect is under the [Apache License 2.0](../LICENSE). `python -m tools.licences` writes this page
from the metadata of the runtime dependencies. Copyleft and unknown licences need a note. The build
writes the licence texts of the web app's packages into `licences.txt` next to it.
"""


@dataclass(frozen=True, slots=True)
class WantedPackage:
    name: str
    extras: frozenset[str]


@dataclass(frozen=True, slots=True)
class Package:
    """A dependency; `direct` if it is in pyproject.toml, weights.txt or package.json."""

    name: str
    licence: str
    direct: bool

    @property
    def note(self) -> str:
        """Return the note; raise LookupError if a licence needs one and has none."""
        if self.licence != _UNKNOWN and not _COPYLEFT.search(self.licence):
            return ""
        if self.name not in _NOTES:
            raise LookupError(f"{self.name} is under {self.licence}: may it be used? Add a note.")
        return _NOTES[self.name]


def python_packages() -> list[Package]:
    """Return the runtime dependencies of pyproject.toml, transitive ones included."""
    direct = _needed(_ours(), {""})
    waiting = list(direct)
    found: dict[str, Distribution] = {}
    seen: set[WantedPackage] = set()
    while waiting:
        wanted = waiting.pop()
        if wanted not in seen:
            seen.add(wanted)
            package = found[wanted.name] = distribution(wanted.name)
            waiting += _needed(package.requires or (), {"", *wanted.extras})
    names = {wanted.name for wanted in direct}
    return [Package(name, licence_of(one), name in names) for name, one in sorted(found.items())]


def weights() -> list[Package]:
    """Return the wheels of weights.txt."""
    pinned = re.findall(r"^([\w-]+)==", (ROOT / "weights.txt").read_text(), re.M)
    return [Package(name, licence_of(distribution(name)), direct=True) for name in pinned]


def web_packages() -> list[Package]:
    """Return the packages of the web app's build, from the lock file."""
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    direct = lock["packages"][""]["dependencies"]
    found = {
        path.rpartition("node_modules/")[2]: about.get("license", _UNKNOWN)
        for path, about in lock["packages"].items()
        if path and about.keys().isdisjoint(_NOT_BUILT)
    }
    return [Package(name, licence, name in direct) for name, licence in sorted(found.items())]


def licence_of(package: Distribution) -> str:
    """Return the declared licence: expression, short text or classifiers."""
    about = package.metadata.json
    kinds = [one for one in about.get("classifier", ()) if one.startswith("License :: ")]
    given = str(about.get("license", "")).strip()
    short = given if "\n" not in given and len(given) < 60 else ""
    approved = ", ".join(one.rpartition(" :: ")[2] for one in kinds)
    declared = str(about.get("license_expression", "")) or short or approved or _UNKNOWN
    return _IN_SPDX.get(declared, declared)


def page() -> str:
    return "\n".join(
        [
            _HEAD,
            *_section("Python", python_packages()),
            *_section("Weights of the local models", weights()),
            *_section("The web app", web_packages()),
        ]
    )


def _section(title: str, packages: Iterable[Package]) -> Iterator[str]:
    yield f"## {title}\n\n| package | required | licence | note |\n| --- | --- | --- | --- |"
    for one in packages:
        required = "directly" if one.direct else "indirectly"
        yield f"| `{one.name}` | {required} | {one.licence} | {one.note} |"
    yield ""


def _ours() -> Iterator[str]:
    """Yield the requirements of all extras except development."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    yield from project["dependencies"]
    for extra, requirements in project["optional-dependencies"].items():
        if extra not in ("all", "dev"):
            yield from requirements


def _needed(requirements: Iterable[str], extras: Set[str]) -> list[WantedPackage]:
    """Return the requirements that apply to this platform and these extras."""
    parsed = [Requirement(text) for text in requirements]
    return [
        WantedPackage(canonicalize_name(one.name), frozenset(one.extras))
        for one in parsed
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in extras)
    ]


if __name__ == "__main__":
    PAGE.write_text(page())
    sys.stdout.write(f"{PAGE.relative_to(ROOT)} is written.\n")
