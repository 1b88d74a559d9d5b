"""The slots of the fact rules in English."""

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
SUBJECTS = {
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
SLOT_PATTERNS = {
    "by_then": (
        r"(?=(?:[\w',-]{1,30} ){0,9}?(?:by|in|before|this|next|for|on) "
        rf"(?:[\w',-]{{1,30}} ){{0,3}}?(?:{_MONTHS}|year|20\d\d)(?!\w))"
    ),
    "soon": (
        rf"(?:(?:this|next) (?:year|month|week|{_DAYS}|{_MONTHS})|(?:in|on) (?:{_MONTHS}|{_DAYS})"
        r"|soon)(?!\w)"
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
}
BOUNDARIES = {
    "end": """
        and; but; so; because; since; with; from; who; which; for; in; living; working; based; too
        now; as; i; i'?m; my; by; please; can; could; what; how; btw; though; if; not; at; looking
        any; last; this; lol; (?:ha){2,9}; actually; anyway; to; or
    """,
    "pause": "and; but; so; because; since; before; after",
    "rest": """
        and; but; so; because; since; with; from; for; in; to; at; too; now; as; i; i'?m; my; by; if
        not; or; before; after; around; on; during; when; while; near; unless; btw; though; lol
    """,
}
SLOTS = r"""
diet = vegetarian; vegan; pescatarian; pescetarian; flexitarian; lacto-vegetarian; veggie
    plant-based
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
