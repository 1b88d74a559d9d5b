"""Generated small talk that rarely repeats: sentence frames filled with topics.

Fixed exchanges would repeat within six hundred turns, and repeated text is easy to leave out of a
summary. `events` tell about the day; `habits` are statements of users about themselves that nobody
asked for, the hardest to distinguish from facts.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallTalk:
    topics: str
    """Separated by semicolons."""
    questions: Sequence[str]
    answers: Sequence[str]
    events: Sequence[str]
    habits: Sequence[str]
    asides: Sequence[str]
    replies: Sequence[str]


ENGLISH_TALK = SmallTalk(
    topics=(
        "roof insulation; sourdough starters; tax brackets; jet lag; fountain pens; solar panels; "
        "the French Revolution; compound interest; houseplants; marathon training; black holes; "
        "the offside rule; cast iron pans; sleep apnoea; wireless headphones; medieval castles; "
        "electric bikes; bread flour; coral reefs; regular expressions; the gold standard; "
        "chess openings; allotment gardens; airline miles; kombucha; volcanoes; "
        "garbage collection; mortgages; beekeeping; linen shirts; the Suez canal; "
        "podcast microphones; migraine; "
        "watercolour paper; stock options; wolves; typewriters; tram networks; cheese caves; "
        "knee exercises"
    ),
    questions=(
        "Tell me something about {topic}.",
        "What should I know about {topic}?",
        "Is there anything new on {topic}?",
        "Why do people argue about {topic}?",
        "Give me {digit} facts about {topic}.",
        "I read a piece about {topic} by {person}, is it any good?",
        "Does {topic} really cost more than {price}?",
        "Explain {topic} as if I were {digit}.",
        "What did {person} say about {topic} in {year}?",
        "Compare {topic} with {other_topic} for me, in {small} words.",
        "And how does {topic} go together with {other_topic}?",
        "Write a limerick on {topic} set in {city}.",
    ),
    answers=(
        "People have written about {topic} since {year}.",
        "A good start is the guide by {person}, about {n} pages long.",
        "Most experts in {city} say that {topic} takes patience.",
        "Roughly {small} % of beginners give up within {digit} weeks.",
        "Expect to spend {price} at first.",
        "There is a free course that starts on {date}.",
        "In short, {topic} is a matter of practice.",
        "The usual mistake is to start too big.",
        "There is an overview in {path} of the sample project.",
        "It never hurts to ask {first} at the local club.",
        "You must keep everything dry and below {small} degrees.",
        "Number {code} in the catalogue is what most people pick.",
        "I would avoid the cheap kits and anything to do with {other_topic}.",
        "The link between {topic} and {other_topic} is weaker than it seems.",
    ),
    events=(
        "{first} and I tried a class on {topic} yesterday.",
        "I finally watched that film about {topic} with {first}.",
        "On {weekday} I waited {small} minutes for the bus.",
        "I found {price} in the pocket of an old coat.",
        "Somebody at the office brought {n} doughnuts.",
        "We drove to {city} and back, {n} km in total.",
        "My phone fell into the sink at {time}.",
        "I lost to {person} at chess again.",
        "The dentist kept me for {small} minutes.",
        "I signed up for a talk on {topic} and then forgot to go.",
        "A man named {person} asked me for directions to {city}.",
        "I slept {digit} hours at most, dreaming of {topic}.",
    ),
    habits=(
        "My sister lives in {city} with {digit} cats.",
        "Our street has {small} houses and one shop.",
        "I usually get up at {time}.",
        "My brother {first} collects books on {topic}.",
        "I have {digit} meetings on {weekday}.",
        "My commute takes {small} minutes each way.",
        "There are {small} people in my choir.",
        "My grandmother turns {small} on {date}.",
        "I'm reading a novel by {person} at the moment.",
        "Our dog weighs {small} kg.",
        "My old car has done {n} thousand km.",
        "My gym charges {price} a month.",
        "I know a {person} who talks about nothing but {topic}.",
        "My holiday photos are all over {path} and need sorting.",
        "My locker at the pool is number {n}.",
        "I'd love to visit {city} one day.",
        "I don't like the sound of {topic}.",
        "I must read up on {topic} some day.",
    ),
    asides=(
        "",
        "",
        "Funny, isn't it?",
        "Anyway.",
        "Just saying.",
        "What a week!",
        "No idea why I'm telling you this.",
        "What were we talking about?",
    ),
    replies=(
        "Ha, I can imagine!",
        "That's life, I suppose.",
        "Thanks for sharing that with me.",
        "By the way, {topic} is big in {city} these days.",
        "Some people would pay {price} for that.",
        "Statistically it happens to {small} % of people.",
    ),
)

ITALIAN_TALK = SmallTalk(
    topics=(
        "la coibentazione dei tetti; il lievito madre; gli scaglioni fiscali; il jet lag; "
        "le penne stilografiche; i pannelli solari; la Rivoluzione francese; l'interesse composto; "
        "le piante da appartamento; la maratona; i buchi neri; il fuorigioco; le padelle in ghisa; "
        "le apnee notturne; le cuffie senza fili; i castelli medievali; le bici elettriche; "
        "le farine; le barriere coralline; le espressioni regolari; il gold standard; "
        "le aperture degli scacchi; gli orti urbani; le miglia aeree; il kombucha; i vulcani; "
        "i mutui; l'apicoltura; le camicie di lino; il canale di Suez; i microfoni; l'emicrania; "
        "la carta da acquerello; le stock option; i lupi; le macchine da scrivere; i tram; "
        "le grotte per il formaggio; gli esercizi per le ginocchia; il vetro soffiato"
    ),
    questions=(
        "Raccontami qualcosa: {topic}.",
        "Che cosa bisogna sapere, se parliamo di questo: {topic}?",
        "Novità su questo tema, {topic}?",
        "Perché tutti litigano quando si nomina {topic}?",
        "Dammi {digit} curiosità: {topic}.",
        "Ho letto un pezzo di {person}, tema {topic}, vale qualcosa?",
        "Davvero {topic} può costare più di {price}?",
        "Spiegamelo come se avessi {digit} anni: {topic}.",
        "Che cosa disse {person} nel {year} su questo, {topic}?",
        "Confronta {topic} e {other_topic} in {small} parole.",
        "E come si combinano {topic} e {other_topic}?",
        "Scrivi una filastrocca ambientata a {city}, tema {topic}.",
    ),
    answers=(
        "Se ne scrive dal {year}.",
        "Per cominciare va bene la guida di {person}, circa {n} pagine.",
        "A {city} quasi tutti gli esperti dicono che serve pazienza.",
        "Più o meno il {small} % dei principianti smette entro {digit} settimane.",
        "All'inizio si spendono {price}.",
        "C'è un corso gratuito che parte il {date}.",
        "In breve, con {topic} conta solo la pratica.",
        "L'errore tipico è cominciare troppo in grande.",
        "Nel progetto di esempio c'è una panoramica in {path}.",
        "Chiedere a {first} al circolo non guasta mai.",
        "Si deve tenere tutto all'asciutto e sotto i {small} gradi.",
        "Nel catalogo il numero {code} è quello che scelgono tutti.",
        "Io eviterei i kit economici e {other_topic}.",
        "Il legame tra {topic} e {other_topic} è più debole di quanto sembri.",
    ),
    events=(
        "Ieri {first} e io abbiamo provato una lezione, tema {topic}.",
        "Finalmente ho guardato quel film con {first}, quello che parla di {other_topic}.",
        "Sabato ho aspettato l'autobus {small} minuti.",
        "Ho trovato {price} nella tasca di un vecchio cappotto.",
        "Qualcuno in ufficio ha portato {n} bomboloni.",
        "Siamo andati fino a {city} e ritorno, {n} km in tutto.",
        "Il telefono mi è caduto nel lavandino alle {time}.",
        "Ho perso di nuovo a scacchi contro {person}.",
        "Il dentista mi ha tenuto lì {small} minuti.",
        "Mi ero iscritto a un incontro, tema {topic}, e me ne sono scordato.",
        "Un certo {person} mi ha chiesto la strada per {city}.",
        "Ho dormito {digit} ore sognando {topic}.",
    ),
    habits=(
        "Mia sorella vive a {city} con {digit} gatti.",
        "Nella nostra via ci sono {small} case e un negozio.",
        "Di solito mi alzo alle {time}.",
        "Mio fratello {first} colleziona libri, soprattutto {topic}.",
        "{weekday} ho {digit} riunioni.",
        "Per andare al lavoro ci metto {small} minuti.",
        "Nel mio coro siamo in {small}.",
        "Mia nonna compie {small} anni il {date}.",
        "Sto leggendo un romanzo di {person}.",
        "Il nostro cane pesa {small} kg.",
        "La mia vecchia macchina ha {n} mila km.",
        "La mia palestra costa {price} al mese.",
        "Conosco un {person} che parla solo di questo, {topic}.",
        "Le foto delle vacanze le ho sparse in {path} e vanno riordinate.",
        "In piscina il mio armadietto è il {n}.",
        "Mi piacerebbe vedere {city} un giorno.",
        "Non mi convince molto {topic}.",
        "Devo informarmi prima o poi, su {other_topic}.",
    ),
    asides=(
        "",
        "",
        "Buffo, no?",
        "Vabbè.",
        "Così, per dire.",
        "Che settimana!",
        "Non so perché te lo racconto.",
        "Di che parlavamo?",
    ),
    replies=(
        "Eh, me lo immagino!",
        "Così va la vita.",
        "Grazie per averlo condiviso con me.",
        "A proposito, a {city} va molto di moda: {topic}.",
        "C'è chi pagherebbe {price} per una cosa così.",
        "Statisticamente capita al {small} % delle persone.",
    ),
)

FILIPINO_TALK = SmallTalk(
    topics=(
        "pagkakabit ng insulasyon; sourdough; buwis sa kita; jet lag; fountain pen; solar panel; "
        "Rebolusyong Pranses; tubo sa bangko; halamang pambahay; pagsasanay sa marathon; "
        "black hole; patakaran sa football; kawaling bakal; sleep apnea; headset na wireless; "
        "lumang kastilyo; "
        "bisikletang de-kuryente; harina; bahura; regular expression; pamantayang ginto; "
        "bukas sa ahedres; gulayan sa bakuran; airline miles; kombucha; bulkan; pautang sa bahay; "
        "pag-aalaga ng bubuyog; barong na lino; Kanal Suez; mikropono; migraine; watercolor; "
        "stock option; lobo sa gubat; makinilya; tranvia; paggawa ng keso; ehersisyo sa tuhod; "
        "salamin na hinihipan"
    ),
    questions=(
        "Kuwentuhan mo ako tungkol sa {topic}.",
        "Ano ang dapat malaman tungkol sa {topic}?",
        "May bago ba sa {topic}?",
        "Bakit pinagtatalunan ang {topic}?",
        "Magbigay ng {digit} detalye tungkol sa {topic}.",
        "Nabasa ko ang sulat ni {person} ukol sa {topic}, maganda ba iyon?",
        "Mahigit {price} ba talaga ang {topic}?",
        "Ipaliwanag ang {topic} na parang {digit} taon ako.",
        "Ano ang sinabi ni {person} noong {year} tungkol sa {topic}?",
        "Ihambing ang {topic} at {other_topic} sa {small} salita.",
        "At paano nagkakaugnay ang {topic} at {other_topic}?",
        "Gumawa ng tula tungkol sa {topic}, sa {city} ang tagpo.",
    ),
    answers=(
        "Mula {year} pa isinusulat ang tungkol sa {topic}.",
        "Magandang simula ang gabay ni {person}, mga {n} pahina.",
        "Sabi ng mga eksperto sa {city}, tiyaga ang kailangan sa {topic}.",
        "Mga {small} % ng baguhan ang sumusuko sa loob ng {digit} linggo.",
        "Asahan ang gastos na {price} sa umpisa.",
        "May libreng kurso na magsisimula sa {date}.",
        "Sa madaling salita, sanayan lang ang {topic}.",
        "Karaniwang mali ang magsimula nang malaki.",
        "May buod sa {path} ng halimbawang proyekto.",
        "Puwede ring magtanong kay {first} sa samahan.",
        "Dapat tuyo ang lahat at mababa sa {small} degrees.",
        "Ang numero {code} sa katalogo ang madalas piliin.",
        "Iiwasan ko ang murang gamit at ang {other_topic}.",
        "Mahina ang ugnayan ng {topic} at {other_topic}.",
    ),
    events=(
        "Sumubok kami ni {first} ng klase sa {topic} kahapon.",
        "Sa wakas napanood ko ang pelikula tungkol sa {topic} kasama si {first}.",
        "Naghintay ako ng bus nang {small} minuto noong {weekday}.",
        "Nakakita ako ng {price} sa bulsa ng lumang dyaket.",
        "May nagdala ng {n} donut sa opisina.",
        "Nagmaneho kami papuntang {city} at pabalik, {n} km lahat.",
        "Nahulog sa lababo ang telepono ko nang {time}.",
        "Natalo na naman ako kay {person} sa chess.",
        "Inabot ako ng {small} minuto sa dentista.",
        "Nagpalista ako sa usapan tungkol sa {topic} at nakalimutan kong pumunta.",
        "May nagtanong sa akin ng daan papuntang {city}, {person} ang pangalan.",
        "{digit} oras lang ang tulog ko, napanaginipan ko pa ang {topic}.",
    ),
    habits=(
        "Sa {city} nakatira ang ate ko kasama ang {digit} pusa.",
        "May {small} bahay at isang tindahan sa kalye namin.",
        "Karaniwan akong gumigising nang {time}.",
        "Nangongolekta ng libro tungkol sa {topic} ang kuya kong si {first}.",
        "May {digit} miting ako sa {weekday}.",
        "{small} minuto ang biyahe ko papasok.",
        "{small} kami sa koro.",
        "Magiging {small} na ang lola ko sa {date}.",
        "Nagbabasa ako ng nobela ni {person}.",
        "{small} kg ang aso namin.",
        "Umabot na ng {n} libong km ang luma kong kotse.",
        "{price} kada buwan ang bayad ko sa gym.",
        "May kilala akong {person} na puro {topic} ang usapan.",
        "Nakakalat sa {path} ang mga litrato ng bakasyon ko.",
        "{n} ang numero ng locker ko sa languyan.",
        "Gusto kong makita ang {city} balang araw.",
        "Ayaw ko ng tunog ng {topic}.",
        "Kailangan kong magbasa tungkol sa {topic} balang araw.",
    ),
    asides=(
        "",
        "",
        "Nakakatawa, ano?",
        "Hay naku.",
        "Wala lang.",
        "Grabe ang linggong ito!",
        "Ewan ko kung bakit ko ito kinukuwento.",
        "Ano na nga ang pinag-uusapan natin?",
    ),
    replies=(
        "Haha, naiisip ko nga!",
        "Ganyan talaga ang buhay.",
        "Salamat sa pagkukuwento.",
        "Uso pala ngayon sa {city} ang {topic}.",
        "May magbabayad ng {price} para diyan.",
        "Nangyayari iyan sa {small} % ng tao.",
    ),
)
