"""When to be silent within a sentence.

What is asked is no statement, nor is what depends on an "if" or was said by somebody else; and a
clause that is unsure of itself, or about the day, says nothing that lasts. All of this is judged by
words, and errs towards silence.
"""

import re

from recollect.language.facts.grammar_types import any_of

_ASKS = re.compile(
    r"(?:(?:so|and|but|then|e|ma|quindi|allora|at|kaya|pero|tapos|please|hey|ok|also|hi|hello|ciao)"
    r",? ){0,2}(?:(?:da|di|a|ad|in|con|per|su|at|for|from|on|with|to|sa|ng|about) )?"
    + any_of(
        r"""
        what; which; who; whom; whose; where; when; why; how; can; could; would; will; do; does; did
        is; are; was; were; am; should; shall; have you; has; may i; might; must; any; got; know
        isn't; aren't; don't; doesn't; can't; won't; what's; where's; who's; how's; whats; anything
        wanna; want; recommend; suggest; help; give; tell; advise; ideas; tips; suggestions; guess
        right; correct; ok; okay
        cosa; che; quale; quali; qual; chi; dove; dov'e; quando; perche; come; com'e; quant[oaie]
        puoi; potresti; potete; sai; sapresti; hai; avete; c'e; ci sono; mi consigli\w*
        mi (?:suggerisci|dai|aiuti|puoi|sai|dici|spieghi|fai); e (?:meglio|vero|possibile); va bene
        posso; dovrei; devo; conviene; ti ricordi; ricordi; esiste; esistono; consigli; idee
        qualche; vero; giusto
        ano; anong; sino; sinong; saan; saang; san; sang; kailan; bakit; paano; pano; magkano; musta
        ilan; ilang; alin; aling; gaano; pwede(?:ng)?; puwede(?:ng)?; maaari(?:ng)?; may alam
        may ma\w+; kaya ba; alam mo; ok lang; dapat ba; diba; di ba; tama; naaalala; natatandaan
        matutulungan; tulungan; bigyan
        """
    )
)
_TAG_QUESTION = re.compile(
    any_of(
        r"""
        right; correct; true; no; yes; isn't it; do i; don't i; am i; aren't i; or not; yeah; huh
        remember; ok; vero; giusto; o no; o sbaglio; eh
        'di ba; di ?ba; tama(?: ba)?; hindi ba; ano
        """
    )
    + r"\s?\?[\s)!?]{0,20}\Z"
)
_WISHES = re.compile(
    any_of(r"(?:please,? )?(?:can|could|would|will) you; puoi; potresti; pwede (?:mo )?bang?")
    + r"(?=.{1,200}"
    + any_of("from now on; always; in future; d'ora in poi; sempre; mula ngayon; lagi; palagi")
    + ")"
)
"""Asked only for politeness: how to answer from now on."""

_ASKED = re.compile(r"[?？؟][\s\"'”’»)\]*_!]{0,20}\Z")  # noqa: RUF001
_BEFORE_A_CLAUSE = re.compile(
    r"(?:\A|[,;:()\u2013\u2014…\U0001f300-\U0001faff\u2600-\u27bf]|\.{2,}| - )\s*"
)
_IF = re.compile(
    any_of(
        r"""
        if; unless; whether; in case; assuming; wish; as if; say i; when i (?:grow|retire); quote
        says?; said; saying; told; tells; wrote; writes; asked; asks; thinks; believes; claims
        se; semmai; qualora; purche; magari; vorrei che; come se; nel caso
        dice; dicono; diceva; disse; ha detto; hanno detto; scrive; ha scritto; pensa; pensano
        crede; sostiene; secondo (?!me)\w+
        kung; kapag; pag; sana; kunwari; baka; sakaling; sabi; sinabi; sinasabi; ayon; daw; raw
        tanong; akala; tingin
        """
    )
)
_HARMLESS = re.compile(
    any_of(
        r"""
        (?:if|in case) (?:it|that) (?:helps|matters|is useful|makes a difference); if useful
        if you (?:must know|didn't know|don't know|could); if you're (?:wondering|curious)
        in case you (?:need|forgot|didn't know)
        (?:as|like) i (?:said|told you|mentioned|wrote); i (?:already )?told you; i said
        (?:since |as )?you ask(?:ed)?
        se ti (?:serve|interessa|aiuta|puo servire|puo essere utile)
        se (?:serve|puo servire|puo aiutare|non lo sai|non te l'ho detto)
        come (?:ti )?(?:ho (?:gia )?detto|dicevo); ti ho (?:gia )?detto
        kung (?:makakatulong|sakali|gusto mong malaman|nagtataka ka)
        oo (?:nga )?sana; sige sana; sabi ko nga; gaya ng sabi ko; sinabi ko na
        """
    )
)
_UNSURE = re.compile(
    any_of(
        r"""
        maybe; perhaps; probably; possibly; might; not sure; i guess; i think; i suppose
        supposedly; or something; or so; unless; if
        forse; magari; probabilmente; credo; non so; mi sa; chissa; se; ipoteticamente
        siguro; baka; yata; ata; daw; raw; kuno; kung; ewan; hindi sigurado; parang
        """
    )
)
_FLEETING = re.compile(
    any_of(
        r"""
        today; tonight; right now; at the moment; for now; tomorrow; yesterday; temporarily
        this (?:morning|afternoon|evening|week|weekend|month|time); last night; just for
        for the (?:weekend|night|week|day|moment|summer); for a (?:few|couple); until; an hour ago
        oggi; stasera; stamattina; stamani; stanotte; domani; ieri; fino a; solo per
        in questi giorni
        in questo momento; al momento; per (?:ora|adesso|il momento); temporaneamente
        questa (?:settimana|mattina|sera|volta); questo (?:mese|weekend|periodo)
        ngayong (?:araw|gabi|umaga|hapon|linggo|buwan); mamaya; kanina; kahapon; bukas; kagabi; muna
        pansamantala; sa ngayon; ngayon lang; hanggang
        """
    )
)


def own_part(heard: str) -> str:
    """As much of a sentence, from its beginning, as tells something: up to a question in it."""
    if not _ASKED.search(heard):
        return heard
    if _WISHES.match(heard):
        return heard.rstrip("?!. ")
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


def is_fleeting(clause: str) -> bool:
    """Whether a clause is unsure of itself, or about the day."""
    return bool(_UNSURE.search(clause) or _FLEETING.search(clause))
