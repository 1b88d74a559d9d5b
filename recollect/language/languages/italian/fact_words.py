"""The words around and inside facts in Italian."""

from recollect.language.definition import (
    CorrectionPhrases,
    FunctionWords,
    Gazetteer,
    Hedges,
    QuotedMaterial,
    ValueWords,
)
from recollect.language.patterns import words

FUNCTION_WORDS = FunctionWords(
    stops=words(
        """
        io tu lui lei noi voi loro e ed o oppure ma pero perche che chi cui quindi siccome poiche
        quando mentre dove se anche come cosa sono sei siamo ho hai ha abbiamo hanno mi ti ci vi lo
        ne non puoi potresti vorrei devo dobbiamo vivo abito lavoro studio uso preferisco adoro amo
        odio parlo mangio faccio vado dammi dimmi fammi aiutami grazie ciao invece cioe infatti
        dunque comunque cmq ahah ahahah boh visto dato finche benche sebbene affinche e' quale quali
        eh ok sai pls
        """
    ),
    joins=words("e ed o"),
    cuts=words("che cui sono ha hanno quando dove come cosa"),
    prepositions=words(
        """
        con per da dal dalla in nel nella nei a al alla ai presso vicino come su sul sulla ma il
        adesso ora attualmente insieme due tre quattro cinque sei sette otto nove dieci venti nell'
        dopo prima fino tra fra oggi circa dall' all' non
        """
    ),
    verbs=words(
        """
        sono ho vivo abito lavoro studio uso preferisco adoro amo odio detesto parlo mangio bevo
        faccio vado gioco suono mi non vorrei devo cerco sto leggo scrivo corro guido prendo voglio
        posso abbiamo siamo viviamo lui lei si e ha hanno c'e ci
        """
    ),
    trailing=words(
        """
        anche molto tanto davvero adesso ora ormai ancora pure solo sempre proprio assai grazie
        insomma comunque di a da in con su per il la lo i gli le un una del della al alla tantissimo
        moltissimo parecchio particolarmente attualmente soprattutto piu
        """
    ),
    excluded=words(
        """
        tutti tutte due entrambi entrambe questo questa questi queste quello quella quelli quelle
        tuo tua tuoi tue vostro prima seconda terza primo secondo terzo ultima ultimo precedente
        opzione opzioni versione idea proposta risposta risposte domanda esempio bozza modo cosa
        cose qualcosa niente nulla tutto altro altra altri altre me cio chatgpt assistente stesso
        stessa
        """
    ),
    not_first=words(
        """
        di qui qua molto piu meno tanto poco bisogno voglia paura fretta casa giro ferie vacanza
        attesa difficolta dubbi mente grado corso fondo pace ansia anni cercare capire sapere
        """
    ),
    not_names=words(
        """
        team un una il la lo i gli le in a da di con per su non molto troppo stanco stanca felice
        contento contenta triste sicuro sicura pronto pronta qui qua nato nata sposato sposata
        single fidanzato fidanzata divorziato divorziata vegetariano vegetariana vegano vegana
        celiaco celiaca diabetico diabetica allergico allergica cattolico cattolica io tu lui lei
        noi appena sempre ancora anche gia solo sola stato stata uno lunedi martedi mercoledi
        giovedi venerdi sabato domenica mio mia e o ma che piuttosto abbastanza interessato
        interessata curioso curiosa alla al nel ora oggi intollerante studente studentessa padre
        madre mamma papa zio zia nonno nonna cristiano musulmano ateo gay etero tutto uguale fuori
        spesso davvero malato malata incinta indeciso indecisa preoccupato preoccupata
        """
    ),
    not_places=words(
        """
        citta paese campagna montagna collina centro periferia casa appartamento affitto condominio
        villa provincia zona quartiere estero mezzo ansia pace mare campeggio famiglia genitori
        monolocale bilocale villaggio borgo posto solitudine fretta paesino frazione piano coppia
        poverta paura nero proprio giornata corsa te me grande
        """
    ),
    articles=words("il lo la i gli le un uno una del della dei"),
    towards=words("a ad al allo alla ai agli alle all"),
    steps=words("prima primo seconda secondo terza ultima ultimo bozza"),
    possessives={
        "mio": "suo",
        "mia": "sua",
        "miei": "suoi",
        "mie": "sue",
        "nostro": "suo",
        "nostra": "sua",
        "nostri": "suoi",
        "nostre": "sue",
    },
)
TRADES = words(
    """
    agronomo agronoma architetto architetta archeologo archeologa artigiano artigiana artista
    assistente attore attrice autista avvocato avvocata avvocatessa badante bagnino ballerina
    ballerino barbiere barista bibliotecario bibliotecaria biologo biologa calzolaio cameriera
    cameriere cantante cardiologo cardiologa carpentiere carabiniere cassiera cassiere chef chimico
    chimica chirurgo chirurga commerciale commercialista commessa commesso consulente contabile
    contadino contadina cuoca cuoco dentista designer dietista direttore direttrice docente dottore
    dottoressa dirigente educatore educatrice elettricista estetista fabbro falegname farmacista
    fisico fisica fisioterapista fornaio fotografo fotografa freelance geologo geologa geometra
    giardiniere giornalista giudice grafico grafica guida idraulico illustratore illustratrice
    impiegato impiegata imprenditore imprenditrice infermiera infermiere informatico informatica
    ingegnere ingegnera insegnante interprete macellaio maestra maestro magazziniere manager
    matematico matematica meccanico medica medico muratore musicista negoziante notaio notaia
    nutrizionista operaia operaio oculista ortopedico ostetrica ostetrico panettiere parrucchiera
    parrucchiere pasticcere pasticcera pasticciere pasticciera pediatra pensionato pensionata pilota
    pittore pittrice pizzaiolo pizzaiola poliziotto poliziotta pompiere portiere postino postina
    professore professoressa programmatore programmatrice psichiatra psicologo psicologa
    psicoterapeuta regista receptionist ricercatore ricercatrice ristoratore ristoratrice sarta
    sarto scenografa scenografo scrittore scrittrice scultore scultrice segretaria segretario
    sindacalista sistemista sviluppatore sviluppatrice stilista tassista tecnica tecnico traduttore
    traduttrice veterinaria veterinario vigile violinista violoncellista pianista developer
    logopedista podologo macchinista ferroviere capotreno agente analista bancario bancaria
    magistrato viticoltore apicoltore rappresentante venditore venditrice promotore promotrice orafo
    orafa restauratore restauratrice gommista carrozziere camionista corriere fattorino vivaista
    fiorista fioraio libraio libraia giocattolaio orologiaio tabaccaio edicolante bidello bidella
    oss archivista curatore autrice tipografo tatuatore tatuatrice influencer copywriter
    psicanalista anestesista radiologo radiologa dermatologo dermatologa neurologo neurologa
    ginecologo ginecologa odontoiatra igienista optometrista ottico ottica assicuratore
    immobiliarista soldato militare marinaio pescatore attrezzista operatore operatrice
    collaboratore collaboratrice coordinatore coordinatrice tester allevatore agricoltore
    agricoltrice responsabile tirocinante apprendista
    """
)
PEOPLE = """
    sister: sorella; una delle sorelle; sorellina; sorella maggiore; sorella minore
    brother: fratello; uno dei fratelli; fratellino; fratello maggiore; fratello minore
    wife: moglie
    husband: marito
    partner: compagno; compagna; partner
    girlfriend: ragazza; fidanzata; morosa
    boyfriend: ragazzo; fidanzato; moroso
    son: figlio; bimbo; bambino; figlio maggiore; figlio minore
    daughter: figlia; una delle figlie; bimba; bambina; figlia maggiore; figlia minore
    child: uno dei figli
    mother: madre; mamma
    father: padre; papa; babbo
    grandmother: nonna
    grandfather: nonno
    aunt: zia
    uncle: zio
    cousin: cugino; cugina
    friend: amico; amica; migliore amico; migliore amica
    colleague: collega
    boss: capo; responsabile
    dog: cane; uno dei cani; cagnolino; cagnolina; cucciolo; cagna
    cat: gatto; uno dei gatti; una delle gatte; gatta; gattino; gattina; micio; micia
    rabbit: coniglio; uno dei conigli; coniglietto
    roommate: coinquilino; coinquilina
    neighbour: vicino di casa; vicina di casa
    horse: cavallo
    parrot: pappagallo
    hamster: criceto
    turtle: tartaruga
    mother-in-law: suocera
    father-in-law: suocero
    niece: nipotina
    nephew: nipotino; uno dei nipotini
    sister-in-law: cognata
    brother-in-law: cognato
    therapist: psicologo; psicologa
"""
VALUES = ValueWords(
    quantifiers="un po' di",
    age_units="anni",
    in_titles="e; di; del; della; dei; il; la",
)
GAZETTEER = Gazetteer(
    languages="""
        inglese italiano spagnolo francese tedesco portoghese olandese russo cinese mandarino
        giapponese coreano arabo turco polacco greco svedese norvegese danese finlandese ceco
        ungherese rumeno ucraino ebraico croato serbo bulgaro latino catalano albanese sardo maltese
        sloveno slovacco macedone bosniaco estone lettone lituano armeno georgiano basco islandese
        bengalese
    """,
    peoples="""
        americano americana britannico britannica inglese scozzese irlandese italiano italiana
        spagnolo spagnola francese tedesco tedesca portoghese olandese belga svizzero svizzera
        austriaco austriaca russo russa ucraino ucraina polacco polacca ceco ceca ungherese rumeno
        rumena bulgaro bulgara greco greca turco turca svedese norvegese danese finlandese cinese
        giapponese coreano coreana filippino filippina indiano indiana marocchino marocchina
        tunisino tunisina egiziano egiziana brasiliano brasiliana argentino argentina messicano
        messicana albanese peruviano peruviana senegalese nigeriano nigeriana canadese australiano
        australiana croato croata
    """,
    conditions="""
        diabete asma epilessia emicrania ipertensione artrite psoriasi ipotiroidismo ipertiroidismo
        scoliosi endometriosi celiachia insonnia dislessia depressione ansia fibromialgia reflusso
        gotta cervicale ernia favismo eczema anemia
    """,
    ailments="""
        pressione alta; la pressione alta; pressione bassa; la pressione bassa; il colesterolo alto
        colesterolo alto; la glicemia alta; glicemia alta; un pacemaker; problemi di cuore
        mal di schiena cronico; problemi alla schiena; la febbre da fieno
    """,
    sports="""
        tennis rugby golf padel ukulele viola calcio calcetto basket pallacanestro pallavolo scacchi
        pallanuoto chitarra pianoforte violino violoncello batteria basso flauto sassofono tromba
        clarinetto fisarmonica arpa organo
    """,
    fields="""
        ospedale banca scuola ristorante negozio biblioteca laboratorio fabbrica magazzino cucina
        asilo museo supermercato libreria panificio ufficio universita clinica farmacia albergo
        azienda officina fattoria agenzia comune posta tribunale cantiere ditta societa informatica
        edilizia turismo moda editoria sanita logistica finanza assicurazioni pubblicita
        ristorazione pizzeria pasticceria centro cooperativa multinazionale ministero bar hotel
        studio
    """,
    errands="""
        errore compiti compito lettera messaggio problema funzione esercizio domanda codice
        presentazione relazione pagina tabella lista bug email e mail file script query test
    """,
    writings="""
        romanzo libro tesi saggio racconto racconti sceneggiatura fumetto articolo dottorato manuale
        raccolta
    """,
)
HEDGES = Hedges(
    conjunctions="""
        e; ed; ma; pero; quindi; perche; poiche; siccome; dato che; visto che; poi; inoltre
        anche se
    """,
    openings=r"""
        ciao; salve; buongiorno; buonasera; cmq; comunque; alla fine; come (?:ti )?dicevo; come sai
        infine; insomma; per fortuna; al momento; in questo momento; da poco; intanto; allora; beh
        bene; va bene; si; tra l'altro; a proposito; guarda; senti; sappi(?: che)?
        ricorda(?:ti)?(?: che)?; tieni (?:presente|a mente|conto)(?: del fatto)?(?: che)?
        considera(?: che)?; ti (?:informo|ricordo|dico|ho detto|avviso)(?: che)?; premetto(?: che)?
        per (?:informazione|la cronaca|favore|piacere|contesto); in realta; anzi; scusa; no aspetta
        aspetta; e; ma; anche; grazie; dato che; visto che; siccome; poiche; perche; d'ora in poi
        da ora in poi; in generale; di solito; purtroppo; io; personalmente; sinceramente
        onestamente; adesso; ora; attualmente; un'altra cosa; nota; aggiornamento
        (?:d'ora|da ora|da adesso|da oggi|da qui) in (?:avanti|poi); ops; cioe; ecco; beh si; dai
        (?:mi sono|ho) (?:sbagliat[oa]|confus[oa]|scritto male); mi correggo; errore mio; davvero
        da (?:circa |quasi |oltre |piu di )?(?:un|una|qualche|\w+) (?:ann[oi]|mes[ei]|settiman[ae]\
            |po' di tempo|tempo|giorni)
        dal? (?:20\d\d|lunedi|martedi|mercoledi|giovedi|venerdi|gennaio|febbraio|marzo|aprile\
            |maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|anni|mese scorso\
            |primo \w+); da sempre; nel frattempo; ultimamente
    """,
    before_questions="e; ma; quindi; allora; ciao; ok",
    question_prepositions="da; di; a; ad; in; con; per; su",
    questions=r"""
        cosa; che; quale; quali; qual; chi; dove; dov'e; quando; perche; come; com'e; quant[oaie]
        puoi; potresti; potete; sai; sapresti; hai; avete; c'e; ci sono; mi consigli\w*
        mi (?:suggerisci|dai|aiuti|puoi|sai|dici|spieghi|fai); e (?:meglio|vero|possibile); va bene
        posso; dovrei; devo; conviene; ti ricordi; ricordi; esiste; esistono; consigli; idee
        qualche; vero; giusto
    """,
    tag_questions="vero; giusto; o no; o sbaglio; eh; no; ok",
    polite_requests="puoi; potresti",
    permanently="d'ora in poi; sempre",
    conditions=r"""
        se; semmai; qualora; purche; magari; vorrei che; come se; nel caso; dice; dicono; diceva
        disse; ha detto; hanno detto; scrive; ha scritto; pensa; pensano; crede; sostiene
        secondo (?!me)\w+
    """,
    harmless_conditions="""
        se ti (?:serve|interessa|aiuta|puo servire|puo essere utile)
        se (?:serve|puo servire|puo aiutare|non lo sai|non te l'ho detto)
        come (?:ti )?(?:ho (?:gia )?detto|dicevo); ti ho (?:gia )?detto
    """,
    uncertain="forse; magari; probabilmente; credo; non so; mi sa; chissa; se; ipoteticamente",
    temporary="""
        oggi; stasera; stamattina; stamani; stanotte; domani; ieri; fino a; solo per
        in questi giorni; in questo momento; al momento; per (?:ora|adesso|il momento)
        temporaneamente; questa (?:settimana|mattina|sera|volta); questo (?:mese|weekend|periodo)
    """,
)
QUOTED = QuotedMaterial(
    orders=r"""
        (?:ignora|dimentica) (?:\w+ ){0,3}(?:istruzioni|regole|prompt)
        d'ora in poi (?:sei|sarai|ti chiami|agisci|comportati); ora sei un\w?; scherz(?:o|avo)
        sto scherzando
    """,
    material=r"""
        traduc\w+; traduzione; riformul\w+; parafras\w+; riassumi\w*
        (?:correggi\w*|riscriv\w+|controlla\w*) (?:quest\w+|la frase|il testo|il seguente)
        come si dice; cosa (?:significa|vuol dire); (?:e|sono) corrett[aeio]
        frase (?:di esempio|corretta|seguente); seguente (?:frase|testo); grammatica(?:le|lmente)?
    """,
    editing=r"corregg(?!o(?!\w))\w+; riscriv\w+; controlla\w*; migliora\w*; rivedi\w*",
    invention=r"""
        fai finta; facciamo finta; immagin\w+; supponi\w*; mettiamo (?:che|di); poniamo; ipotizz\w+
        (?:scrivi|componi|crea|inventa|racconta|fam|prepara|genera)(?:mi)? (?:\w+ ){0,3}(?:storia\
            |racconto|poesia|canzone|dialogo|scena|personaggio|biografia|bio|lettera|email|e-mail\
            |mail|messaggio|tema|discorso|post|recensione|annuncio|filastrocca|monologo|risposta\
            |profilo)
        sei un(?:a|o)? (?:\w+ )?(?:assistente|\w*bot|agente|espert[oa]|tutor|consulente|modello)
        sei \w+, (?:un|il|la|lo|l'); ti chiami; il tuo (?:nome|ruolo|compito|personaggio) e
        protagonista; personaggio; narratore; testo della canzone; ad esempio; per esempio
        nel (?:mio )?(?:sogno|gioco|romanzo); interpreta; comportati come; gioco di ruolo
    """,
    mail_headers="da; a; oggetto; data; inviato",
    salutations="gentile; gentilissim[oai]; egregi[oa]; car[oaie]; spettabile",
    own_labels=r"""
        nota; contesto; ricorda; ricordati; premessa; su di me; di me; correzione; aggiornamento
        decisione; (?:ho|abbiamo)(?: [\w'-]+){1,5}; (?:anzi |no )?(?:mi )?correggo; rettifico
        allora; una cosa
    """,
)
CORRECTIONS = CorrectionPhrases(
    slips="""
        scusa(?:mi|te)?; pardon; mi (?:sono )?(?:sbagliat[oa]|confus[oa]|correggo); mi sbagliavo
        correggo; ho (?:sbagliato|scritto male|fatto confusione|confuso); errore mio; refuso
        correttore; anzi; no aspetta; rettifico; lapsus
    """,
    interjections="no; ah; eh; aspetta; cioe; in realta",
    it_is="e; era; sono; si chiama; si chiamano; (?:il nome|il suo nome) e",
    really="in realta",
    i_meant="intendevo(?: dire)?; volevo (?:dire|scrivere); dicevo",
    conjunctions="e",
    not_="non",
    denials="e non; non",
    denial_prepositions="al; alla; alle; ai",
    but="ma; bensi; pero",
    is_not="non(?: e| si chiama| sono)?",
    i_wrote="ho (?:detto|scritto|messo)",
    renamed_from=r"""
        (?:l')?(?:ho|abbiamo) (?:rinominato(?: \w{2,20})?|cambiato nome|cambiato il nome) da
    """,
    renamed_to="a; in",
    trailing="scusa; eh",
    not_values=words("scusa bensi solo mio mia"),
)
