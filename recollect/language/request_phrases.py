"""The words of a sentence that only ask: "take me back to the chat where we talked about …".

They say nothing about what is asked for, and an embedder would find every other request alike. What
they leave is the topic; where they leave nothing, the sentence itself is.

Most of them are ordinary words, and a topic may have them too ("open source", "la porta blindata",
"my chat app"). So they are not taken from anywhere, but peeled off each clause from outside:

    ok, could you | take me back to | the chat | where we talked about | the | mortgage | please
    LEADING         GOING             PLACE      LINK                    ART.             TRAILING

Leading words count only if one of the next three follows, or if the clause has no others; links
and articles, only after those.

The patterns are written as in `subjects`. English, Italian and Filipino first, then the most common
turns of Spanish, French, German and Portuguese.
"""

import re

from recollect.language.subjects import any_of, plain

_LONGEST_SENTENCE = 1_000
"""Who says more than that pastes something, and its first words do not matter."""
_QUOTES = "\"'\u201c\u201d\u201e\u00ab\u00bb"


def strip_request_phrases(sentence: str) -> str:
    if len(sentence) > _LONGEST_SENTENCE:
        return sentence
    letters = plain(sentence)
    topics = []
    for clause in _CLAUSE.finditer(letters):
        start, end = _peeled(letters, *clause.span())
        if start < end:
            topics.append(sentence[start:end].lstrip(_QUOTES))
    return ", ".join(topics) or sentence


def _peeled(letters: str, start: int, end: int) -> tuple[int, int]:
    """Where the topic of a clause begins and ends."""
    asked = _after(_LEADING, letters, start, end, many=True)
    gone = _after(_GOING, letters, asked, end)
    placed = _after(_PLACE, letters, gone, end)
    talked = _after(_TALKED, letters, placed, end)
    if talked > asked:
        start = talked
        for part in (_LINK, _TALKED, _ARTICLE):
            start = _after(part, letters, start, end)
    elif asked == end:
        start = end
    trailing = _TRAILING_PLACE if asked < gone == placed else _TRAILING
    while found := trailing.search(letters, max(start, end - _LONGEST_TRAILING), end):
        end = found.start()
    return start, end


def _after(part: re.Pattern[str], letters: str, at: int, end: int, *, many: bool = False) -> int:
    while found := part.match(letters, at, end):
        at = found.end()
        if not many:
            break
    return at


def _part(*lists: str) -> re.Pattern[str]:
    return re.compile(f"{any_of(*lists)} *+")


def _last(*lists: str) -> re.Pattern[str]:
    return re.compile(rf" *{any_of(*lists)}\Z|[ (\[{_QUOTES}\-]+\Z")


_SU, _DI = "s(?:ul|ulla|ullo|ui|ugli|ulle|ull'|u)", "d(?:el|ella|ello|ei|egli|elle|ell'|i)"
_A = "(?:al|alla|allo|ai|agli|alle|all'|ad?)"
_YUNG, _NATIN = "(?:'?yung|iyong|ung|ang)", "(?: natin| namin| nating| ko| mo)?"
_NGA = "(?: (?:mo|ka|ko|ako|tayo|natin|nating|naman|nga|muna|ulit|na|ba|po|lang|pa))*+"

