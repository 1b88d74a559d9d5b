"""Which turn do "the second one", "yung pangalawa", "la prima" or "turn 4" mean?

**Finding** a phrase is literal. The text is folded (case, accents and typographic apostrophes and
hyphens do not matter) and cut into words and punctuation; a hyphen or an apostrophe inside a word
joins it, so "first-class" and "l'ultima" are one word each. Then every run of a few words is
looked up in one table. The longest phrase wins, and of equally long ones the leftmost. Looking up
whole words needs no big regular expression, takes linear time, and cannot find "una" in "unang".
The table is composed: the ordinals of a language, alone and after each of its determiners; article
and gender need not agree, since nobody is misunderstood for it.

**Detecting** a reference in a chat message is careful, because most of these words mean something
else most of the time: "vorrei una pizza", "wait a second", "per la prima volta". So each phrase
has a place where it counts:

    ANYWHERE    "the first one", "yung una", "kanina": hardly anything else can be meant
    CLAUSE_END  "the first", "la prima", "earlier": a noun after it ("the first time", "earlier
                versions") would take it over, so the clause has to end here: with the text, the
                line, punctuation, an emoji, or a courtesy ("la seconda per favore")
    ALONE       "una", "second", "1st": without a determiner only as the whole message
    NOWHERE     "by the second", "3.8 or earlier", "on the 4th": idioms and dates; whatever
                overlaps one is not a reference

A false alarm puts an irrelevant turn into the context, a miss costs one more question; hence the
preference for silence. What is detected can always be found, as detecting only filters findings.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from recollect.language.normalize import fold

__all__ = ["TURN_REFERENCES", "Reference", "contains_reference", "find_reference"]


@dataclass(frozen=True, slots=True)
class Reference:
    """A turn that a text points to, by `position` in the history or by absolute `turn` number.

    Exactly one of the two is set. Position 1 is the oldest turn, -1 the most recent; `phrase` is
    spelled as in `TURN_REFERENCES`, or is "turn 4" and the like.
    """

    phrase: str
    position: int | None
    turn: int | None

    def index_in(self, numbers: Sequence[int]) -> int | None:
        """Which of the turns of these numbers it is, from 0 on; None if it is none of them."""
        if self.turn is not None:
            return numbers.index(self.turn) if self.turn in numbers else None
        position = self.position or 0
        place = position - 1 if position > 0 else len(numbers) + position
        return place if 0 <= place < len(numbers) else None


class _Counts(Enum):
    ANYWHERE = 1
    CLAUSE_END = 2
    ALONE = 3
    NOWHERE = 4


class _Language(NamedTuple):
    ordinals: str  # the stems for each of _POSITIONS
    determiners: str  # after these a noun may still follow
    endings: tuple[str, ...] = ("",)
    certain: tuple[str, ...] = ()  # these leave no other meaning
    closing: tuple[str, ...] = ()  # these do at the end of a clause
    bare: _Counts = _Counts.ALONE


_POSITIONS = (*range(1, 11), -1, -2)
_YUNG = ("yung {}", "iyong {}", "ung {}")
_LANGUAGES = (
    _Language(  # English
        "first 1st, second 2nd, third 3rd, fourth 4th, fifth 5th, sixth 6th, seventh 7th, "
        "eighth 8th, ninth 9th, tenth 10th, last latest previous earlier, penultimate",
        determiners="the",
        certain=("{} one", "the {} one"),
        closing=("the {} question", "my {} question", "the {} answer", "your {} answer"),
    ),
    _Language(  # Filipino, words with one meaning
        "pang-una, pangalawa, pangatlo, pang-apat pangapat, panlima panglima pang-lima, "
        "pang-anim panganim, pampito pangpito pang-pito, pangwalo pang-walo, "
        "pansiyam pangsiyam pang-siyam, pansampu pangsampu pang-sampu",
        determiners="ang",
        certain=_YUNG,
        bare=_Counts.ANYWHERE,
    ),
    _Language(  # Filipino, words that may also begin a list or a date ("ika-4 ng Hulyo")
        "una ikauna ika-una ika-1 pang-1, ikalawa ika-2 pang-2, ikatlo ika-3 pang-3, "
        "ikaapat ika-apat ika-4 pang-4, ikalima ika-lima ika-5 pang-5, "
        "ikaanim ika-anim ika-6 pang-6, ikapito ika-pito ika-7 pang-7, "
        "ikawalo ika-walo ika-8 pang-8, ikasiyam ika-siyam ika-9 pang-9, "
        "ikasampu ika-sampu ika-10 pang-10, huli nauna nakaraan",
        determiners="ang",
        certain=_YUNG,
    ),
    _Language(  # Italian; here and in the next two, "1o" and "1a" are also "1º" and "1ª"
        "prim 1, second 2, terz 3, quart 4, quint 5, sest 6, settim 7, ottav 8, non 9, decim 10, "
        "ultim, penultim",
        determiners="il la l' del della dell' al alla all' dal dalla dall' nel nella nell' "
        "sul sulla sull' quel quello quella quell'",
        endings=("o", "a"),
    ),
    _Language(  # Spanish
        "primer 1, segund 2, tercer 3, cuart 4, quint 5, sext 6, séptim 7, octav 8, noven 9, "
        "décim 10, últim, penúltim",
        determiners="el la al del",
        endings=("o", "a"),
    ),
    _Language(  # Portuguese; without "na", because "na sexta" is on Friday
        "primeir 1, segund 2, terceir 3, quart 4, quint 5, sext 6, sétim 7, oitav 8, non 9, "
        "décim 10, últim, penúltim",
        determiners="o a do da ao no",
        endings=("o", "a"),
    ),
    _Language(  # French
        "premier première 1er 1re 1ère, deuxième second seconde 2e 2ème, troisième 3e 3ème, "
        "quatrième 4e 4ème, cinquième 5e 5ème, sixième 6e 6ème, septième 7e 7ème, "
        "huitième 8e 8ème, neuvième 9e 9ème, dixième 10e 10ème, "
        "dernier dernière précédent précédente, avant-dernier avant-dernière",
        determiners="le la l' au du",
    ),
    _Language(  # German; without "am", because "am ersten" is a date
        "erst, zweit, dritt, viert, fünft, sechst, siebt siebent, acht, neunt, zehnt, "
        "letzt vorherig, vorletzt",
        determiners="der die das den dem des zum zur beim vom im",
        endings=("e", "en", "er", "es"),
    ),
)

_FIXED = (
    (-1, _Counts.ANYWHERE, "kanina, yung kanina, iyong kanina, vorhin"),
    (-1, _Counts.ANYWHERE, "said earlier, asked earlier, mentioned earlier, earlier you said"),
    (-1, _Counts.ANYWHERE, "quello di prima, quella di prima, detto prima, chiesto prima"),
    (-1, _Counts.ANYWHERE, "lo de antes, dije antes, dijiste antes"),
    (-1, _Counts.ANYWHERE, "previous question, previous answer, previous message, previous query"),
    (-1, _Counts.ANYWHERE, "domanda precedente, risposta precedente, messaggio precedente"),
    (-1, _Counts.ANYWHERE, "pregunta anterior, respuesta anterior, mensaje anterior"),
    (-1, _Counts.ANYWHERE, "question précédente, réponse précédente, message précédent"),
    (-1, _Counts.ANYWHERE, "vorherige frage, vorherige antwort, vorherige nachricht"),
    (-1, _Counts.ANYWHERE, "pergunta anterior, resposta anterior, mensagem anterior"),
    (-1, _Counts.CLAUSE_END, "earlier, poco fa, hace un momento, há pouco, plus tôt"),
    (-1, _Counts.CLAUSE_END, "il precedente, la precedente, quello precedente, quella precedente"),
    (-1, _Counts.CLAUSE_END, "el anterior, la anterior, o anterior, a anterior"),
    (-1, _Counts.ALONE, "precedente, anterior"),
    (-2, _Counts.ANYWHERE, "second to last one, second-to-last one"),
    (-2, _Counts.CLAUSE_END, "second to last, second-to-last, next to last"),
    (0, _Counts.NOWHERE, "first one to, last one to, by the second, en el cuarto, no earlier"),
    (0, _Counts.NOWHERE, "or earlier, and earlier, days earlier, weeks earlier, years earlier"),
    (0, _Counts.NOWHERE, "on the 1st, on the 2nd, on the 3rd, on the 4th, on the 5th, on the 6th"),
    (0, _Counts.NOWHERE, "on the 7th, on the 8th, on the 9th, on the 10th"),
)

# "Turn 4" may be a verb ("I turn 30", "turn 4 pages"); the word before it can tell.
_TURN_WORDS = {"turn", "turno", "tour", "runde"}
_BEFORE_VERB = re.compile(r"(?:i|you|we|they|he|she)(?:'ll)?|will|would")
_BEFORE_NOUN = re.compile(
    r"in|at|from|of|on|the|[dn]el|dal|al|il|el|le|au|du|der|zu|[dn]?o|sa|yung"
)

# Words, symbols, and in a group of its own whatever ends a clause.
_TOKEN = re.compile(
    r"(?P<end>(?:please|again|per +favore|por +favor|s'il +(?:te|vous) +plait|bitte|ulit|nga|po)"
    r"(?![\w'-])|[.?!,;:)\]}\u00bb\u201d\u2013\u2014\n-]|(?<=\w)[\"'\u201c\u00ab*_`])"
    r"|[^\W_]+(?:(?:_+|['-]|(?<=\d)[.,](?=\d))[^\W_]+)*"
    r"|\S"
)
_END = "."
_PLAIN = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201b\u2032\u00b4\u02bc", "'")
    | dict.fromkeys("\u2010\u2011\u2212", "-")
)


def _fold(text: str) -> str:
    return fold(text.translate(_PLAIN)).translate(_PLAIN)


def _phrases() -> Iterator[tuple[str, int, _Counts]]:
    for position, counts, listed in _FIXED:
        yield from ((phrase, position, counts) for phrase in listed.split(", "))
    for language in _LANGUAGES:
        for position, stems in zip(_POSITIONS, language.ordinals.split(", "), strict=False):
            for form in (stem + ending for stem in stems.split() for ending in language.endings):
                yield form, position, language.bare
                for determiner in language.determiners.split():
                    if not determiner.endswith("'"):
                        yield f"{determiner} {form}", position, _Counts.CLAUSE_END
                    elif _fold(form).startswith(("a", "o", "u")):
                        yield determiner + form, position, _Counts.CLAUSE_END
                for template in language.certain:
                    yield template.format(form), position, _Counts.ANYWHERE
                for template in language.closing:
                    yield template.format(form), position, _Counts.CLAUSE_END


TURN_REFERENCES: dict[str, int] = {
    phrase: position for phrase, position, _ in _phrases() if position
}

_TABLE: dict[str, tuple[Reference, _Counts]] = {}
for _phrase, _position, _counts in _phrases():
    _TABLE.setdefault(_fold(_phrase), (Reference(_phrase, _position, None), _counts))
_FIRST_WORDS = {phrase.split()[0] for phrase in _TABLE}
_MOST_WORDS = max(len(phrase.split()) for phrase in _TABLE)


class _Finding(NamedTuple):
    reference: Reference
    counts: _Counts
    start: int
    end: int


def _findings(tokens: list[str]) -> Iterator[_Finding]:
    for start, token in enumerate(tokens):
        if token in _FIRST_WORDS:
            for end in range(start + 1, min(start + _MOST_WORDS, len(tokens)) + 1):
                if entry := _TABLE.get(" ".join(tokens[start:end])):
                    yield _Finding(*entry, start, end)
        if token in _TURN_WORDS:
            at = start + (2 if tokens[start + 1 : start + 2] == ["#"] else 1)
            if at < len(tokens) and re.fullmatch("[0-9]{1,9}", tokens[at]):
                reference = Reference(f"{token} {tokens[at]}", None, int(tokens[at]))
                before = tokens[start - 1] if start else ""
                counts = _Counts.CLAUSE_END
                if at == start + 2 or _BEFORE_NOUN.fullmatch(before):
                    counts = _Counts.ANYWHERE
                elif _BEFORE_VERB.fullmatch(before):
                    counts = _Counts.ALONE
                yield _Finding(reference, counts, start, at + 1)


def _careful(findings: list[_Finding], tokens: list[str]) -> Iterator[_Finding]:
    idioms = [range(f.start, f.end) for f in findings if f.counts is _Counts.NOWHERE]
    excluded = {index for idiom in idioms for index in idiom}
    words = [index for index, token in enumerate(tokens) if token[0].isalnum()]
    for finding in findings:
        _, counts, start, end = finding
        following = tokens[end] if end < len(tokens) else _END
        closes = following == _END or unicodedata.category(following[0]) == "So"
        alone = start <= words[0] and words[-1] < end
        if excluded.isdisjoint(range(start, end)) and (
            counts is _Counts.ANYWHERE or (counts is _Counts.CLAUSE_END and closes) or alone
        ):
            yield finding


def find_reference(text: str, *, careful: bool = False) -> Reference | None:
    """The longest phrase in `text` that names a turn; if `careful`, of those that surely do."""
    tokens = [_END if match["end"] else match[0] for match in _TOKEN.finditer(_fold(text))]
    findings = list(_findings(tokens))
    if careful:
        findings = list(_careful(findings, tokens))
    references = [f.reference for f in findings if f.counts is not _Counts.NOWHERE]
    return max(references, key=lambda reference: len(reference.phrase), default=None)


def contains_reference(text: str) -> bool:
    """Whether a chat message refers to a turn, rather than using such a word for something else."""
    return find_reference(text, careful=True) is not None
