"""Lists of things that have names in every language: tongues, peoples, trades.

They are folded, as all that is compared here. What is missing costs a statement, what is wrong
makes a false one, so they hold the plain cases only.
"""

from recollect.language.facts.grammar_types import phrases, words

LANGUAGES = words(
    """
    english italian spanish french german portuguese dutch russian chinese mandarin cantonese
    japanese korean arabic hindi turkish polish greek swedish norwegian danish finnish czech
    hungarian romanian ukrainian hebrew thai vietnamese indonesian malay filipino tagalog cebuano
    bisaya ilocano ilokano hiligaynon ilonggo waray kapampangan bikol bicolano taglish catalan
    croatian serbian bulgarian latin esperanto swahili urdu bengali tamil persian farsi irish
    welsh inglese italiano spagnolo francese tedesco portoghese olandese russo cinese mandarino
    giapponese coreano arabo turco polacco greco svedese norvegese danese finlandese ceco
    ungherese rumeno ucraino ebraico croato serbo bulgaro latino catalano albanese albanian sardo
    slovene slovenian slovak macedonian bosnian estonian latvian lithuanian armenian georgian
    basque galician maltese icelandic mongolian khmer burmese nepali sinhala punjabi gujarati
    marathi telugu malayalam kannada amharic somali yoruba igbo hausa zulu afrikaans pashto
    kurdish azeri kazakh uzbek belarusian chavacano pangasinan sloveno slovacco macedone bosniaco
    estone lettone lituano armeno georgiano basco maltese islandese hindi bengalese tagalog wolof
    ingles italyano espanyol kastila pranses aleman portuges ruso intsik hapon hapones koreano
    """
)
PEOPLES = words(
    """
    american british english scottish welsh irish italian spanish french german portuguese dutch
    belgian swiss austrian russian ukrainian polish czech slovak hungarian romanian bulgarian
    greek turkish swedish norwegian danish finnish icelandic chinese japanese korean vietnamese
    thai indonesian malaysian singaporean filipino filipina indian pakistani bangladeshi nepali
    iranian iraqi israeli lebanese egyptian moroccan tunisian algerian nigerian kenyan ghanaian
    ethiopian canadian mexican brazilian argentinian argentine chilean colombian peruvian
    venezuelan cuban australian croatian serbian albanian latvian lithuanian estonian slovenian
    maltese pinoy pinay scottish americano americana britannico britannica inglese scozzese
    irlandese italiano italiana spagnolo spagnola francese tedesco tedesca portoghese olandese
    belga svizzero svizzera austriaco austriaca russo russa ucraino ucraina polacco polacca ceco
    ceca ungherese rumeno rumena bulgaro bulgara greco greca turco turca svedese norvegese danese
    finlandese cinese giapponese coreano coreana filippino filippina indiano indiana marocchino
    marocchina tunisino tunisina egiziano egiziana brasiliano brasiliana argentino argentina
    messicano messicana albanese peruviano peruviana senegalese nigeriano nigeriana canadese
    australiano australiana croato croata
    """
)
TRADES = words(
    """
    accountant actor actress administrator analyst animator architect artist assistant astronomer
    attorney author baker banker barber barista bartender biologist bookkeeper bricklayer broker
    builder butcher carer caregiver carpenter cashier chef chemist cleaner coach composer
    consultant contractor cook copywriter curator dancer dentist designer developer dietitian
    director doctor driver economist editor electrician engineer entrepreneur estheticism farmer
    firefighter fisherman florist founder freelancer gardener geologist grocer guard guide
    hairdresser handyman historian housewife illustrator interpreter investor jeweller journalist
    judge landscaper lawyer lecturer librarian lifeguard linguist locksmith logistician manager
    marketer mathematician mechanic midwife miner model musician nanny neurologist novelist nurse
    nutritionist optician optometrist painter paralegal paramedic pediatrician pharmacist
    photographer physician physicist physiotherapist pianist pilot plumber podcaster policeman
    policewoman politician postman potter principal producer professor programmer psychiatrist
    psychologist publisher radiologist realtor receptionist recruiter researcher salesman
    salesperson saleswoman scientist sculptor seamstress secretary shopkeeper singer soldier
    sommelier statistician stylist surgeon surveyor tailor teacher technician therapist trader
    trainer translator tutor underwriter upholsterer vet veterinarian veterinary videographer
    violinist waiter waitress welder winemaker writer youtuber zoologist undertaker owner ceo cto
    cfo devops sre sysadmin dba va bookseller beekeeper blacksmith machinist dispatcher auditor
    actuary pastor priest nun imam rabbi sailor seafarer courier rider paediatrician cardiologist
    dermatologist gynaecologist gynecologist anaesthetist oncologist radiographer phlebotomist
    lead officer specialist strategist supervisor coordinator clerk postdoc intern apprentice
    foreman geographer archaeologist anthropologist sociologist conductor stewardess steward
    ranger inspector planner controller operator agent dev representative architect cleric
    bodyguard caretaker tester marketer stylist reporter columnist streamer potter
    bricklayer roofer glazier tiler plasterer joiner cobbler tattooist masseur masseuse
    audiologist hygienist orthodontist podiatrist chiropractor osteopath embalmer croupier dealer
    geneticist microbiologist ecologist botanist meteorologist criminologist archivist
    headteacher headmaster headmistress lecturer tutor stonemason shepherd rancher brewer
    distiller milliner weaver goldsmith silversmith luthier toolmaker fitter rigger stagehand
    choreographer dj deejay drummer guitarist cellist soprano tenor illustrator cartoonist
    paramedic orderly porter janitor concierge valet butler chauffeur trucker cabbie bookmaker
    """
)
TRADES_IT = words(
    """
    agronomo agronoma architetto architetta archeologo archeologa artigiano artigiana artista
    assistente attore attrice autista avvocato avvocata avvocatessa badante bagnino ballerina
    ballerino barbiere barista bibliotecario bibliotecaria biologo biologa calzolaio cameriera
    cameriere cantante cardiologo cardiologa carpentiere carabiniere cassiera cassiere chef
    chimico chimica chirurgo chirurga commerciale commercialista commessa commesso consulente
    contabile contadino contadina cuoca cuoco dentista designer dietista direttore direttrice
    docente dottore dottoressa dirigente educatore educatrice elettricista estetista fabbro
    falegname farmacista fisico fisica fisioterapista fornaio fotografo fotografa freelance
    geologo geologa geometra giardiniere giornalista giudice grafico grafica guida idraulico
    illustratore illustratrice impiegato impiegata imprenditore imprenditrice infermiera
    infermiere informatico informatica ingegnere ingegnera insegnante interprete macellaio maestra
    maestro magazziniere manager matematico matematica meccanico medica medico medico muratore
    musicista negoziante notaio notaia nutrizionista operaia operaio oculista ortopedico ostetrica
    ostetrico panettiere parrucchiera parrucchiere pasticcere pasticcera pasticciere pasticciera
    pediatra pensionato pensionata pilota pittore pittrice pizzaiolo pizzaiola poliziotto
    poliziotta pompiere portiere postino postina professore professoressa programmatore
    programmatrice psichiatra psicologo psicologa psicoterapeuta regista receptionist ricercatore
    ricercatrice ristoratore ristoratrice sarta sarto scenografa scenografo scrittore scrittrice
    scultore scultrice segretaria segretario sindacalista sistemista sviluppatore sviluppatrice
    stilista tassista tecnica tecnico traduttore traduttrice veterinaria veterinario vigile
    violinista violoncellista pianista developer logopedista podologo educatrice macchinista
    ferroviere capotreno agente analista bancario bancaria magistrato viticoltore apicoltore
    rappresentante venditore venditrice promotore promotrice orafo orafa restauratore restauratrice
    gommista carrozziere camionista corriere fattorino vivaista fiorista fioraio libraio libraia
    giocattolaio orologiaio tabaccaio edicolante bidello bidella educatore oss archivista curatore
    autrice tipografo tatuatore tatuatrice influencer copywriter psicanalista anestesista
    radiologo radiologa dermatologo dermatologa neurologo neurologa ginecologo ginecologa
    odontoiatra igienista optometrista ottico ottica assicuratore agente immobiliarista soldato
    militare marinaio pescatore attrezzista operatore operatrice collaboratore collaboratrice
    direttore coordinatore coordinatrice tester allevatore agricoltore agricoltrice responsabile
    tirocinante apprendista
    """
)
TRADES_FIL = words(
    """
    abogado abogada accountant arkitekto artista barbero basurero bombero doktor doktora drayber
    elektrisyan encoder guro mananahi karpintero kusinero kusinera labandera magsasaka mangingisda
    manunulat mangangalakal mekaniko mekaniko modista musikero nars narses negosyante negosyanta
    panadero piloto pintor pulis sekretarya sundalo tindera tindero titser tubero yaya mandaragat
    seaman inhinyero enhinyero dentista parmasyutiko kahera kahero tsuper katulong propesor
    mamamahayag mang-aawit freelancer va csr ofw vlogger rider
    """
)
CODE = words(
    """
    python rust go golang java javascript typescript kotlin swift ruby php perl scala haskell
    elixir erlang clojure lua r julia c c++ c# f# fortran cobol dart sql bash zig ocaml nim matlab
    html css
    """
)
DIETS = "vegetarian|vegan|pescatarian|pescetarian|flexitarian|lacto-vegetarian|veggie|plant-based"
CONDITIONS = words(
    """
    diabetes asthma epilepsy migraines migraine adhd autism hypertension arthritis eczema
    psoriasis hypothyroidism hyperthyroidism hashimoto's scoliosis endometriosis pcos ibs crohn's
    gerd anaemia anemia insomnia tinnitus dyslexia celiac coeliac depression anxiety hemophilia
    haemophilia glaucoma fibromyalgia reflux gout vitiligo rosacea sciatica vertigo diabete asma
    epilessia emicrania ipertensione artrite eczema psoriasi ipotiroidismo ipertiroidismo scoliosi
    endometriosi celiachia anemia insonnia dislessia depressione ansia fibromialgia reflusso gotta
    cervicale ernia favismo hika altapresyon diyabetes rayuma anemya alta-presyon highblood
    diabetis
    """
)
AILMENTS = phrases(
    """
    high blood pressure; low blood pressure; high cholesterol; a heart condition; heart disease
    a pacemaker; type 1 diabetes; type 2 diabetes; hay fever; a bad back; bad knees; back problems
    pressione alta; la pressione alta; pressione bassa; la pressione bassa; il colesterolo alto
    colesterolo alto; la glicemia alta; glicemia alta; un pacemaker; problemi di cuore
    problemi di cuore; mal di schiena cronico; problemi alla schiena; la febbre da fieno
    alta presyon; mataas na presyon; sakit sa puso; sakit sa bato; sakit sa atay; high blood
    mataas na cholesterol; mataas na sugar
    """
)
SPORTS = words(
    """
    tennis football soccer basketball volleyball golf hockey rugby cricket badminton chess squash
    padel handball baseball softball futsal pool darts poker bridge guitar piano violin cello
    drums bass flute saxophone trumpet clarinet ukulele accordion harp keyboard oboe viola banjo
    dungeons dnd d&d minecraft videogames tennis calcio calcetto basket pallacanestro pallavolo
    scacchi rugby golf padel pallanuoto chitarra pianoforte violino violoncello batteria basso
    flauto sassofono tromba clarinetto fisarmonica arpa ukulele viola organo basketbol balibol
    gitara biyolin tambol ahedres chess bilyar mobile legends valorant
    """
)

