"""How facts are stated in English."""

from recollect.language.definition import FactLanguage
from recollect.language.languages.english.fact_slots import (
    BOUNDARIES,
    SLOT_PATTERNS,
    SLOTS,
    SUBJECTS,
)
from recollect.language.languages.english.fact_words import (
    CORRECTIONS,
    FUNCTION_WORDS,
    GAZETTEER,
    HEDGES,
    PEOPLE,
    QUOTED,
    TRADES,
    VALUES,
)

RULES = r"""
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
"""
_ANYMORE = "(?:anymore|any more|any longer)"
FACTS = FactLanguage(
    function_words=FUNCTION_WORDS,
    rules=RULES,
    slots=SLOTS,
    slot_patterns=SLOT_PATTERNS,
    boundaries=BOUNDARIES,
    subjects=SUBJECTS,
    people=PEOPLE,
    trades=TRADES,
    values=VALUES,
    gazetteer=GAZETTEER,
    hedges=HEDGES,
    quoted=QUOTED,
    corrections=CORRECTIONS,
    retractions=(
        (rf"\b(i am|i'm|im|my (?:\w+ ){{1,2}}is) not (<rest>?) {_ANYMORE}\b", (1, 2)),
        (rf"\b(i) (?:do not|don't|dont) (<rest>?) {_ANYMORE}\b", (1, 2)),
        (r"\b(i am|i'm|im) no longer (<rest>)", (1, 2)),
        (r"\b(i) no longer (<rest>)", (1, 2)),
    ),
    retraction_ends="but; because; since; so; and (?:im?|now)",
    third_persons=r"he; she; they; we; his; her; their; (?:my|our|your) (?:\w{1,30} )?<people>",
    note_openings="(?:the )?users?(?:'s)?",
    ended="left",
    object_articles="a an the some their",
    spellings="""
        peanut peanuts; nut nuts; egg eggs; walnut walnuts; hazelnut hazelnuts; almond almonds
        cashew cashews; prawn prawns; cat cats; dog dogs; bee bees; wasp wasps; pistachio pistachios
        color colour; favorite favourite; flavor flavour; yoghurt yogurt; cilantro coriander
        aubergine eggplant; courgette zucchini; shrimps shrimp; strawberry strawberries
    """,
)
