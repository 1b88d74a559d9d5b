"""The words around and inside facts in English."""

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
        i i'm im i've ive i'd id i'll ill we we're we've we'd we'll you you're you'd your he she
        they he's she's they're it's that's there's what's it who which that whose whom and or nor
        but so because cause coz cuz since although though while whereas unless if when whenever
        where why how what whether until till then than can could would should will shall might must
        do does did don't dont doesn't didn't is are am was were isn't aren't been has had hasn't
        haven't please btw lol haha hahaha thanks thx even except otherwise however therefore plus
        besides hence hehe huhu lmao xd ugh yay po kasi naman lang din rin talaga ok okay pls yeah
        remember
        """
    ),
    joins=words("and or"),
    cuts=words("that what how are is was were will has had than did does can could would should"),
    prepositions=words(
        """
        with for since near at on by from to as now in after before about around during like via
        through without where because but not right today tonight currently while under into working
        living studying based here last next this recently ago these all just
        """
    ),
    verbs=words(
        """
        am are be been can can't cannot could did do does don't enjoy feel find get go going got had
        has hate have i've is isn't know like live living love may might must need never own play
        prefer read run should speak study take think try trying use want was wasn't were will wish
        won't work working would wouldn't usually always often currently just mostly really used
        looking wondering planning hoping i i'm my we he she they it this that there you then
        """
    ),
    trailing=words(
        """
        too also now again though actually really btw please lol haha anymore well much lot alot a
        the very so ever any more obviously basically generally currently already still always yet
        honestly tbh imo rn in on at for of to with as by from mostly usually often instead together
        itself all here there
        """
    ),
    excluded=words(
        """
        it this that these those them him her me us you your yours his hers its something anything
        nothing everything someone anyone everyone somewhere one ones other others another option
        options version first second third last previous above below former latter idea suggestion
        suggestions answer answers response reply question example draft sound looks way how why
        what whatever same thing things stuff both mine myself yourself chatgpt assistant http https
        few couple bunch
        """
    ),
    not_first=words(
        """
        here there to not no never also especially both just very so too really quite pretty more
        less being having going doing getting trouble fear peace hope love home abroad bed work
        school pain charge need favour favor doubt order search touch case fact between time general
        terms as
        """
    ),
    not_names=words(
        """
        a an the not so very really just too here there back home ok okay fine good great well bad
        sorry sure happy sad tired hungry bored busy free ready done new old glad afraid curious
        interested looking trying going working thinking wondering writing planning using learning
        studying living based single married divorced engaged pregnant vegan vegetarian christian
        catholic muslim jewish buddhist hindu atheist monday tuesday wednesday thursday friday
        saturday sunday january february march april june july august september october november
        december english team gen generation no yes still also always never almost only currently
        allergic celiac diabetic autistic dyslexic from in on at with and or but my your his her our
        their it its this that what who how why when where i you he she we they god male female gay
        straight bi trans left right lost stuck confused excited into chatgpt claude assistant bot
        ai gonna unknown something someone secret private important called named irrelevant common
        weird long short hard easy nice funny difficult
        """
    ),
    not_places=words(
        """
        hr it town city village countryside country house apartment flat suburbs suburb suburbia
        area neighbourhood neighborhood place places downtown dorm basement van caravan castle
        middle nowhere fear peace hope poverty luxury denial hell paradise moment past present
        future harmony studio room condo district region bubble world shared student rented small
        big tiny large nice quiet parents timezone zone constant hopes
        """
    ),
    articles=words("a an the some my our"),
    steps=words("first second third last draft version"),
    possessives={"my": "their", "our": "their", "myself": "themselves"},
)
TRADES = words(
    """
    accountant actor actress administrator analyst animator architect artist assistant astronomer
    attorney author baker banker barber barista bartender biologist bookkeeper bricklayer broker
    builder butcher carer caregiver carpenter cashier chef chemist cleaner coach composer consultant
    contractor cook copywriter curator dancer dentist designer developer dietitian director doctor
    driver economist editor electrician engineer entrepreneur estheticism farmer firefighter
    fisherman florist founder freelancer gardener geologist grocer guard guide hairdresser handyman
    historian housewife illustrator interpreter investor jeweller journalist judge landscaper lawyer
    lecturer librarian lifeguard linguist locksmith logistician manager marketer mathematician
    mechanic midwife miner model musician nanny neurologist novelist nurse nutritionist optician
    optometrist painter paralegal paramedic pediatrician pharmacist photographer physician physicist
    physiotherapist pianist pilot plumber podcaster policeman policewoman politician postman potter
    principal producer professor programmer psychiatrist psychologist publisher radiologist realtor
    receptionist recruiter researcher salesman salesperson saleswoman scientist sculptor seamstress
    secretary shopkeeper singer soldier sommelier statistician stylist surgeon surveyor tailor
    teacher technician therapist trader trainer translator tutor underwriter upholsterer vet
    veterinarian veterinary videographer violinist waiter waitress welder winemaker writer youtuber
    zoologist undertaker owner ceo cto cfo devops sre sysadmin dba va bookseller beekeeper
    blacksmith machinist dispatcher auditor actuary pastor priest nun imam rabbi sailor seafarer
    courier rider paediatrician cardiologist dermatologist gynaecologist gynecologist anaesthetist
    oncologist radiographer phlebotomist lead officer specialist strategist supervisor coordinator
    clerk postdoc intern apprentice foreman geographer archaeologist anthropologist sociologist
    conductor stewardess steward ranger inspector planner controller operator agent dev
    representative cleric bodyguard caretaker tester reporter columnist streamer roofer glazier
    tiler plasterer joiner cobbler tattooist masseur masseuse audiologist hygienist orthodontist
    podiatrist chiropractor osteopath embalmer croupier dealer geneticist microbiologist ecologist
    botanist meteorologist criminologist archivist headteacher headmaster headmistress stonemason
    shepherd rancher brewer distiller milliner weaver goldsmith silversmith luthier toolmaker fitter
    rigger stagehand choreographer dj deejay drummer guitarist cellist soprano tenor cartoonist
    orderly porter janitor concierge valet butler chauffeur trucker cabbie bookmaker
    """
)
PEOPLE = """
    sister: sister; little sister; big sister; older sister; younger sister; twin sister; sis
    brother: brother; little brother; big brother; older brother; younger brother; twin brother
    wife: wife
    husband: husband
    partner: partner
    girlfriend: girlfriend
    boyfriend: boyfriend
    son: son; oldest son; eldest son; youngest son; little boy
    daughter: daughter; oldest daughter; eldest daughter; youngest daughter; little girl
    cousin: cousin
    nephew: nephew
    niece: niece
    aunt: aunt
    uncle: uncle
    boss: boss; manager; supervisor; team lead
    friend: friend; best friend; closest friend; bff
    dog: dog; puppy; pup; doggo; labrador; greyhound; corgi; beagle; dachshund; poodle; pug
    cat: cat; kitten; kitty
    rabbit: rabbit
    parrot: parrot
    horse: horse
    hamster: hamster
    teacher: teacher
    therapist: therapist
    spouse: spouse
    mother: mother; mom; mum; mama
    father: father; dad; papa
    child: kid; child; baby; toddler
    grandmother: grandmother; grandma; granny; nan
    grandfather: grandfather; grandpa; granddad
    fiance: fiance; fiancee
    colleague: colleague; coworker; co-worker; workmate
    roommate: roommate; flatmate; housemate
    neighbour: neighbour; neighbor
    mother-in-law: mother-in-law
    father-in-law: father-in-law
    tortoise: tortoise
    goldfish: goldfish
    sister-in-law: sister-in-law
    brother-in-law: brother-in-law
    turtle: turtle
    bird: bird
    pony: pony
