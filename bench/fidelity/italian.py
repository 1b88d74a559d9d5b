"""Texts of the Italian conversations. Brackets mark the value that has to survive."""

from bench.fidelity.language import Exchange, Language, Phrasings
from bench.fidelity.small_talk import ITALIAN_TALK

_TUNED = Phrasings(
    amount=(
        "Il mio budget per tutto è [{amount}], voli compresi.",
        "Possiamo spendere al massimo [{amount}] per la sala.",
        "Per la fattura: il compenso concordato è [{amount}].",
        "Ho messo da parte [{amount}] per questo progetto.",
        "La caparra che ci chiedono è di [{amount}].",
    ),
    date=(
        "La scadenza è il [{date}].",
        "Ci sposiamo il [{date}].",
        "Mi serve tutto entro il [{date}].",
        "Il nostro rilascio è previsto per il [{date}].",
        "Il mio volo parte il [{date}].",
    ),
    name=(
        "Il mio capo si chiama [{person}].",
        "Il referente della sala è [{person}].",
        "Lavoro a questa cosa con [{person}].",
        "Per favore indirizza la lettera a [{person}].",
        "Il nostro avvocato, [{person}], deve firmare.",
    ),
    identifier=(
        "Il mio codice di prenotazione è [{code}].",
        "Il numero d'ordine è [{code}].",
        "Si tratta del ticket [{code}].",
        "Il nostro codice cliente è [{code}].",
        "Ti servirà il numero di contratto, [{code}].",
    ),
    path=(
        "Il file di configurazione è [{path}].",
        "Tengo i dati in [{path}].",
        "Scrivi i risultati in [{path}].",
        "Lo script che lancio ogni notte è [{path}].",
        "Tutto quello che ti serve sta in [{path}].",
    ),
    preference=(
        "Preferisco [{liking}].",
        "Mi piacciono di più [{liking}].",
        "Tra l'altro mi piacciono molto [{liking}].",
        "Quando puoi scegliere, voglio sempre [{liking}].",
        "Vorrei piuttosto [{liking}], se possibile.",
    ),
    constraint=(
        "Qualunque cosa succeda, [non usare {tool}].",
        "Non dobbiamo [mai mandare niente a {tool}].",
        "[Sono allergico a {food}], quindi organizzati di conseguenza.",
        "[Non possiamo usare {tool}] per via della licenza.",
        "Per favore [evita {tool}] stavolta.",
    ),
    decision=(
        "Abbiamo deciso di [andare con {choice}].",
        "[Andiamo con {choice}].",
        "Ok, decisione finale: [{choice}].",
        "Siamo d'accordo su [{choice}].",
        "Alla fine ho scelto [{choice}].",
    ),
)

_HELD_OUT = Phrasings(
    amount=(
        "Qui nessuno approverà più di [{amount}].",
        "Nei conti considera [{amount}] in tutto.",
        "Mi hanno chiesto [{amount}] e ho detto di sì.",
        "Totale disponibile: [{amount}].",
        "Guadagno [{amount}] netti al mese, per il modulo del mutuo.",
    ),
    date=(
        "Deve essere tutto in tipografia il [{date}].",
        "Giorno del lancio: [{date}].",
        "L'udienza è stata fissata al [{date}].",
        "I miei arrivano il [{date}] e restano una settimana.",
        "Se non consegniamo il [{date}] il cliente se ne va.",
    ),
    name=(
        "Per qualsiasi firma rivolgiti a [{person}].",
        "[{person}] è il chirurgo che mi opererà.",
        "Il ragazzo a cui do ripetizioni è [{person}].",
        "Mandane una copia anche alla mia commercialista [{person}].",
        "Deve passare tutto da [{person}] dell'ufficio acquisti.",
    ),
    identifier=(
        "L'hanno protocollata come [{code}].",
        "Quando scrivi a loro cita [{code}].",
        "Il pacco si può seguire con [{code}].",
        "Sulla mia tessera dell'assicurazione c'è scritto [{code}].",
        "Metti [{code}] come causale del bonifico.",
    ),
    path=(
        "Il modello lo trovi sotto [{path}].",
        "Le nostre copie di riserva finiscono in [{path}].",
        "Quello che generi va messo in [{path}].",
        "[{path}] è quello che si rompe quando pubblico.",
        "I numeri escono da [{path}].",
    ),
    preference=(
        "Per me non c'è niente di meglio che [{liking}].",
        "Fosse per me sarebbero sempre [{liking}].",
        "Mi trovo molto meglio con [{liking}].",
        "Considera che sono un patito di [{liking}].",
        "La cosa che mi va meglio: [{liking}].",
    ),
    constraint=(
        "[{tool} è escluso] per motivi legali.",
        "[Niente {tool}], in nessun caso.",
        "[Mia figlia non può mangiare {food}].",
        "I nostri della sicurezza hanno [vietato {tool}] ovunque.",
        "Deve funzionare [senza {tool}].",
    ),
    decision=(
        "Dopo la chiamata di ieri sera sarà [{choice}].",
        "La scelta è caduta su [{choice}].",
        "Il comitato ha optato per [{choice}].",
        "Lascia perdere il resto, vince [{choice}].",
        "Mi sono convinto: [{choice}].",
    ),
)

