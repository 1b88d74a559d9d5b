"""The presets: every constant of the specifications, and the settings that change them."""

from dataclasses import fields
from datetime import timedelta
from typing import Any

import pytest

from recollect import PRESETS, Misconfigured, Policy, Retention, Settings
from recollect.core.policy import DEFAULT_POLICY, SHARES, Backlog, PolicySettings, Share
from recollect.settings import SUMMARY_PROMPT_ID, VARIABLES

SPECIFIED = """
                     chunked       window        tiered      rolling       ephemeral
from seed            002           000           003         001           004

timing               background    eager         eager       background    never
eager_at             append        append        context     append        append
digest_over_tokens   6000          -             -           -             -
digest_over_messages -             30            20          20            -
summary_is_entry     False         True          False       False         False
keep_turns           3             -             -           -             10
keep_messages        -             29            8           10            -
fills_tail           True          True          True        True          True
prompt_tokens        3000          -             -           -             -
summary_tokens       500           500           500         500           500
ledger_tokens        250           250           250         250           250
pinned_tokens        1000          1000          1000        1000          1000
retrieved_tokens     1500          0             1500        1500          0
shorten_recent       False         False         False       False         False
recall_scope         user          user          user        user          user
memories             10            10            10          10            0
summarizer_model     gpt-5.1-nano  gpt-5.1-nano  gpt-5-mini  gpt-5.1-nano  gpt-5.1-nano
template             background    entry         tiers       sections      history
layout               cache         seed          seed        seed          seed
retention            -             -             -           -             10_turns_24_h
"""


def test_every_constant_is_the_specified_one() -> None:
    names, _, *rows = [line.split() for line in SPECIFIED.splitlines() if line]
    assert list(PRESETS) == names
    assert {row[0] for row in rows} == {f.name for f in fields(Policy)} - {"name", "shares"}
    assert all(policy.shares == SHARES for policy in PRESETS.values())
    for constant, *values in rows:
        found = [_written(getattr(policy, constant)) for policy in PRESETS.values()]
        assert found == values, constant
    assert DEFAULT_POLICY == "chunked"
    assert SUMMARY_PROMPT_ID == "pmpt_6917ebe9367c819396fe4840cf0f0e050c18a965a3366120"
    settings = Settings.from_environment({})
    assert settings.prompt_id_summary_global == SUMMARY_PROMPT_ID
    assert settings.prompt_version_summary_global == ""
    assert settings.eager_seconds == 10
    assert settings.policies() == PRESETS


def _written(value: object) -> str:
    if isinstance(value, Retention):
        return f"{value.max_turns}_turns_{value.max_age // timedelta(hours=1)}_h"
    return "-" if value is None else str(value)


DIGESTING = ("chunked", "window", "tiered", "rolling")
RETRIEVING = ("chunked", "tiered", "rolling")
Changes = dict[tuple[str, str], Any]


def of(policies: tuple[str, ...], **changes: Any) -> Changes:
    return {(policy, name): value for policy in policies for name, value in changes.items()}


PRESET_SETTINGS: dict[str, tuple[str, Changes]] = {
    "MEMORY_K_RAW_TURNS": ("5", of(("chunked",), keep_turns=5)),
    "MEMORY_SUMMARY_TOKEN_CAP": (
        "300",
        of(("chunked", "window", "rolling", "ephemeral"), summary_tokens=300),
    ),
    "MEMORY_PROMPT_TOKEN_BUDGET": ("2500", of(("chunked",), prompt_tokens=2500)),
    "MEMORY_CHUNK_SUMMARIZE_THRESHOLD": ("5000", of(("chunked",), digest_over_tokens=5000)),
    "MEMORY_SUMMARIZER_MODEL": (
        "tiny",
        of(("chunked", "window", "rolling", "ephemeral"), summarizer_model="tiny"),
    ),
    "MEMORY_FILL_TAIL": ("false", of(("chunked",), fills_tail=False)),
    "MEMORY_LEDGER_TOKEN_CAP": ("100", of((*DIGESTING, "ephemeral"), ledger_tokens=100)),
    "MEMORY_PINNED_TOKEN_CAP": ("50", of((*DIGESTING, "ephemeral"), pinned_tokens=50)),
    "MEMORY_RETRIEVAL_TOKEN_BUDGET": ("700", of(RETRIEVING, retrieved_tokens=700)),
    **{
        f"MEMORY_SHARE_{name}": (
            "0.01-0.9",
            of((*DIGESTING, "ephemeral"), shares={**SHARES, section: Share(0.01, 0.9)}),
        )
        for name, section in (
            ("SUMMARY", "summary"),
            ("MEMORIES", "memories"),
            ("PINNED", "pinned"),
            ("RECENT", "tail"),
            ("RETRIEVED", "retrieved"),
        )
    },
    "MEMORY_SHORTEN_RECENT": ("true", of((*DIGESTING, "ephemeral"), shorten_recent=True)),
    "MEMORY_RECALL_SCOPE": ("project", of((*DIGESTING, "ephemeral"), recall_scope="project")),
    "MEMORY_LAYOUT": ("cache", of(("tiered", "rolling"), layout="cache")),
    "SUMMARY_WINDOW_SIZE": ("12", of(("window",), digest_over_messages=12, keep_messages=11)),
    "RECENT_MESSAGE_COUNT": ("4", of(("tiered",), keep_messages=4)),
    "COMPRESS_THRESHOLD": ("40", of(("tiered",), digest_over_messages=40)),
    "COMPRESSION_MODEL": ("small", of(("tiered",), summarizer_model="small")),
    "TARGET_SUMMARY_TOKENS": ("200", of(("tiered",), summary_tokens=200)),
}