_LEADING = _part(
    """
    hey; hi; hello; ok; okay; so; now; then; and; please; actually; sorry; just; also; you know
    (?:can|could|would|will|shall|may) (?:you|we|i); let'?s; let (?:us|me); i wanna; help me
    i(?:'d| would) (?:like|love)(?: you)? to; i (?:want|need)(?: you)? to
    """,
    """
    senti; scusa; allora; dai; ora; adesso; poi; per favore; per piacere; sai; insomma; mi; ci
    possiamo; potremmo; puoi; potresti; riesci a; voglio; vorrei; vorremmo; fammi; ti va di
    """,
    """
    teka; tara; sige; uy; nga; muna; pala; di ba; diba; po; gusto (?:ko|kong|naming|nating)
    (?:pwede|puwede|maaari)(?: bang?| mong?| nating?)*+; kailangan (?:kong|nating)
    """,
    """
    oye; vale; bueno; ahora; por favor; puedes; podemos; podrias; quiero; quisiera; me; nos
    alors; bon; peux-tu; pouvez-vous; on peut; je (?:veux|voudrais); j'aimerais
    s'il (?:te|vous) plait; bitte; gut; kannst du; konnen wir; ich (?:mochte|will); lass uns
    agora; entao; pode; podes; quero; queria
    """,
)
_THE = "(?:the|that|this|those|these|my|our|your|an?|which|what|where|when)"
_GOING = _part(
    f"""
    (?:go|switch|jump|skip|hop)(?: me| us)?(?: back)?(?: over)? to; (?:go|switch|jump|get) back
    (?:return|move|change|turn|get|come)(?: back)?(?: over)? to(?= {_THE} ); back to; revisit
    (?:take|bring|put|get|send) (?:me|us)(?: right)?(?: back)?(?: over)?(?: to| there)?
    (?:pull|bring|dig|call|look)(?: me)? (?:up|out|back); (?:show|give|find) me; look for
    (?:re-?)?open it; (?:(?:re-?)?open|load)(?: up)?(?= {_THE} ); find it; find(?= {_THE} )
    pick(?: it)? up(?: again)?(?: on| with| from)?; (?:continue|carry on|go on) with
    (?:continue|resume)(?= {_THE} ); (?:do you )?remember (?:when|how|that time)
    do you remember; where (?:is|was|are|were)(?= {_THE} ); where's; what happened to
    """,
    f"""
    (?:ri)?torn(?:a|iamo|are|i)(?: indietro| li)?(?: {_A})?; salta {_A}; vai {_A}
    (?:pass|and)(?:a|iamo|are|i|ami) {_A}; cambia(?:mo|re)?(?= (?:chat|conversazione|discorso))
    (?:ri)?apri(?:mi|re|amo|rmi)?; (?:la|lo) (?:(?:ri)?trovi|(?:ri)?apri); recuper(?:a|ami|are|iamo)
    riprend(?:i|iamo|ere|imi)(?: da(?: li| la| qui)?)?; (?:ri)?trov(?:a|ami|armi|i|are); cercami
    (?:ri)?port(?:ami|aci|armi)(?: {_A})?; (?:ri)?porti {_A}; mostra(?:mi)?; (?:far|fam)mi vedere
    rimett(?:iamoci|erci|iti)(?: {_A}| {_SU})?; rived(?:ere|iamo); continu(?:a|iamo|are) con
    dov'e(?:ra)?; dove (?:era|e|sono); c'era; (?:ti )?ricordi(?: che| quando| di)?
    """,
    f"""
    (?:balik(?:an)?|bumalik|ibalik|lipat|lumipat|punta|pumunta|dun|doon){_NGA}(?: sa| dun sa)?
    (?:paki)?(?:buksan|hanap(?:in)?|ibalik|ilabas|ipakita|pakita){_NGA}(?: sa)?; ituloy{_NGA}
    ipagpatuloy{_NGA}; tuloy (?:natin|tayo); (?:na)?saan{_NGA}; (?:n?asan|naalala|natatandaan){_NGA}
    (?:switch|open|back) (?:mo|ka|tayo|natin){_NGA}(?: dun| doon)?(?: sa)?
    y[ou]n ang gusto kong ituloy
    """,
    """
    (?:vuelve|volvamos|volver|regres(?:a|emos|ar)|pas(?:a|emos)|cambi(?:a|emos)|vamos)(?: al?)
    (?:re)?abr(?:e|eme|amos|ir); buscame; muestrame; retom(?:a|emos|ar)
    (?:reviens|revenons|revenir|retourn(?:e|ons|er)|pass(?:e|ons)|ramene-moi) (?:au?|aux)
    r?ouvr(?:e|ons|ir|ez); (?:re)?trouve-moi; montre-moi; repren(?:ds|ons|dre)
    (?:geh|gehe|gehen wir|wechsle|wechseln wir|spring)(?: bitte)?(?: zuruck)? (?:zu[mr]?|in)
    zuruck zu[mr]?; offne(?: bitte)?; (?:zeig|such|hol)e? mir
    (?:volt(?:e|a|emos|ar)|mud(?:e|a|emos|ar)|pass(?:e|emos)) (?:para|ao?); mostre-me
    """,
)
_LINKS = (
    """
    about; regarding; concerning; to do with; on; with; for; of; where; when; in which; that; had
    called; named; titled
    """,
    f"""
    {_SU}; {_DI}; in cui; dove; di cui; quando; di quando; che; con; per; riguardo {_A}
    a proposito {_DI}; intitolat[ao]; chiamat[ao]
    """,
    """
    (?:pa)?tungkol (?:sa|kay); ukol sa; hinggil sa; about sa; kung (?:saan|kailan); na; nung; noong
    sa
    """,
    """
    sobre(?: [ao]s?)?; acerca del?; del?; donde; en (?:la|el) que; cuando; sur; d(?:u|es|'); ou
    dans laquelle; a propos d(?:e|u|es|'); uber; zu[mr]?; mit; vo[nm]; wo; in de[mr]; als; d[ao]s?
    onde; em que
    """,
)
_LINK = _part(*_LINKS)
_FOLLOWS = any_of(*_LINKS)
_CHAT = (
    "(?:chats?|conversations?|discussions?|threads?|talks?|convos?|conversazion[ei]|discussion[ei]|"
    "discorso|chiacchierata|faccenda|questione|usapan|pag-?uusap|conversacion|charla|hilo|"
    "gesprach|unterhaltung|diskussion|conversa)"
)
_OLD = "(?: other| old| older| last| previous| earlier| long| recent| same)?"
_QUELLA = "(?:la|una|quella|questa|il|quel|un|alla|nella)(?: nostra| nostro| vecchia| vecchio)?"
_PLACE = re.compile(
    any_of(
        rf"""
        (?:(?:the|that|this|our|my|which|an?){_OLD} )?{_CHAT}(?:(?: that)? we (?:had|started))?
        (?:{_QUELLA} )?(?:l'altra |un'altra |altra |ultima )?{_CHAT}
        (?:{_YUNG}(?: mga)? |sa )?(?:dati |dating |lumang |ating )?{_CHAT}{_NATIN}
        (?:al|el|es[ae]|nuestra|le|cette|notre|l'|de[mrn]|die|das|unser\w*+) ?{_CHAT}
        (?:a|essa|aquela|nossa|a nossa) {_CHAT}
        """
    )
    + rf" *+(?:\Z|(?={_FOLLOWS}))|"
    + any_of(
        f"""
        (?:the|that|this){_OLD} (?:one|part|bit|time|stuff|topic); quell[aoei]
        (?:aquella|esa|cel(?:le|ui)|aquela)
        """
    )
    + rf" *+(?={_FOLLOWS})|{any_of(_YUNG)} *+(?=tungkol|about|kung |nung |noong )"
)
_TALK = (
    "(?:talk(?:ed)?|sp[eo]ak|spoken?|discuss(?:ed)?|chatted|were (?:talk|speak|discuss|plann)ing|"
    "went over|(?:figur|work)ed out|looked (?:at|into)|planned|asked(?: you)?|told you)"
)
_PARLATO = "(?:abbiamo|avevamo|ho|avevo) (?:parlato|discusso|chiesto|raccontato)"
_PARLAVAMO = f"(?:parlav(?:o|amo)|discutevamo|dicevamo|ragionavamo|chiedevo|raccontavo|{_PARLATO})"
_USAPAN = "(?:(?:pin|n|nap)ag-?u?usap(?:an)?|i?tinanong|sinabi|kinonsulta|kinu?wento|nabanggit)"
_TALKED = _part(
    f"""
    (?:where |when |in which )?(?:did |have )?(?:we|i) {_TALK}(?: about| of| on| through)?
    (?:dove |quando |in cui |di cui )?(?:ti |mi |ci )?{_PARLAVAMO}(?: {_DI}| {_SU}| come| che)?
    (?:{_YUNG} )?{_USAPAN}{_NATIN}(?: sa (?:'yo|iyo|akin))?(?: na| tungkol sa| tungkol kay)?
    (?:donde |cuando )?habl(?:amos|abamos) (?:del?|sobre)
    (?:ou |quand )?(?:on|nous) (?:parlait|parlions|a parle|avons parle) d(?:e|u|es|')
    (?:wo |als |in de[mr] )?wir(?: _)? (?:uber|von)
    (?:onde |quando )?fal(?:amos|avamos) (?:d[aeo]s?|sobre)
    """
)
_ARTICLE = _part(
    f"""
    the; il; lo; la; gli; le; l'; {_YUNG}(?: mga)?; mga; el; los; las; les; der; die; das; den; dem
    """
)
_POLITE = f"""
    please; again; thanks; thank you; for me; (?:that )?we (?:had|{_TALK} about|discussed)
    per favore; per piacere; grazie; di cui(?: _)? {_PARLAVAMO}; nga; po; ulit; na {_USAPAN} natin
    por favor; gracias; s'il (?:te|vous) plait; merci; bitte; danke
    (?:gesprochen|geredet)(?: haben| hatten)?
"""
_TRAILING, _TRAILING_PLACE = _last(_POLITE), _last(_POLITE, _CHAT)
_LONGEST_TRAILING = 60
_ENDS = r".,;:!?\u00bf\u00a1\u2026\n"
_CLAUSE = re.compile(rf"[^{_ENDS} \"\u201c\u00ab(](?:[^{_ENDS}]|[.,:](?=\w))*")
