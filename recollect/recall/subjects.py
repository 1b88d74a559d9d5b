"""References by meaning: "the one about the budget", "quella sul volo", "yung tungkol sa budget".

A phrase that stands for a turn (*the one*, *quella*, *yung*), a word that joins it to its subject
(*about*, *su*, *tungkol sa*), and the subject up to the end of its clause. With the joining word
missing it would be anything: "quella casa", "the one I want".
"""

import re
from typing import NamedTuple

_LANGUAGES = (
    # English: the one about X, the question on X, what I/you said about X, when we talked about X
    r"(?:the|that|your|my) (?:one|part|question|answer|message|bit|thing)s?"
    r" (?:about|on|regarding|concerning|with|where (?:we|i|you) (?:talked|spoke|asked) about)"
    r"|what (?:i|you|we) (?:said|told (?:me|you)|asked|wrote) (?:\w+ )?(?:about|on|regarding)"
    r"|when (?:we|i|you) (?:talked|spoke|asked|were talking) about",
    # Italian
    r"(?:quell[ao]|la (?:domanda|risposta|parte)|il (?:messaggio|discorso))"
    r" (?:su(?:l|lla|llo|i|gli|lle)?|sull'|riguardo (?:a(?:l|lla|llo|i|gli|lle)?|all')|"
    r"di cui|in cui (?:parlavamo|si parlava) d(?:i|el|ella|ei|elle)|d(?:el|ella|ei|elle|ell'))"
    r"|(?:quello|cosa) che (?:ho|hai|abbiamo) detto su(?:l|lla|llo|i|gli|lle)?"
    r"|quando (?:parlavamo|abbiamo parlato) d(?:i|el|ella|ei|elle|ell')",
    # Filipino
    r"(?:yung|iyong|ung|ang)(?: \w+)? (?:tungkol|ukol|hinggil) sa"
    r"|(?:yung|iyong) (?:sinabi|tinanong|nabanggit) (?:mo|ko|natin)(?: \w+)? (?:tungkol )?sa",
    # Spanish, Portuguese, French, German
    r"(?:l[ao]|el|aquel(?:la)?) (?:de|del|sobre)(?: l[ao]s?)?|lo que dij(?:e|iste|imos) sobre",
    r"(?:[ao]|aquel[ae]) (?:sobre|d[aeo])(?: [ao]s?)?|o que (?:eu )?disse(?:mos)? sobre",
    r"(?:celle|celui)(?:-là)? (?:sur|à propos d(?:e|u)|concernant|d(?:e|u))(?: l[ae]s?)?",
    r"(?:d(?:as|ie|er)(?:jenige)?) (?:über|mit|zu[mr]?)(?: d(?:e[mnr]|as|ie))?",
)
_SUBJECT = re.compile(
    r"(?<!\w)(?P<phrase>(?:" + "|".join(_LANGUAGES) + r")\s*(?P<subject>\w[^.,;:!?¿¡\n]{0,120}))",
    re.IGNORECASE,
)


class Subject(NamedTuple):
    phrase: str
    """The whole of it, as it was written."""
    text: str
    """What the turn is about."""


def find_subject(text: str) -> Subject | None:
    found = _SUBJECT.search(text.replace("’", "'"))
    if found is None:
        return None
    return Subject(found["phrase"].strip(), found["subject"].strip())
