"""The data of one natural language, in optional parts, and the file format it is written in.

A language is a text file in `languages/`, or a folder of them. A file has sections `[part]` with
lines `field = value`; indented lines continue a value, and a line that ends in a backslash goes on
in the next. Lines that begin with "# " are comments. `<name>` stands for an entry of the section
`[fragments]` of the same file. The engines combine the parts of all languages. A value is one of:

- *words*: separated by blanks;
- *phrases*: regular expressions, separated by semicolons or line ends;
- *pattern*: one regular expression.

They are in lower case and without accents, as `normalize.plain` writes text. A field without a
comment is a list of phrases.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Stemming:
    """How the search index reduces words to their stems."""

    snowball: str = ""
    """The name of the Snowball stemmer."""
    affixes: str = ""
    """Lines `pattern > replacement`, applied before Snowball or instead of it."""
    loanwords: str = ""
    """Pattern of words that are stemmed as English."""
    equal_letters: str = ""
    """A letter that alternates with another one within a stem, and the other one."""
    scripts: str = ""
    """Ranges of code points: words written in them are in this language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abbreviations:
    """Words whose full stop does not end a sentence. Accents count."""

    always: str = ""
    unless_capital: str = ""
    """Their stop ends the sentence if a capital letter follows ("etc.")."""
    before_digit: str = ""
    """Abbreviations only if a number follows ("no. 5")."""
    months: str = ""
    """The first three letters of months, after an ordinal with a stop ("12. März")."""


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
    """Words, except where a comment says otherwise."""

    stop_words: str = ""
    courtesies: str = ""
    """Greetings are made of these; they count in any other sentence."""
    greetings: str = ""
    """A name may follow them ("Hi Claude, …")."""
    elisions: str = ""
    """Phrases that stand before an apostrophe and are not part of the word ("l'arte")."""
    script: str = ""
    """Pattern for the words of a script without blanks, in a group `wide`. `<ideograph>` stands for
    a Chinese or Japanese sign."""
    script_marker: str = ""
    """Pattern of sentences in this script; if empty, it is used for all others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordinals:
    """The words for the first, second, … tenth, last and last but one, with accents or without."""

    stems: str
    """Up to twelve groups of words, separated by commas."""
    endings: str = ""
    """Words."""
    determiners: str = ""
    """Words before the ordinal; the clause has to end after it."""
    anywhere: str = ""
    """Phrases with `{}` for the ordinal that mean nothing else."""
    clause_end: str = ""
    """Phrases with `{}` that count only at the end of a clause."""
    is_unambiguous: str = ""
    """Not empty if the bare word counts anywhere, not only as the whole message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReferences:
    """Phrases that name a turn by its position, with accents or without."""

    ordinals: tuple[Ordinals, ...] = ()
    last: str = ""
    """The most recent turn, wherever the phrase stands."""
    last_at_clause_end: str = ""
    last_alone: str = ""
    last_but_one: str = ""
    last_but_one_at_clause_end: str = ""
    idioms: str = ""
    """They look like references and are not ("on the 4th")."""
    turn_nouns: str = ""
    """Words for a turn, before a number."""
    before_turn_noun: str = ""
    """A turn noun after them is one for sure."""
    before_verb: str = ""
    """After them the same word is a verb ("I turn 30")."""
    courtesies: str = ""
    """They may follow a reference at the end of a clause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPhrases:
    """The parts of a request to go back to a conversation, in the notation of
    `patterns.any_of(flexible=True)`."""

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
    """References to a turn by its subject, in the notation of `patterns.any_of(flexible=True)`."""

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
    """Words, except where a comment says otherwise; in phrases, blanks are written as `\\s`."""

    months: str = ""
    weekdays: str = ""
    ordinal_suffixes: str = ""
    month_links: str = ""
    """Between day and month ("of")."""
    year_links: str = ""
    articles: str = ""
    """Between weekday and day."""
    clock_links: str = ""
    """Phrases before a time of day ("at")."""
    clock_suffixes: str = ""
    """Phrases after an hour ("uhr")."""
    parts_of_day: str = ""
    """Phrases."""
    clock: str = ""
    """Phrases that are a time of day in another form."""
    day_and_month: str = ""
    """Phrases that are a date in another form, with `<month>`."""
    not_after_day: str = ""
    """Phrases: a number before them is not a day ("may 25 na bisita")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountWords:
    """Words, except for `percent`."""

    currencies: str = ""
    multipliers: str = ""
    percent: str = ""
    """Phrases with blanks as `\\s`."""
    not_counted: str = ""
    """They may follow a number without being what it counts."""
    links: str = ""
    """Between a number and what it counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameWords:
    """Words."""

    common: str = ""
    """Not part of a name, even with a capital letter."""
    particles: str = ""
    """They stand within names."""
    noun_capitals: str = ""
    """They show a language in which every noun has a capital letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionWords:
    """Words that separate the value of a fact from the words around it."""

    stops: frozenset[str] = frozenset()
    """Every value ends at them: pronouns, conjunctions, auxiliary verbs."""
    joins: frozenset[str] = frozenset()
    """Between the members of a list; they are stops too."""
    cuts: frozenset[str] = frozenset()
    """Stops that show that a value was incomplete: "games that …", "sure that cats are"."""
    prepositions: frozenset[str] = frozenset()
    """Short values such as names and places end at them as well."""
    verbs: frozenset[str] = frozenset()
    """They begin a clause after "and", so that no list goes on there."""
    trailing: frozenset[str] = frozenset()
    """They may follow a value without being part of it: "too", "please", "po"."""
    excluded: frozenset[str] = frozenset()
    """A value with them means nothing by itself: "it", "the second one", "your idea"."""
    not_first: frozenset[str] = frozenset()
    """No value begins with them: "here", "trouble", "to"."""
    not_names: frozenset[str] = frozenset()
    not_places: frozenset[str] = frozenset()
    articles: frozenset[str] = frozenset()
    within_names: frozenset[str] = frozenset()
    """Prepositions that may stand within a name, between capitals."""
    towards: frozenset[str] = frozenset()
    """Prepositions that values of the type `towards` begin with."""
    steps: frozenset[str] = frozenset()
    """Excluded words that a goal may contain: "my first novel"."""
    possessives: str = ""
    """Phrases of two words: "my" in the first person, and in a note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueWords:
    """Phrases inside values."""

    quantifiers: str = ""
    age_units: str = ""
    before_age: str = ""
    in_titles: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gazetteer:
    """Words for things that facts are about: the plain cases only, since a wrong entry makes a
    false memory."""

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
    """How people state facts about themselves. `rules` and `slots` are described in `facts.rules`.

    The parts are sections such as `[facts.hedges]`, the other fields stand in `[facts]`.
    """

    rules: str = ""
    slots: Mapping[str, str] = field(default_factory=dict)
    boundaries: Mapping[str, str] = field(default_factory=dict)
    """Slots at which a clause ends, with the phrases that may follow."""
    subjects: Mapping[str, str] = field(default_factory=dict)
    """Slots for the subject: two patterns, in full and where the clause before has the same one."""
    people: Mapping[str, str] = field(default_factory=dict)
    """Persons and animals in English, with the phrases for them."""
    function_words: FunctionWords = FunctionWords()
    values: ValueWords = ValueWords()
    gazetteer: Gazetteer = Gazetteer()
    hedges: Hedges = Hedges()
    quoted: QuotedMaterial = QuotedMaterial()
    corrections: CorrectionPhrases = CorrectionPhrases()
    trades: frozenset[str] = frozenset()
    retractions: str = ""
    """Lines `pattern > groups` for sentences that take a fact back, with `<rest>`; the groups, in
    this order, make the sentence that stated it."""
    retraction_ends: str = ""
    third_persons: str = ""
    """After these the next sentence may be about somebody else; with `<people>`."""
    note_openings: str = ""
    """They may begin a note ("the user")."""
    ended: str = ""
    """They begin the note of something that has ended."""
    object_articles: str = ""
    """Words that do not count when the objects of two facts are compared."""
    spellings: str = ""
    """Phrases of two words for the same object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    code: str
    """ISO 639."""
    precedence: str = "100"
    """Languages with a lower number come first where phrases of two of them match."""
    stop_words: str = ""
    """Words: articles, pronouns, prepositions, conjunctions, auxiliary verbs, question words."""
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
    facts: FactLanguage = FactLanguage()
