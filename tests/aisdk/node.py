"""The AI SDK from npm, in a separate Node.js process.

`python -m tests.aisdk.node` installs the packages; running a script installs them too.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

from hatch_build import find_node, install_packages

FOLDER = Path(__file__).parent


def install() -> None:
    install_packages(find_node(), FOLDER)


def run(script: str, *arguments: str) -> Any:
    """Run a script of this folder and return its output as JSON."""
    install()
    ran = subprocess.run(
        [find_node().folder / "node", FOLDER / script, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


if __name__ == "__main__":
    install()
