"""The slots of the fact rules in Italian."""

_ADVERBS = (
    r"(?:(?!probabil|possibil|ipotetic)(?:\w{3,12}mente|anche|davvero|molto|adesso|ora|sempre|solo"
    r"|proprio|ormai|ancora|soprattutto|piuttosto|di solito|tanto|quasi sempre|spesso|da sempre|gia"
    r"|appena) ){0,2}"
)
SUBJECTS = {
    "have": (r"(?:ho|abbiamo)(?: preso| adottato| anche){0,2} ", ""),
    "sono": (rf"(?:io )?sono {_ADVERBS}", rf"(?:sono )?{_ADVERBS}"),
    "io": (rf"(?:io )?{_ADVERBS}", _ADVERBS),
    "adv": (_ADVERBS, _ADVERBS),
    "ho": (rf"(?:io )?(?:ho|abbiamo) {_ADVERBS}", rf"(?:ho |abbiamo )?{_ADVERBS}"),
    "to": (
        r"(?:per favore,? |sempre |ti prego,? |puoi |potresti |vorrei che |d'ora in poi,? "
        r"|da ora in poi,? |preferisco che (?:tu )?|preferirei che (?:tu )?|mi raccomando,? "
        r"|quando rispondi,? ){0,3}",
        r"(?:per favore,? |sempre ){0,2}",
    ),
}
_MONTHS = (
    "gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre"
    "|primavera|estate|autunno|inverno"
)
_DAYS = "(?:lunedi|martedi|mercoledi|giovedi|venerdi|sabato|domenica)"
SLOT_PATTERNS = {
    "in": (
        "(?:vicino ad?|fuori|alle porte di|nei pressi di|in provincia di|in zona|a|ad|in|nel|nella"
        "|nelle|nei|negli|al|alla|ai) |(?:nell|all)'"
    ),
    "at": (
        "(?:(?:per|in|presso|da) (?:la|il|lo|un|una|uno)|presso|per|da|alla|al|allo|in|nella|nel"
        "|nello|dal|ai|alle|agli|negli|nei) |(?:(?:per|presso) l|(?:per|in) un|all|nell|dall)'"
    ),
    "a": "un |una |un'",
    "by_then": (
        r"(?=(?:[\w',-]{1,30} ){0,9}?(?:entro|a|in|per|prima|ad|questo|questa|nel|il|la|quest') ?"
        rf"(?:[\w',-]{{1,30}} ){{0,3}}?(?:{_MONTHS}|anno|20\d\d)(?!\w))"
    ),
    "doing": r"(?: [\w'-]{1,30}){0,4}?",
    "often": (
        rf"(?:ogni|tutti i|tutte le) (?:giorno|giorni|mattina|mattine|sera|sere|settimana|{_DAYS}"
        r"|weekend|mese|notte|pomeriggio|anno|estate)(?: mattina| sera| pomeriggio)?"
        rf"(?: e {_DAYS})?(?: alle [\d:]{{1,5}})?"
        rf"|(?:il|la) {_DAYS}(?: mattina| sera| pomeriggio)?(?: e (?:il |la )?{_DAYS})?"
        r"|(?:una|due|tre|quattro|cinque|sei|\d) volt[ae] (?:a|alla|al|la) "
        r"(?:settimana|mese|giorno)"
    ),
}
BOUNDARIES = {
    "end": """
        e; ed; ma; pero; quindi; perche; che; con; da; di; per; in; a; sono; ho; vivo; abito; lavoro
        anche; ora; adesso; non; mi; puoi; come; cosa; cerco; vorrei; potresti; quali; quale; dal; o
        siccome
    """,
    "rest": """
        e; ed; ma; pero; quindi; perche; prima; dopo; siccome; poi; quando; mentre; con; cosi; anche
        per; di solito
    """,
}
SLOTS = r"""
age = \d{1,2}
form = tu; lei; voi
my = mio > suo; mia > sua; il mio > il suo; la mia > la sua; il nostro > il suo
    la nostra > la sua; nostro > suo; nostra > sua; l'altro mio > l'altro suo; un mio > un suo
    una mia > una sua
born = nato; nata
raised = cresciuto; cresciuta; nato e cresciuto; nata e cresciuta
moved = trasferito > Si è trasferito; trasferita > Si è trasferita; trasferiti > Si è trasferito
    trasferite > Si è trasferita
from = da > da; dal > dal; dalla > dalla
zone = (?:gmt|utc) ?[+-]\d{1,2}; cet; cest; (?:europe|asia|america)/[a-z_]{2,20}
idle = pensionato; pensionata; in pensione; disoccupato; disoccupata; casalinga
    libero professionista; libera professionista; freelance; lavoratore autonomo
student = (?:uno studente|una studentessa|studente|studentessa)(?: universitari[oa])?\
        (?: (?:di|in) \w{1,30})?
marital = sposato; sposata; divorziato; divorziata; vedovo; vedova; separato; separata; fidanzato
    fidanzata
many = due; tre; quattro; cinque; sei; \d; un; una
young = figli; figlie; bambini; bambine; bimbi; maschietti; femminucce; figlio; figlia; bambino
    bambina
pets = gatti; cani; gatte; fratelli; sorelle; nipoti; conigli; cavalli; galline; coinquilini
pet = cane; gatto; gatta; coniglio; cagnolino; cagnolina; gattino; gattina; pappagallo; cavallo
    labrador; barboncino; bassotto; golden retriever; tartaruga; criceto; border collie; beagle
diet = vegetarian[oa]; vegan[oa]; pescetarian[oa]; flexitarian[oa]; pescatarian[oa]
trait = vegetarian[oa]; vegan[oa]; chetogenica; senza glutine; mediterranea; low carb
    senza lattosio
condition = celiac[oa]; diabetic[oa]; asmatic[oa]; epilettic[oa]; dislessic[oa]; daltonic[oa]
    sord[oa]; cardiopatic[oa]; iperteso; ipertesa; incinta; autistic[oa]; favic[oa]; ipovedente
    anemic[oa]
allergic = al?lergic[oa]; molto al?lergic[oa]; gravemente al?lergic[oa]
intolerant = intoll?erante
like = adoro > Adora; amo > Ama; odio > Odia; detesto > Detesta; non sopporto > Non sopporta
    mi piace > Ama; mi piacciono > Ama; non mi piace > Non ama; non mi piacciono > Non ama
    mi piace molto > Ama molto; mi piacciono molto > Ama molto; mi piace tanto > Ama molto
    non mi piace piu > Non ama più; non mi piacciono piu > Non ama più; non amo > Non ama
    mi piace tantissimo > Ama molto; mi piace un sacco > Ama molto; mi fa schifo > Odia
    mi fanno schifo > Odia; non mi piace per niente > Non ama; non mi piace proprio > Non ama
keen = appassionat[oa] di; un appassionato di; un'appassionata di; un grande fan; una grande fan
    un fan; goloso di; golosa di; fissat[oa] con; una fan; tifos[oa]
over = a; al; alla; ai; alle; rispetto a; piuttosto che; all'; agli; invece di; invece che
other = (?:il |la |lo |i |gli |le |l')?[\w-]{2,30}(?: [\w-]{2,30}){0,2}
what = [a-z]{1,25}(?: (?:di |da )?[a-z]{1,25}){0,2}
favourite = preferit[oaie]
device = portatile; telefono; cellulare; computer; editor; browser; tablet; pc; fotocamera; bici
    macchina fotografica; stampante; sistema operativo
length = brevi; concise; corte; sintetiche; dettagliate; lunghe; approfondite; stringate; dirette
    breve; sintetica; semplici; chiare; piu semplici; piu sintetiche; piu brevi; piu corte
    piu concise; piu lunghe; piu dettagliate; essenziali; schematiche
tone = formale; informale; amichevole; professionale; diretto; colloquiale
style = elenchi puntati; punti elenco; elenco puntato; emoji; tabelle; markdown; esempi
    esempi di codice; emoticon; elenchi; asterischi; anglicismi; inglesismi; paroloni; le emoji
    gli elenchi puntati
done = deciso di > Ha deciso di; deciso per > Ha deciso per; scelto di > Ha scelto di
    scelto > Ha scelto; optato per > Ha optato per; stabilito di > Ha stabilito di
    concordato di > Ha concordato di; deciso di non > Ha deciso di non
go = andiamo con > Va con; andiamo su > Va su; passiamo a > Passa a; passo a > Passa a
making = lavorando a; lavorando su; lavorando al; lavorando alla; lavorando ad; costruendo
    sviluppando; creando; organizzando; pianificando; restaurando; ristrutturando; progettando
    realizzando; programmando
train = allenando per > Si sta allenando per; preparando per > Si sta preparando per
    preparando > Sta preparando; mettendo da parte i soldi per > Sta risparmiando per
    risparmiando per > Sta risparmiando per
routine = corro > Corre; nuoto > Nuota; medito > Medita; vado > Va; cammino > Cammina; faccio > Fa
    mi alleno > Si allena; leggo > Legge; cucino > Cucina; gioco > Gioca; pratico > Pratica
    frequento > Frequenta; suono > Suona; pedalo > Pedala; mi alzo > Si alza; prego > Prega
    digiuno > Digiuna; lavoro > Lavora; passeggio > Passeggia; porto > Porta; seguo > Segue
smoke = fumo un pacchetto > Fuma un pacchetto; non fumo > Non fuma
    ho smesso di fumare > Ha smesso di fumare; non fumo piu > Non fuma più
    sono un fumatore > È un fumatore; sono una fumatrice > È una fumatrice
hour = \d{1,2}(?:[:.]\d\d)?; sei; sette; cinque; otto
work = (?:un|una|il mio|la mia) (?:[\w'-]{1,30} ){0,7}?[\w'-]{1,30}
rels = figli > Uno dei figli; figlie > Una delle figlie; bambini > Uno dei figli
    bambine > Una delle figlie; gatti > Uno dei gatti; gatte > Una delle gatte
    bimbi > Uno dei figli
    cani > Uno dei cani; fratelli > Uno dei fratelli; sorelle > Una delle sorelle
    conigli > Uno dei conigli; bimbe > Una delle figlie; nipotini > Uno dei nipotini
fluff = disclaimer; avvertenze; convenevoli; complimenti; scuse; preamboli; emoji; giri di parole
    anglicismi; inglesismi; faccine; premesse; gergo; paroloni; punti esclamativi; fronzoli
sort = (?:genere|tipo|stile)(?: musicale| letterario| di [a-z]{1,25})?
craze = vado matto per > Va matto per; vado matta per > Va matta per; vado pazzo per > Va pazzo per
    vado pazza per > Va pazza per; impazzisco per > Impazzisce per; stravedo per > Stravede per
    non vado matto per > Non va matto per; non vado matta per > Non va matta per
    ho un debole per > Ha un debole per; non vado pazzo per > Non va pazzo per
firm = (?:un|una|un'|il mio|la mia) ?(?:\w{1,30} ){0,2}(?:panetteria|bar|ristorante|negozio\
        |azienda|agenzia|studio|libreria|fattoria|agriturismo|officina|farmacia|pizzeria\
        |pasticceria|gelateria|ditta|startup|salone|palestra|cantina|b&b|trattoria|edicola\
        |bottega|forno)
where = da casa; da remoto; in smart working; in smartworking; part time; part-time; di notte
    su turni
"""
