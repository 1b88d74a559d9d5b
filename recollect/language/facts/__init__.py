"""What users say of themselves, read without a model.

"I'm vegetarian and live in Turin" is worth knowing in the next conversation, and one need not
understand language to see it: such things are said in few ways. Here they are written down for
English, Italian and Filipino, each with the note that is made of it ("Lives in Turin") and with
what would contradict it: the pair of `subject` and `attribute`, of which there is only one at a
time ("home") unless the attribute names its object ("allergy:peanuts").

The reading prefers silence to noise, since a false memory is worse than a missing one. A message
passes four sieves, each of which only ever takes something away:

- `voice` leaves what is in the user's own voice: no code, quotation, paste, letter or story;
- `guards` leave what is told for certain and for good: no question, "if", hearsay or "today";
- `clauses` find where a clause begins, the only place where a rule is tried;
- `objects` read the value that follows, and refuse it where it is not plausible or not complete.

The rules of a language are a table (`table`), with the words in which values end (`grammars`). A
note is read back by the same rules, so whatever is written here is also recognised. What merely
corrects ("it's Luna, not Rex") or takes back ("not anymore") has readings of its own
(`corrections`, `retractions`).
"""

from recollect.language.facts.corrections import Correction, extract_corrections
from recollect.language.facts.matcher import extract_facts, note_value, parse_note
from recollect.language.facts.retractions import extract_retractions
from recollect.language.facts.statement import Fact

__all__ = [
    "Correction",
    "Fact",
    "extract_corrections",
    "extract_facts",
    "extract_retractions",
    "note_value",
    "parse_note",
]
