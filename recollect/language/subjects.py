"""References by meaning: "the one about the budget", "quella sul volo", "yung tungkol sa budget".

Something that stands for a turn (*the one*, *quella*, *yung*, *what you said*), words that join it
to its subject (*about*, *su*, *tungkol sa*), and the subject up to the end of its clause; or the
subject first: "the budget we talked about". With the joining words missing it would be anything:
"quella casa", "the one I want". So it would where they may as well say whose something is, or where
it lies: "la de María", "the one on the left". What is not recognised costs one more question; a
false alarm leads to a turn that nobody meant.

The patterns are in lower case and without accents, between semicolons and line ends; `_` is any
word, and a blank is any number of them.
"""

import re
from typing import NamedTuple

from recollect.language.normalize import fold

_LONGEST_SUBJECT = 120


class Subject(NamedTuple):
    phrase: str
    """The whole of it, as it was written."""
    text: str
    """What the turn is about."""


def find_subject(text: str) -> Subject | None:
    """The first in `text`, if there is one."""
    letters = plain(text)
    for pattern in (_NAMED_LAST, _NAMED_FIRST):
        for found in pattern.finditer(letters):
            start, end = found.span("subject")
            while ending := _ENDING.search(letters, max(start, end - _LONGEST_SUBJECT), end):
                end = ending.start()
            if start < end and not _PRONOUN.fullmatch(letters, start, end):
                last = end if pattern is _NAMED_LAST else found.end()
                return Subject(text[found.start() : last], text[start:end])
    return None


def plain(text: str) -> str:
    """Without case, accents and typography, and with every letter where it was."""
    return text.translate(_PLAIN)


def _plain_letters() -> dict[int, str]:
    spelt = {
        **{chr(code): fold(chr(code)) for code in range(ord("A"), 0x250)},
        **dict.fromkeys("\u2018\u2019\u201b\u2032\u00b4\u02bc`", "'"),
        **dict.fromkeys("\u2010\u2011\u2212", "-"),
        **dict.fromkeys("\t\r\v\f\u00a0\u2009\u202f", " "),
    }
    return {ord(sign): letter for sign, letter in spelt.items() if len(letter) == 1}


_PLAIN = _plain_letters()


def any_of(*lists: str) -> str:
    """One of the phrases, as whole words; one with an apostrophe at its end needs no blank."""
    phrases = (phrase.strip() for lines in lists for phrase in re.split(r"[;\n]", lines))
    alternatives = re.sub(r"(?<!\w)_(?!\w)", r"[\\w-]{1,20}", "|".join(filter(None, phrases)))
    alternatives = re.sub(" (?![?+])", " ++", alternatives)
    return rf"(?<![\w'-])(?:{alternatives})(?:(?<=')|(?![\w'-]))"


# English: the one, what you said, when we talked
_THE = (
    "(?:the|that|your|my|our)(?: other| last| latest| previous| earlier| first| second| third)?"
    "(?: long| short| old)?"
)
_TURN = (
    "(?:one|part|question|answer|reply|message|bit|point|stuff|discussion|suggestion|advice|"
    "comment|explanation)s?"
)
_TALKED = "(?:talked|spoke|asked|wrote|were talking|told (?:me|you))(?: _)? about"
_DISCUSSED = "(?:discussed|were discussing|mentioned|brought up)"
_SAID = (
    "(?:say|said|tell (?:me|you)|told (?:me|you)|ask(?:ed)?(?: you)?|write|wrote|mention(?:ed)?|"
    "decided?|agreed?|suggest(?:ed)?|recommend(?:ed)?)"
)
_ABOUT = "(?:about|regarding|concerning|related to|to do with)"
_ENGLISH = rf"""
    {_THE} {_TURN}(?: from)?(?: earlier| before)? {_ABOUT}
    {_THE} {_TURN} (?:where|when|in which) (?:i|you|we)(?: _)? {_TALKED}
    {_THE} {_TURN} (?:where|when|in which) (?:i|you|we) {_DISCUSSED}
    (?:the|that|your|my) (?:one|question|answer|reply|message) (?:with|on)
    (?:the|that|your|my) (?:part|point|discussion|advice|comment) on
    what(?: did)? (?:i|you|we)(?: _)? {_SAID}(?: _)? (?:about|on|regarding|concerning)
    when (?:i|you|we)(?: _)? {_TALKED}; when (?:i|you|we) {_DISCUSSED}
    (?:i|you|we)(?: _)? (?:said|mentioned|told me|asked|wrote) something(?: _)? about
    (?:i|you|we) (?:talked|spoke|asked) (?:earlier|before|previously|already) about
"""

