"""What a language can bring: the data of one natural language, in optional parts.

A language is a module or a package in `languages/` with a constant `LANGUAGE`. The engines combine
the parts of all languages. Three notations are used:

- *words*: separated by blanks;
- *phrases*: regular expressions, separated by semicolons or line ends. A line that ends in a
  backslash goes on in the next;
- *patterns*: one regular expression each.

All of them are in lower case and without accents, as `normalize.plain` writes text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import TypeVar

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stemming:
    """How the search index reduces words to their stems."""

    snowball: str = ""
    """The name of the Snowball stemmer."""
    affixes: tuple[tuple[str, str], ...] = ()
    """Patterns and their replacements, applied before Snowball or instead of it."""
    loanwords: str = ""
    """A pattern: words that match are stemmed as English."""
    equal_letters: tuple[str, str] | None = None
    """Letters that alternate within a stem, and the one that stands for both."""
    scripts: tuple[range, ...] = ()
    """Code points that only this language uses here; words written in them are stemmed by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abbreviations:
    """Words with a full stop that does not end a sentence. Unlike elsewhere, accents count."""

    always: str = ""
    unless_capital: str = ""
    """Words: their stop ends the sentence if a capital letter follows ("etc.")."""
    before_digit: str = ""
    """Words: abbreviations only if a number follows ("no. 5")."""
    months: str = ""
    """Words: the first three letters of months that follow an ordinal with a stop ("12. März")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaliencePhrases:
    """Phrases that show what a sentence does in a conversation."""

    decision: str = ""
    preference: str = ""
    constraint: str = ""
    goal: str = ""
    notice: str = ""
    open: str = ""
    first_person: str = ""
    practical: str = ""
    """Things that people keep papers of: orders, appointments, files."""
    transient: str = ""
    request: str = ""
    courtesy: str = ""
    question: str = ""
    """The beginnings of questions that may lack a question mark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyphraseWords:
    stop_words: str = ""
    courtesies: str = ""
    """Words that greetings are made of; they count in any other sentence."""
    greetings: str = ""
    """Words after which a name may stand ("Hi Claude, …")."""
    elisions: str = ""
    """Phrases: what stands before an apostrophe and is not part of the word ("l'arte")."""
    script: str = ""
    """A pattern for the words of a script without blanks, in a group `wide`."""
    script_marker: str = ""
    """A pattern: `script` is used for sentences that contain it. Empty: for all others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordinals:
    """The words for the first, second, … tenth, last and last but one, and how they are used."""

    stems: str
    """Twelve or fewer groups of words, separated by commas."""
    endings: tuple[str, ...] = ("",)
    determiners: str = ""
    """Words that come before; the clause has to end after the ordinal."""
    anywhere: tuple[str, ...] = ()
    """Templates with `{}` that can mean nothing else."""
    clause_end: tuple[str, ...] = ()
    """Templates with `{}` that count only at the end of a clause."""
    is_unambiguous: bool = False
    """Whether the bare word counts anywhere, not only as the whole message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReferences:
    """Phrases that name a turn by its position. Unlike elsewhere, accents may be written."""

    ordinals: tuple[Ordinals, ...] = ()
    last: str = ""
    """Phrases for the most recent turn, wherever they stand."""
    last_at_clause_end: str = ""
    last_alone: str = ""
    last_but_one: str = ""
    last_but_one_at_clause_end: str = ""
    idioms: str = ""
    """Phrases that look like references and are not ("on the 4th")."""
    turn_nouns: str = ""
    """Words for a turn, before a number."""
    before_turn_noun: str = ""
    """Phrases after which a turn noun is one for sure."""
    before_verb: str = ""
    """Phrases after which the same word is a verb ("I turn 30")."""
    courtesies: str = ""
    """Phrases that may follow a reference at the end of a clause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPhrases:
    """The parts of a request to go back to a conversation, in their order. All are phrases in the
    notation of `patterns.any_of(flexible=True)`."""

    opening: str = ""
    verbs: str = ""
    chat_nouns: str = ""
    chat: str = ""
    """A conversation, with `<chat>` for any of the nouns."""
    pronouns: str = ""
    """What stands for a conversation if a link follows ("the one")."""
    pronouns_by_themselves: str = ""
    talked: str = ""
    links: str = ""
    articles: str = ""
    closing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectPhrases:
    """References to a turn by its subject. All are phrases in the notation of
    `patterns.any_of(flexible=True)`."""

    before: str = ""
    """What leads to the subject ("the one about")."""
    after: str = ""
    """What follows the subject ("we talked about")."""
    articles: str = ""
    not_subjects: str = ""
    """Where something lies or whose it is: not the subject of a turn."""
    pronouns: str = ""
    closing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DateWords:
    """The words of dates. Blanks in patterns and phrases are written as `\\s`."""

    months: str = ""
    weekdays: str = ""
    ordinal_suffixes: str = ""
    month_links: str = ""
    """Words between day and month ("of")."""
    year_links: str = ""
    articles: str = ""
    """Words between weekday and day."""
    clock_links: str = ""
    """Phrases before a time of day ("at")."""
    clock_suffixes: str = ""
    """Phrases after an hour ("uhr")."""
    parts_of_day: str = ""
    clock: str = ""
    """Phrases: other ways to write a time of day."""
    day_and_month: str = ""
    """Phrases: other ways to write a date, with `<month>`."""
    not_after_day: str = ""
    """Phrases: a number that they follow is not a day ("may 25 na bisita")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountWords:
    currencies: str = ""
    multipliers: str = ""
    percent: str = ""
    """Phrases with blanks as `\\s`."""
    not_counted: str = ""
    """Words that may follow a number without being what it counts."""
    links: str = ""
    """Words between a number and what it counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameWords:
    common: str = ""
    """Words that are not part of a name when they are written with a capital letter."""
    particles: str = ""
    """Words that stand within names."""
    noun_capitals: str = ""
    """Words that show a language in which every noun has a capital letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionWords:
    """The words by which the value of a fact is separated from the words around it."""

    stops: frozenset[str]
    """Words at which every value ends: pronouns, conjunctions, auxiliary verbs."""
    joins: frozenset[str]
    """Words between the members of a list; they are stops too."""
    cuts: frozenset[str]
    """Stops that show that a value was incomplete: "games that …", "sure that cats are"."""
    prepositions: frozenset[str]
    """Words at which short values such as names and places end as well."""
    verbs: frozenset[str]
    """Words that begin a clause after "and", so that no list goes on there."""
    trailing: frozenset[str]
    """Words that may follow a value without being part of it: "too", "please", "po"."""
    excluded: frozenset[str]
    """Words that make a value meaningless by itself: "it", "the second one", "your idea"."""
    not_first: frozenset[str]
    """Words with which no value begins: "here", "trouble", "to"."""
    not_names: frozenset[str]
    not_places: frozenset[str]
    articles: frozenset[str]
    within_names: frozenset[str] = frozenset()
    """Prepositions that may stand within a name, between capitals."""
    towards: frozenset[str] = frozenset()
    """Prepositions that values of the type `towards` begin with."""
    steps: frozenset[str] = frozenset()
    """Excluded words that a goal may contain: "my first novel"."""
    possessives: Mapping[str, str] = field(default_factory=dict)
    """How "my" is written in a note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueWords:
    """Phrases inside values."""

    quantifiers: str = ""
    age_units: str = ""
    before_age: str = ""
    in_titles: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gazetteer:
    """Lists of things that facts are about: the plain cases only, since a wrong entry makes a false
    memory. All are words, except `ailments`."""

    languages: str = ""
    peoples: str = ""
    conditions: str = ""
    ailments: str = ""
    """Phrases: conditions of several words."""
    sports: str = ""
    """Games and instruments too: whatever is played."""
    fields: str = ""
    """Fields of work, and places where people work."""
    errands: str = ""
    """What people work on without it being a project."""
    writings: str = ""
    not_firms: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hedges:
    """Phrases that show where a clause begins, and whether it states anything for certain."""

    conjunctions: str = ""
    openings: str = ""
    """What may come before a fact in its clause ("by the way")."""
    before_questions: str = ""
    question_prepositions: str = ""
    questions: str = ""
    tag_questions: str = ""
    polite_requests: str = ""
    permanently: str = ""
    conditions: str = ""
    """Conditions, and reports of what somebody else said."""
    harmless_conditions: str = ""
    uncertain: str = ""
    temporary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedMaterial:
    """Phrases that show that a text is not the user's own statement."""

    orders: str = ""
    """Orders to the assistant, and jokes: nothing of the message is read."""
    material: str = ""
    """Sentences to be worked on stand before and after these."""
    editing: str = ""
    """The text to be edited follows a colon, stands on other lines, or is still to come."""
    invention: str = ""
    """What follows is made up, or written for somebody else to say."""
    mail_headers: str = ""
    headings: str = ""
    salutations: str = ""
    own_labels: str = ""
    """What may stand before a colon in the user's own text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionPhrases:
    """The parts of corrections such as "sorry, it's Luna, not Rex". All are phrases; `<right>`,
    `<wrong>` and `<not>` stand for the parts of a `form`."""

    slips: str = ""
    interjections: str = ""
    it_is: str = ""
    really: str = ""
    i_meant: str = ""
    conjunctions: str = ""
    before_not: str = ""
    not_: str = ""
    denials: str = ""
    denial_prepositions: str = ""
    but: str = ""
    is_not: str = ""
    i_wrote: str = ""
    renamed_from: str = ""
    renamed_to: str = ""
    name_markers: str = ""
    trailing: str = ""
    forms: str = ""
    not_values: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class FactLanguage:
    """How people state facts about themselves: rules, and the words they need.

    The notation of `slots` and `rules` is described in `facts.rule_table`.
    """

    function_words: FunctionWords
    rules: str
    slots: str
    slot_patterns: Mapping[str, str]
    """Slots whose patterns contain semicolons."""
    boundaries: Mapping[str, str]
    """Slots at which a clause ends, with the phrases that may follow."""
    subjects: Mapping[str, tuple[str, str]]
    """Patterns for the subject: in full, and where the clause before has the same subject."""
    people: str
    """Per line a person or animal in English, a colon, and the words for it."""
    trades: frozenset[str]
    values: ValueWords = ValueWords()
    gazetteer: Gazetteer = Gazetteer()
    hedges: Hedges = Hedges()
    quoted: QuotedMaterial = QuotedMaterial()
    corrections: CorrectionPhrases = CorrectionPhrases()
    retractions: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Patterns of sentences that take a fact back, with `<rest>`, and the groups that, in this
    order, make the sentence it was stated by."""
    retraction_ends: str = ""
    """Phrases that end a retraction."""
    third_persons: str = ""
    """Phrases after which the next sentence may be about somebody else, with `<people>`."""
    note_openings: str = ""
    """Phrases that may begin a note ("the user")."""
    ended: str = ""
    """Phrases that begin the note of something that has ended."""
    object_articles: str = ""
    """Words that are left out when the objects of two facts are compared."""
    spellings: str = ""
    """Pairs of words that mean the same object, separated by semicolons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    code: str
    """ISO 639."""
    precedence: int = 100
    """Languages with a lower number come first where phrases of two of them match."""
    stop_words: str = ""
    """Function words, without accents."""
    content_words: str = ""
    """Words that are stop words in other languages, but not in this one."""
    stemming: Stemming = Stemming()
    abbreviations: Abbreviations = Abbreviations()
    salience: SaliencePhrases = SaliencePhrases()
    keyphrases: KeyphraseWords = KeyphraseWords()
    references: TurnReferences = TurnReferences()
    requests: RequestPhrases = RequestPhrases()
    subjects: SubjectPhrases = SubjectPhrases()
    dates: DateWords = DateWords()
    amounts: AmountWords = AmountWords()
    names: NameWords = NameWords()
    facts: FactLanguage | None = None


def merge(parts: Iterable[Part]) -> Part:
    """Combine parts of one type: lists are joined, sets united."""
    first, *others = parts
    merged = {entry.name: getattr(first, entry.name) for entry in fields(first)}  # type: ignore[arg-type]
    for other in others:
        for name, value in merged.items():
            more = getattr(other, name)
            if isinstance(value, str):
                merged[name] = f"{value}\n{more}"
            elif isinstance(value, frozenset):
                merged[name] = value | more
    return type(first)(**merged)
