"""Extracts facts that users state about themselves, without a model.

"I'm vegetarian and live in Turin" is worth knowing in the next conversation, and such things are
said in few ways. The languages list them as rules, each with the note to write ("Lives in Turin")
and the key of what would contradict it: the pair of `subject` and `attribute`. There is only one
fact per key at a time ("home"), unless the attribute names its object ("allergy:peanuts").

A false memory is worse than a missing one, so a message passes four filters:

- `own_words` keeps the user's own sentences: no code, quotation, paste, letter or story;
- `hedges` keep certain and lasting statements: no question, "if", hearsay or "today";
- `clauses` find where a clause begins, the only place where a rule is tried;
- `value_parsers` parse the value that follows, and reject implausible or incomplete ones.

The same rules parse a note, so every note we write is recognized. Corrections ("it's Luna, not
Rex") and retractions ("not anymore") are separate.
"""

from recollect.language.facts.corrections import Correction, extract_corrections
from recollect.language.facts.matcher import Fact, extract_facts, note_value, parse_note
from recollect.language.facts.retractions import extract_retractions

__all__ = [
    "Correction",
    "Fact",
    "extract_corrections",
    "extract_facts",
    "extract_retractions",
    "note_value",
    "parse_note",
]
