"""When to be silent.

Whatever is not the user's own plain word about a lasting state of affairs has to be passed over.
Three things are taken away, from the largest to the smallest:

- of a message, what is not in the user's own voice: code, quotations, pasted blocks, letters, and
  all that follows a request to translate or to invent something (`own_words`);
- of a sentence, what is asked or depends on an "if", or was said by somebody else (`own_part`);
- a clause that is unsure or for the day only (`is_fleeting`).

All of them judge by words, and err towards silence.
"""

import re
from collections.abc import Iterator

from recollect.cues import plain
from recollect.sentences import is_code, split_sentences

_LONGEST_READ = 6_000
HIDDEN = "\0"


def _any_of(phrases: str) -> str:
    found = (phrase.strip() for phrase in re.split(r"[;\n]", phrases))
    return rf"(?<!\w)(?:{'|'.join(filter(None, found))})(?!\w)"


_ORDERS = re.compile(
    _any_of(
        r"""
        (?:ignore|disregard|forget|override|bypass) (?:\w+ ){0,3}(?:instructions?|rules|prompts?)
        (?:ignore|disregard|forget) (?:everything|all) (?:above|before|you)
        system prompt; developer mode; jailbreak; \Asystem ?:; (?:admin|root) (?:password|rights)
        (?:you are|you're) now; from now on,? (?:you are|you're|you will be|act|behave)
        (?:ignora|dimentica) (?:\w+ ){0,3}(?:istruzioni|regole|prompt)
        d'ora in poi (?:sei|sarai|ti chiami|agisci|comportati); ora sei un\w?
        (?:balewalain|kalimutan|huwag (?:mong )?pansinin) (?:\w+ ){0,4}(?:instructions?|utos|tagubilin)
        mula ngayon,? (?:ikaw ay|ikaw si|ikaw na|isa ka)
        just kidding; jk; i'm joking; only joking; scherz(?:o|avo); sto scherzando; joke lang
        joke only; char(?:ot|iz|rot)?; biro lang; nagbibiro lang
        """
    )
)
"""A message with one of these is not read at all: it gives orders, or takes itself back."""

_ABOUT_A_TEXT = re.compile(
    _any_of(
        r"""
        translat(?:e|ion|ing); paraphrase; rephrase; reword
        (?:proof-?read|rewrite|correct|fix|check|edit|improve) (?:this|these|the following|it|the (?:sentence|text))
        how (?:do|would|can) (?:you|i|we) say; what does (?:\S+ ){1,8}mean; in other words
        (?:is|are) (?:this|these|the) (?:\w+ )?(?:sentence|phrase)s? (?:correct|right)
        (?:example|sample|following) (?:sentence|phrase|text|dialogue|message|email|passage|review|paragraph)s?
        use (?:\S+ ){1,4}in a sentence; grammatical(?:ly)?; grammar; summari[sz]e (?:this|the|it)
        traduc\w+; traduzione; riformul\w+; parafras\w+; riassumi\w*
        (?:correggi\w*|riscriv\w+|controlla\w*) (?:quest\w+|la frase|il testo|il seguente|la seguente); come si dice; come (?:si )?traduc\w+; cosa (?:significa|vuol dire)
        (?:e|sono) corrett[aeio]; frase (?:di esempio|corretta|seguente); seguente (?:frase|testo)
        analizza (?:la|questa|il|questo); grammatica(?:le|lmente)?; frasi
        isalin; i-translate; pakisalin; itama; paki-?ayos; paano (?:\w+ )?sabihin; anong? ibig sabihin
        ano sa (?:ingles|english|tagalog|filipino); pangungusap; buod(?:in)?; ibuod; i-?check mo
        i-?rewrite; i-?proofread; i-?correct; maayos ba; tama ba ang
        """
    )
)
"""Before and after these stand sentences that are material."""

_EDITING = re.compile(
    _any_of(
        r"""
        proof-?read; rewrite; (?:correct|fix|check|edit|improve|polish) (?:my|the|our|an?)
        corregg\w+; riscriv\w+; controlla\w*; migliora\w*; rivedi\w*; ayusin; pakiayos; paki-?check
        """
    )
)
"""What is to be edited stands behind a colon or on other lines, or is to come."""

_STAGE = re.compile(r"(?<![*\w])\*[a-z][a-z' ]{2,40}\*(?![*\w])")
"""*bows*: somebody plays a part."""

