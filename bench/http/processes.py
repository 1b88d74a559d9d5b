"""Starts the servers of `bench.http` in their own processes."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from recollect.settings import VARIABLES
from tests.scripted_model import ScriptedModel

_ROOT = Path(__file__).resolve().parents[2]
MODEL_TEXT = "Yes, on Thursday, and you will be reminded."


@contextmanager
def start_process(*module: str, variables: Mapping[str, str] | None = None) -> Iterator[str]:
    """Run a module; yield the URL in its first line of output."""
    process = subprocess.Popen(
        [sys.executable, "-m", *module],
        cwd=_ROOT,
        env=_environment(variables or {}),
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout
    try:
        line = process.stdout.readline()
        if "http://" not in line:
            sys.exit(f"{' '.join(module)} did not start: {line}{process.stdout.read()}")
        yield "http://" + line.partition("http://")[2].split()[0]
    finally:
        process.terminate()
        process.communicate(timeout=60)


def _environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without Recollect's settings."""

    ours = {name: value for name, value in os.environ.items() if name not in VARIABLES.values()}
    return {**ours, **variables}


def main() -> None:
    """Run the scripted model until stdin is closed."""
    with ScriptedModel() as model:
        model.always = MODEL_TEXT
        print(model.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