_FILLER = (
    Exchange(
        "Quanto è alta la torre di {city}?",
        "È alta circa {n} metri.",
        "I lavori sono finiti nel {year}.",
        "L'architetto {person} ha progettato anche il ponte lì vicino.",
        "Il biglietto intero costa {price}.",
    ),
    Exchange(
        "Grazie, mi è stato utile!",
        "Prego!",
        "Se ti serve altro sono qui.",
    ),
    Exchange(
        "Chi ha scritto il libro sul guardiano del faro?",
        "L'ha scritto {person}, che lo pubblicò nel {year}.",
        "Nel primo anno vendette {n} mila copie.",
        "Il seguito uscì il {date}.",
    ),
    Exchange(
        "Ieri sono andato a correre con {first}, abbiamo fatto {small} km sotto la pioggia.",
        "Bravi, {small} km con quel tempo non sono pochi!",
        "Ricordati di fare stretching per almeno {small} minuti.",
        "Comunque correre sotto la pioggia non fa ammalare.",
    ),
    Exchange(
        "Perché il mio portatile scalda così tanto?",
        "Di solito la ventola è piena di polvere.",
        "Sopra i {n} gradi il processore soffre.",
        "Non bisogna mai coprire le prese d'aria sotto.",
        "Il sensore si legge da {path} su quasi tutti i sistemi.",
    ),
    Exchange(
        "Mi spieghi che cos'è una tabella hash?",
        "Una tabella hash conserva coppie e le ritrova in tempo costante in media.",
        "Con {n} voci e {small} contenitori le catene sarebbero lunghe.",
        "Il dict di Python è l'esempio più noto.",
    ),
    Exchange(
        "Ho pranzato nel posto nuovo a {city}, un'insalata {price}.",
        "Un po' cara per un'insalata.",
        "Lì i prezzi sono saliti del {small} % dal {year}.",
        "Spero fosse almeno grande.",
    ),
    Exchange(
        "Che differenza c'è tra UTF-8 e UTF-16?",
        "UTF-8 usa da uno a quattro byte per carattere, UTF-16 due o quattro.",
        "Sul web {small} pagine su mille non usano UTF-8.",
        "Lo standard è stato rivisto nel {year}.",
    ),
    Exchange(
        "Accorcia un po' il secondo paragrafo.",
        "Fatto, è passato da {n} parole a {small}.",
        "Ho tolto anche la ripetizione in fondo.",
    ),
    Exchange(
        "A {city} pioverà il {date}?",
        "Le previsioni danno il {small} % di probabilità di pioggia.",
        "Non ho dati in tempo reale, conviene ricontrollare quella mattina.",
        "Le temperature dovrebbero restare sui {small} gradi.",
    ),
    Exchange(
        "Mio cugino {first} mi ha mandato una foto di {city}, sembra bellissima.",
        "È una città splendida, soprattutto in primavera.",
        "Il centro storico risale al {year}.",
        "Il treno dall'aeroporto ci mette {small} minuti.",
    ),
    Exchange(
        "Come annullo l'ultimo commit?",
        "Usa git reset --soft HEAD~1, così le modifiche restano pronte.",
        "Se hai già fatto push è meglio git revert.",
        "Gli hook in {path} non partono con un reset.",
        "L'opzione esiste dalla versione {version}.",
    ),
    Exchange(
        "ahah ok, ci sta",
        "Bene, allora ci siamo capiti.",
    ),
    Exchange(
        "Chi ha vinto la finale del {year}?",
        "La finale l'ha vinta la squadra di {city}, {small} a {digit}.",
        "{person} ha segnato al minuto {small}.",
        "Allo stadio c'erano {n} mila persone.",
    ),
    Exchange(
        "Mi sa che ho lasciato l'ombrello sul treno delle {time}.",
        "Che peccato!",
        "L'ufficio oggetti smarriti di solito chiude alle {time}.",
        "Puoi chiamare e dire il numero della carrozza.",
    ),
    Exchange(
        "Traduci «buongiorno» in portoghese.",
        "Si dice «bom dia».",
        "Dopo mezzogiorno si dice «boa tarde».",
    ),
    Exchange(
        "Quanto deve bollire un uovo?",
        "Circa {small} minuti per averlo morbido.",
        "A {n} metri di quota ci vuole un po' di più.",
        "Non metterlo subito nell'acqua bollente se viene dal frigo.",
    ),
    Exchange(
        "Non preoccuparti per il refuso, l'ho corretto io.",
        "Ottimo, grazie di avermelo detto.",
    ),
    Exchange(
        "{first} mi ha raccontato una barzelletta sul pappagallo alle {time} e rido ancora.",
        "Adesso la voglio sentire!",
        "I pappagalli vivono anche {small} anni, la barzelletta può durare più di noi.",
    ),
    Exchange(
        "Che vuol dire l'errore {n}?",
        "Vuol dire che il server ci ha messo troppo a rispondere.",
        "Guarda in {path} per i dettagli.",
        "Nel tracker pubblico la segnalazione {code} descrive la stessa cosa.",
        "Riavviare aiuta nel {small} % dei casi.",
    ),
    Exchange(
        "Adesso preferirei un tè, a dire il vero.",
        "E tè sia!",
        "Il tè verde vuole {small} gradi, non acqua bollente.",
    ),
    Exchange(
        "Mi suggerisci un nome per un gatto?",
        "Che ne dici di {first}?",
        "Nel {year} a {city} il più diffuso era {first}.",
        "I nomi corti che finiscono in «i» sono facili da chiamare.",
    ),
    Exchange(
        "Quanto fa {n} per {small}?",
        "Vediamo: moltiplica {n} per {small} e hai il prodotto.",
        "Con la calcolatrice si fa prima, certo.",
    ),
    Exchange(
        "Non ho mai capito perché i gatti fanno così.",
        "Segnano quello che gli appartiene.",
        "Uno studio del {year} su {n} gatti dice che lo fanno anche per noia.",
    ),
    Exchange(
        "Chi era {person}?",
        "{person} era un pittore di {city}, nato il {date}.",
        "L'opera più nota fu venduta per {amount}.",
        "Il museo conserva {n} dei suoi disegni.",
    ),
    Exchange(
        "Buonasera! Come va?",
        "Buonasera! Tutto bene, che cosa posso fare per te?",
    ),
    Exchange(
        "Riassumimi l'articolo sulle batterie.",
        "L'articolo dice che la capacità è cresciuta del {small} % in {digit} anni.",
        "Cita {person}, che dirige un laboratorio a {city}.",
        "Entro il {year} i prezzi dovrebbero scendere sotto {amount} al pezzo.",
        "Il riciclo resta il problema aperto.",
    ),
    Exchange(
        "Non ci credo che è già {weekday}.",
        "Il tempo vola!",
        "Mancano solo {small} giorni alle vacanze.",
    ),
    Exchange(
        "Come trovo i file grandi su Linux?",
        "Usa du -sh sulla cartella, oppure find con -size +{n}M.",
        "Spesso la colpa è dei vecchi log in {path}.",
        "Non cancellare niente sotto /proc, non sono file veri.",
    ),
    Exchange(
        "I vicini hanno fatto casino fino alle {time}, sono distrutto.",
        "Che fastidio, mi dispiace.",
        "Un sonnellino di {small} minuti può fare miracoli.",
    ),
    Exchange(
        "Parliamo d'altro.",
        "Volentieri, di che cosa vuoi parlare?",
    ),
    Exchange(
        "Che cosa guardo stasera?",
        "C'è un documentario di {person} che ha preso {digit} stelle.",
        "Dura {n} minuti.",
        "Se preferisci qualcosa di leggero, prova la serie ambientata a {city}.",
    ),
    Exchange(
        "Quanto dista {city} dal mare?",
        "Sono {n} km di strada, più o meno {digit} ore.",
        "Il pedaggio è di {price}.",
        "C'è anche un autobus alle {time}.",
    ),
    Exchange(
        "Il mio vicino {person} ha comprato una barca da {amount}, pensa un po'.",
        "Però, che acquisto!",
        "Solo l'ormeggio può costare {price} al giorno.",
    ),
    Exchange(
        "Che cosa è cambiato nella versione {version}?",
        "La versione {version} è uscita il {date} e corregge {small} errori.",
        "È cambiato anche il valore predefinito di {constant}.",
        "Le note complete stanno su https://example.org/notes/{version}.",
    ),
    Exchange(
        "Non lo so, magari dopo.",
        "Nessun problema, dimmelo quando vuoi.",
    ),
    Exchange(
        "Rileggimi la ricetta.",
        "Servono {n} g di farina, {digit} uova e {small} ml di latte.",
        "Cuoci a {n} gradi per {small} minuti.",
        "Lascia raffreddare {small} minuti prima di tagliare.",
    ),
    Exchange(
        "La settimana scorsa abbiamo visto {person} dal vivo a {city}, biglietti a {price}.",
        "Che bello!",
        "Il tour va avanti fino al {date}.",
        "Dicono che solo il bis duri {small} minuti.",
    ),
    Exchange(
        "Quale dei due titoli ti piace di più?",
        "Preferisco il primo, è più corto di {small} caratteri.",
        "Il secondo suona un po' antiquato.",
    ),
    Exchange(
        "Mi piace di più la seconda versione.",
        "Buona scelta, si legge meglio ad alta voce.",
    ),
)

