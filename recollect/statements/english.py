"""How things are stated in English."""

from recollect.statements.grammar import Grammar, words
from recollect.statements.objects import (
    bare_name,
    either,
    ends_in,
    name,
    one_of,
    place,
    proper,
    thing,
    things,
    with_value,
    without,
)
from recollect.statements.table import read_rules, read_slots
from recollect.statements.words import (
    CODE,
    CONDITIONS,
    DIETS,
    ERRANDS,
    FIELDS,
    LANGUAGES,
    PEOPLES,
    SPORTS,
    TOOLS,
    TRADES,
)

_VERBS = """
    am are be been can can't cannot could did do does don't enjoy feel find get go going got had
    has hate have i've is isn't know like live living love may might must need never own play prefer
    read run should speak study take think try trying use want was wasn't were will wish won't
    work working would wouldn't usually always often currently just mostly really used
    looking wondering planning hoping need
"""
GRAMMAR = Grammar(
    stops=words(
        """
        i i'm im i've ive i'd id i'll ill we we're we've we'd we'll you you're you'd your he she
        they he's she's they're it's that's there's what's it who which that whose whom and or nor
        but so because cause coz cuz since although though while whereas unless if when whenever
        where why how what whether until till then than can could would should will shall might
        must do does did don't dont doesn't didn't is are am was were isn't aren't been has had
        hasn't haven't please btw lol haha hahaha thanks thx even except otherwise however
        therefore plus though besides hence my hehe huhu lmao xd ugh yay
        po kasi naman lang din rin talaga
        """
    )
    - {"my"},
    joins=words("and or"),
    cuts=words("that what how are is was were will has had than did does can could would should"),
    near=words(
        """
        with for since near at on by from to as now in after before about around during
        like via through without where because but because not right today tonight currently
        while under into of working living studying based here last next this recently ago these
        all just
        """
    )
    - {"of"},
    clause=words(_VERBS + " i i'm my we he she they it this that there you then"),
    ending=words(
        """
        too also now again though actually really btw please lol haha anymore well much lot alot a
        the very so ever any more though obviously basically generally currently already still always yet
        honestly tbh imo rn in on at for of to with as by from mostly usually often instead
        together itself
        """
    ),
    barred=words(
        """
        it this that these those them him her me us you your yours his hers its something
        anything nothing everything someone anyone everyone somewhere one ones other others
        another option options version first second third last previous above below former
        latter idea suggestion suggestions answer answers response reply question example draft
        sound looks way how why what whatever same thing things stuff both mine myself yourself
        chatgpt assistant http https few couple bunch
        """
    ),
    fillers=words(
        """
        here there to not no never also especially both just very so too really quite pretty more less being having going doing
        getting trouble fear peace hope love home abroad bed work school pain charge need favour
        favor doubt order search touch case fact between time general terms
        """
    ),
    not_names=words(
        """
        a an the not so very really just too here there back home ok okay fine good great well bad
        sorry sure happy sad tired hungry bored busy free ready done new old back glad afraid
        curious interested looking trying going working thinking wondering writing planning using
        learning studying living based single married divorced engaged pregnant vegan vegetarian
        christian catholic muslim jewish buddhist hindu atheist monday tuesday wednesday thursday
        friday saturday sunday january february march april june july august september october
        november december english team gen generation no yes still also always never almost only
        currently allergic celiac diabetic autistic dyslexic from in on at with and or but my your
        his her our their it its this that what who how why when where i you he she we they god
        male female gay straight bi trans left right lost stuck confused excited in into chatgpt
        claude assistant bot ai gonna not unknown something someone secret private important
        called named irrelevant common weird long short hard easy nice funny difficult
        """
    )
    | PEOPLES
    | TRADES,
    not_places=words(
        """
        town city village countryside country house apartment flat suburbs suburb suburbia area
        neighbourhood neighborhood place places downtown dorm basement van caravan castle middle
        nowhere fear peace hope poverty luxury denial hell paradise moment past present future
        harmony house studio room condo district region bubble world shared student rented small
        big tiny large nice quiet parents timezone zone constant hopes
        """
    ),
    articles=words("a an the some my our"),
    mine={"my": "their", "our": "their", "myself": "themselves"},
)
_ADVERBS = (
    r"(?:(?:currently|now|actually|really|also|absolutely|usually|mostly|always|just|still"
    r"|simply|personally|generally|normally|mainly|do|both|truly|both|typically|only|totally"
    r"|officially|originally|already|recently|finally|strongly|much|daily|regularly|often"
    r"|basically|primarily|particularly|especially|severely|very|highly|deathly|mildly|quite"
    r"|obviously|definitely|honestly|proudly|happily|kinda|so|a bit|all|exclusively) ){0,2}"
)
_IM = r"(?:i'?m|i am) "
_THE = (  # of what is at hand, unless there is only one in the world
    r"(?:all |both )?the (?!sea|ocean|beach|mountains|outdoors|countryside|rain|snow|cold|heat|summer"
    r"|winter|theatre|theater|opera|cinema|beatles|simpsons|office|cure|smiths)"
)
OPENERS = {
    "i": (rf"i {_ADVERBS}", rf"{_ADVERBS}(?!like (?!to ))"),
    "we": (rf"(?:i|we) {_ADVERBS}", _ADVERBS),
    "im": (_IM + _ADVERBS, rf"(?:am |i'?m )?{_ADVERBS}"),
    "iam": (_IM + _ADVERBS, rf"(?:am |i'?m ){_ADVERBS}"),
    "ive": (rf"(?:i'?ve|i have|i|we'?ve|we have|we) {_ADVERBS}", rf"(?:have )?{_ADVERBS}"),
    "the": (_THE, _THE),
    "named": (r"(?:,? [a-z-]{2,15},?)?", r"(?:,? [a-z-]{2,15},?)?"),
    "is": (r"(?: is|'s)", r"(?: is|'s)"),
    "have": (rf"(?:(?:i|we) {_ADVERBS}(?:have|have got|own|adopted)|(?:i|we)'?ve got) ", ""),
    "to": (
        r"(?:please |pls |kindly |always |and |can you |could you |i(?:'d| would) like you to "
        r"|i(?:'d| would) prefer (?:it )?if you |i want you to |i need you to |you (?:can|should) "
        r"|from now on,? |in (?:the )?future,? |when you (?:answer|reply|respond)(?: me)?,? ){0,3}",
        r"(?:please |always ){0,2}",
    ),
}
SUBJECTS = {
    **{word: word for word in "sister brother wife husband partner girlfriend boyfriend".split()},
    **{word: word for word in "son daughter cousin nephew niece aunt uncle boss friend".split()},
    **{
        word: word
        for word in "dog cat rabbit parrot horse hamster teacher therapist spouse".split()
    },
    **dict.fromkeys(("mother", "mom", "mum", "mama"), "mother"),
    **dict.fromkeys(("father", "dad", "papa"), "father"),
    **dict.fromkeys(("kid", "child", "baby", "toddler"), "child"),
    **dict.fromkeys(("grandmother", "grandma", "granny", "nan"), "grandmother"),
    **dict.fromkeys(("grandfather", "grandpa", "granddad"), "grandfather"),
    **dict.fromkeys(("fiance", "fiancee"), "fiance"),
    **dict.fromkeys(("best friend", "closest friend", "bff"), "friend"),
    **dict.fromkeys(("little sister", "big sister", "older sister", "younger sister"), "sister"),
    **dict.fromkeys(("twin sister", "elder sister", "sis"), "sister"),
    **dict.fromkeys(("little brother", "big brother", "older brother"), "brother"),
    **dict.fromkeys(("younger brother", "twin brother", "elder brother"), "brother"),
    **dict.fromkeys(("colleague", "coworker", "co-worker", "workmate"), "colleague"),
    **dict.fromkeys(("manager", "supervisor", "team lead"), "boss"),
    **dict.fromkeys(("puppy", "pup", "doggo"), "dog"),
    **dict.fromkeys(("kitten", "kitty"), "cat"),
    **dict.fromkeys(("roommate", "flatmate", "housemate"), "roommate"),
    **dict.fromkeys(("neighbour", "neighbor"), "neighbour"),
    **dict.fromkeys(("oldest son", "eldest son", "youngest son", "little boy"), "son"),
    **dict.fromkeys(("oldest daughter", "eldest daughter", "youngest daughter"), "daughter"),
    **dict.fromkeys(("little girl",), "daughter"),
    **{word: word for word in ("mother-in-law", "father-in-law", "tortoise", "goldfish")},
    **{word: word for word in ("sister-in-law", "brother-in-law", "turtle", "bird", "pony")},
}
_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|spring|summer|autumn|winter"
)
_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_READERS = {
    "name": name(lower=True),
    "capital": name(lower=False),
    "alone": bare_name,
    "place": place,
    "thing": thing(5),
    "short": thing(2),
    "phrase": thing(9),
    "near": thing(6, near=True),
    "field": ends_in(FIELDS, 4),
    "firm": either(
        proper(5),
        ends_in(FIELDS, 5),
        without(
            words("night nights home free moment least weekends first now day days myself"),
            proper(2, lower=True),
        ),
    ),
    "project": without(ERRANDS, thing(8)),
    "things": things(4),
    "proper": proper(5),
    "tools": things(if_only=proper(3, known=TOOLS)),
    "people": one_of(PEOPLES),
    "language": one_of(LANGUAGES),
    "languages": things(if_only=one_of(LANGUAGES)),
    "play": things(if_only=one_of(SPORTS)),
    "trade": ends_in(TRADES, 6),
    "condition": ends_in(CONDITIONS, 4),
    "book": ends_in(
        words(
            "novel book thesis dissertation memoir screenplay blog paper album cookbook comic "
            "trilogy textbook musical podcast sequel poems series"
        ),
        8,
        near=False,
    ),
    "date": with_value("date"),
    "names": things(if_only=name(lower=False)),
    "code": things(if_only=one_of(CODE)),
    "amount": with_value("amount"),
}
SLOTS = {
    "rel": "|".join(sorted(SUBJECTS, key=len, reverse=True)),
    "diet": DIETS,
    "end": (
        r"(?= ?(?:\Z|[,;:.!?()…\u2013\u2014\U0001f300-\U0001faff]|- |(?:and|but|so|because|since"
        r"|with|from|who|which|for|in|living|working|based|too|now|as|i|i'?m|my|by|please|can|could"
        r"|what|how|btw|though|if|not|at|looking|any|last|this|lol|(?:ha){2,9}|actually|anyway|to|or)(?!\w)))"
    ),
    "by_then": (
        rf"(?=(?:[\w',-]+ ){{0,9}}?(?:by|in|before|this|next|for|on) (?:[\w',-]+ ){{0,3}}?"
        rf"(?:{_MONTHS}|year|20\d\d)(?!\w))"
    ),
    "doing": r"(?: (?!(?:it|this|that|them|you|your|these|and) )[\w'-]+){0,4}?",
    "often": (
        rf"(?:every|each) (?:single |other |second )?(?:{_DAYS}|weekday|weekend|day|week|month|year"
        rf"|morning|evening|night|afternoon)(?: (?:morning|evening|night|afternoon))?"
        rf"(?: and {_DAYS})?(?: at [\d:]{{1,5}} ?(?:am|pm)?)?"
        rf"|on (?:{_DAYS}|weekend)s(?: and {_DAYS}s)?"
        r"|(?:once|twice|(?:two|three|four|five|six|\d) times) (?:a|per|every) (?:day|week|month)|daily"
    ),
    **read_slots(
        r"""
in = in; near; just outside of; just outside; outside of; outside; close to
at = at; for
age = \d{1,2}
old = (?: (?:years? old|yrs? old|yo|y/o))?
moved = moved to > Moved to; relocated to > Relocated to; moved back to > Moved back to
zone = (?:gmt|utc) ?[+-]\d{1,2}(?::\d\d)?; cest; cet; est; edt; pst; pdt; cst; mst; gmt; bst; jst
    pht; eet; aest; (?:europe|asia|america|africa|australia|pacific)/[a-z_]+; central european time
    eastern time; pacific time
idle = retired; self-employed; unemployed; a stay-at-home (?:mom|dad|mum|parent); a freelancer
    semi-retired; freelance
firm = (?:a|an|my own|our) (?:\w+ ){0,3}(?:bakery|cafe|shop|restaurant|bar|farm|business|company
    agency|studio|store|startup|salon|b&b|bookshop|bookstore|hotel|clinic|food truck|garage|school
    gallery|pharmacy|vineyard|brewery)
where = from home; remotely; fully remote; remote; night shifts; nights; part-time; part time; shifts
student = (?:a|an) (?:[\w-]+ ){0,3}(?:student|undergraduate|undergrad|freshman|sophomore|phd candidate)
    a student
marital = married; divorced; widowed; engaged; separated
many = two; three; four; five; six; \d
young = kids; children; sons; daughters; boys; girls
pets = cats; dogs; siblings; brothers; sisters; grandchildren; rabbits; horses; chickens; roommates
pet = dog; cat; puppy; kitten; rabbit; parrot; hamster; horse; tortoise; turtle; golden retriever
    labrador; beagle; dachshund; poodle; border collie; german shepherd; budgie; guinea pig; ferret
    corgi; greyhound; pug
condition = diabetic; celiac; coeliac; asthmatic; epileptic; dyslexic; colou?r-?\s?blind; autistic
    hypertensive; deaf; pregnant; anaemic; anemic; hard of hearing; a celiac; a coeliac; a diabetic
    neurodivergent; visually impaired; blind
trait = gluten-free; gluten free; keto; halal; kosher; dairy-free; dairy free; low-carb; low carb
    vegan; vegetarian; paleo; low-fodmap; mediterranean; plant-based; low-sodium; pescatarian
like = love > Loves; adore > Adores; enjoy > Enjoys; like > Likes; hate > Hates; dislike > Dislikes
    detest > Detests; loathe > Loathes; can't stand > Can't stand; cannot stand > Can't stand
    cant stand > Can't stand; despise > Despises; don't like > Doesn't like; dont like > Doesn't like
    do not like > Doesn't like; don't enjoy > Doesn't enjoy; no longer like > No longer likes
    don't really like > Doesn't really like; don't love > Doesn't love
keen = (?:not )?(?:a (?:big |huge |massive )?fan of|fond of|keen on|into|crazy about|obsessed with
    passionate about)
over = over; to; rather than; instead of
other = (?:the )?[\w-]{2,30}(?: [\w-]{2,30}){0,2}
what = [a-z]+(?: [a-z]+){0,2}
device = laptop; phone; computer; camera; tablet; keyboard; pc; smartphone; desktop; printer; router
    editor; browser; operating system; os; ide; bike
length = shorter; short; brief; concise; longer; long; detailed; to the point; succinct; in-depth
    thorough; compact; very short; direct
answers = answers; replies; responses; explanations; messages; answer
tone = formal; informal; friendly; casual; professional; polite
manner = tone; style; answers
style = bullet points; bullets; bulleted lists; tables; emojis?; markdown; code examples; examples
    headings; jargon; exclamation marks; analogies; numbered lists; emoticons; lists; metaphors
units = metric units; imperial units; the metric system; metric; imperial; celsius; fahrenheit
    kilomet(?:er|re)s; 24-hour time; kilograms; kg
done = decided to > Decided to; decided on > Decided on; decided not to > Decided not to
    decided against > Decided against; chosen > Chose; chose > Chose; settled on > Settled on
    opted for > Opted for; opted to > Opted to; agreed to > Agreed to; agreed on > Agreed on
    chosen to > Chose to; chose to > Chose to; made up my mind to > Decided to
    switched to > Switched to; picked > Picked; finally decided to > Decided to
    decided we'll > Decided to; decided that we'll > Decided to
go = going with > Is going with; sticking with > Is sticking with; switching to > Is switching to
    migrating to > Is migrating to
making = working on; building; developing; creating; organi[sz]ing; planning; restoring; renovating
    designing; launching; setting up; composing; coding
train = training for > Is training for; preparing for > Is preparing for; saving for > Is saving for
    saving up for > Is saving up for; studying for > Is studying for; saving up to > Is saving up to
routine = run > Runs; swim > Swims; meditate > Meditates; cycle > Cycles; jog > Jogs; walk > Walks
    hike > Hikes; go > Goes; do > Does; practise > Practises; practice > Practices; train > Trains
    exercise > Exercises; cook > Cooks; read > Reads; fast > Fasts; commute > Commutes; ride > Rides
    volunteer > Volunteers; play > Plays; attend > Attends; visit > Visits; bike > Bikes
    stretch > Stretches; row > Rows; pray > Prays; surf > Surfs; climb > Climbs; call > Calls
    take > Takes; journal > Journals; bake > Bakes; lift > Lifts; teach > Teaches; work > Works
    have > Has; work out > Works out
rels = cats > Cat; dogs > Dog; kids > Child; children > Child; sons > Son; daughters > Daughter
    brothers > Brother; sisters > Sister; boys > Son; girls > Daughter; rabbits > Rabbit
smoke = smoke > Smokes; don't smoke > Doesn't smoke; do not smoke > Doesn't smoke
    quit smoking > Quit smoking; stopped smoking > Stopped smoking; gave up smoking > Gave up smoking
hour = \d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?
"""
    ),
}

