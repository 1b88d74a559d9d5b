"""The web app says the server's reasons in its own words: it must know every one of them."""

import json
import re
from pathlib import Path

from recollect.digest.summaries.compaction import FOLDED, NEVER_DIGESTS, NOTHING_OLDER
from recollect.recall.context import reasons

PARTS = Path(__file__).parents[3] / "web" / "src" / "components"
LANGUAGES = 2


def test_every_reason_of_a_receipt_is_translated() -> None:
    """And no other: what the server does not say any more needs no translation."""
    source = (PARTS / "receipt" / "texts.ts").read_text("utf-8")
    given = {value for name, value in vars(reasons).items() if name.isupper()}
    for reason in sorted(given):
        assert source.count(f"{json.dumps(reason)}:") == LANGUAGES, reason
    assert set(re.findall(r'^ +"([^"]+)":', source, re.MULTILINE)) == given


def test_every_outcome_of_a_compaction_is_translated() -> None:
    source = (PARTS / "summary" / "texts.ts").read_text("utf-8")
    assert source.count(json.dumps(NOTHING_OLDER)) == LANGUAGES
    patterns = re.findall(r"/(\^.+\$)/", source)
    for said in (FOLDED.format(count=12), NEVER_DIGESTS.format(name="ephemeral")):
        assert sum(bool(re.match(pattern, said)) for pattern in patterns) == LANGUAGES, said