_INVENTION = re.compile(
    _any_of(
        r"""
        role-?\s?play\w*; pretend\w*; imagine; suppose; let's say; hypothetical\w*; act as; lyrics
        (?:write|compose|create|make|tell|give|draft|generate|invent) (?:me )?(?:\w+ ){0,3}(?:story|poem|song|dialogue|monologue|scene|screenplay|script|tale|haiku|character|bio|biography|letter|email|e-mail|message|essay|speech|post|caption|review|ad|profile|cover letter|limerick|sketch|persona|reply|text)
        (?:short )?(?:story|poem|song) (?:about|in which|where); (?:you are|you're|you play|be) (?:a|an|my) (?!\w*(?:life ?saver|genius|star|legend|angel))\w+
        (?:the |my |main |her |his )(?:character|protagonist|narrator|persona)\w*; in (?:the|my) (?:game|dream|novel|story|play)
        for example; for instance; e\.g\.; sing(?:ing)?
        fai finta; facciamo finta; immagin\w+; supponi\w*; mettiamo (?:che|di); poniamo; ipotizz\w+; gioco di ruolo
        (?:scrivi(?:mi)?|componi|crea(?:mi)?|inventa(?:mi)?|raccontami|fammi|prepara(?:mi)?|genera) (?:\w+ ){0,3}(?:storia|racconto|poesia|canzone|dialogo|scena|personaggio|biografia|bio|lettera|email|e-mail|mail|messaggio|tema|discorso|post|recensione|annuncio|filastrocca|monologo|risposta|profilo)
        (?:il |la |mio |mia )?(?:protagonista|personaggio|narratore); testo della canzone; ad esempio; per esempio
        nel (?:mio )?(?:sogno|gioco|romanzo); interpreta; comportati come; reciti
        magpanggap; kunwari\w*; ipagpalagay\w*; isipin mo; halimbawa\w*; kuwento tungkol; kwento tungkol
        (?:gumawa|sumulat|magsulat|isulat|igawa|gawan|sulatan|gawa) (?:\w+ ){0,5}(?:kuwento|kwento|tula|kanta|awit|dialogo|liham|sulat|email|mensahe|sanaysay|bio|karakter|script|talumpati|caption|story|poem|letter|message)
        (?:bida|karakter|tauhan); sa (?:laro|panaginip|nobela|kuwento|kwento); lyrics ng
        """
    )
)
"""What follows these is made up, or written for somebody else to say."""