ITALIAN = Language(
    name="Italian",
    tuned=_TUNED,
    held_out=_HELD_OUT,
    openers=(
        "Rieccomi!",
        "Prima che mi dimentichi.",
        "Ancora un dettaglio.",
        "Allora, sui miei programmi.",
        "Scusa il ritardo.",
        "Dunque.",
    ),
    followers=(
        "Ha senso?",
        "Che ne pensi?",
        "Poi ne riparliamo.",
        "Comunque grazie della pazienza!",
        "Riesci a lavorarci?",
    ),
    acknowledgements=(
        "Va bene, grazie.",
        "Capito. D'ora in poi ne terrò conto.",
        "Grazie per avermelo detto! Andiamo avanti con il resto?",
        "Buono a sapersi. Altro?",
    ),
    filler=_FILLER,
    talk=ITALIAN_TALK,
    amounts=("{big} euro", "€ {big}", "{big} €", "{big} EUR", "{big} franchi"),
    prices=("{small},50 euro", "€ {small}", "{small} euro", "{small},90 €"),
    thousands=".",
    months=(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
        "dicembre"
    ),
    weekdays="lunedì martedì mercoledì giovedì venerdì sabato domenica",
    dates=(
        "{day} {month} {year}",
        "{day} {month}",
        "{day}/{number}/{year}",
        "{year}-{number:02}-{day:02}",
        "{day:02}.{number:02}.{year}",
    ),
    times=("{hour}:{minute}", "{hour}.{minute}", "{hour}"),
    first_names=(
        "Ginevra Tommaso Ludovica Ettore Camilla Raffaele Ortensia Saverio Beatrice Corrado "
        "Fiorella Ruggero Ilaria Edoardo Mirella Gaspare Noemi Fulvio Serena Achille"
    ),
    last_names=(
        "Bevilacqua Santangelo Fumagalli Quaranta Zanardi Pellegrino Scognamiglio Tagliabue "
        "Marangoni Caruso Bonfanti Cattaneo Frescobaldi Ghirardelli Malatesta Ruspoli Vianello "
        "Benedetti Colonna Iannuzzi"
    ),
    cities="Bergamo Trieste Cagliari Matera Lucca Pescara Udine Siracusa Trento Lecce Asti",
    likings=(
        "i posti lato corridoio",
        "le risposte senza elenchi puntati",
        "i treni della mattina presto",
        "le mail corte",
        "gli alberghi silenziosi vicino al parco",
        "le schermate con il tema scuro",
        "i menù a base di pesce",
        "le riunioni dopo le dieci",
    ),
    foods=("arachidi", "crostacei", "glutine", "sesamo", "noci", "lattosio"),
    tools=("Redis", "MongoDB", "Kafka", "Dropbox", "WhatsApp", "Kubernetes", "Zapier", "Oracle"),
    choices=(
        "il logo blu",
        "il traghetto di notte",
        "PostgreSQL su una macchina sola",
        "il furgone piccolo",
        "il buffet invece del servizio al tavolo",
        "il contratto di due anni",
        "la sala sul giardino",
        "le mail in testo semplice",
    ),
)