# Italian: quella, la domanda, quello che hai detto, quando parlavamo
_SU, _DI = ("s(?:ul|ulla|ullo|ui|ugli|ulle|ull'|u)", "d(?:el|ella|ello|ei|egli|elle|ell'|i)")
_A = "(?:al|alla|allo|ai|agli|alle|all'|ad?)"
_CIRCA = f"(?:{_SU}|riguardo {_A}|relativ[oa] {_A}|a proposito {_DI}|riguardante|circa)"
_LA = (
    "(?:quell[aoei]|(?:la|quella)(?: mia| tua)? "
    "(?:domanda|risposta|parte|questione|cosa|discussione|spiegazione)|"
    "(?:il|quel)(?: mio| tuo)? (?:messaggio|discorso|punto|pezzo|consiglio|commento))"
)
_HAI = "(?:ho|hai|abbiamo|avev(?:o|i|amo))"
_DETTO = "(?:detto|scritto|chiesto|deciso|consigliato|suggerito)"
_PARLAVAMO = (
    "(?:parlav(?:o|i|a|amo)|parlato|discutevamo|discusso|chiedev[oi]|chiesto|raccontav[oi])"
)
_ITALIAN = rf"""
    {_LA}(?: di prima)? {_CIRCA}; quell[ao] d(?:el|ella|ello|ei|egli|elle|ell')
    {_LA} (?:in cui|dove|di quando)(?: _)?(?: _)? {_PARLAVAMO}(?: _)? (?:{_DI}|{_SU})
    (?:quello che|quel che|cosa|che)(?: mi| ti| ci)? {_HAI}(?: _)? {_DETTO}(?: _)? {_CIRCA}
    (?:cosa|che)(?: mi| ti)? dicev(?:o|i|amo)(?: _)? (?:{_DI}|{_SU})
    quando(?: _)?(?: _)? {_PARLAVAMO}(?: _)? (?:{_DI}|{_SU})
    (?:prima|poco fa)(?: _)? {_PARLAVAMO} {_DI}
"""

# Filipino: yung, yung sinabi mo, nung pinag-usapan natin
_YUNG = "(?:'?yung|iyong|ung|ang)"
_TUNGKOL = "(?:(?:pa)?tungkol|ukol|hinggil|about|regarding) (?:sa(?: mga)?|kay|kina)"
_SINABI = "(?:sinabi|tinanong|nabanggit|binanggit|sinulat|sagot|tanong|payo)"
_USAPAN = "(?:pin|n|nap)ag-?u?usap(?:an)?"
_TANONG = f"(?:{_SINABI}|usapan|chat|paliwanag|parte|bahagi|isa|kanina|{_USAPAN})"
_SA_AKIN = "akin|iyo|amin|atin|kanya|kanila|inyo"
_FILIPINO = rf"""
    '?yung {_TUNGKOL}; (?:iyong|ung) {_TUNGKOL}; '?yung about
    (?:{_YUNG}|sa|nung|noong|ano(?: nga)?(?: ba)?) {_TANONG}(?: _)?(?: _)? (?:{_TUNGKOL}|about)
    (?:{_YUNG}|ano(?: nga)?(?: ba)?) {_SINABI} (?:mo|ko|natin)(?: _)? sa(?: mga)?(?! (?:{_SA_AKIN}))
    (?:nung|noong) {_USAPAN} (?:natin|tayo)(?: ang| yung)?(?: mga)?
"""