_FOREIGN_LINE = re.compile(r"\s{0,8}(?:>|\||[{\[<]|```|~~~|[-*+]?\s{0,3}\"\w+\"\s?:|\S{0,20}[♪♫])")
_HEADING = re.compile(
    r"\s{0,8}(?:#{1,6}\s|={3,}|-{3,}\s*\Z|--\s*\Z|\*{3,}|_{3,}\s*\Z|-{2,} ?\w|"
    r"(?:from|to|subject|date|cc|bcc|sent|da|a|oggetto|data|inviato|mula|para kay|paksa)\s?: ?\S|"
    r"(?:begin|forwarded|original message)\b|"
    r"(?:dear|gentile|gentilissim[oai]|egregi[oa]|car[oaie]|spettabile|mahal (?:na|kong?)|minamahal)"
    r" [^\n,]{1,60},)",
    re.IGNORECASE,
)
_TAG = re.compile(r"\s{0,8}<(/?)\s{0,2}([a-z][\w-]{1,30})[^>\n]{0,300}>", re.IGNORECASE)
_LABEL = re.compile(
    r"\s{0,8}(?:[-*•+]\s{1,3}|\d{1,2}[.)]\s{1,3})?([^\W\d_][\w' /-]{0,30}?)\s?:\s+\S"
)
_OWN_LABEL = re.compile(
    r"(?:\w+ )?(?:note|notes|nb|ps|p s|btw|fyi|info|reminder|update|edit|context|background|remember"
    r"|about me|me|myself|fun fact|correction|preference|preferences|ok|so|also|please|decision"
    r"|nota|ps|contesto|ricorda|ricordati|premessa|su di me|di me|correzione|aggiornamento|decisione"
    r"|allora|tandaan|pakitandaan|tungkol sa akin|paalala|konteksto|one thing|una cosa|decided)\Z"
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
    text = text[:_LONGEST_READ]
    masked = _QUOTED.sub(lambda quoted: HIDDEN * len(quoted[0]), _without_foreign_lines(text))
    if _ORDERS.search(plain(masked)):
        return
    sentences = [
        (sentence, _evened(read)) for sentence, read in _both(text, masked) if not is_code(sentence)
    ]
    spoken = [plain(read) for _, read in sentences]
    if any(map(_ABOUT_A_TEXT.search, spoken)) or _STAGE.search(plain(text)):
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


_ASKS = re.compile(
    r"(?:(?:so|and|but|then|e|ma|quindi|allora|at|kaya|pero|tapos|please|hey|ok|also|hi|hello|ciao)"
    r",? ){0,2}(?:(?:da|di|a|ad|in|con|per|su|at|for|from|on|with|to|sa|ng|about) )?(?:"
    r"(?:what|which|who|whom|whose|where|when|why|how|can|could|would|will|do|does|did|is|are|was"
    r"|were|am|should|shall|have you|has|may i|might|must|any|got|know|isn't|aren't|don't|doesn't|can't"
    r"|won't|what's|where's|who's|how's|whats|anything|wanna|want|recommend|suggest|help|give|tell"
    r"|advise|ideas|tips|suggestions|guess|right|correct|ok|okay|san|pano|musta|sang|anu"
    r"|cosa|che|quale|quali|qual|chi|dove|dov'e|quando|perche|come|com'e|quanto|quanta|quanti|quante"
    r"|puoi|potresti|potete|sai|sapresti|hai|avete|c'e|ci sono|mi consigli\w*|mi suggerisci|mi dai"
    r"|mi aiuti|mi puoi|mi sai|mi dici|mi spieghi|mi fai|e meglio|e vero|e possibile|va bene|posso"
    r"|dovrei|devo|conviene|ti ricordi|ricordi|esiste|esistono|consigli|idee|qualche|vero|giusto"
    r"|ano|anong|sino|sinong|saan|saang|kailan|bakit|paano|magkano|ilan|ilang|alin|aling|gaano"
    r"|pwede|puwede|pwedeng|puwedeng|maaari|maaaring|may alam|may ma\w+|kaya ba|alam mo|ok lang"
    r"|dapat ba|diba|di ba|tama|naaalala|natatandaan|matutulungan|tulungan|bigyan|any)(?!\w))"
)
_IF = re.compile(
    _any_of(
        r"""
        if; unless; whether; in case; assuming; wish; as if; say i; when i (?:grow|retire)
        says?; said; saying; told; tells; wrote; writes; asked; asks; thinks; believes; claims; quote
        se; semmai; qualora; purche; magari; vorrei che; come se; nel caso
        dice; dicono; diceva; disse; ha detto; hanno detto; scrive; ha scritto; pensa; pensano; crede; sostiene; secondo (?!me)\w+
        kung; kapag; pag; sana; kunwari; baka; sakaling; sabi; sinabi; sinasabi; ayon; daw; raw; tanong; akala; tingin
        """
    )
)
_HARMLESS = re.compile(
    _any_of(
        r"""
        (?:if (?:it|that) (?:helps|matters|is useful|makes a difference)|if you (?:must know|didn't know|don't know)|if you're (?:wondering|curious)|if useful|in case (?:it|that) (?:helps|matters)|in case you (?:need|forgot|didn't know))
        as i (?:said|told you|mentioned|wrote); like i (?:said|told you|mentioned); i (?:already )?told you (?:that)?; i said; (?:since |as )?you ask(?:ed)?
        se ti (?:serve|interessa|puo (?:servire|essere utile)|aiuta); se (?:serve|puo servire|puo aiutare|non lo sai|non te l'ho detto)
        come (?:ti )?(?:ho|dicevo|gia) ?(?:gia )?(?:detto|scritto)?; ti ho (?:gia )?detto che
        kung (?:makakatulong|sakali|gusto mong malaman|nagtataka ka); sabi ko nga; gaya ng sabi ko; sinabi ko na
        could you; would you; could anyone; can you; should i; should we; if you could
        """
    )
)
_TAG_QUESTION = re.compile(
    r"(?<!\w)(?:right|correct|true|no|yes|isn't it|do i|don't i|am i|aren't i|or not|yeah|remember|vero|giusto|ok"
    r"|o no|o sbaglio|eh|di ?ba|'di ba|tama(?: ba)?|hindi ba|ano|huh)\s?\?[\s)!?]*\Z"
)
_ASKED = re.compile(r"[?？؟][\s\"'”’»)\]*_!]*\Z")  # noqa: RUF001
_BEFORE_A_CLAUSE = re.compile(r"(?:\A|[,;:()\u2013\u2014…]|\.{2,}| - )\s*")


def own_part(heard: str) -> str:
    """As much of a sentence, from its beginning, as tells something: up to a question in it."""
    if not _ASKED.search(heard):
        return heard
    if _TAG_QUESTION.search(heard):
        return ""
    told = 0
    for start in _BEFORE_A_CLAUSE.finditer(heard):
        if start.end() < len(heard):
            told = start.start()
            if _ASKS.match(heard, start.end()):
                break
    return heard[:told]


def is_conditional(before: str) -> bool:
    """Whether what comes before a clause makes it depend on something, or somebody else's word."""
    return _IF.search(_HARMLESS.sub(" ", before)) is not None


_UNSURE = re.compile(
    _any_of(
        r"""
        maybe; perhaps; probably; possibly; might; not sure; i guess; i think; i suppose; supposedly; or something; or so; unless; if
        forse; magari; probabilmente; credo; non so; mi sa; chissa; se; ipoteticamente
        siguro; baka; yata; ata; daw; raw; kuno; kung; ewan; hindi sigurado; parang
        today; tonight; right now; at the moment; this (?:morning|afternoon|evening|week|weekend|month|time); for now; for the (?:weekend|night|week|day|moment|summer); tomorrow; yesterday; temporarily; just for; these days; last night; for a (?:few|couple); until; an hour ago; any ?more\?
        oggi; stasera; stamattina; stamani; stanotte; in questo momento; al momento; per (?:ora|adesso|il momento); domani; ieri; questa (?:settimana|mattina|sera|volta); questo (?:mese|weekend|periodo); temporaneamente; fino a; in questi giorni; solo per
        ngayong (?:araw|gabi|umaga|hapon|linggo|buwan); mamaya; kanina; kahapon; bukas; kagabi; muna; pansamantala; sa ngayon; ngayon lang; hanggang
        """
    )
)


def is_fleeting(clause: str) -> bool:
    """Whether a clause is unsure of itself, or about the day."""
    return _UNSURE.search(clause) is not None