def test_every_policy_setting_is_in_the_table() -> None:
    assert PRESET_SETTINGS.keys() == {
        VARIABLES[setting.name] for setting in fields(PolicySettings)
    } - {"RECOLLECT_DIGEST_TIMING"}


@pytest.mark.parametrize("variable", PRESET_SETTINGS)
def test_a_setting_changes_only_its_own_number(variable: str) -> None:
    value, expected = PRESET_SETTINGS[variable]
    assert _changes(Settings.from_environment({variable: value}).policies()) == expected


@pytest.mark.parametrize("timing", ["background", "eager", "scheduled"])
def test_one_timing_for_all_that_digest(timing: str) -> None:
    policies = Settings.from_environment({"RECOLLECT_DIGEST_TIMING": timing}).policies()
    assert {name: policies[name].timing for name in DIGESTING} == dict.fromkeys(DIGESTING, timing)
    assert {field for _, field in _changes(policies)} == {"timing"}
    assert policies["ephemeral"] == PRESETS["ephemeral"]


def _changes(policies: dict[str, Policy]) -> Changes:
    return {
        (name, field.name): getattr(policies[name], field.name)
        for name, preset in PRESETS.items()
        for field in fields(Policy)
        if getattr(policies[name], field.name) != getattr(preset, field.name)
    }


@pytest.mark.parametrize(
    ("policy", "turns", "messages", "tokens", "summary", "due"),
    [
        ("chunked", 4, 8, 6000, 0, False),
        ("chunked", 4, 8, 6001, 0, True),
        ("chunked", 3, 8, 6001, 0, False),
        ("chunked", 4, 8, 5501, 499, False),
        ("chunked", 4, 8, 5501, 500, True),
        ("chunked", 400, 800, 10, 0, False),
        ("window", 15, 30, 10, 0, False),
        ("window", 16, 31, 10, 0, True),
        ("window", 15, 29, 10, 5, False),
        ("window", 15, 30, 10, 5, True),
        ("window", 1, 2, 10**6, 0, False),
        ("tiered", 10, 20, 10, 5, False),
        ("tiered", 10, 21, 10, 5, True),
        ("rolling", 10, 20, 10, 5, False),
        ("rolling", 10, 21, 10, 5, True),
        ("ephemeral", 10**3, 10**3, 10**6, 5, False),
    ],
)
def test_digest_is_due_above_the_limit(
    policy: str, turns: int, messages: int, tokens: int, summary: int, due: bool
) -> None:
    backlog = Backlog(turns=turns, messages=messages, tokens=tokens, summary_tokens=summary)
    assert PRESETS[policy].is_due(backlog) is due


@pytest.mark.parametrize(
    "numbers",
    [
        {},
        {"digest_over_tokens": 100},
        {"keep_turns": 1},
        {"digest_over_tokens": 100, "digest_over_messages": 5, "keep_turns": 1},
        {"digest_over_messages": 5, "keep_turns": 1, "keep_messages": 2},
        {"digest_over_messages": 5, "keep_messages": 5},
        {"digest_over_messages": 5, "keep_messages": 6},
        {"digest_over_messages": 1_001, "keep_messages": 10},
        {"digest_over_messages": 1_200, "keep_messages": 1_199},
        {"digest_over_tokens": 100, "keep_messages": 1_000},
    ],
)
def test_a_policy_that_cannot_work_is_refused(numbers: dict[str, int]) -> None:
    with pytest.raises(Misconfigured, match="nonsense"):
        Policy(name="nonsense", timing="background", **numbers)  # type: ignore[arg-type]