RULES = read_rules(
    r"""
NAME name .95
    my (?:first |full |real )?name(?:'s| is) <value>
    = Name is {value}
    = Is called {value}
    = Is named {value}
CALLED capital .85
    (?:please |just |you can |everyone |everybody |people |my friends |friends ){0,3}calls? me <value>
    i go by <value>
    = Wants to be called {value}
    = Prefers to be called {value}
NATIONALITY people .8
    <im>(?:an? )?<value>
    = Is {value}
NAME alone .8
    i'?m <value>
    i am <value>
    = Name is {value}
AGE .85
    <iam><age><old><end>
    i (?:just |recently )?turned <age><end>
    = Is {age} years old
BIRTHDAY date .95
    my (?:birthday|bday)(?:'s| is) (?:on )?<value>
    = Birthday is {value}
BIRTHDAY date .9
    i was born on <value>
    = Was born on {value}
BIRTH_YEAR date .85
    i was born in <value>
    = Was born in {value}
ORIGIN place .85
    i was born(?: and raised)? in <value>
    i grew up in <value>
    = Grew up in {value}
    = Was born in {value}
ORIGIN place .85
    <im>(?:originally )?from <value>
    <i>come from <value>
    = Is from {value}
    = Comes from {value}
HOME place .92
    <we>(?:live|reside) <in> <value>
    <im>(?:living|based|located|residing) <in> <value>
    <ive>been living <in> <value>
    = Lives {in} {value}
HOME place .8
    my (?:home ?town|home city|city) is <value>
    = Lives in {value}
HOME place .85
    <ive><moved> <value>
    = {moved} {value}
TIME_ZONE .9
    my time ?zone is <zone>(?!\w)
    (?:\w+ ){0,3}<zone>,? (?:that'?s|that is|which is) my time ?zone
    <im>(?:in|on)(?: the)? <zone>(?!\w)
    = Time zone is {zone}
NATIVE_LANGUAGE language .95
    my (?:native|first|mother) (?:language|tongue) is <value>
    <value1> is my (?:native|first|mother) (?:language|tongue)
    <im>a native <value1> speaker
    = Native language is {value}
SPEAKS languages .9
    <i>speak (?:fluent |good |some |a little |a bit of |native )?<value>
    <im>fluent in <value>
    = Speaks {value}

# Work and study
JOB near .92
    <i>work as <value>
    <im>working as <value>
    <i>got a (?:new )?job as <value>
    <i>(?:just )?started (?:working )?as <value>
    = Works as {value}
JOB trade .85
    my (?:job|profession|occupation) is <value>
    = Works as {value}
JOB thing .85
    <i>teach <value>
    = Teaches {value}
JOB .85
    <im><idle><end>
    = Is {idle}
STUDY .85
    <im><student>
    = Is {student}
JOB trade .82
    <im><value>
    = Is {value}
JOB trade .8
    (?:i'?ve|i have) been (?:working as )?<value>
    = Is {value}
JOB trade .8 after AGE
    <value>
    = Is {value}
EMPLOYER proper .85 after JOB
    <at> <value>
    = Works {at} {value}
WORKPLACE .8
    <i>work <where><end>
    = Works {where}
EMPLOYER firm .88
    <i>work <at> <value>
    <im>(?:working|employed) <at> <value>
    = Works {at} {value}
EMPLOYER proper .85
    my (?:employer|company) is(?: called)? <value>
    <ive>(?:just |recently )?(?:joined(?! an? )|started (?:working )?at|started a new job at) <value>
    = Works at {value}
EMPLOYER .85
    <we>(?:own|run|have) <firm>
    = Runs {firm}
JOB field .75
    <i>work in <value>
    = Works in {value}
LEARNING language .88
    <im>(?:learning|studying) <value>
    = Is learning {value}
LEARNING play .85
    <im>(?:learning (?:how )?to play|learning) (?:the )?<value>
    = Is learning {value}
LEARNING tools .8
    <im>learning <value>
    = Is learning {value}
SCHOOL proper .8 after STUDY
    at <value>
    = Studies at {value}
SCHOOL proper .85
    <i>(?:study|go to (?:school|college|university)) at <value>
    = Studies at {value}
STUDY near .85
    <im>in (?:my|the) (?:first|second|third|fourth|fifth|final|last|\d\w\w) year (?:of|studying) <value>
    <im>(?:studying|majoring in) <value>
    <i>(?:study|major in) <value>
    <im>doing (?:a|my) (?:degree|phd|master'?s?) in <value>
    = Studies {value}

# Family and animals
RELATIVE name .93
    (?:my|our) <rel>(?:'s name is| is (?:called|named)|'s called|'s named) <value>
    the name of my <rel> is <value>
    <have>(?:a|an|one) (?:\w+ )?<rel>,? (?:named|called|whose name is) <value>
    = {rel}'s name is {value}
    = Has a {rel} named {value}
    = Has a {rel} called {value}
    = {rel} is called {value}
    = {rel} is named {value}
RELATIVE capital .88
    <value2> is my <rel>(?:'s name)?<end>
    = {rel}'s name is {value}
AGE .85
    (?:my|our) <rel><named> (?:is|just turned|turned) <age><old><end>
    = {rel} is {age} years old
ALLERGY things .9
    (?:my|our) <rel><named><is> (?:very |severely |badly )?allergic to <value>
    = {rel} is allergic to {value}
DIET .88
    (?:my|our) <rel><named><is> (?:a )?<diet><end>
    = {rel} is {diet}
CONDITION .85
    (?:my|our) <rel><named><is> <condition><end>
    = {rel} is {condition}
JOB trade .82
    (?:my|our) <rel><named><is> <value>
    = {rel} is {value}
JOB trade .82
    (?:my|our) <rel> works as <value>
    = {rel} works as {value}
BIRTHDAY date .9
    (?:my|our) <rel>'s birthday is (?:on )?<value>
    = {rel}'s birthday is {value}
RELATIVE names .88
    <we>(?:have|have got|own|adopted) (?:two|three|four|\d) <rels>,? (?:named |called )?<value>
    i'?ve got (?:two|three|four|\d) <rels>,? (?:named |called )?<value>
    my <rels>(?:'? names)? are (?:called |named )?<value>
    = {rels}'s name is {value}
MARITAL_STATUS .88
    <iam><marital><end>
    = Is {marital}
CHILDREN .88
    <we>have <many> <young>
    = Has {many} {young}
PETS .85
    <we>(?:have|own|have got) <many> <pets>
    = Has {many} {pets}
PETS .82
    <we>(?:have|own|have got|adopted) (?:a|an) (?:\w+ )?<pet><end>
    = Has a {pet}

RELATIVE capital .8 anywhere
    (?<!\w)(?:my|our) <rel>,? <value>
    = {rel}'s name is {value}

# Health and food
ALLERGY things .9
    (?:it'?s|it is) <value3> (?:that )?i'?m allergic to
    = Is allergic to {value}
SMOKING .88
    <i><smoke><end>
    <ive><smoke><end>
    = {smoke}
ALLERGY things .95
    <im>allergic to <value>
    <i>(?:have|suffer from) an? (?:\w+ )?allergy to <value>
    = Is allergic to {value}
ALLERGY short .9
    <i>have an? (?:(?:severe|serious|bad|mild|strong) )?<value2> allergy
    = Is allergic to {value}
INTOLERANCE things .93
    <im>intolerant to <value>
    = Is intolerant to {value}
INTOLERANCE short .93
    <iam><value2>[ -]intolerant
    <im>(?P<value>lactose|gluten|histamine|fructose)[ -]intolerant
    = Is intolerant to {value}
CONDITION .9
    <iam><condition><end>
    = Is {condition}
CONDITION condition .88
    <i>(?:have|suffer from|live with|was diagnosed with|have been diagnosed with) <value>
    = Has {value}
DIET .93
    <im>(?:an? )?(?:strict |lifelong )?<diet><end>
    <i>(?:went|became|turned) <diet><end>
    (?:i'?ve|i have) been (?:an? )?<diet><end>
    = Is {diet}
    = Is a {diet}
DIET .88
    <im>on a <trait> diet
    <i>(?:follow|eat|keep)(?: a)?(?: strictly| strict)? <trait>(?: diet)?<end>
    = Follows a {trait} diet
EATS things .88
    <i>(?:do not|don't|dont|never|can't|cannot|cant) eat (?:any )?<value>
    = Doesn't eat {value}
DRINKS things .88
    <i>(?:do not|don't|dont|never|can't|cannot|cant) drink (?:any )?<value>
    = Doesn't drink {value}

# Answers
ANSWER_LENGTH .9
    <i>(?:prefer|like|want|would like|need) <length> <answers>
    <to>(?:keep|make) (?:(?:your|the|all|my|any) ){0,2}<answers> (?:nice and |very )?<length>
    <length> <answers>,? (?:please|only)
    = Prefers {length} {answers}
ANSWER_LENGTH .8
    (?:please )?(?:always|from now on,?|in general,?|in future,?) (?:please )?be (?:more |very )?<length>
    = Prefers {length} answers
ANSWER_TONE .85
    <i>(?:prefer|like|want|would like) (?:an? )?<tone> <manner>
    = Prefers {tone} {manner}
ANSWER_LANGUAGE language .88
    <to>(?:answer|reply|respond|talk|speak|write)(?: to)?(?: me| back)?(?: only| always)? in <value>
    i(?:'d| would)? (?:prefer|like|want)(?: to get)?(?: your)? (?:answers|replies|responses) in <value>
    = Wants answers in {value}
    = Prefers answers in {value}
    = Prefers replies in {value}
ANSWER_STYLE .85
    <to>(?:don't|do not|dont|never|stop|avoid|no)(?: use| using| adding| add)?(?: any)? <style><end>
    = Wants no {style} in answers
ANSWER_STYLE .8
    <to>use (?:more |only )?<style>(?: (?:whenever|when|wherever) (?:you can|possible))?<end>
    <i>(?:prefer|like|love|want) (?:answers (?:with|as|in) )?<style><end>
    = Wants {style} in answers
UNITS .85
    <to>(?:use|give me) <units>
    <i>(?:prefer|use|want) <units>
    = Wants {units}

# Tastes
FAVOURITE thing .9
    my (?:all-time |absolute )?favou?rite (?!thing|part|one|bit)<what> (?:is|are) <value>
    <value4> (?:is|are) my favou?rite <what>
    = Favourite {what} is {value}
    = Favorite {what} is {value}
    = Favourite {what} are {value}
PREFERENCE thing .88
    <i>prefer <value4> <over> <other><end>
    = Prefers {value} {over} {other}
TASTE thing .78
    <i>prefer (?:to )?<value>
    = Prefers {value}
TASTE things .78
    <im><keen> <value>
    = Is {keen} {value}
TASTE things .78
    <i><like> to (?!think|know|see|have|say|ask|be|get|believe|hear|thank|make|keep|use|do|add)<value>
    = {like} to {value}
TASTE things .78
    <i><like> (?!my |our |their |<the>)<value>
    = {like} {value}
HOBBY things .88
    my (?:hobby|hobbies|favou?rite hobby|passion|passions)(?: is| are) <value>
    = Hobby is {value}
PLAYS play .88
    <i>play (?:the )?<value>
    = Plays {value}
COLLECTS things .85
    <i>collect <value>
    = Collects {value}

# Tools
USES proper .8
    <im>on (?=(?:windows|mac|macos|linux|ubuntu|android|ios|debian|fedora|arch)(?!\w))<value>
    <i>have (?=an? (?:\w+ )?(?:iphone|macbook|pixel|samsung|thinkpad|mac|ipad|galaxy|kindle)(?!\w))<value>
    = Uses {value}
USES tools .8
    <we>use <value>
    <im>using <value>
    = Uses {value}
USES code .85
    <i>(?:code|program|develop|write|work) (?:mostly |mainly )?(?:in )?<value>
    = Codes in {value}
VEHICLE proper .88
    <i>(?:drive|ride) <value>
    my (?:car|motorbike|motorcycle|van) is <value>
    = Drives {value}
DEVICE proper .85
    my <device> is <value>
    = {device} is {value}

# Plans
PROJECT book .85
    <im>(?:writing|finishing|drafting) <value>
    = Is writing {value}
GOAL phrase .82
    <im><train> <value>
    = {train} {value}
PROJECT project .78
    <im><making> (?=an? |my |our |[\w-]+ (?:app|game|website|site|blog))<value>
    we(?:'re| are) <making> (?=an? |my |our )<value>
    = Is {making} {value}
PROJECT phrase .85
    my (?:side |current |main |new )?project is(?: called)? <value>
    = Project is {value}
GOAL phrase .88
    my (?:main |big |biggest |long-term )?goal (?:for \w+ |this year )?is to <value>
    = Goal is to {value}
GOAL phrase .78
    <i>(?:want to|plan to|aim to|intend to|hope to) <by_then><value>
    <im>(?:planning to|going to|hoping to) <by_then><value>
    = Plans to {value}
WEDDING phrase .88
    (?:<im>|we'?re |we are )getting married <by_then><value>
    = Is getting married {value}
DECISION phrase .85
    <ive><done> <value>
    = {done} {value}
DECISION phrase .78
    <im><go> <value>
    we(?:'re| are) <go> <value>
    = {go} {value}
DECISION tools .75
    (?:ok,? |so |then )?let'?s (?:go with|use|stick with|go for) <value>
    = Is going with {value}
BUDGET amount .9
    (?:my|our) (?:\w+ )?budget is (?:around |about |roughly |up to )?<value>
    = Budget is {value}
ROUTINE .82
    <i><routine><doing> <often><end>
    = {routine}{doing} {often}
GETS_UP .8
    <i>(?:wake|get) up at <hour>(?: every (?:day|morning))?<end>
    = Gets up at {hour}
""",
    grammar=GRAMMAR,
    slots=SLOTS,
    openers=OPENERS,
    readers=_READERS,
)
