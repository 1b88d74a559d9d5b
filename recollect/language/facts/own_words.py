"""What of a message is in the user's own voice.

Code, quotations, pasted blocks, forms and letters are left out, and so is whatever is material for
a request: sentences to translate or to correct, stories, and all that is written for somebody else
to say. A message that gives the assistant orders beyond how to answer, or that takes itself back
with a joke, is not read at all.
"""

import re
from collections.abc import Iterator

from recollect.language.facts.grammar_types import any_of
from recollect.language.salience import plain
from recollect.language.sentences import is_code, split_sentences

_LONGEST_SPOKEN, _OPENING, _CLOSING = 6_000, 1_000, 500
HIDDEN = "\0"

_ORDERS = re.compile(
    any_of(
        r"""
        (?:ignore|disregard|forget|override|bypass) (?:\w+ ){0,3}(?:instructions?|rules|prompts?)
        (?:ignore|disregard|forget) (?:everything|all) (?:above|before|you)
        system prompt; developer mode; jailbreak; \Asystem ?:; (?:admin|root) (?:password|rights)
        (?:you are|you're) now; from now on,? (?:you are|you're|you will be|act|behave)
        (?:ignora|dimentica) (?:\w+ ){0,3}(?:istruzioni|regole|prompt)
        d'ora in poi (?:sei|sarai|ti chiami|agisci|comportati); ora sei un\w?
        (?:balewalain|kalimutan|huwag (?:mong )?pansinin) (?:\w+ ){0,4}\
            (?:instructions?|utos|tagubilin)
        mula ngayon,? (?:ikaw ay|ikaw si|ikaw na|isa ka)
        just kidding; jk; i'm joking; only joking; scherz(?:o|avo); sto scherzando; joke lang
        joke only; char(?:ot|iz|rot)?; biro lang; nagbibiro lang
        """
    )
)
_MATERIAL = re.compile(
    any_of(
        r"""
        translat(?:e|ion|ing); paraphrase; rephrase; reword
        (?:proof-?read|rewrite|correct|fix|check|edit|improve) \
            (?:this|these|the following|it|the (?:sentence|text))
        how (?:do|would|can) (?:you|i|we) say; what does (?:\S+ ){1,8}mean
        (?:is|are) (?:this|these|the) (?:\w+ )?(?:sentence|phrase)s? (?:correct|right)
        (?:example|sample|following) \
            (?:sentence|phrase|text|dialogue|message|email|passage|review|paragraph)s?
        use (?:\S+ ){1,4}in a sentence; grammatical(?:ly)?; grammar; summari[sz]e (?:this|the|it)
        traduc\w+; traduzione; riformul\w+; parafras\w+; riassumi\w*
        (?:correggi\w*|riscriv\w+|controlla\w*) (?:quest\w+|la frase|il testo|il seguente)
        come si dice; cosa (?:significa|vuol dire); (?:e|sono) corrett[aeio]
        frase (?:di esempio|corretta|seguente); seguente (?:frase|testo); grammatica(?:le|lmente)?
        isalin; i-translate; pakisalin; itama(?! ko); paki-?ayos; paano (?:\w+ )?sabihin
        anong? ibig sabihin; ano sa (?:ingles|english|tagalog|filipino); pangungusap; ibuod
        i-?check mo; i-?rewrite; i-?proofread; i-?correct; maayos ba; tama ba ang
        """
    )
)
"""Both before and after these stand sentences to be worked on."""

_EDITING = re.compile(
    any_of(
        r"""
        proof-?read; rewrite; (?:correct|fix|check|edit|improve|polish) (?:my|the|our|an?)
        corregg(?!o(?!\w))\w+; riscriv\w+; controlla\w*; migliora\w*; rivedi\w*
        ayusin; pakiayos; paki-?check
        """
    )
)
"""What is to be edited stands behind a colon or on other lines, or is to come."""

_STAGE = re.compile(r"(?<![*\w])\*[a-z][a-z' ]{2,40}\*(?![*\w])")
"""*bows*: somebody plays a part."""

