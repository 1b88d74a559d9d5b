"""Tables, the line about the machine, and the place in the documentation where both go."""

import argparse
import os
import platform
import re
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import apsw


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def verdict(is_hit: bool, aim: str, found: str) -> str:
    return f"- {'Hit' if is_hit else 'Missed'}: {aim}. Found: {found}."


def machine() -> str:
    """What the figures depend on, and nothing that says whose machine it was."""
    return (
        f"{os.cpu_count()} cores, {_processor()}; Python {platform.python_version()}, "
        f"SQLite {apsw.sqlite_lib_version()} (ours and raw); {datetime.now(UTC):%Y-%m-%d}."
    )


def target_given(description: str | None) -> Path | None:
    """The `--write FILE` of the command line, read before anything is measured."""
    target: Path | None = arguments(description).parse_args().write
    return target


def arguments(description: str | None) -> argparse.ArgumentParser:
    """For a bench that takes more than `--write FILE`."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table into this page")
    return parser


def publish(section: str, text: str, target: Path | None) -> None:
    """Prints it, and puts it between the section's markers in `target`."""
    print(text)
    if target is not None:
        replace_section(target, section, text)


def replace_section(target: Path, section: str, text: str) -> None:
    start, end = f"<!-- {section} -->", f"<!-- /{section} -->"
    page = target.read_text(encoding="utf-8")
    changed, count = re.subn(
        f"(?<={re.escape(start)}\n).*?(?={re.escape(end)})",
        lambda _: f"\n{text}\n\n",
        page,
        flags=re.DOTALL,
    )
    if count != 1:
        sys.exit(f"{target} has no section between {start} and {end}.")
    target.write_text(changed, encoding="utf-8")


def _processor() -> str:
    try:
        info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        command = ["sysctl", "-n", "machdep.cpu.brand_string"]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        return found.stdout.strip() or platform.machine()
    named = re.search(r"^model name\s*:\s*(.+)$", info, re.MULTILINE)
    return named[1] if named else platform.machine()
