"""Runs commands as users run them, or in this process."""

import subprocess

from recollect import Settings
from recollect.cli import parser
from tests.server.process import command, environment

Result = subprocess.CompletedProcess[str]


def run(*arguments: str, **variables: str) -> Result:
    return subprocess.run(
        command(*arguments),
        env=environment(variables),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def output(*arguments: str, **variables: str) -> list[str]:
    """The lines that a successful command prints, with nothing on stderr."""
    result = run(*arguments, **variables)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.splitlines()


def error_of(result: Result) -> str:
    """The one sentence that a failing command prints."""
    assert (result.returncode, result.stdout) == (1, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("recollect: ")
    assert line.endswith(".")
    return line


def call(*arguments: str, settings: Settings) -> int:
    """Run a command in this process, which is faster."""
    options = parser().parse_args([*arguments])
    status: int = options.command(settings, options)
    return status
