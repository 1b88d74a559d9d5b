"""Italian phrases: what sentences do, and how people refer to turns and conversations."""

from recollect.language.definition import (
    Ordinals,
    RequestPhrases,
    SaliencePhrases,
    SubjectPhrases,
    TurnReferences,
)

SALIENCE = SaliencePhrases(
    decision=r"""
        deciso; decisione; decidiamo; (?:ho|abbiamo|hanno) (?:\w+ )?(?:scelto|stabilito|concordato)
        (?:ho|ha|abbiamo|hanno) optato; (?:siamo|rimasti|restiamo) (?:\w+ )?d'accordo; vada per
        andiamo (?:con|per|su|sul|sulla); (?:scegliamo|usiamo|prendiamo|teniamo|facciamo con)
        d'ora in poi; (?:spostat|rinviat|rimandat)[oaie] (?:a|al|alla|all'\w+|di); intendevo
        passiamo a
    """,
    preference=r"""
        prefer(?:isc\w+|irei|iamo|iremmo|enza|enze|it[oaie]); mi piac\w+; ci piac\w+; adoro; detesto
        odio; vorre(?:i|mmo) piuttosto; voglio sempre; non sopporto
        mi trovo (?:\w+ )?(?:bene|meglio)
    """,
    constraint=r"""
        non (?:usare|devi|dev[eo]|dobbiamo|devono|posso|possiamo|possono|puoi|puo|voglio|vogliamo)
        non (?!preoccup|dimentic|cred|piang)\w+(?:are|ere|ire|arl[oaie]|erl[oaie]|irl[oaie])
        (?<!ho )(?<!ha )(?<!abbiamo )mai (?!\w+[tis]o)\w+; vietat[oaie]; proibit[oaie]; evita\w*
        al massimo; al minimo; obbligatori[oa]; allergi[ac]\w*; intolleran\w+; celiac[oaie]
        vegetarian[oaie]; vegan[oaie]; niente (?!di |male|paura)\w+; basta con
        (?:dev[eo]|dobbiamo|devono|bisogna|occorre) (?:\w+ )?(?:essere|\w+(?:are|ere|ire))
    """,
    goal=r"""
        (?:voglio|vorrei|vogliamo|vorremmo|devo|dobbiamo|(?:mi|ci) serv(?:e|ono))
        (?:sto|stiamo) \w+[ae]ndo; (?:mio|nostro) (?:obiettivo|scopo|progetto|piano); obiettivo
    """,
    notice=r"""
        ricorda(?:ti|tevi|te)?; tieni (?:a mente|presente|conto); sappi; importante; annota\w*
        segnat[ie]\w*; non dimenticare; per la cronaca; prendi nota; mi raccomando; mi chiamo
        chiamami
    """,
    open="""
        (?:da|resta da|ancora da) (?:decidere|definire|confermare|vedere|capire); in sospeso
        non ancora
    """,
    first_person="mi[oae]; miei; nostr[oaie]; noi; io; mi; ci; ho; abbiamo; siamo; possiamo",
    practical="""
        budget; compenso; affitto; stipendio; mutuo; fattura; pagamento; caparra; acconto; rimborso
        ordine; prenotazione; biglietto; contratto; assicurazione; conto; clienti?; fornitore
        password; licenza; passaporto; indirizzo; volo; albergo; appuntamento; scadenza; esame
        colloquio; matrimonio; sposiamo; rilascio; consegna; progetto; capo; collega; avvocato
        medico; referente; commercialista; server; database; script; configurazione; cartella; dati
        file; lettera; sala; pratica; codice
    """,
    transient=r"""
        ieri; l'altr[oa] (?:giorno|sera); (?:settimana|mese|estate|anno|volta) scors[oa]; stamattina
        stasera; poco fa; adesso; pensa un po'; un giorno; prima o poi; forse; magari; mi ha
        hanno fatto; (?:ho|ha|hai|abbiamo|hanno|sono|siamo|e|ero) (?:\w+ )?\w{2,}(?:at|ut|it)[oaie]
        (?:ho|ha|hai|abbiamo|hanno) (?:\w+ )?(?:visto|fatto|preso|perso)
    """,
    request=r"""
        (?:raccontami|dammi|dimmi|mostrami|leggimi|rileggimi|spiega\w*|confronta|riassumi\w*\
            |traduci\w*)
        (?:elenca\w*|descrivi\w*|suggerisci\w*|consigliami|riscrivi\w*|accorcia\w*|calcola|disegna)
        (?:scrivi(?:mi)?|trova(?:mi)?|crea|fammi|genera) (?:un|una|uno)
    """,
    courtesy=r"""
        ciao; salve; buon(?:giorno|asera|anotte); grazie; prego; va bene; certo; perfetto; ottimo
        bene; capito; ahah\w*; scusa; si(?=[,.!]); volentieri; figurati; nessun problema; rieccomi
        benissimo; d'accordo; buona scelta
    """,
)
REFERENCES = TurnReferences(
    ordinals=(
        Ordinals(  # "1o" and "1a" are also "1º" and "1ª"
            stems="""
                prim 1, second 2, terz 3, quart 4, quint 5, sest 6, settim 7, ottav 8, non 9,
                decim 10, ultim, penultim
            """,
            endings=("o", "a"),
            determiners="il la l' del della dell' al alla all' dal dalla dall' nel nella nell' "
            "sul sulla sull' quel quello quella quell'",
        ),
    ),
    last="""
        quello di prima; quella di prima; detto prima; chiesto prima; domanda precedente
        risposta precedente; messaggio precedente
    """,
    last_at_clause_end="""
        poco fa; il precedente; la precedente; quello precedente; quella precedente
    """,
    last_alone="precedente",
    turn_nouns="turno",
    before_turn_noun="in; [dn]el; dal; al; il",
    courtesies="per +favore",
)

