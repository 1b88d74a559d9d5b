"""English."""

from recollect.language.definition import (
    Abbreviations,
    AmountWords,
    DateWords,
    KeyphraseWords,
    Language,
    NameWords,
    Stemming,
)
from recollect.language.languages.english.facts import FACTS
from recollect.language.languages.english.phrases import REFERENCES, REQUESTS, SALIENCE, SUBJECTS

LANGUAGE = Language(
    code="en",
    precedence=1,
    stop_words="""
        a about after again against ain all along already also although always am among an and
        another any anybody anyone anything are arent around as at away back be became because
        become been before being below between both but by can cannot cant could couldnt d did didnt
        do does doesnt doing done dont down during each either else enough even ever every everybody
        everyone everything few for from get gets getting got had hadnt has hasnt have havent having
        he her here hers herself hes him himself his how i if im in instead into is isnt it its
        itself ive just let lets like ll m many may maybe me might mine more most much must my
        myself neither never no nobody none nor not nothing now of off often oh ok okay on once one
        ones only onto or other others our ours ourselves out over own perhaps please quite rather
        re really s same shall she should shouldnt since so some somebody someone something
        sometimes somewhere soon still such t than thank thanks that thats the their theirs them
        themselves then there theres these they theyre thing things this those though through thus
        to together too toward towards unless until up upon us usually ve very was wasnt we well
        were werent what whatever whats when whenever where wherever whether which while who whom
        whos whose why will with within without wont would wouldnt yes yet you your youre yours
        yourself
    """,
    content_words="""
        ad ai akin al ali allen ate aura ay bald bang ben bent bin car col come dan deed die dies
        dir doe door dove eh el em era fare fast fur ha hat hay hen hindi las logo los ma mag man
        mas men met mia mit mo mon na nag nina non noon nun oft os pa par pas plus pour prima pure
        quest raw sara sea sin sob solo son state sue sur tan tal ten ton tot tout una van ver verso
        via von want war wilt word ya yo
    """,
    stemming=Stemming(snowball="english"),
    abbreviations=Abbreviations(
        always="""
            mr mrs ms dr prof st mt rev gen col capt lt sgt hon vs approx fig vol pp ch cf al dept
            inc ltd
        """,
        unless_capital="etc jr co corp a.m p.m",
        before_digit="no nos p",
        months="jan feb mar apr may jun jul aug sep oct nov dec",
    ),
    salience=SALIENCE,
    references=REFERENCES,
    requests=REQUESTS,
    subjects=SUBJECTS,
    keyphrases=KeyphraseWords(
        stop_words="""
            a about after again all also am an and any anyone anything are as ask asked at be
            because been before being but by can can't cannot could couldn't did didn't do does
            doesn't doing don't each else every explain few find for from get give go going got had
            has have haven't he help her here him his how how's i i'd i'll i'm i've if in into is
            isn't it it's its just know learn let let's like look looking made make many may maybe
            me mine more most much must my need needed no not now of off ok okay on once one only or
            other our out over own please question really said same say see she should show so some
            something such sure tell than thank thanks that that's the their them then there these
            they thing things think this those through to today too try trying understand until up
            us use user using very want wanted was way we well were what what's when where which
            while who why will wish with without won't wonder would yes yet you you'd you're your
            yours assistant discussed suggested hi hello hey bye sorry near recommend recommended
            love two three best good wow yeah awesome cool glad haha lol always never often usually
            sometimes between
        """,
        courtesies="""
            afternoon chat conversation day evening everything fine good great greeting greetings
            later meet morning name new nice night none null pleased pleasure test testing unknown
            untitled week weekend welcome
        """,
        greetings="hi hello hey thanks",
    ),
    dates=DateWords(
        months="""
            january february march april may june july august september october november december
            jan feb mar apr jun jul aug sept? oct nov dec
        """,
        weekdays="monday tuesday wednesday thursday friday saturday sunday",
        ordinal_suffixes="st nd rd th",
        month_links="of",
        articles="the",
        clock_links="at",
        clock_suffixes=r"[ap]m(?!\w); [ap]\.m\.",
    ),
    amounts=AmountWords(
        currencies="euros? dollars? bucks pounds? yen yuan rupees? francs? pesos? cents?",
        multipliers="k m bn thousand million billion",
        percent=r"percent; per\s?cent",
        not_counted="""
            a am an and are as at but by do for from has he i in is it no of on or pm so than that
            the then to us was we with x you
        """,
    ),
    names=NameWords(
        common="""
            a i i'm i've i'd i'll ok okay tv pc id pdf url api sql ai pm am ps eu us uk mr mrs ms dr
            prof sir the this that these those my our your his her their it its we you he she they
            there here if when while where what who which why how and or but so then not no yes
            please thanks hi hello hey dear let let's for from in on at to with by as of is are was
            were do does did can could will would should may might must have has had be been all
            some any every each both more most just also very now today tomorrow yesterday after
            before since until because about into over under out up monday tuesday wednesday
            thursday friday saturday sunday january february march april june july august september
            october november december english italian filipino tagalog spanish french german
            portuguese british american ask call tell contact email meet see send write thank
        """,
        particles="of",
    ),
    facts=FACTS,
)
