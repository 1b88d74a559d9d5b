"""The turns of phrase by which people decide, prefer, forbid, aim, point out and put off.

Regular expressions between semicolons and line ends, in lower case and without accents; they match
whole words. English, Italian and Filipino come first, then the most common ones of Spanish, French,
German and Portuguese. No list is for one language only: a phrase long enough to mean something in
one hardly occurs in another, and short words that mean different things in two ("no", "sa", "me")
stand in none alone.
"""

import re


def _any_of(*lists: str) -> re.Pattern[str]:
    phrases = (phrase.strip() for lines in lists for phrase in re.split(r"[;\n]", lines))
    alternatives = "|".join(filter(None, phrases))
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)")


DECISION = _any_of(
    r"""
    decided; agreed (?:to|on|that|upon|with); settled on; chosen; (?:i|we|they) chose; opted for
    (?:i|we)(?:'ve| have)? (?:\w+ )?(?:agreed|settled|picked|selected); decision; it's settled
    let'?s (?:go (?:with|for)|use|stick (?:with|to)|do|take the|keep|make it|choose|pick)
    (?:we're|we are|i'm|i am) (?:going with|sticking with|using|switching); we went (?:with|for)
    (?:i|we)(?:'ll| will) (?:go with|use|stick with); made up (?:my|our) mind; from now on
    switch(?:ed|ing)? (?:to|from); (?:pushed|moved) (?:back )?to; postponed; rescheduled
    changed (?:my|our) mind; no longer; i meant
    """,
    r"""
    deciso; decisione; decidiamo; (?:ho|abbiamo|hanno) (?:\w+ )?(?:scelto|stabilito|concordato)
    (?:ho|ha|abbiamo|hanno) optato; (?:siamo|rimasti|restiamo) (?:\w+ )?d'accordo; vada per
    andiamo (?:con|per|su|sul|sulla); (?:scegliamo|usiamo|prendiamo|teniamo|facciamo con)
    d'ora in poi; (?:spostat|rinviat|rimandat)[oaie] (?:a|al|alla|all'\w+|di); intendevo
    passiamo a
    """,
    r"""
    napagpasyahan\w*; napagdesisyunan\w*; nagpasya\w*; nagdesisyon\w*; desisyon\w*
    napagkasunduan\w*; nagkasundo\w*; (?:pinili|pipiliin|kukunin|gagamitin) (?:ko|namin|natin)
    na lang (?:tayo|natin|kami); (?:pinal|final) na; mula ngayon; (?:inilipat|nalipat) sa
    """,
    r"""
    (?:he|hemos|han) (?:decidido|elegido|acordado|escogido|optado); decidimos; nos quedamos con
    vamos a usar; a partir de ahora; (?:nous avons|on a|j'ai) (?:decide|choisi|convenu|opte)\w*
    on (?:part|reste) sur; desormais; entschieden; entscheidung; beschlossen; vereinbart
    wir nehmen; ab jetzt; decidi; decisao; escolhemos; escolhi; combinamos; optamos; vamos com
    """,
)
PREFERENCE = _any_of(
    r"""
    (?:i|we|user|he|she|they)(?:'d| would| do)? (?:\w+ly )?(?:prefers?|rather|likes?|loves?|enjoys?)
    (?:i|we|user|he|she|they) (?:\w+ly )?(?:hates?|dislikes?|can't stand); preferences?
    favou?rites?
    (?:i|we) (?:always|only|usually|normally) (?:want|take|use|drink|eat|book|fly|work|wear)
    (?:works|suits) (?:\w+ )?(?:for )?(?:me|us); i(?:'m| am) (?:\w+ )?(?:fond|a fan) of
    """,
    r"""
    prefer(?:isc\w+|irei|iamo|iremmo|enza|enze|it[oaie]); mi piac\w+; ci piac\w+; adoro; detesto
    odio; vorre(?:i|mmo) piuttosto; voglio sempre; non sopporto; mi trovo (?:\w+ )?(?:bene|meglio)
    """,
    r"""
    mas (?:gusto|nais|pinipili|pipiliin|okay sa akin); gustong-gusto
    (?:gusto|nais|hilig) (?:ko|namin); paborito\w*; ayaw (?:ko|namin); ayoko\w*
    mahilig (?:ako|kami)
    """,
    r"""
    prefiero; preferimos; preferiria; me (?:gusta|gustan|encanta|encantan); favorit[oa]s?
    (?:je|nous) prefer\w+; j'(?:aime|adore|aimerais mieux); bevorzug\w+; am liebsten; lieber
    ich (?:mag|hasse); lieblings\w+; prefiro; eu gosto; gosto (?:de|mais)
    """,
)
CONSTRAINT = _any_of(
    r"""
    (?:do not|don't|dont) (?!worry|mind|know|think|understand|forget|be(?:lieve)?)\w+
    never (?!mind|been|\w+ed|had|saw|understood|knew|got)\w+; stop \w+ing; under no circumstances
    (?:must|cannot|can not|can't)(?! be| believe| wait| find| help| remember| stand| tell)
    mustn't; may not; should not; shouldn't; not allowed; not permitted; forbidden; prohibited
    avoid
    \Ano (?!problem|idea|worries|thank|way|one|doubt|need|matter|wonder|rush|hurry|longer)\w+
    no (?:more|less|later|longer) than; at most; up to \S+; (?:has|have) to be; required
    allerg(?:y|ic|ies); intoleran(?:t|ce); vegan; vegetarian; diabetic
    """,
    r"""
    non (?:usare|devi|dev[eo]|dobbiamo|devono|posso|possiamo|possono|puoi|puo|voglio|vogliamo)
    non (?!preoccup|dimentic|cred|piang)\w+(?:are|ere|ire|arl[oaie]|erl[oaie]|irl[oaie])
    (?<!ho )(?<!ha )(?<!abbiamo )mai (?!\w+[tis]o)\w+; vietat[oaie]; proibit[oaie]; evita\w*
    al massimo; al minimo; obbligatori[oa]; allergi[ac]\w*; intolleran\w+; celiac[oaie]
    vegetarian[oaie]; vegan[oaie]; niente (?!di |male|paura)\w+; basta con
    (?:dev[eo]|dobbiamo|devono|bisogna|occorre) (?:\w+ )?(?:essere|\w+(?:are|ere|ire))
    """,
    r"""
    huwag(?: mong?| kang)? (?!nang alala|mag-?alala|alalahanin|mo nang)\w+; bawal; ipinagbabawal
    hindi (?:dapat|pwede|puwede|maaari)\w*; hindi (?:lalampas|hihigit|bababa); iwasan; dapat
    hindi (?:ako|kami|ko|namin|natin) (?:pwede|puwede|maaari|kumakain|gumagamit)\w*; alerdyi\w*
    hanggang \S+(?: \S+)? lang; walang (?!anuman|problema|alam|katapusan)\w+
    """,
    r"""
    no (?:uses?|usar|puedo|podemos|debe\w*|quiero|hay que); nunca; alergic[oa]s?; prohibid[oa]
    evit[ae]\w*; (?:ne \w+|n'\w+) (?:pas|jamais|plus|rien); pas de; nada de; allergique
    interdit\w*; (?:nicht|niemals|keine?\w*) \w+; allergisch; verboten; vermeide\w*; darf
    hochstens; nao (?:usar?|use\w*|posso|podemos|deve\w*|quero|pode\w*); jamais; proibid[oa]
    """,
)
GOAL = _any_of(
    r"""
    (?:i|we|user|he|she|they)(?:'m|'re| am| are)? (?:wants?|needs?|plans?|hopes?|trying|planning)
    (?:my|our) (?:\w+ )?(?:goal|aim|plan|task|project); (?:goal|aim) is
    help me (?:plan|write|build)
    (?:i'm|i am|we're|we are) (?:\w+ )?(?:working|building|writing|organi[sz]ing|preparing|learning)
    """,
    r"""
    (?:voglio|vorrei|vogliamo|vorremmo|devo|dobbiamo|(?:mi|ci) serv(?:e|ono))
    (?:sto|stiamo) \w+[ae]ndo; (?:mio|nostro) (?:obiettivo|scopo|progetto|piano); obiettivo
    """,
    r"""
    (?:gusto|kailangan|plano|balak|nais) (?:kong|naming|nating); layunin; nagpaplano\w*
    naghahanda\w*
    """,
    r"""
    quiero; queremos; necesito; necesitamos; je (?:veux|voudrais|dois); j'ai besoin; notre but
    (?:ich|wir) (?:mochten?|will|wollen|brauchen?|muss|mussen|planen?); mein ziel; unser ziel
    quero; queremos; preciso; precisamos; objetivo; objectif
    """,
)
NOTICE = _any_of(
    r"""
    remember (?!when); keep in mind; bear in mind; note that; please note; for the record; fyi
    important(?:ly)?; don't forget; for your information; just so you know; make sure
    should mention; write (?:this|it|that) down; (?:my name is|call me|i go by); correction
    """,
    r"""
    ricorda(?:ti|tevi|te)?; tieni (?:a mente|presente|conto); sappi; importante; annota\w*
    segnat[ie]\w*; non dimenticare; per la cronaca; prendi nota; mi raccomando; mi chiamo
    chiamami
    """,
    r"""
    tandaan\w*; pakitandaan; huwag (?:mong )?kalimutan; mahalaga\w*; importante\w*; paki-?note
    para alam mo; ilista mo; ang pangalan ko
    """,
    r"""
    recuerda; ten en cuenta; no olvides; toma nota; me llamo; rappelle-toi; n'oublie\w*; a noter
    je m'appelle; merk dir; wichtig; beachte; vergiss nicht; ich heisse; lembre-se; anote
    nao esqueca; me chamo
    """,
)
OPEN = _any_of(
    r"""
    still (?:have|has|need|needs|open|undecided|unclear|missing|pending|waiting); tbd; tbc; to-?do
    to be (?:decided|confirmed); open (?:question|issue|point)s?; not (?:yet )?(?:decided|clear)
    """,
    r"""
    (?:da|resta da|ancora da) (?:decidere|definire|confermare|vedere|capire); in sospeso
    non ancora; hindi pa; pag-uusapan pa; pagpapasyahan pa; por (?:decidir|confirmar|definir)
    pendiente; reste a \w+er; a confirmer; noch (?:offen|nicht|unklar); a definir; em aberto
    """,
)
OWN = _any_of(
    r"""
    my; our; ours; mine; i; i'm; i've; i'd; i'll; we; we're; we've; we'd; we'll; us; me
    """,
    r"""
    mi[oae]; miei; nostr[oaie]; noi; io; mi; ci; ho; abbiamo; siamo; possiamo
    """,
    r"""
    ko(?:ng)?; ak(?:o|ong|in|ing); namin(?:g)?; amin(?:g)?; kami(?:ng)?; natin(?:g)?; tayo
    atin(?:g)?
    """,
    r"""
    mis?; nuestr[oa]s?; yo; tengo; tenemos; mon; ma; mes; notre; nos; je; nous; j'ai
    """,
    r"""
    mein\w{0,2}; unser\w{0,2}; ich; wir; mir; uns; meus?; minhas?; noss[oa]s?; eu; tenho; temos
    """,
)
AFFAIRS = _any_of(
    r"""
    budgets?; fees?; rent; salary; loan; invoices?; payments?; deposit; refund; orders?; bookings?
    booked; reservations?; reference; tickets?; contracts?; insurance; accounts?; customers?
    clients?; suppliers?; passwords?; licen[cs]e; passport; phone number; address; flights?; hotel
    visa; appointments?; deadlines?; due; exams?; interview; wedding; married; release; launch
    delivery; project; team; manager; boss; colleagues?; lawyer; doctor; landlord; accountant
    contact; servers?; database; config(?:uration)?; script; backups?; repo(?:sitory)?; files?
    folder; data; letter; venue
    """,
    r"""
    budget; compenso; affitto; stipendio; mutuo; fattura; pagamento; caparra; acconto; rimborso
    ordine; prenotazione; biglietto; contratto; assicurazione; conto; clienti?; fornitore
    password; licenza; passaporto; indirizzo; volo; albergo; appuntamento; scadenza; esame
    colloquio; matrimonio; sposiamo; rilascio; consegna; progetto; capo; collega; avvocato; medico
    referente; commercialista; server; database; script; configurazione; cartella; dati; file
    lettera; sala; pratica; codice
    """,
    r"""
    badyet; budget; bayad; upa; sahod; utang; resibo; deposito; order; booking; tiket; kontrata
    seguro; kliyente; lisensya; pasaporte; numero; lipad; hotel; appointment; deadline; ikakasal
    kasal; proyekto\w*; boss; abogado; doktor; kausap; server; database; config; script; datos
    file; sulat; padala; venue; produkto
    """,
    r"""
    presupuesto; factura; pago; pedido; reserva; contrato; cliente; vuelo; cita; plazo; proyecto
    jefe; abogado; facture; commande; contrat; client; vol; rendez-vous; echeance; projet; avocat
    rechnung; bestellung; buchung; vertrag; kunde; flug; termin; frist; projekt; chef; anwalt
    orcamento; fatura; voo; prazo; projeto; advogado
    """,
)
FLEETING = _any_of(
    r"""
    yesterday; last (?:night|week|weekend|month|summer|winter|year|time); the other day; tonight
    this (?:morning|afternoon|evening); \w+ (?:days?|weeks?|months?|years?|hours?|minutes?) ago
    just now; right now; at the moment; imagine that; (?:some|one) day; maybe; perhaps
    (?:i|we|he|she|they) (?:\w+ )?\w{2,}ed
    (?:went|saw|told|bought|sent|paid|left|ate|met|had|was)
    (?:were|came|took|heard|slept|found|drove|lost|kept|brought|fell|ran|got|gave|won|felt|thought)
    """,
    r"""
    ieri; l'altr[oa] (?:giorno|sera); (?:settimana|mese|estate|anno|volta) scors[oa]; stamattina
    stasera; poco fa; adesso; pensa un po'; un giorno; prima o poi; forse; magari; mi ha
    hanno fatto; (?:ho|ha|hai|abbiamo|hanno|sono|siamo|e|ero) (?:\w+ )?\w{2,}(?:at|ut|it)[oaie]
    (?:ho|ha|hai|abbiamo|hanno) (?:\w+ )?(?:visto|fatto|preso|perso)
    """,
    r"""
    kahapon; kanina; kagabi; noong; ngayon; mamaya; biruin mo; yata; daw; raw; balang araw; siguro
    baka; \Anag(?!-?(\w\w?)\1)\w+; \Ana(?!ka)[bhklmnpt]\w{3,}; \A([bghklst])um[aeiou](?!\2)\w+
    """,
    r"""
    ayer; anoche; la semana pasada; esta manana; ahora mismo; algun dia; quizas?; hier; ce matin
    la semaine derniere; un jour; peut-etre; gestern; letzte (?:woche|nacht); heute morgen; gerade
    irgendwann; vielleicht; ontem; a semana passada; agora mesmo; um dia; talvez
    """,
)
REQUEST = _any_of(
    r"""
    (?:please |now |and )?(?:tell|give|show|read) (?:me|us)
    (?:please )?(?:explain|compare|translate)
    (?:please )?(?:summari[sz]e|describe|list|suggest|recommend|rewrite|shorten|calculate|convert)
    (?:please )?(?:write|make|find|draw|draft|create|generate) (?:me|a|an|another|this|it)
    make the .*er
    """,
    r"""
    (?:raccontami|dammi|dimmi|mostrami|leggimi|rileggimi|spiega\w*|confronta|riassumi\w*|traduci\w*)
    (?:elenca\w*|descrivi\w*|suggerisci\w*|consigliami|riscrivi\w*|accorcia\w*|calcola|disegna)
    (?:scrivi(?:mi)?|trova(?:mi)?|crea|fammi|genera) (?:un|una|uno)
    """,
    r"""
    kuwentuhan; bigyan; magbigay; ipaliwanag; ihambing; ikumpara; ibuod; isalin; gumawa; basahin
    ipakita; ilista; ilarawan; paki-?iksian; turuan
    """,
    r"""
    (?:dime|dame|explica\w*|compara|resume|traduce|cuentame|muestrame|escribe(?:me)? un\w?)
    (?:dis-moi|donne-moi|explique\w*|compare|traduis|raconte\w*|montre-moi|ecris un\w?)
    (?:sag mir|gib mir|erklar\w*|vergleiche?|ubersetze?|zeig mir|schreib mir|erzahl\w*)
    (?:diga-me|me diga|me de|traduza|resuma|conte-me|mostre-me|escreva um\w?)
    """,
)
COURTESY = _any_of(
    r"""
    hi; hello; hey; good (?:morning|evening|afternoon|night); thanks?; thank you; thx; ok(?:ay)?
    sure; great; perfect; nice; cool; wow; ha(?:ha)+; lol; yes; no; right; got it; understood
    noted; welcome; you're welcome; sorry; glad; bye; see you; sounds good; of course; no problem
    let me know; feel free; good to know; good (?:choice|question|idea)
    """,
    r"""
    ciao; salve; buon(?:giorno|asera|anotte); grazie; prego; va bene; certo; perfetto; ottimo
    bene; capito; ahah\w*; scusa; si(?=[,.!]); volentieri; figurati; nessun problema; rieccomi
    benissimo; d'accordo; buona scelta
    """,
    r"""
    kumusta; kamusta; salamat; magandang (?:umaga|gabi|hapon|tanghali); sige; ayos; oo; opo; naku
    walang (?:anuman|problema); naintindihan ko; pasensya; mabuti
    """,
    r"""
    hola; gracias; buen[oa]s (?:dias|tardes|noches); vale; de nada; claro; bonjour; bonsoir; salut
    merci; de rien; d'accord; bien sur; hallo; guten (?:morgen|tag|abend); danke; bitte; gerne?
    alles klar; ola; bom dia; boa (?:tarde|noite); obrigad[oa]
    """,
)
