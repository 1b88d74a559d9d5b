"""python -m tests.browser.install: install Chromium for the browser tests.

Uses the system's package, because not every machine can reach Playwright's download server.
"""

import os
import shutil
import subprocess

MISSING = (
    "The browser tests need Chromium: install your system's `chromium`, "
    "or set RECOLLECT_CHROMIUM to the path of one."
)

_VARIABLE = "RECOLLECT_CHROMIUM"
_NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium_path() -> str | None:
    if chosen := os.environ.get(_VARIABLE):
        return shutil.which(chosen)
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


def main() -> None:
    """Install Chromium if possible. Never fails, because the other tests do not need it."""
    can_install = os.geteuid() == 0 and shutil.which("apt-get") and _VARIABLE not in os.environ
    if chromium_path() is None and can_install:
        print("Installing Chromium for the browser tests.")
        _apt_get("update")
        _apt_get("install", "--yes", "--no-install-recommends", "chromium")
    if chromium_path() is None:
        print(MISSING)


def _apt_get(*arguments: str) -> None:
    quietly = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(
        ["apt-get", "-qq", *arguments], env=quietly, stdout=subprocess.DEVNULL, check=False
    )


if __name__ == "__main__":
    main()
