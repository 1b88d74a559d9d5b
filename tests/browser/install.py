"""python -m tests.browser.install: gets the browser that the tests of the web app drive.

Playwright's own download is not used: it is far from everywhere that its server can be reached,
and any Chromium of the last years does.
"""

import os
import shutil
import subprocess

MISSING = (
    "The browser tests need Chromium: install your system's `chromium`, "
    "or set RECOLLECT_CHROMIUM to the path of one."
)

_NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium_path() -> str | None:
    if chosen := os.environ.get("RECOLLECT_CHROMIUM"):
        return shutil.which(chosen)
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


def main() -> None:
    """A machine without a browser can still be worked on, so this never fails."""
    if chromium_path() is None and os.geteuid() == 0 and shutil.which("apt-get"):
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