_INVENTION = re.compile(
    any_of(
        r"""
        role-?\s?play\w*; pretend\w*; imagine; suppose; let's say; hypothetical\w*; act as; lyrics
        (?:write|compose|create|make|tell|give|draft|generate|invent) (?:me )?(?:\w+ ){0,3}\
            (?:story|poem|song|dialogue|monologue|scene|screenplay|script|tale|haiku|character|bio\
            |biography|letter|email|e-mail|message|essay|speech|post|caption|review|ad|profile\
            |limerick|sketch|persona|reply|text)
        (?:story|poem|song) (?:about|in which|where)
        (?:you are|you're|you play|be) (?:a|an|my) (?!life|genius|star|legend|angel)\w+
        your (?:name|role|task|job|persona|goal|character) is; you are \w+, (?:an?|the|our|your)
        (?:the|my|main|her|his) (?:character|protagonist|narrator|persona)\w*
        in (?:the|my) (?:game|dream|novel|story|play); for example; for instance; e\.g\.; sing
        as a (?:user|customer|visitor)
        fai finta; facciamo finta; immagin\w+; supponi\w*; mettiamo (?:che|di); poniamo; ipotizz\w+
        (?:scrivi|componi|crea|inventa|racconta|fam|prepara|genera)(?:mi)? (?:\w+ ){0,3}\
            (?:storia|racconto|poesia|canzone|dialogo|scena|personaggio|biografia|bio|lettera|email\
            |e-mail|mail|messaggio|tema|discorso|post|recensione|annuncio|filastrocca|monologo\
            |risposta|profilo)
        sei un(?:a|o)? (?:\w+ )?(?:assistente|\w*bot|agente|espert[oa]|tutor|consulente|modello)
        sei \w+, (?:un|il|la|lo|l'); ti chiami; il tuo (?:nome|ruolo|compito|personaggio) e
        protagonista; personaggio; narratore; testo della canzone; ad esempio; per esempio
        nel (?:mio )?(?:sogno|gioco|romanzo); interpreta; comportati come; gioco di ruolo
        magpanggap; kunwari\w*; ipagpalagay\w*; isipin mo; halimbawa\w*; ku?wento tungkol
        (?:gumawa|sumulat|magsulat|isulat|igawa|gawan|sulatan|gawa) (?:\w+ ){0,5}\
            (?:ku?wento|tula|kanta|awit|dialogo|liham|sulat|email|mensahe|sanaysay|bio|karakter\
            |script|talumpati|caption|story|poem|letter|message)
        ikaw (?:ay|si) \w+; ang (?:pangalan|tungkulin|trabaho|papel) mo
        bida; karakter; tauhan; sa (?:laro|panaginip|nobela|ku?wento)
        """
    )
)
"""What follows these is made up, or written for somebody else to say."""

_FOREIGN_LINE = re.compile(r"\s{0,8}(?:>|\||[{\[<]|```|~~~|[-*+]?\s{0,3}\"\w+\"\s?:|\S{0,20}[♪♫])")
_HEADING = re.compile(
    r"\s{0,8}(?:#{1,6}\s|={3,}|-{3,}\s*\Z|--\s*\Z|\*{3,}|_{3,}\s*\Z|-{2,} ?\w"
    r"|(?:from|to|subject|date|cc|bcc|sent|da|a|oggetto|data|inviato|mula|para kay|paksa)\s?: ?\S"
    r"|(?:begin|forwarded|original message)\b"
    r"|(?:dear|gentile|gentilissim[oai]|egregi[oa]|car[oaie]|spettabile|mahal (?:na|kong?)"
    r"|minamahal) [^\n,]{1,60},)",
    re.IGNORECASE,
)
"""Behind these a paste, a form or a letter goes on to the end."""

