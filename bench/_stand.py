"""What `bench.http` measures with: servers in processes of their own, over one database each."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from recollect.settings import NAMES
from tests.scripted_model import ScriptedModel

_ROOT = Path(__file__).resolve().parent.parent
MODEL_TEXT = "Yes, on Thursday, and you will be reminded."


@contextmanager
def started(*module: str, variables: Mapping[str, str] | None = None) -> Iterator[str]:
    """The address that a module's first line of output ends with, while it runs."""
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
    """Ours, without the settings that somebody may have made for a server of their own."""

    ours = {name: value for name, value in os.environ.items() if name not in NAMES.values()}
    return {**ours, **variables}


def main() -> None:
    """The scripted model, in a process of its own, until nobody reads from it any more."""
    with ScriptedModel() as model:
        model.always = MODEL_TEXT
        print(model.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
