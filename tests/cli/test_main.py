"""The parser, usage errors, and settings that are wrong."""

import re
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator

import pytest

from recollect.cli import main, parser
from tests.cli.commands import error_of, output, run


def test_missing_command_lists_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, listed in (
        ([], ["serve", "keys", "doctor"]),
        (["keys"], ["create", "list", "revoke"]),
        (["memories"], ["list", "undo"]),
        (["users"], ["delete"]),
    ):
        assert main(arguments) == 2
        out, said = capsys.readouterr()
        assert out == ""
        for name in listed:
            assert re.search(rf"^ +{name} +\w", said, re.MULTILINE), name


def test_every_command_has_a_description() -> None:
    found = dict(_commands(parser()))
    assert found.keys() >= {"recollect serve", "recollect doctor", "recollect keys create"}
    assert found["recollect doctor"] == "Check the installation."
    assert all(re.fullmatch(r"[A-Z].*\w\.", said) for said in found.values())


def _commands(within: ArgumentParser) -> Iterator[tuple[str, str]]:
    for action in within._actions:
        if isinstance(action, _SubParsersAction):
            for command in action.choices.values():
                yield command.prog, command.description or ""
                yield from _commands(command)


def test_help_lists_every_command() -> None:
    text = "\n".join(output("--help"))
    for name in (
        *("serve", "worker", "search", "memories", "rebuild", "keys", "users", "move", "backup"),
        *("config", "doctor", "export", "import"),
    ):
        assert re.search(rf"^ +{name} +\w", text, re.MULTILINE), name
    for group, names in (
        ("keys", ("create", "list", "revoke")),
        ("memories", ("list", "add", "edit", "extract", "history", "undo", "delete")),
    ):
        text = "\n".join(output(group, "--help"))
        for name in names:
            assert re.search(rf"^ +{name} +\w", text, re.MULTILINE), name


@pytest.mark.parametrize(
    "arguments",
    [
        *([], ["keys"], ["dance"], ["serve", "--port", "abc"], ["search"]),
        *(["memories"], ["memories", "add"], ["memories", "add", "--type", "rumour", "a"]),
        *(["memories", "extract"], ["memories", "delete"], ["memories", "undo", "1", "2"]),
    ],
)
def test_wrong_usage_prints_the_usage(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status: object = main(arguments)
    except SystemExit as left:  # raised by argparse
        status = left.code
    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert said.err.startswith("usage: recollect")


def test_new_text_of_a_memory_follows_its_id() -> None:
    options = parser().parse_args(["memories", "edit", "1", "Takes", "tea.", "--pin"])
    assert (options.id, options.text, options.pin) == ("1", ["Takes", "tea."], True)


def test_misspelt_setting_is_reported() -> None:
    assert "RECOLLECT_HOST is." in error_of(run("config", RECOLLECT_HSOT="::1"))
    output("config", RECOLLECT_PORT="tcp://10.0.0.1:80")  # set by Kubernetes, not a typo


def test_version_is_printed() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", output("--version")[0])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "abc"),
        ("PORT", "70000"),
        ("DATABASE_URL", "mysql://x"),
        ("DATABASE_URL", "recollect.db"),
        ("RECOLLECT_DEFAULT_POLICY", "nonsense"),
        ("RECOLLECT_MAX_BODY_BYTES", "-1"),
        ("RECOLLECT_MAX_MESSAGE_BYTES", "1e6"),
        ("RECOLLECT_SWEEP_SECONDS", "0"),
        ("MEMORY_K_RAW_TURNS", "0"),
        ("RECOLLECT_DIGEST_AT", "noon"),
        ("RECOLLECT_VARIANTS", "{"),
    ],
)
def test_error_names_the_invalid_setting(name: str, value: str) -> None:
    assert name in error_of(run("serve", **{name: value}))