_TAG = re.compile(r"\s{0,8}<(/?)\s{0,2}([a-z][\w-]{1,30})[^>\n]{0,300}>", re.IGNORECASE)
_LABEL = re.compile(
    r"\s{0,8}(?:[-*•+]\s{1,3}|\d{1,2}[.)]\s{1,3})?([^\W\d_][\w' /-]{0,30}?)\s?:\s+\S"
)
_OWN_LABEL = re.compile(
    r"(?:\w+ )?(?:note|notes|nb|ps|btw|fyi|info|reminder|update|edit|context|background|remember"
    r"|about me|me|myself|fun fact|correction|preferences?|ok|so|also|please|decision|decided"
    r"|nota|contesto|ricorda|ricordati|premessa|su di me|di me|correzione|aggiornamento|decisione"
    r"|(?:i|we|i'm|i've|ho|abbiamo|may|dalawa|tatlo|ako)(?: [\w'-]+){1,5}"
    r"|(?:anzi |no )?(?:mi )?correggo|rettifico|i mean|itama ko lang|mali(?: pala)?|let me correct"
    r"(?: myself| that)|allora|una cosa|one thing|tandaan|pakitandaan|tungkol sa akin"
    r"|paalala|konteksto)\Z"
)
_QUOTED = re.compile(
    r'"[^"\n]{1,600}(?:"|$)|“[^”]{1,600}(?:”|$)|«[^»]{1,600}(?:»|$)|„[^“”]{1,600}[“”]'
    r"|`[^`\n]{1,300}`|\*[^*\n]{30,300}\*"
    r"|(?<![\w'])['\u2018](?:[^'\u2018\u2019\n]|(?<=\w)['\u2019](?=\w)){2,300}['\u2019](?!\w)",
    re.MULTILINE,
)


def own_words(text: str) -> Iterator[tuple[str, str]]:
    """The sentences of a message that are in the user's own voice: to the letter, and as they are
    to be read, with quotations hidden and blanks evened out."""
    if len(text) > _LONGEST_SPOKEN:  # nobody types that much: only how it begins is their own
        if _MATERIAL.search(plain(text[-_CLOSING:])):
            return
        text = text[:_OPENING].rpartition("\n")[0]
    masked = _QUOTED.sub(lambda quoted: HIDDEN * len(quoted[0]), _without_foreign_lines(text))
    if _ORDERS.search(plain(masked)):
        return
    sentences = [
        (sentence, _evened(read)) for sentence, read in _both(text, masked) if not is_code(sentence)
    ]
    spoken = [plain(read) for _, read in sentences]
    if any(map(_MATERIAL.search, spoken)) or _STAGE.search(plain(text)):
        return
    is_long = len(spoken) > 1 and "\n" in text.strip()
    for (sentence, read), heard in zip(sentences, spoken, strict=True):
        if _INVENTION.search(heard):
            return
        editing = _EDITING.search(heard)
        if editing and (is_long or ":" in heard[editing.end() :]):
            return
        if heard.endswith(":") and not _OWN_LABEL.search(re.sub(r"[^\w ]", "", heard).strip()):
            return
        if read.strip(HIDDEN + " "):
            yield sentence, read


def _both(text: str, masked: str) -> Iterator[tuple[str, str]]:
    at = 0
    for sentence in split_sentences(text):
        start = text.find(sentence, at)
        at = start + len(sentence)
        yield sentence, masked[start:at]


def _evened(text: str) -> str:
    text = text.replace("\u2019", "'").replace("**", "").replace("\u00a0", " ")
    return " ".join(text.split())


def _without_foreign_lines(text: str) -> str:
    """Of the same length, with whatever was pasted or belongs to a form hidden."""
    lines: list[str] = []
    tag, fence, ended = "", "", False
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if _HEADING.match(line) and not fence:
            ended = True
        opening = _TAG.match(line)
        if not tag and opening and not opening[1] and f"</{opening[2]}" not in bare:
            tag = opening[2]
        mark = bare[:3]
        is_fence = mark in {"```", "~~~"} and fence in {"", mark}
        if is_fence:
            fence = "" if fence else mark
        label = _LABEL.match(line)
        is_labelled = label is not None and not _OWN_LABEL.match(plain(label[1]).replace(".", ""))
        hide = ended or tag or fence or is_fence or is_labelled or _FOREIGN_LINE.match(line)
        lines.append(_hidden(line) if hide else line)
        if tag and f"</{tag}" in line:
            tag = ""
    return "".join(lines)


def _hidden(line: str) -> str:
    return "".join(c if c.isspace() else HIDDEN for c in line)