_SU, _DI = "s(?:ul|ulla|ullo|ui|ugli|ulle|ull'|u)", "d(?:el|ella|ello|ei|egli|elle|ell'|i)"
_A = "(?:al|alla|allo|ai|agli|alle|all'|ad?)"
_QUELLA = "(?:la|una|quella|questa|il|quel|un|alla|nella)(?: nostra| nostro| vecchia| vecchio)?"
_HO_PARLATO = "(?:abbiamo|avevamo|ho|avevo) (?:parlato|discusso|chiesto|raccontato)"
_NE_PARLAVAMO = (
    f"(?:parlav(?:o|amo)|discutevamo|dicevamo|ragionavamo|chiedevo|raccontavo|{_HO_PARLATO})"
)
REQUESTS = RequestPhrases(
    opening="""
        senti; scusa; allora; dai; ora; adesso; poi; per favore; per piacere; sai; insomma; mi; ci
        possiamo; potremmo; puoi; potresti; riesci a; voglio; vorrei; vorremmo; fammi; ti va di
    """,
    verbs=f"""
        (?:ri)?torn(?:a|iamo|are|i)(?: indietro| li)?(?: {_A})?; salta {_A}; vai {_A}
        (?:pass|and)(?:a|iamo|are|i|ami) {_A}; cambia(?:mo|re)?(?= (?:chat|conversazione|discorso))
        (?:ri)?apri(?:mi|re|amo|rmi)?; (?:la|lo) (?:(?:ri)?trovi|(?:ri)?apri)
        recuper(?:a|ami|are|iamo); riprend(?:i|iamo|ere|imi)(?: da(?: li| la| qui)?)?
        (?:ri)?trov(?:a|ami|armi|i|are); cercami; (?:ri)?port(?:ami|aci|armi)(?: {_A})?
        (?:ri)?porti {_A}; mostra(?:mi)?; (?:far|fam)mi vedere
        rimett(?:iamoci|erci|iti)(?: {_A}| {_SU})?; rived(?:ere|iamo); continu(?:a|iamo|are) con
        dov'e(?:ra)?; dove (?:era|e|sono); c'era; (?:ti )?ricordi(?: che| quando| di)?
    """,
    chat_nouns="conversazion[ei]; discussion[ei]; discorso; chiacchierata; faccenda; questione",
    chat=f"(?:{_QUELLA} )?(?:l'altra |un'altra |altra |ultima )?<chat>",
    pronouns="quell[aoei]",
    talked=rf"""
        (?:dove |quando |in cui |di cui )?(?:ti |mi |ci )?{_NE_PARLAVAMO}\
            (?: {_DI}| {_SU}| come| che)?
    """,
    links=f"""
        {_SU}; {_DI}; in cui; dove; di cui; quando; di quando; che; con; per; riguardo {_A}
        a proposito {_DI}; intitolat[ao]; chiamat[ao]
    """,
    articles="il; lo; la; gli; le; l'",
    closing=f"per favore; per piacere; grazie; di cui(?: _)? {_NE_PARLAVAMO}",
)

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
SUBJECTS = SubjectPhrases(
    before=f"""
        {_LA}(?: di prima)? {_CIRCA}; quell[ao] d(?:el|ella|ello|ei|egli|elle|ell')
        {_LA} (?:in cui|dove|di quando)(?: _)?(?: _)? {_PARLAVAMO}(?: _)? (?:{_DI}|{_SU})
        (?:quello che|quel che|cosa|che)(?: mi| ti| ci)? {_HAI}(?: _)? {_DETTO}(?: _)? {_CIRCA}
        (?:cosa|che)(?: mi| ti)? dicev(?:o|i|amo)(?: _)? (?:{_DI}|{_SU})
        quando(?: _)?(?: _)? {_PARLAVAMO}(?: _)? (?:{_DI}|{_SU})
        (?:prima|poco fa)(?: _)? {_PARLAVAMO} {_DI}
    """,
    after=f"di cui(?: _)?(?: _)? {_PARLAVAMO}",
    articles="il; lo; la; i; gli; le; l'; un; una",
    not_subjects="""
        destra; sinistra; tavol[oa]; scaffale; muro; fondo; basso; alto; mezzo; centro
        nonn[oa]; zi[oa]; mamma; papa; sorella; fratello; moglie; marito
        altr[ao] (?:giorno|volta|sera|settimana); (?:settimana|mese|anno) (?:scors|passat)[oa]
    """,
    pronouns="quest[oaie]; quell[oaie]; cio; lui; lei; te; loro; noi",
    closing="per favore; di prima; prima; poco fa",
)