TOOLS = CODE | words(
    """
    vim neovim nvim emacs vscode linux ubuntu debian fedora arch mint windows macos mac iphone
    android ios docker kubernetes git github gitlab postgres postgresql mysql mariadb sqlite redis
    mongodb excel notion obsidian figma photoshop illustrator blender chrome firefox safari brave
    slack zoom teams trello jira tmux zsh fish react vue svelte angular django flask fastapi rails
    laravel spring node nodejs node.js pytorch tensorflow pandas numpy jupyter latex word
    powerpoint gmail outlook wordpress shopify aws azure gcp terraform ansible jenkins nginx
    pycharm intellij sublime nano todoist evernote canva lightroom unity unreal godot nextjs
    next.js tailwind
    """
)
FIELDS = words(
    """
    finance marketing it tech healthcare education sales hr logistics construction retail
    hospitality banking insurance law media advertising software research biotech pharma tourism
    agriculture manufacturing journalism publishing fashion design consulting cybersecurity
    recruitment accounting engineering television theatre theater film aviation shipping bpo
    hospital bank school restaurant bar shop library lab laboratory factory warehouse kitchen
    kindergarten museum supermarket bookshop bookstore bakery office university clinic pharmacy
    council government city army police state ministry charity university nhs newspaper airline
    nursery cafe hotel studio startup garage farm agency nonprofit ngo firm company winery salon
    ospedale banca scuola ristorante negozio biblioteca laboratorio fabbrica magazzino cucina
    asilo museo supermercato libreria panificio ufficio universita clinica farmacia albergo
    azienda officina fattoria agenzia comune posta tribunale cantiere ditta societa informatica
    edilizia turismo moda editoria sanita logistica finanza assicurazioni pubblicita ristorazione
    pizzeria studio pasticceria centro cooperativa multinazionale ministero ospital opisina
    paaralan bangko pabrika tindahan botika gobyerno munisipyo restawran eskwelahan kumpanya
    kompanya
    """
)
ERRANDS = words(
    """
    bug bugs homework email e mail letter file image error issue problem ticket function test
    tests assignment exercise question code branch pr task tasks slides script query page table
    list health fitness skills container spreadsheet deadline fix ci pipeline class method loop
    regex report errore compiti compito lettera messaggio problema funzione esercizio domanda
    codice presentazione relazione query pagina tabella lista script takdang aralin assignment
    sulat report
    """
)
WRITINGS = words(
    """
    novel book thesis dissertation memoir screenplay blog paper album cookbook comic trilogy
    textbook musical podcast sequel poems series
    romanzo libro tesi saggio racconto racconti sceneggiatura fumetto articolo dottorato manuale
    raccolta nobela tesis kuwento tula
    """
)
