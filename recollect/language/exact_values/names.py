"""Proper names, by their capitals.

A name is a run of capitalised words, in which small particles ("van", "dela", "of") may stand. The
first word of a sentence has a capital anyway, so alone it is no name; with another one after it,
it is, if it is no common word. In German all nouns have capitals, so there a name takes two.
Scripts without capitals give none.
"""

import re
from collections.abc import Iterator

from recollect.language.salience import plain

_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")
_PARTICLES = """
    de da di del della dei do dos das van von der den zu la le du dela delos y e of bin ibn al
    el
"""
_GERMAN = """
    der die das und ist nicht ich wir ein eine einen den dem mit auf zu fur im am von sich auch
"""
_COMMON = """
    a i i'm i've i'd i'll ok okay tv pc id pdf url api sql ai pm am ps eu us uk mr mrs ms dr
    prof sir the this that these those my our your his her their it its we you he she they there
    here if when while where what who which why how and or but so then not no yes please thanks
    hi hello hey dear let let's for from in on at to with by as of is are was were do does did
    can could will would should may might must have has had be been all some any every each both
    more most just also very now today tomorrow yesterday after before since until because about
    into over under out up monday tuesday wednesday thursday friday saturday sunday january
    february march april may june july august september october november december english
    italian filipino tagalog spanish french german portuguese british american il lo la i gli le
    un uno una l' e o ma se che chi come quando dove quanto perche per con da di del della in su
    tra fra non si no mio mia nostro nostra questo questa quello quella ho hai ha abbiamo sono
    sei siamo ci mi ti vi ne anche poi dunque allora grazie ciao lunedi martedi mercoledi
    giovedi venerdi sabato domenica sig sig.ra dott ang ng mga si sina ni nina kay kina sa na at
    o ay ito iyan iyon ako ikaw siya kami tayo kayo sila ko mo namin natin hindi oo opo wala
    walang may mayroon kung kapag dahil kaya pero para po ba bago nasa noong mas lahat ano sino
    bakit paano kailan saan lunes martes miyerkules huwebes biyernes sabado linggo enero pebrero
    marso abril mayo hunyo hulyo agosto setyembre oktubre nobyembre disyembre el los las y pero
    es son mi su este esta como para por con sin que je tu il elle nous vous ils mon ma mes le
    les des et mais est sont ce cette pour avec dans ich du er sie es wir ihr mein meine unser
    unsere herr frau und oder aber ist sind das der die ein eine eu ele ela nos o a os as um uma
    mas meu minha ask call tell contact email meet see send write thank chiedi chiama scrivi
    manda parla contatta
"""
_PARTICLE_WORDS, _GERMAN_WORDS = frozenset(_PARTICLES.split()), frozenset(_GERMAN.split())
_COMMON_WORDS = frozenset(_COMMON.split())
_MOST_WORDS, _SHORTEST, _LONGEST = 5, 3, 60
_OPENING = "\"'“«([*_¿¡ "


def find_names(sentence: str) -> Iterator[tuple[int, int]]:
    """Where names start and end."""
    words = list(_WORD.finditer(sentence))
    if not words or sentence.isupper():
        return
    least = 2 if sum(word[0].lower() in _GERMAN_WORDS for word in words) >= 2 else 1
    run: list[re.Match[str]] = []
    for word in words:
        if run and (len(run) >= _MOST_WORDS or not _adjoin(sentence, run[-1], word)):
            yield from _name(run, sentence, least)
            run = []
        if _is_capitalised(word[0]) or (run and word[0] in _PARTICLE_WORDS):
            run.append(word)
        else:
            yield from _name(run, sentence, least)
            run = []
    yield from _name(run, sentence, least)


def _is_capitalised(word: str) -> bool:
    return word[0].isupper() and plain(word) not in _COMMON_WORDS


def _adjoin(sentence: str, one: re.Match[str], other: re.Match[str]) -> bool:
    between = sentence[one.end() : other.start()]
    return between == " " or (between == ". " and len(one[0]) == 1)


def _name(run: list[re.Match[str]], sentence: str, least: int) -> Iterator[tuple[int, int]]:
    while run and run[-1][0] in _PARTICLE_WORDS:
        run.pop()
    if not run:
        return
    before = sentence[max(0, run[0].start() - 4) : run[0].start()].rstrip(_OPENING)
    begins = not before or before[-1] in ":.!?"
    if begins and len(run) > 3 and run[1][0] in _PARTICLE_WORDS:
        run, begins = run[2:], False  # "Chiedi di Ludovica Marangoni"
    start, end = run[0].start(), run[-1].end()
    is_acronym = len(run) == 1 and run[0][0].isupper()
    is_long_enough = len(run) >= (2 if begins else least) and _SHORTEST <= end - start <= _LONGEST
    if is_long_enough and not is_acronym:
        yield start, end
