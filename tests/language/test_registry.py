"""Languages are found in their folder; adding a file adds a language."""

import subprocess
import sys
from pathlib import Path

import pytest

import recollect
from recollect.language.registry import all_languages, fact_languages, parse_language

FRISIAN = """
# West Frisian
code = fy
stop_words = de it in fan en is net yn op ik hy sy wy dat dy mei foar
    om oan as ek

[fragments]
decided = (?:besletten|keazen)

[salience]
decision = wy hawwe <decided>; ofpraat

[dates]
months = jannewaris febrewaris maart april maaie juny july augustus septimber oktober novimber
    desimber
month_links = fan
"""
SCRIPT = """
import sys
from pathlib import Path
from types import ModuleType
package = sys.modules["recollect"] = ModuleType("recollect")  # only recollect.language is imported
package.__path__ = [sys.argv[1]]
from recollect.language import registry
registry.FOLDERS.append(Path(sys.argv[2]))
from recollect.language.analyzer import analyze
from recollect.language.exact_values import find_values
from recollect.language.salience import detect_signals
text = "Wy hawwe besletten: it is op 3 fan maaie 2026"
print([text[v.start : v.end] for v in find_values(text) if v.kind == "date"])
print(detect_signals(text).is_decision, analyze("ik bin net yn it hûs")[-1])
"""


def test_a_file_adds_a_language(tmp_path: Path) -> None:
    (tmp_path / "frisian.txt").write_text(FRISIAN, "utf-8")
    command = [sys.executable, "-c", SCRIPT, *recollect.__path__, str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["['3 fan maaie 2026']", "True hus~"]


def test_every_part_is_optional() -> None:
    assert parse_language("code = xx").code == "xx"


def test_the_files_of_a_folder_are_combined() -> None:
    language = parse_language("code = xx\nstop_words = a b\n    c", "[dates]\nmonths = uno")
    assert language["general"]["stop_words"].split() == ["a", "b", "c"]
    assert language["dates"]["months"] == "uno"


def test_a_line_may_be_continued() -> None:
    language = parse_language("code = xx\n[salience]\ngoal = (?:one|\\\n    two)\n    three")
    assert language["salience"]["goal"] == "(?:one|two)\nthree"


@pytest.mark.parametrize("text", ["[dats]\nmonths = uno", "[dates]\nmoths = uno", "stop = a"])
def test_unknown_names_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="unknown"):
        parse_language(f"code = xx\n{text}")


def test_codes_are_unique() -> None:
    codes = [language.code for language in all_languages()]
    assert codes[:3] == ["en", "it", "fil"]
    assert len(codes) == len(set(codes))
    assert len(fact_languages()) == 3
