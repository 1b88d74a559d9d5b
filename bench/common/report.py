"""Markdown tables, the machine's description, and writing both into a page."""

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
    return f"- {'Met' if is_hit else 'Not met'}: {aim} ({found})."


def machine() -> str:
    """Describe processor and versions, without anything that identifies the machine."""
    return (
        f"{os.cpu_count()} cores, {_processor()}; Python {platform.python_version()}, "
        f"SQLite {apsw.sqlite_lib_version()} (ours and raw); {datetime.now(UTC):%Y-%m-%d}."
    )


def parse_target(description: str | None) -> Path | None:
    """Parse the command line; return the page given by `--write`."""
    target: Path | None = argument_parser(description).parse_args().write
    return target


def argument_parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with `--write`, for benchmarks with more options."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table into this page")
    return parser


def publish(section: str, text: str, target: Path | None) -> None:
    """Print the text and write it between the section's markers in `target`."""
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