"""
VALUES = ValueWords(
    quantifiers="a bit of; a little; some",
    age_units="years old; yrs; yo",
    in_titles="and; of; the; in; a; an; to; for; on",
)
GAZETTEER = Gazetteer(
    languages="""
        english italian spanish french german portuguese dutch russian chinese mandarin cantonese
        japanese korean arabic hindi turkish polish greek swedish norwegian danish finnish czech
        hungarian romanian ukrainian hebrew thai vietnamese indonesian malay filipino tagalog
        cebuano bisaya ilocano ilokano hiligaynon ilonggo waray kapampangan bikol bicolano taglish
        catalan croatian serbian bulgarian latin esperanto swahili urdu bengali tamil persian farsi
        irish welsh albanian slovene slovenian slovak macedonian bosnian estonian latvian lithuanian
        armenian georgian basque galician maltese icelandic mongolian khmer burmese nepali sinhala
        punjabi gujarati marathi telugu malayalam kannada amharic somali yoruba igbo hausa zulu
        afrikaans pashto kurdish azeri kazakh uzbek belarusian chavacano pangasinan wolof
    """,
    peoples="""
        american british english scottish welsh irish italian spanish french german portuguese dutch
        belgian swiss austrian russian ukrainian polish czech slovak hungarian romanian bulgarian
        greek turkish swedish norwegian danish finnish icelandic chinese japanese korean vietnamese
        thai indonesian malaysian singaporean filipino filipina indian pakistani bangladeshi nepali
        iranian iraqi israeli lebanese egyptian moroccan tunisian algerian nigerian kenyan ghanaian
        ethiopian canadian mexican brazilian argentinian argentine chilean colombian peruvian
        venezuelan cuban australian croatian serbian albanian latvian lithuanian estonian slovenian
        maltese
    """,
    conditions="""
        diabetes asthma epilepsy migraines migraine adhd autism hypertension arthritis eczema
        psoriasis hypothyroidism hyperthyroidism hashimoto's scoliosis endometriosis pcos ibs
        crohn's gerd anaemia anemia insomnia tinnitus dyslexia celiac coeliac depression anxiety
        hemophilia haemophilia glaucoma fibromyalgia reflux gout vitiligo rosacea sciatica vertigo
    """,
    ailments="""
        high blood pressure; low blood pressure; high cholesterol; a heart condition; heart disease
        a pacemaker; type 1 diabetes; type 2 diabetes; hay fever; a bad back; bad knees
        back problems
    """,
    sports="""
        tennis football soccer basketball volleyball golf hockey rugby cricket badminton chess
        squash padel handball baseball softball futsal pool darts poker bridge guitar piano violin
        cello drums bass flute saxophone trumpet clarinet ukulele accordion harp keyboard oboe viola
        banjo dungeons dnd d&d minecraft videogames
    """,
    fields="""
        finance marketing it tech healthcare education sales hr logistics construction retail
        hospitality banking insurance law media advertising software research biotech pharma tourism
        agriculture manufacturing journalism publishing fashion design consulting cybersecurity
        recruitment accounting engineering television theatre theater film aviation shipping bpo
        hospital bank school restaurant bar shop library lab laboratory factory warehouse kitchen
        kindergarten museum supermarket bookshop bookstore bakery office university clinic pharmacy
        council government city army police state ministry charity nhs newspaper airline nursery
        cafe hotel studio startup garage farm agency nonprofit ngo firm company winery salon
    """,
    errands="""
        bug bugs homework email e mail letter file image error issue problem ticket function test
        tests assignment exercise question code branch pr task tasks slides script query page table
        list health fitness skills container spreadsheet deadline fix ci pipeline class method loop
        regex report
    """,
    writings="""
        novel book thesis dissertation memoir screenplay blog paper album cookbook comic trilogy
        textbook musical podcast sequel poems series
    """,
    not_firms="night nights home free moment least weekends first now day days myself",
)
HEDGES = Hedges(
    conjunctions="""
        and; but; so; because; cause; coz; since; as; plus; also; then; though; btw; anyway
    """,
    openings=r"""
        hi; hello; hey; hiya; good (?:morning|evening|afternoon); ok; okay; well; so; oh; ah; yes
        yeah; yep; no; nope; and; but; also; btw; by the way; fyi; actually; anyway; thanks; please
        thank you; for (?:context|the record|reference|info|what it's worth); just so you know
        as you know; (?:please )?(?:note|keep in mind|bear in mind|remember|don't forget)(?: that)?
        i should (?:mention|say|add)(?: that)?; you should know(?: that)?; let me add(?: that)?
        i forgot to (?:say|mention)(?: that)?; i (?:already )?told you(?: that)?; no wait; wait
        as i (?:said|mentioned); sorry; correction; to be clear; honestly; personally; in fact
        given that; considering(?: that)?; because; since; there; everyone; all; first
        (?:a bit )?about me; ps; p\.s\.; fun fact; (?:small |quick )?update; news; from now on
        in (?:the )?future; in general; usually; basically; obviously; right now; in the end
        finally; eventually; after all; unfortunately; sadly; luckily; these days; nowadays; now
        currently; at home; after the meeting; quick question; w?h?oops; typo; my (?:bad|mistake)
        i mean; going forward; moving forward; henceforth; (?:so )?yeah; haha; lol; guess what
        (?:for|over) (?:about |over |almost |nearly |around )?(?:an?|the (?:last|past)|\w+) (?:\w+ \
            )?(?:years?|months?|weeks?|while|ages)(?: now)?
        since (?:\w+ )?(?:\w+day|20\d\d|last (?:year|month|week)|\w+ember|october|january|february\
            |march|april|may|june|july|august)
    """,
    before_questions="so; and; but; then; please; hey; ok; also; hi; hello",
    question_prepositions="in; at; for; from; on; with; to; about",
    questions="""
        what; which; who; whom; whose; where; when; why; how; can; could; would; will; do; does; did
        is; are; was; were; am; should; shall; have you; has; may i; might; must; any; got; know
        isn't; aren't; don't; doesn't; can't; won't; what's; where's; who's; how's; whats; anything
        wanna; want; recommend; suggest; help; give; tell; advise; ideas; tips; suggestions; guess
        right; correct; ok; okay
    """,
    tag_questions="""
        right; correct; true; no; yes; isn't it; do i; don't i; am i; aren't i; or not; yeah; huh
        remember; ok
    """,
    polite_requests="(?:please,? )?(?:can|could|would|will) you",
    permanently="from now on; always; in future",
    conditions="""
        if; unless; whether; in case; assuming; wish; as if; say i; when i (?:grow|retire); quote
        says?; said; saying; told; tells; wrote; writes; asked; asks; thinks; believes; claims
    """,
    harmless_conditions="""
        (?:if|in case) (?:it|that) (?:helps|matters|is useful|makes a difference); if useful
        if you (?:must know|didn't know|don't know|could); if you're (?:wondering|curious)
        in case you (?:need|forgot|didn't know); (?:as|like) i (?:said|told you|mentioned|wrote)
        i (?:already )?told you; i said; (?:since |as )?you ask(?:ed)?
    """,
    uncertain="""
        maybe; perhaps; probably; possibly; might; not sure; i guess; i think; i suppose; supposedly
        or something; or so; unless; if
    """,
    temporary="""
        today; tonight; right now; at the moment; for now; tomorrow; yesterday; temporarily
        this (?:morning|afternoon|evening|week|weekend|month|time); last night; just for
        for the (?:weekend|night|week|day|moment|summer); for a (?:few|couple); until; an hour ago
    """,
)
QUOTED = QuotedMaterial(
    orders=r"""
        (?:ignore|disregard|forget|override|bypass) (?:\w+ ){0,3}(?:instructions?|rules|prompts?)
        (?:ignore|disregard|forget) (?:everything|all) (?:above|before|you); system prompt
        developer mode; jailbreak; \Asystem ?:; (?:admin|root) (?:password|rights)
        (?:you are|you're) now; from now on,? (?:you are|you're|you will be|act|behave)
        just kidding; jk; i'm joking; only joking; joke only
    """,
    material=r"""
        translat(?:e|ion|ing); paraphrase; rephrase; reword
        (?:proof-?read|rewrite|correct|fix|check|edit|improve) (?:this|these|the following|it|the \
            (?:sentence|text)); how (?:do|would|can) (?:you|i|we) say; what does (?:\S+ ){1,8}mean
        (?:is|are) (?:this|these|the) (?:\w+ )?(?:sentence|phrase)s? (?:correct|right)
        (?:example|sample|following) (?:sentence|phrase|text|dialogue|message|email|passage|review\
            |paragraph)s?; use (?:\S+ ){1,4}in a sentence; grammatical(?:ly)?; grammar
        summari[sz]e (?:this|the|it)
    """,
    editing="proof-?read; rewrite; (?:correct|fix|check|edit|improve|polish) (?:my|the|our|an?)",
    invention=r"""
        role-?\s?play\w*; pretend\w*; imagine; suppose; let's say; hypothetical\w*; act as; lyrics
        (?:write|compose|create|make|tell|give|draft|generate|invent) (?:me )?(?:\w+ \
            ){0,3}(?:story|poem|song|dialogue|monologue|scene|screenplay|script|tale|haiku\
            |character|bio|biography|letter|email|e-mail|message|essay|speech|post|caption|review\
            |ad|profile|limerick|sketch|persona|reply|text)
        (?:story|poem|song) (?:about|in which|where)
        (?:you are|you're|you play|be) (?:a|an|my) (?!life|genius|star|legend|angel)\w+
        your (?:name|role|task|job|persona|goal|character) is; you are \w+, (?:an?|the|our|your)
        (?:the|my|main|her|his) (?:character|protagonist|narrator|persona)\w*
        in (?:the|my) (?:game|dream|novel|story|play); for example; for instance; e\.g\.; sing
        as a (?:user|customer|visitor)
    """,
    mail_headers="from; to; subject; date; cc; bcc; sent",
    headings="begin; forwarded; original message",
    salutations="dear",
    own_labels=r"""
        note; notes; nb; ps; btw; fyi; info; reminder; update; edit; context; background; remember
        about me; me; myself; fun fact; correction; preferences?; ok; so; also; please; decision
        decided; (?:i|we|i'm|i've)(?: [\w'-]+){1,5}; i mean; let me correct(?: myself| that)
        one thing
    """,
)
_NAME = r"(?:his|her|its|their|the|(?:my|our)(?: \w{2,15}'s)?) name"
CORRECTIONS = CorrectionPhrases(
    slips="""
        sorry; w?h?oops; ops; correction; typo; my mistake; my bad; i mean; autocorrect; no wait
        i (?:mis(?:typed|spoke|wrote|spelled|spelt)|mixed (?:them|it|that) up|was wrong)
        i (?:got|had) (?:it|that|this) wrong; that'?s (?:wrong|not right); scratch that; wait no
        let me correct (?:that|myself); force of habit
    """,
    interjections="no; nope; wait; actually; ah; oh; eh; well; ok",
    it_is=f"""
        it's; its; it is; it was; that's; he's; she's; he is; she is; they're
        (?:it |that )?should (?:be|read|say|have been); {_NAME}(?:'s| is)
        (?:he|she|it)(?:'s| is) (?:called|named)
    """,
    really="actually; really",
    i_meant="""
        i (?:really |actually )?meant(?: to (?:say|write|type))?(?: it's)?
        make (?:it|that)(?: it's)?
    """,
    conjunctions="and",
    not_="not",
    denials="and not; not",
    denial_prepositions="to",
    but="but",
    is_not=rf"""
        (?:it|he|she|{_NAME}|(?:my|our) \w{{2,15}})\
            (?: is not| isn't| isnt|'s not)(?: called| named)?; not
    """,
    i_wrote="i (?:said|wrote|typed|put)",
    renamed_from=r"""
        (?:i|we)(?:'ve| have)? (?:just )?(?:renamed(?: it| (?:my|our|the) \w{2,20})?(?: from)?\
            |changed (?:its|the|his|her) name from)
    """,
    renamed_to="to; into",
    trailing="lol; haha; sorry; ha; though; please; eh; pls",
    not_values=FUNCTION_WORDS.excluded
    | words("no not sorry wait thanks gonna sure really a an only my"),
)