_SOBRE = "(?:sobre|acerca del?|respecto al?)"
_SPANISH = rf"""
    (?:la|lo|el|es[aeo]|aquel(?:l[ao])?)(?: de antes)? {_SOBRE}
    (?:la|el|tu|mi|es[ae]) (?:pregunta|respuesta|parte|mensaje|comentario|punto) {_SOBRE}
    lo de(?:l| la| las| los)(?! (?:siempre|antes|menos|mas|ayer))
    lo que(?: me| te| nos)? (?:dij|pregunt|coment|habl)\w{{1,6}}(?: _)? (?:{_SOBRE}|del?)
    cuando(?: _)? (?:habl|pregunt)\w{{1,6}}(?: _)? (?:{_SOBRE}|del?|por)
"""
_PORTUGUESE = r"""
    (?:aquel[ae]|aquilo) (?:sobre|acerca d[aeo]s?|a respeito d[aeo]s?)
    (?:a|o|minha|tua|sua) (?:pergunta|resposta|parte|mensagem|ponto|comentario) sobre
    o que(?: _)? (?:diss|fal|pergunt)\w{1,6}(?: _)? (?:sobre|acerca d[aeo]s?|d[aeo]s?)
    quando(?: _)? (?:fal|convers|pergunt)\w{2,6}(?: _)? (?:sobre|d[aeo]s?)
"""
_PROPOS = "(?:(?:a propos|au sujet) d(?:e|u|es|')|concernant)"
_FRENCH = rf"""
    cel(?:le|ui)(?:-la)? (?:sur|{_PROPOS}|qui parl\w{{1,5}} d(?:e|u|es|'))
    (?:la|le|ma|mon|ta|ton) (?:question|reponse|partie|message|passage|point) (?:sur|{_PROPOS})
    ce que (?:j'ai|_ (?:as|a|avons|avez|m'as))(?: _)? dit (?:sur|{_PROPOS}|d(?:e|u|es|'))
    quand (?:on|nous) (?:(?:a|avons) parle|parlait|parlions)(?: _)? d(?:e|u|es|')
"""
_FRAGE = "(?:frage|antwort|nachricht|teil|punkt|stelle|sache|tipp)"
_GESAGT = "(?:gesagt|geschrieben|gefragt|gesprochen|geredet|gemeint)"
_GERMAN = rf"""
    das mit (?:dem|der|den|deine[mr]|meine[mr]|unsere[mr])
    (?:die|der|das|deine?|meine?) {_FRAGE}(?: _)? (?:zu[mr]?|uber|mit|wegen)
    was (?:du|ich|wir|hast du)(?: _)?(?: _)? (?:zu[mr]?|uber)(?=[^.,!?]{{1,80}} {_GESAGT})
    als (?:du|ich|wir)(?: _)?(?: _)? (?:uber|nach)(?=[^.,!?]{{1,80}} {_GESAGT})
"""

_JOINED = any_of(_ENGLISH, _ITALIAN, _FILIPINO, _SPANISH, _PORTUGUESE, _FRENCH, _GERMAN)
_WE_TALKED_ABOUT = any_of(
    rf"""
    (?:that |which )?(?:i|you|we)(?: _)? (?:{_TALKED}|{_DISCUSSED})
    di cui(?: _)?(?: _)? {_PARLAVAMO}; na (?:{_SINABI}|{_USAPAN}) (?:natin|mo|ko)
    de(?:l| la| lo)? que habl\w{{1,6}}; de que fal\w{{2,6}}; dont (?:on|nous)(?: _)? parl\w{{1,5}}
    """
)
_ARTICLE = any_of(
    """
    the; that; those; these; our; my; your; il; lo; la; i; gli; le; l'; un; una; mga
    (?:yung|iyong|ang)(?: mga)?; el; los; las; les; der; die; das; den; dem; o; os; as
    """
)
_ELSEWHERE = any_of(
    """
    (?:the |my |your )?(?:left|right|top|bottom|other|table|desk|shelf|wall|floor|list|page|screen)
    destra; sinistra; tavol[oa]; scaffale; muro; fondo; basso; alto; mezzo; centro
    nonn[oa]; zi[oa]; mamma; papa; sorella; fratello; moglie; marito
    altr[ao] (?:giorno|volta|sera|settimana); (?:settimana|mese|anno) (?:scors|passat)[oa]
    (?:la )?(?:table|gauche|droite|mesa|izquierda|derecha)
    """
)
_PRONOUN = re.compile(
    any_of(
        """
        it; that; this; them; these; those; him; her; me; you; us; all (?:of )?(?:it|that|this)
        quest[oaie]; quell[oaie]; cio; lui; lei; te; loro; noi; ito; iyan; iyon; yan; yun; 'yon
        akin; iyo; amin; atin; kanya; es[oae]; esto; ello; cela; ca; elle; das; es; isso; isto
        """
    )
)
_ENDING = re.compile(
    any_of(
        """
        please; again; earlier; before; kanina; ulit; nga; po; ba; per favore; di prima; prima
        poco fa; por favor; antes; s'il (?:te|vous) plait; bitte; vorhin; nochmal; hast; haben?
        """,
        _GESAGT,
    )
    + r"\Z|[^\w)\]\"%]+\Z"
)
_INSIDE = r"(?:[^.,;:!?\u00bf\u00a1\n]|[.,:](?=\w)|(?<=\b[dms][rst])\.)"
_NAMED_LAST = re.compile(
    rf"{_JOINED} *+(?!{_ELSEWHERE})(?:{_ARTICLE} *+)?"
    rf"(?P<subject>\w{_INSIDE}{{0,{_LONGEST_SUBJECT}}})"
)
_NAMED_FIRST = re.compile(
    rf"{_ARTICLE} *+(?P<subject>\w[\w'-]*+(?: ++(?!{_WE_TALKED_ABOUT})\w[\w'-]*+){{0,3}}) ++"
    rf"{_WE_TALKED_ABOUT}"
)
