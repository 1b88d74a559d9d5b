"""How things are stated in English."""

from recollect.language.facts.function_words import ENGLISH as GRAMMAR
from recollect.language.facts.gazetteers import DIETS, TRADES
from recollect.language.facts.people import ENGLISH as SUBJECTS
from recollect.language.facts.readers import common_readers
from recollect.language.facts.table import read_rules, read_slots

_ADVERBS = (
    r"(?:(?!(?:probab|possib|rare|hard|bare|former|previous|supposed|alleged|potential)ly)"
    r"(?:\w{3,12}ly|now|also|always|just|still|do|both|already|much|often|very|quite|kinda|so|a bit"
    r"|all) ){0,2}"
)
_IM = r"(?:i'?m|i am) "
_THE = (  # of what is at hand, unless there is only one in the world
    r"(?:all |both )?the (?!sea|ocean|beach|mountains|outdoors|countryside|rain|snow|cold|heat"
    r"|summer|winter|theatre|theater|opera|cinema|beatles|simpsons|office|cure|smiths)"
)
_NO_SUBJECT = (  # "Living in Rome is expensive" is about living
    r"(?!(?:[\w',-]{1,30} ){1,9}?(?:is|was|isn't|can|could|would|will|makes?|means|has|sounds|seems"
    r"|feels|must|should|are)(?!\w))"
)
OPENERS = {
    "i": (rf"i {_ADVERBS}", rf"{_ADVERBS}(?!like (?!to ))"),
    "we": (rf"(?:i|we) {_ADVERBS}", _ADVERBS),
    "im": (_IM + _ADVERBS, rf"(?:am |i'?m )?{_ADVERBS}"),
    "iam": (_IM + _ADVERBS, rf"(?:am |i'?m ){_ADVERBS}"),
    "ive": (rf"(?:i'?ve|i have|i|we'?ve|we have|we) {_ADVERBS}", rf"(?:have )?{_ADVERBS}"),
    "bare": (_NO_SUBJECT, r"(?!)"),
    "the": (_THE, _THE),
    "named": (r"(?:,? [a-z-]{2,15},?)?", r"(?:,? [a-z-]{2,15},?)?"),
    "is": (r"(?: is|'s)", r"(?: is|'s)"),
    "have": (
        rf"(?:(?:i|we) {_ADVERBS}(?:have|have got|own|adopted)"
        r"|(?:i|we)'?ve (?:just |recently )?(?:got|adopted)) ",
        "",
    ),
    "to": (
        r"(?:please |pls |kindly |always |and |can you |could you |i(?:'d| would) like you to "
        r"|i(?:'d| would) prefer (?:it )?if you |i want you to |i need you to |you (?:can|should) "
        r"|from now on,? |in (?:the )?future,? |when you (?:answer|reply|respond)(?: me)?,? ){0,3}",
        r"(?:please |always ){0,2}",
    ),
}
_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|spring|summer|autumn|winter"
)
_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_READERS = common_readers(TRADES)
SLOTS = {
    "rel": "|".join(sorted(SUBJECTS, key=len, reverse=True)),
    "diet": DIETS,
    "end": (
        r"(?= ?(?:\Z|[,;:.!?()…\u2013\u2014\U0001f300-\U0001faff]|- |(?:and|but|so|because|since"
        r"|with|from|who|which|for|in|living|working|based|too|now|as|i|i'?m|my|by|please|can|could"
        r"|what|how|btw|though|if|not|at|looking|any|last|this|lol|(?:ha){2,9}|actually|anyway|to"
        r"|or)(?!\w)))"
    ),
    "by_then": (
        r"(?=(?:[\w',-]{1,30} ){0,9}?(?:by|in|before|this|next|for|on) "
        rf"(?:[\w',-]{{1,30}} ){{0,3}}?(?:{_MONTHS}|year|20\d\d)(?!\w))"
    ),
    "soon": (
        rf"(?:(?:this|next) (?:year|month|week|{_DAYS}|{_MONTHS})|(?:in|on) (?:{_MONTHS}|{_DAYS})"
        r"|soon)(?!\w)"
    ),
    "pause": (
        r"(?= ?(?:\Z|[,;:.!?()…\u2013\u2014\U0001f300-\U0001faff]|- |(?:and|but|so|because|since"
        r"|before|after)(?!\w)))"
    ),
    "rest": (
        r"(?= ?(?:\Z|[,;:.!?()…\u2013\u2014\U0001f300-\U0001faff]|- |(?:and|but|so|because|since"
        r"|with|from|for|in|to|at|too|now|as|i|i'?m|my|by|if|not|or|before|after|around|on|during"
        r"|when|while|near|unless|btw|though|lol)(?!\w)))"
    ),
    "doing": r"(?: (?!(?:it|this|that|them|you|your|these|and) )[\w'-]{1,30}){0,4}?",
    "often": (
        rf"(?:every|each) (?:single |other |second )?(?:{_DAYS}|weekday|weekend|day|week|month|year"
        rf"|morning|evening|night|afternoon)(?: (?:morning|evening|night|afternoon))?"
        rf"(?: and {_DAYS})?(?: at [\d:]{{1,5}} ?(?:am|pm)?)?"
        rf"|on (?:{_DAYS}|weekend)s(?: and {_DAYS}s)?"
        r"|(?:once|twice|(?:two|three|four|five|six|\d) times) (?:a|per|every) (?:day|week|month)"
        r"|daily"
    ),
    **read_slots(
        r"""
in = in; near; just outside of; just outside; outside of; outside; close to
at = at; for
age = \d{1,2}
old = (?: (?:years? old|yrs? old|yo|y/o))?
moved = moved to > Moved to; relocated to > Relocated to; moved back to > Moved back to
zone = (?:gmt|utc) ?[+-]\d{1,2}(?::\d\d)?; cest; cet; est; edt; pst; pdt; cst; mst; gmt; bst; jst
    pht; eet; aest; (?:europe|asia|america|africa|australia|pacific)/[a-z_]{2,20}
    central european time; eastern time; pacific time
idle = retired; self-employed; unemployed; a stay-at-home (?:mom|dad|mum|parent); a freelancer
    semi-retired; freelance
firm = (?:a|an|my own|our) (?:\w{1,30} ){0,3}(?:bakery|cafe|shop|restaurant|bar|farm|business\
        |company|agency|studio|store|startup|salon|b&b|bookshop|bookstore|hotel|clinic|food truck\
        |garage|school|gallery|pharmacy|vineyard|brewery)
where = from home; remotely; fully remote; remote; night shifts; nights; part-time; part time
    shifts
student = an? (?:[\w-]{1,30} ){0,3}(?:student|undergraduate|undergrad|freshman|sophomore)
    an? (?:[\w-]{1,30} ){0,3}phd candidate
marital = married; divorced; widowed; engaged; separated
many = two; three; four; five; six; \d
young = kids; children; sons; daughters; boys; girls
pets = cats; dogs; siblings; brothers; sisters; grandchildren; rabbits; horses; chickens
    roommates
pet = dog; cat; puppy; kitten; rabbit; parrot; hamster; horse; tortoise; turtle; golden retriever
    labrador; beagle; dachshund; poodle; border collie; german shepherd; budgie; guinea pig
    ferret; corgi; greyhound; pug
condition = diabetic; celiac; coeliac; asthmatic; epileptic; dyslexic; colou?r-?\s?blind; autistic
    hypertensive; deaf; pregnant; anaemic; anemic; hard of hearing; a celiac; a coeliac
    a diabetic; neurodivergent; hypothyroid; visually impaired; blind
trait = gluten-free; gluten free; keto; halal; kosher; dairy-free; dairy free; low-carb; low carb
    vegan; vegetarian; paleo; low-fodmap; mediterranean; plant-based; low-sodium; pescatarian
like = love > Loves; adore > Adores; enjoy > Enjoys; like > Likes; hate > Hates
    dislike > Dislikes; detest > Detests; loathe > Loathes; can't stand > Can't stand
    cannot stand > Can't stand; cant stand > Can't stand; despise > Despises
    don't like > Doesn't like; dont like > Doesn't like; do not like > Doesn't like
    don't enjoy > Doesn't enjoy; no longer like > No longer likes
    can not stand > Can't stand; can't get enough of > Can't get enough of; can't bear > Can't bear
    really don't like > Doesn't like; didn't like > Didn't like; cant bear > Can't bear
    don't really like > Doesn't really like; don't love > Doesn't love
keen = (?:not )?(?:really |that |much )?(?:a (?:big |huge |massive |great )?fan of|fond of|keen on\
        |into|crazy about|mad about|obsessed with|passionate about|a sucker for|big on|addicted to\
        |hooked on)
over = over; to; rather than; instead of
other = (?:the )?[\w-]{2,30}(?: [\w-]{2,30}){0,2}
what = [a-z]{1,25}(?: [a-z]{1,25}){0,2}
device = laptop; phone; computer; camera; tablet; keyboard; pc; smartphone; desktop; printer
    router; ebike; e-bike; monitor; console; smartwatch; watch; editor; browser
    operating system; os; ide; bike
length = shorter; short; brief; concise; longer; long; detailed; to the point; succinct; in-depth
    thorough; compact; very short; direct
answers = answers; replies; responses; explanations; messages; answer
tone = formal; informal; friendly; casual; professional; polite
manner = tone; style; answers
style = bullet points; bullets; bulleted lists; tables; emojis?; markdown; code examples; examples
    headings; jargon; exclamation marks; analogies; numbered lists; emoticons; lists; metaphors
fluff = disclaimers?; caveats?; small talk; flattery; apologies; pleasantries; filler; fluff
    preambles?; emojis?; jargon; praise; compliments; exclamation marks; buzzwords; smileys
spelling = (?:british|american|uk|us|canadian|australian) (?:english|spelling)
level = phd; doctorate; master'?s(?: degree)?; bachelor'?s(?: degree)?; degree; mba; msc; bsc
    postdoc; apprenticeship
sort = (?:kind|type|sort|style|genre) of (?!question|answer|person|people\
        |day)[a-z]{1,25}; (?:music|film|movie|book) genre; genre
work = an? (?:[\w'-]{1,30} ){0,7}?[\w'-]{1,30}
named_so = (?:,? (?:it'?s|it is|which is|its))? (?:called|named|titled)\
        ; (?:,|;| -) (?:the )?(?:working |provisional )?title(?: is|:| of)?
left = (?:just |recently |finally )?(?:resigned from|quit my job at|left my job at\
        |got laid off from\
        |was laid off from|got fired from|was fired from)
units = metric units; imperial units; the metric system; metric; imperial; celsius; fahrenheit
    kilomet(?:er|re)s; 24-hour time; kilograms; kg
done = decided to > Decided to; decided on > Decided on; decided not to > Decided not to
    decided against > Decided against; chosen > Chose; chose > Chose; settled on > Settled on
    opted for > Opted for; opted to > Opted to; agreed to > Agreed to; agreed on > Agreed on
    chosen to > Chose to; chose to > Chose to; made up my mind to > Decided to
    went with > Went with; switched to > Switched to; picked > Picked
    finally decided to > Decided to; decided we'll > Decided to; decided that we'll > Decided to
go = going with > Is going with; sticking with > Is sticking with; switching to > Is switching to
    migrating to > Is migrating to
making = working on; building; developing; creating; organi[sz]ing; planning; restoring
    renovating; designing; launching; setting up; composing; coding
train = training for > Is training for; preparing for > Is preparing for
    saving for > Is saving for; saving up for > Is saving up for; studying for > Is studying for
    saving up to > Is saving up to
routine = run > Runs; swim > Swims; meditate > Meditates; cycle > Cycles; jog > Jogs; walk > Walks
    hike > Hikes; go > Goes; do > Does; practise > Practises; practice > Practices; train > Trains
    exercise > Exercises; cook > Cooks; read > Reads; fast > Fasts; commute > Commutes
    ride > Rides; volunteer > Volunteers; play > Plays; attend > Attends; visit > Visits
    bike > Bikes; stretch > Stretches; row > Rows; pray > Prays; surf > Surfs; climb > Climbs
    call > Calls; take > Takes; journal > Journals; bake > Bakes; lift > Lifts; teach > Teaches
    work > Works; have > Has; work out > Works out
rels = cats > Cat; dogs > Dog; kids > Child; children > Child; sons > Son; daughters > Daughter
    brothers > Brother; sisters > Sister; boys > Son; girls > Daughter; rabbits > Rabbit
smoke = smoke > Smokes; don't smoke > Doesn't smoke; do not smoke > Doesn't smoke
    quit smoking > Quit smoking; stopped smoking > Stopped smoking
    gave up smoking > Gave up smoking
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
    (?:please |just |you can |everyone |everybody |people |my friends |friends ){0,3}calls? me \
        <value>
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
AGE .82
    <iam>turning <age><end>
    i(?:'ll| will) be <age> <soon>
    i(?:'ll)? turn <age> <soon>
    = Is turning {age}
AGE .8 first
    turning <age> <soon>
    = Is turning {age}
BIRTHDAY date .95
    my (?:birthday|bday)(?:'s| is) (?:on )?<value>
    = Birthday is {value}
BIRTHDAY date .9
    i was born on <value>
    = Was born on {value}
BIRTH_YEAR date .85
    i was born in <value>
    = Was born in {value}
BIRTHPLACE place .85
    i was born in <value>
    = Was born in {value}
BIRTHPLACE place .85 after ORIGIN
    was born in <value>
    = Was born in {value}
ORIGIN place .85
    i grew up in <value>
    = Grew up in {value}
ORIGIN place .85 after BIRTHPLACE
    (?:grew up|raised) in <value>
    = Grew up in {value}
ORIGIN place .85
    i was born and raised in <value>
    = Was born and raised in {value}
ORIGIN place .85
    <im>(?:originally )?from <value>
    <i>come from <value>
    = Is from {value}
    = Comes from {value}
LIVED place .82
    i (?:used to live|once lived|previously lived|lived) <in> <value>
    i (?:spent|lived) (?:\w{1,15} ){1,3}(?:years?|months) (?:living )?<in> <value>
    = Used to live {in} {value}
    = Lived {in} {value}
HOME place .82 first
    <bare>(?:currently |now |originally )?(?:based|living|located) <in> <value>
    = Lives {in} {value}
ORIGIN place .8 first
    originally from <value>
    = Is from {value}
ALLERGY things .9 first
    <bare>(?:severely |badly |also )?all?ergic to <value>
    = Is allergic to {value}
HOME place .85
    (?:i'?m|we'?re|we are|i am)(?: now)? in <value3>(?: now)?,? (?:i |we )?(?:just|recently) moved\
        (?: here)?<end>
    = Lives in {value}
HOME place .92
    <we>(?:live|reside) <in> <value>
    <im>(?:living|based|located|residing) <in> <value>
    <ive>been (?:living|based) <in> <value>
    home is <value>
    = Lives {in} {value}
HOME place .8
    my (?:home ?town|home city|city) is <value>
    = Lives in {value}
HOME place .85
    <ive><moved> <value>
    = {moved} {value}
TIME_ZONE .9
    my time ?zone is <zone>(?!\w)
    (?:\w{1,30} ){0,3}<zone>,? (?:that'?s|that is|which is) my time ?zone
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
JOB trade .78 first
    <bare>(?:been|working as|been working as) <value>
    = Is {value}
JOB trade .78 first
    <value4> here<end>
    <value4> by (?:trade|profession|training)<end>
    = Is {value}
JOB near .85
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
JOB trade .8 after NAME
    <value>
    = Is {value}
JOB trade .8 after AGE
    <value>
    = Is {value}
EMPLOYER proper .85 after JOB
    <at> <value>
    = Works {at} {value}
JOB trade .85 after EMPLOYER
    as <value>
    = Works as {value}
EMPLOYER proper .82 after JOB
    (?:currently|now|presently|these days|most recently) (?:with|at|for) <value>
    = Works at {value}
EMPLOYER firm .82
    i(?:'ve| have)? <left> <value>
    i (?:no longer work|don't work|do not work|dont work|stopped working) (?:at|for) <value>
    = Left their job at {value}
EMPLOYER .82
    i(?:'ve| have)? (?:just |finally |recently )?(?:quit|left|lost) my job<end>
    i (?:just |recently )?(?:got|was) (?:laid off|fired|let go)<end>
    = Left their job
WORKPLACE .8
    <i>work <where><end>
    = Works {where}
EMPLOYER firm .88
    <i>work <at> <value>
    <im>(?:working|employed) <at> <value>
    = Works {at} {value}
EMPLOYER proper .85
    my (?:employer|company) is(?: called)? <value>
    <ive>(?:just |recently )?(?:joined(?! an? )|started (?:working )?at|started a new job at) \
        <value>
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
DEGREE near .85
    <i>have an? (?:\w{1,30} )?(?:degree|phd|master'?s|bachelor'?s) in <value>
    <im>a graduate in <value>
    = Has a degree in {value}
SCHOOL proper .8 after STUDY
    at <value>
    = Studies at {value}
SCHOOL proper .85
    <i>(?:study|go to (?:school|college|university)) at <value>
    = Studies at {value}
STUDY near .85
    <im>(?:doing|pursuing|working on|finishing|completing|getting) (?:an?|my) <level> in <value>
    = Is doing a {level} in {value}
STUDY near .78 first
    <bare>(?:doing|pursuing|finishing) (?:an?|my) <level> in <value>
    = Is doing a {level} in {value}
STUDY near .82
    my major is <value>
    <i>major in <value>
    = Studies {value}
STUDIED proper .82
    i (?:studied|used to study|went to (?:school|college|university|uni)) (?:at|in) <value>
    i graduated from <value>
    = Studied at {value}
STUDY near .85
    <im>in (?:my|the) (?:first|second|third|fourth|fifth|final|last|\d\w\w) year (?:of\
        |studying) <value>
    <im>(?:studying|majoring in) (?!for |at )<value>
    <i>(?:study|major in) (?!for |at )<value>
    <im>doing (?:a|my) (?:degree|phd|master'?s?) in <value>
    = Studies {value}

# Family and animals
RELATIVE name .93
    (?:my|our) <rel>(?:'s name is| is (?:called|named)|'s called|'s named) <value>
    the name of my <rel> is <value>
    <have>(?:a|an|one) (?:\w{1,30} )?<rel>,? (?:named|called|whose name is) <value>
    <have>(?:a|an|one) (?:\w{1,30} )?<rel>,? (?:and )?(?:her|his|its) name is <value>
    = {rel}'s name is {value}
    = Has a {rel} named {value}
    = Has a {rel} called {value}
    = {rel} is called {value}
    = {rel} is named {value}
RELATIVE capital .88
    <value2> is my (?:other |new )?<rel>(?:'s name)?<end>
    <value2>, my (?:other |new )?<rel>, (?=\w)
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
    <we>(?:have|have got|own|adopted) (?:two|three|four|\d) <rels>(?:,|:| -)? (?:named \
        |called )?<value>
    i'?ve got (?:two|three|four|\d) <rels>(?:,|:| -)? (?:named |called )?<value>
    my <rels>(?:'? names)? are (?:called |named )?<value>
    = {rels}'s name is {value}
MARITAL_STATUS .88
    <iam><marital><end>
    = Is {marital}
CHILDREN .88
    <we>have <many> <young>(?![\w'])
    = Has {many} {young}
PETS .85
    <we>(?:have|own|have got) <many> <pets>(?![\w'])
    = Has {many} {pets}
PETS .82
    <we>(?:have|own|have got|adopted) (?:a|an) (?:\w{1,30} )?<pet><end>
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
    <im>all?ergic to <value>
    <i>(?:have|suffer from|'?ve got|got) an? (?:\w{1,30} )?al?lergy to <value>
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
CONDITION ailment .88
    <i>(?:have|suffer from|live with|was diagnosed with|have been diagnosed with) <value>
    (?:i'?ve|i have) (?:got|had|been diagnosed with) <value>
    = Has {value}
CONDITION condition .82
    (?:i'?ve|i have) (?:always )?(?:had|got|been living with) <value>
    = Has {value}
CONDITION condition .8 first
    (?:have |had |got |been living with )<value4> (?:since|all my life|for (?:years|ages\
        |\w+ years))(?!\w)
    = Has {value}
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
    <i>(?:can't|cannot|cant) have (?:any )?(?=dairy|gluten|nuts|milk|eggs|sugar|meat|soy)<value>
    <ive>(?:stopped eating|given up|gave up eating) <value>
    = Doesn't eat {value}
DRINKS things .88
    <i>(?:do not|don't|dont|never|can't|cannot|cant) drink (?:any )?<value>
    = Doesn't drink {value}

# Answers
ANSWER_LENGTH .9
    <i>(?:prefer|like|want|would like|need) <length> <answers>
    <to>(?:keep|make) (?:(?:your|the|all|my|any) ){0,2}<answers> (?:nice and |very )?<length>
    <length> <answers>,? (?:please|only|pls|lang|po)
    = Prefers {length} {answers}
ANSWER_LENGTH .8
    <to>keep (?:it|things|them) <length>,? (?:from now on|in (?:the )?future|always)
    (?:please )?(?:always|from now on,?|in general,?|in future,?) (?:please )?be (?:more |very \
        )?<length>
    = Prefers {length} answers
ANSWER_TONE .85
    <i>(?:prefer|like|want|would like) (?:an? )?<tone> <manner>
    = Prefers {tone} {manner}
SPELLING .88
    <to>(?:answer|reply|respond|write|use|stick to|stick with|spell)(?: to)?(?: me)?(?: only\
        | always\
        | everything)?(?: in| with| using)? <spelling>
    <i>(?:prefer|use|write in|want) <spelling>
    = Wants {spelling}
ANSWER_LANGUAGE language .88
    <to>(?:answer|reply|respond|talk|speak|write)(?: to)?(?: me| back)?(?: only| always)? in \
        <value>
    i(?:'d| would)? (?:prefer|like|want)(?: to get)?(?: your)? (?:answers|replies|responses) in \
        <value>
    = Wants answers in {value}
    = Prefers answers in {value}
    = Prefers replies in {value}
ANSWER_STYLE .85
    <to>(?:don't|do not|dont|never|stop|avoid|no)(?: use| using| adding| add)?(?: any)? \
        <style><end>
    = Wants no {style} in answers
ANSWER_STYLE .8
    <to>(?:skip|drop|leave out|cut|cut out|spare me|lose|without|no need for|i don't (?:want|need))\
        (?: any| the| all the| your)? <fluff><end>
    = Wants no {fluff} in answers
ANSWER_STYLE .8
    <to>use (?:more |only )?<style>(?: (?:whenever|when|wherever) (?:you can|possible))?<end>
    <i>(?:prefer|like|love|want) (?:answers (?:with|as|in) )?<style><end>
    = Wants {style} in answers
UNITS .85
    <to>(?:use|give me) <units>
    <i>(?:prefer|use|want) <units>
    = Wants {units}

# Tastes
TASTE thing .88
    my (?:all-time |absolute )?favou?rite <sort> (?:is|are) <value>
    <value4> (?:is|are) my (?:all-time |absolute )?favou?rite <sort><end>
    = Likes {value}
    = Favourite {sort} is {value}
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
TASTE things .75 first
    (?=not |huge |big |a |crazy |obsessed )<keen> <value>
    = Is {keen} {value}
TASTE thing .78
    <i><like> (?:anything|everything|all things|most things) (?:with|made with|containing) <value>
    = {like} anything with {value}
TASTE things .78
    <i><like> to (?!think|know|see|have|say|ask|be|get|believe|hear|thank|make|keep|use|do\
        |add)<value>
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
    <i>run (?=(?:windows|macos|linux|ubuntu|debian|fedora|arch)(?!\w))<value>
    <im>on (?=(?:windows|mac|macos|linux|ubuntu|android|ios|debian|fedora|arch)(?!\w))<value>
    <i>have (?=an? (?:\w{1,30} )?(?:iphone|macbook|pixel|samsung|thinkpad|mac|ipad|galaxy\
        |kindle)(?!\w))<value>
    = Uses {value}
USES tools .8
    for (?!this|that|it|now|me|these)(?:my |the |all my )?\w{1,20}(?: \w{1,20})?,? (?:i\
        |we) (?:mostly |mainly |always |usually )?\
        (?:use|work with|work in|rely on) <value>
    <i>do (?:everything|most things|almost everything|all my \w{1,20}|most of my \w{1,20}\
        |my \w{1,20}) (?:in|with|on|using) <value>
    = Uses {value}
USES known .8
    <i>(?:work with|rely on|live in|swear by) <value>
    = Uses {value}
USES proper .75 after USES
    on (?:my|an?|our) (?:old |new |trusty )?<value>
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
PROJECT title .85
    <im>(?:writing|finishing|drafting) <work><named_so> <value>
    (?:i'?ve|i have) been (?:writing|drafting) <work><named_so> <value>
    = Is writing {work} called {value}
PROJECT title .83
    <im><making> <work><named_so> <value>
    (?:we're|we are) <making> <work><named_so> <value>
    (?:i'?ve|i have|we'?ve|we have) been <making> <work><named_so> <value>
    = Is {making} {work} called {value}
PROJECT writing .83
    (?:i'?ve|i have) been (?:writing|drafting) <value>
    = Is writing {value}
PROJECT project .78
    (?:i'?ve|i have|we'?ve|we have) been <making> (?=an? |my |our )<value>
    = Is {making} {value}
PROJECT writing .85
    <im>(?:writing|finishing|drafting) <value>
    = Is writing {value}
GOAL phrase .82
    <im><train> <value>
    = {train} {value}
PROJECT project .78
    <im><making> (?=an? |my |our |[\w-]{1,30} (?:app|game|website|site|blog))<value>
    we(?:'re| are) <making> (?=an? |my |our )<value>
    = Is {making} {value}
PROJECT capital .85
    my (?:app|startup|game|novel|book|podcast|blog|website|site|newsletter) is called <value>
    = Project is called {value}
PROJECT phrase .85
    my (?:side |current |main |new )?project is(?: called)? <value>
    = Project is {value}
GOAL aim .88
    my (?:main |big |biggest |long-term )?goal (?:for \w{1,30} |this year )?is to <value>
    = Goal is to {value}
GOAL phrase .78
    <i>(?:want to|plan to|aim to|intend to|hope to) <by_then><value>
    <im>(?:planning to|going to|hoping to) <by_then><value>
    = Plans to {value}
WEDDING phrase .88
    (?:<im>|we'?re |we are )getting married <by_then><value>
    = Is getting married {value}
WEDDING_PLACE named .85
    (?:<im>|we'?re |we are )getting married (?:in|at) <value>
    (?:the|our) wedding(?: is|'s| will be| is going to be) (?:in|at) <value>
    we(?:'ve| have)? (?:decided|agreed|chosen) to get married (?:in|at) <value>
    = Wedding is in {value}
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
    (?:my|our) (?:\w{1,30} )?budget (?:for (?:\w{1,30} ){1,4})?is (?:around |about |roughly |up \
        to )?<value>
    = Budget is {value}
ROUTINE .82
    <i>(?!have to )<routine><doing> <often><rest>
    <often>,? i (?:usually |always )?(?!have to )<routine><doing><pause>
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
