"""The turns of phrase by which people decide, prefer, forbid, aim, point out and put off.

Regular expressions between semicolons and line ends, in lower case and without accents, a space
standing for any white space; they match whole words. English, Italian and Filipino first, then
Spanish, French, German and Portuguese with the most common ones. No list is for one language only:
a phrase long enough to mean something in one hardly occurs in another, and short words that mean
different things in two ("no", "sa", "me") stand in none.
"""

import re


def _any_of(*lists: str) -> re.Pattern[str]:
    phrases = (phrase.strip() for lines in lists for phrase in re.split(r"[;\n]", lines))
    alternatives = "|".join(filter(None, phrases))
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)")


DECISION = _any_of(
    r"""
    decided (?!ly); agreed (?:to|on|that|upon|with); settled on; chosen; (?:i|we|they) chose; opted for
    (?:i|we)(?:'ve| have)? (?:\w+ )?(?:decided|agreed|settled|picked|selected); decision; it's settled
    let'?s (?:go (?:with|for)|use|stick (?:with|to)|take the|keep|make it|choose|pick)
    (?:we're|we are|i'm|i am) (?:going with|sticking with|using); we(?:'ll| will) (?:go with|use|stick)
    i(?:'ll| will) (?:go with|use|stick with); we went (?:with|for); made up (?:my|our) mind
    """,
    r"""
    deciso; decisione; decidiamo; (?:ho|abbiamo|hanno) (?:\w+ )?(?:scelto|stabilito|concordato)
    (?:ho|abbiamo|hanno|ha) optato; (?:siamo|rimasti|restiamo) (?:\w+ )?d'accordo; vada per
    andiamo (?:con|per|su|sul|sulla); (?:scegliamo|usiamo|prendiamo|teniamo|facciamo con)
    """,
    r"""
    napagpasyahan\w*; napagdesisyunan\w*; nagpasya\w*; nagdesisyon\w*; nagdecide; desisyon\w*
    napagkasunduan\w*; nagkasundo\w*; (?:pinili|pipiliin|kukunin|gagamitin) (?:ko|namin|natin)
    na lang (?:tayo|natin|kami); (?:pinal|final) na
    """,
    r"""
    (?:he|hemos|han) (?:decidido|elegido|acordado|escogido|optado); decidimos; decidi; nos quedamos con
    vamos a usar; (?:nous avons|on a|j'ai) (?:decide|choisi|convenu|opte)\w*; on (?:part|reste) sur
    entschieden; entscheidung; beschlossen; vereinbart; wir nehmen; decidimos; decisao
    escolhemos; escolhi; combinamos; optamos; vamos com
    """,
)
PREFERENCE = _any_of(
    r"""
    (?:i|we|user|he|she|they)(?:'d| would| do)? (?:\w+ly )?(?:prefers?|rather|likes?|loves?|enjoys?)
    (?:i|we|user|he|she|they) (?:\w+ly )?(?:hates?|dislikes?|can't stand); preferences?; favou?rites?
    (?:i|we) (?:always|only|usually|normally) (?:want|take|use|drink|eat|book|fly|work|wear)
    (?:works|suits) (?:\w+ )?(?:for )?(?:me|us); i(?:'m| am) (?:\w+ )?(?:fond|a fan) of
    """,
    r"""
    prefer(?:isc\w+|irei|iamo|iremmo|enza|enze|it[oaie]); mi piac\w+; ci piac\w+; adoro; detesto; odio
    vorre(?:i|mmo) piuttosto; voglio sempre; non sopporto; mi trovo (?:\w+ )?(?:bene|meglio)
    """,
    r"""
    mas (?:gusto|nais|pinipili|pipiliin|trip|okay sa akin); gustong-gusto; (?:gusto|nais|hilig) (?:ko|namin)
    paborito\w*; ayaw (?:ko|namin); ayoko\w*; mahilig (?:ako|kami)
    """,
    r"""
    prefiero; preferimos; preferiria; me (?:gusta|gustan|encanta|encantan); favorit[oa]s?
    (?:je|nous) prefer\w+; j'(?:aime|adore|aimerais mieux); prefere\w*; bevorzug\w+; am liebsten; lieber
    ich (?:mag|hasse); lieblings\w+; prefiro; eu gosto; gosto (?:de|mais); adoro
    """,
)
CONSTRAINT = _any_of(
    r"""
    (?:do not|don't|dont|never) (?!worry|mind|know|think|understand|forget|be(?:en|lieve)?|\w+ed|had|saw)\w+
    (?<!i )(?<!i've )never; (?:must|cannot|can not|can't)(?! be| believe| wait| find| help| remember| stand)
    mustn't; may not; should not; shouldn't; not allowed; forbidden; prohibited; not permitted; avoid
    no (?:more|less|later|longer) than; at most; up to \S+; under no circumstances
    allerg(?:y|ic|ies); intoleran(?:t|ce); vegan; vegetarian; diabetic; (?:has|have) to be; required
    """,
    r"""
    non (?:usare|devi|dev[eo]|dobbiamo|devono|posso|possiamo|possono|puoi|puo|voglio|vogliamo)
    non (?!preoccup|dimentic|cred|piang)\w+(?:are|ere|ire|arl[oaie]|erl[oaie]|irl[oaie])
    (?<!ho )(?<!ha )(?<!abbiamo )mai (?!\w+[tis]o)\w+; vietat[oaie]; proibit[oaie]; evita\w*
    al massimo; al minimo; obbligatori[oa]; allergi[ac]\w*; intolleran\w+; vegetarian[oaie]; vegan[oaie]
    celiac[oaie]; (?:dev[eo]|dobbiamo|devono|bisogna|occorre) (?:\w+ )?(?:essere|\w+(?:are|ere|ire))
    """,
    r"""
    huwag(?: mong?| kang)? (?!nang alala|mag-?alala|alalahanin|mo nang)\w+; hindi (?:dapat|pwede|puwede)\w*
    hindi (?:ako|kami|ko|namin|natin) (?:pwede|puwede|maaari|kumakain|gumagamit)\w*; bawal; ipinagbabawal
    iwasan; allergic; alerdyi\w*; dapat; hanggang \S+(?: \S+)? lang; hindi (?:lalampas|hihigit|bababa)
    hindi maaari\w*; vegetarian; walang (?!anuman|problema|alam|katapusan)\w+
    """,
    r"""
    no (?:uses?|usar|puedo|podemos|debe\w*|quiero|hay que); nunca; alergic[oa]s?; prohibid[oa]; evit[ae]\w*
    (?:ne \w+|n'\w+) (?:pas|jamais|plus|rien); allergique; interdit\w*; evite[rz]?
    (?:nicht|niemals|keine?\w*) \w+; allergisch; verboten; vermeide\w*; darf; hochstens
    nao (?:usar?|use\w*|posso|podemos|deve\w*|quero|pode\w*); jamais; proibid[oa]
    """,
)
GOAL = _any_of(
    r"""
    (?:i|we|user|he|she|they)(?:'m|'re| am| are)? (?:wants?|needs?|plans?|hopes?|trying|planning|hoping)
    (?:my|our) (?:\w+ )?(?:goal|aim|plan|task|project); (?:goal|aim) is
    (?:i'm|i am|we're|we are) (?:\w+ )?(?:working|building|writing|organi[sz]ing|preparing|looking for)
    """,
    r"""
    (?:voglio|vorrei|vogliamo|vorremmo|devo|dobbiamo|(?:mi|ci) serv(?:e|ono)); (?:sto|stiamo) \w+[ae]ndo
    (?:mio|nostro) (?:obiettivo|scopo|progetto|piano); obiettivo
    """,
    r"""
    (?:gusto|kailangan|plano|balak|nais) (?:kong|naming|nating); layunin; nagpaplano\w*; naghahanda\w*
    """,
    r"""
    quiero; queremos; necesito; necesitamos; estoy \w+ndo; je (?:veux|voudrais|dois); j'ai besoin; notre but
    (?:ich|wir) (?:mochten?|will|wollen|brauchen?|muss|mussen|planen?); mein ziel; unser ziel
    quero; queremos; preciso; precisamos; objetivo; objectif
    """,
)
NOTICE = _any_of(
    r"""
    remember (?!when); keep in mind; bear in mind; note that; please note; for the record; important(?:ly)?
    don't forget; fyi; for your information; just so you know; make sure; write (?:this|it|that) down
    """,
    r"""
    ricorda(?:ti|tevi|te)?; tieni (?:a mente|presente|conto); sappi; importante; annota\w*; segnat[ie]\w*
    non dimenticare; per la cronaca; prendi nota; mi raccomando
    """,
    r"""
    tandaan\w*; pakitandaan; huwag (?:mong )?kalimutan; mahalaga\w*; importante\w*; paki-?note
    para alam mo; ilista mo
    """,
    r"""
    recuerda; ten en cuenta; no olvides; toma nota; rappelle-toi; n'oublie\w*; a noter; merk dir; wichtig
    beachte; vergiss nicht; lembre-se; anote; nao esqueca
    """,
)
OPEN = _any_of(
    r"""
    still (?:have|has|need|needs|open|undecided|unclear|missing|pending|waiting); to be (?:decided|confirmed)
    open (?:question|issue|point)s?; tbd; tbc; to-?do; not (?:yet )?(?:decided|sure whether|clear)
    """,
    r"""
    (?:da|resta da|ancora da) (?:decidere|definire|confermare|vedere|capire); in sospeso; non ancora
    hindi pa; pag-uusapan pa; pagpapasyahan pa; por (?:decidir|confirmar|definir); pendiente
    reste a \w+er; a confirmer; noch (?:offen|nicht|unklar); a definir; em aberto
    """,
)
OWN = _any_of(
    "my; our; ours; mine; i; i'm; i've; i'd; i'll; we; we're; we've; we'd; we'll; us; me",
    "mi[oae]; miei; nostr[oaie]; noi; io; mi; ci; ho; abbiamo; siamo; possiamo",
    "ko(?:ng)?; ak(?:o|ong|in|ing); namin(?:g)?; amin(?:g)?; kami(?:ng)?; natin(?:g)?; tayo; atin(?:g)?",
    r"mis?; nuestr[oa]s?; yo; tengo; tenemos; mon; ma; mes; notre; nos; je; nous; j'ai",
    r"mein\w{0,2}; unser\w{0,2}; ich; wir; mir; uns; meus?; minhas?; noss[oa]s?; eu; tenho; temos",
)
FLEETING = _any_of(
    r"""
    yesterday; last (?:night|week|weekend|month|summer|winter|year|time); this (?:morning|afternoon|evening)
    the other day; \w+ (?:days?|weeks?|months?|years?|hours?|minutes?) ago; just now; right now; tonight
    at the moment; imagine that; (?:some|one) day; maybe; perhaps; (?:i|we|he|she|they) (?:\w+ )?\w{2,}ed
    (?:went|saw|told|bought|sent|paid|left|ate|met|had|was|were|came|took|heard|slept|found|drove|lost|kept)
    (?:brought|fell|ran|got|gave|won|felt|thought|forgot)
    """,
    r"""
    ieri; l'altr[oa] (?:giorno|sera); (?:settimana|mese|estate|anno|volta) scors[oa]; stamattina; stasera
    poco fa; adesso; pensa un po'; un giorno; prima o poi; forse; magari; mi ha; hanno fatto
    (?:ho|ha|hai|abbiamo|hanno|sono|siamo|e|ero) (?:\w+ )?(?:\w{2,}(?:at|ut|it)[oaie]|visto|fatto|preso|perso)
    """,
    "kahapon; kanina; kagabi; noong; ngayon; mamaya; biruin mo; yata; daw; raw; balang araw; siguro; baka",
    r"""
    ayer; anoche; la semana pasada; esta manana; ahora mismo; algun dia; quizas?; hier; la semaine derniere
    ce matin; un jour; peut-etre; gestern; letzte (?:woche|nacht); heute morgen; gerade; irgendwann; vielleicht
    ontem; a semana passada; agora mesmo; um dia; talvez
    """,
)
REQUEST = _any_of(
    r"""
    (?:please |now |and )?(?:tell|give|show|read|help) (?:me|us); (?:please )?(?:explain|compare|summari[sz]e)
    (?:please )?(?:translate|describe|list|suggest|recommend|rewrite|shorten|calculate|convert|generate)
    (?:please )?(?:write|make|find|draw|draft|create) (?:me|a|an|another|this|it|the \w+ (?:a bit )?\w+er)
    make the .*er
    """,
    r"""
    (?:raccontami|dammi|dimmi|mostrami|aiutami|leggimi|rileggimi|spiega\w*|confronta|riassumi\w*|traduci\w*)
    (?:elenca\w*|descrivi\w*|suggerisci\w*|consigliami|riscrivi\w*|accorcia\w*|calcola|genera|disegna)
    (?:scrivi(?:mi)?|trova(?:mi)?|crea|fammi) (?:un|una|uno|un')
    """,
    r"""
    kuwentuhan; bigyan; magbigay; ipaliwanag; ihambing; ikumpara; ibuod; isalin; gumawa; basahin; ipakita
    ilista; ilarawan; paki-?iksian; turuan; tulungan
    """,
    r"""
    (?:dime|dame|explica\w*|compara|resume|traduce|cuentame|muestrame|escribe(?:me)? un\w?)
    (?:dis-moi|donne-moi|explique\w*|compare|traduis|raconte\w*|montre-moi|ecris un\w?)
    (?:sag mir|gib mir|erklar\w*|vergleiche?|ubersetze?|zeig mir|schreib mir|erzahl\w*)
    (?:diga-me|me diga|me de|explique|compare|traduza|resuma|conte-me|mostre-me|escreva um\w?)
    """,
)
AFFAIRS = _any_of(
    r"""
    budgets?; fees?; rent; salary; loan; invoices?; payments?; deposit; refund; orders?; bookings?; booked
    reservations?; reference; tickets?; contracts?; insurance; accounts?; customers?; clients?; suppliers?
    passwords?; licen[cs]e; passport; phone number; address; flights?; hotel; visa; appointments?; deadlines?
    due; exams?; interview; wedding; married; release; launch; delivery; project; team; manager; boss; colleagues?
    lawyer; doctor; landlord; accountant; contact; servers?; database; config(?:uration)?; script; backups?; repo
    repository; files?; folder; data; letter; venue
    """,
    r"""
    budget; compenso; affitto; stipendio; mutuo; fattura; pagamento; caparra; acconto; rimborso; ordine
    prenotazione; biglietto; contratto; assicurazione; conto; clienti?; fornitore; password; licenza; passaporto
    indirizzo; volo; albergo; visto; appuntamento; scadenza; esame; colloquio; matrimonio; sposiamo; rilascio
    consegna; progetto; capo; collega; avvocato; medico; commercialista; referente; server; database; script
    configurazione; cartella; dati; file; lettera; sala; pratica; codice
    """,
    r"""
    badyet; budget; bayad; upa; sahod; utang; resibo; deposito; order; booking; tiket; kontrata; seguro; kliyente
    lisensya; pasaporte; numero; lipad; hotel; appointment; deadline; kasal; ikakasal; proyekto\w*; boss; abogado
    doktor; kausap; server; database; config; script; datos; file; sulat; padala; venue; produkto
    """,
    r"""
    presupuesto; factura; pago; pedido; reserva; contrato; cliente; vuelo; cita; plazo; proyecto; jefe; abogado
    facture; commande; contrat; client; vol; rendez-vous; echeance; projet; patron; avocat; rechnung; bestellung
    buchung; vertrag; kunde; flug; termin; frist; projekt; chef; anwalt; orcamento; fatura; pedido; voo; prazo
    """,
)
COURTESY = _any_of(
    r"""
    hi; hello; hey; good (?:morning|evening|afternoon|night); thanks?; thank you; thx; ok(?:ay)?; sure
    great; perfect; nice; cool; wow; ha(?:ha)+; lol; yes; no; right; got it; understood; noted; welcome
    you're welcome; sorry; glad; bye; see you; sounds good; of course; no problem; let me know; feel free
    good to know; good (?:choice|question|idea)
    """,
    r"""
    ciao; salve; buon(?:giorno|asera|anotte); grazie; prego; va bene; certo; perfetto; ottimo; bene; capito
    ahah\w*; scusa; si(?=[,.!]); volentieri; figurati; nessun problema; rieccomi; benissimo; d'accordo; buona scelta
    """,
    r"""
    kumusta; kamusta; salamat; magandang (?:umaga|gabi|hapon|tanghali); sige; ayos; walang (?:anuman|problema)
    oo; opo; naku; naintindihan ko; pasensya; mabuti
    """,
    r"""
    hola; gracias; buen[oa]s (?:dias|tardes|noches); vale; de nada; claro; bonjour; bonsoir; salut; merci
    de rien; d'accord; bien sur; hallo; guten (?:morgen|tag|abend); danke; bitte; gerne?; alles klar
    ola; bom dia; boa (?:tarde|noite); obrigad[oa]
    """,
)
