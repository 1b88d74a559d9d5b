"""How facts are stated in Filipino, and in the mixture with English that most people chat in."""

from recollect.language.definition import FactLanguage
from recollect.language.languages.filipino.fact_slots import (
    BOUNDARIES,
    SLOT_PATTERNS,
    SLOTS,
    SUBJECTS,
)
from recollect.language.languages.filipino.fact_words import (
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
    ang (?:buong )?pangalan ko(?: po)? ay (?:si )?<value>
    ang (?:buong )?pangalan ko(?: po)?,? (?:ay )?si <value>
    (?:ako|aq)(?: po| nga pala| naman| pala){0,2} si <value>
    (?:name|pangalan) ko(?: po)? (?:ay|is|si|ay si) <value>
    = Ang pangalan ay {value}
NAME name .93
    (?:si )?<value3> (?:po )?ang (?:buong )?(?:pangalan|name) ko
    si <value3> (?:po )?<ako><end>
    si <value2> (?:po )?(?:to|ito)<end>
    = Ang pangalan ay {value}
CALLED capital .85
    (?:pwede mo |puwede mo )?(?:tawagin|tawag) (?:mo |nyo |ninyo )?(?:na lang |nalang )?(?:po \
        )?(?:akong?|sa akin)(?: na lang| nalang)?(?: si)? <value>
    = Gustong tawaging {value}
ORIGIN place .88
    taga[- ]<value3><bits> <ako>
    = Taga-{value}
BIRTHPLACE place .88
    i?pinanganak<po> <ako><bits> sa <value>
    = Ipinanganak sa {value}
ORIGIN place .88
    lumaki<po> <ako><bits> sa <value>
    = Lumaki sa {value}
ORIGIN place .88 after BIRTHPLACE
    lumaki<bits> sa <value>
    = Lumaki sa {value}
ORIGIN place .88
    i?pinanganak at lumaki<po> <ako><bits> sa <value>
    = Ipinanganak at lumaki sa {value}
ORIGIN named .85
    tubong <value2><bits> <ako>
    (?:galing|mula)<po> <ako><bits> sa <value>
    = Galing sa {value}
HOME place .92
    (?:nakatira|naninirahan|nakabase|nakatira na)<bits> (?:ako|aq|kami)<bits> (?:dito )?(?:sa\
        |malapit sa) <town><value>
    <akoay>(?:nakatira|naninirahan|nakabase)<bits> sa <town><value>
    (?:based|nakabase)<bits> <ako><bits> (?:sa|in) <value>
    (?:nasa|sa) <value3> <ako><bits> nakatira
    (?:nasa|sa) <value3> (?:po )?nakatira <ako>
    dito<bits> <ako><bits> sa <value3> nakatira
    dito<bits> <ako><bits> nakatira sa <value>
    = Nakatira sa {value}
HOME place .87
    lumipat<bits> (?:ako|aq|kami)<bits> (?:na )?(?:sa|dito sa) <value>
    kakalipat(?: ko| ko lang| lang namin| namin)<bits> (?:sa|dito sa) <value>
    = Lumipat sa {value}
HOME place .82
    (?:dito )?sa <value3>(?: na)?(?: pala| po)?(?: na)?(?: ako| kami)?,? (?:kaka-?lipat\
        |bagong lipat)(?!\w)
    = Nakatira sa {value}
LIVED place .82
    (?:dati|noon)(?: po)? (?:akong|kaming) (?:nakatira|tumira|nanirahan) sa <value>
    (?:tumira|nanirahan)<bits> (?:ako|aq|kami)<bits> (?:dati |noon )?sa <value>
    (?:nakatira|tumira)<bits> (?:ako|aq|kami)(?: dati| noon) sa <value>
    = Dating nakatira sa {value}
TIME_ZONE .88
    (?:naka-?|nasa )?<zone><bits> <ako>
    (?:ang )?time ?zone ko<bits>(?: ay| is)? <zone>(?!\w)
    = Time zone: {zone}
AGE .82
    mag-?(?:e?-)?<age><bits> <ako><end>
    magiging <age><bits> <ako><end>
    = Magiging {age} taong gulang
AGE .9
    <age> (?:years old|yrs old|anyos|taong gulang|taon gulang|na taong gulang)<bits> <ako>
    <age> na<po> <ako><end>
    <akoay><age> (?:years old|anyos|taong gulang)(?: na)?<end>
    ang edad ko ay <age><end>
    = {age} taong gulang
BIRTHDAY date .93
    (?:ang )?(?:birthday|kaarawan|bday) ko(?: po)? (?:ay|is)? ?(?:sa |tuwing |ika-)?<value>
    ipinanganak<bits> <ako><bits> noong <value>
    = Kaarawan: {value}
NATIONALITY people .8
    <value1><bits> <ako><end>
    = Isang {value}
NATIVE_LANGUAGE language .93
    ang (?:unang|sariling|katutubong) wika ko ay <value>
    <value1><bits> (?:ang )?(?:unang|sariling|katutubong) wika ko
    <value1><bits> (?:ang )?(?:first|native|mother) (?:language|tongue) ko
    (?:ang )?(?:first|native|mother) (?:language|tongue) ko<bits> (?:ay |is )?<value>
    = Unang wika: {value}
SPEAKS languages .88
    (?:nagsasalita|marunong|nakakapagsalita)<bits> <ako><bits> (?:magsalita )?ng <value>
    (?:marunong|fluent)<bits> <ako><bits> (?:mag-?|sa |in )<value>
    = Nagsasalita ng {value}
# Trabaho at pag-aaral
EMPLOYER proper .82
    (?:nag-?resign|natanggal)<bits> <ako><bits> sa (?:trabaho (?:ko )?(?:sa )?)?<value>
    (?:hindi|di) na<po> <ako> (?:nagtatrabaho|nagwo-?work) sa <value>
    = Nag-resign sa {value}
EMPLOYER .8
    nag-?resign<bits> <ako>(?!\w)
    (?:umalis|natanggal)<bits> <ako><bits> sa trabaho(?!\w)
    = Nag-resign sa trabaho
STUDY .85
    <student><bits> <ako>(?!\w)(?! dati| noon)
    <akoay>(?:isang )?<student><end>
    isa<bits> akong <student><end>
    = Isang {student}
STUDY near .85
    <value3><bits> (?:ang )?(?:course|kurso|major|kinukuha(?:ng kurso)?|pinag-aaralan|program) ko
    (?:ang )?(?:course|kurso|major|kinukuha kong kurso) ko<bits>,? (?:ay|is) <value>
    = Nag-aaral ng {value}
STUDIED proper .82
    (?:dati(?: po)? akong nag-aral|nag-aral<bits> <ako><bits>|grumadweyt<bits> <ako><bits>\
        |nagtapos<bits> <ako><bits>) sa <value>
    = Nag-aral sa {value}
JOB near .9
    <job><bits> <ako><bits> (?:bilang|as)(?: an?| isang)? <value>
    = Nagtatrabaho bilang {value}
JOB trade .85
    (?:isa(?:ng)? )?<value4><bits> <ako><end>
    <akoay>(?:ay )?(?:isang )?<value>
    isa<bits> akong <value>
    (?:ang )?trabaho ko(?: po)? (?:ay|is) (?:isang |pagiging )?<value>
    = Isang {value}
JOB near .85
    nagtuturo<bits> <ako><bits> ng <value>
    = Nagtuturo ng {value}
JOB trade .78 after NAME
    <value>
    = Isang {value}
JOB trade .78 after AGE
    <value>
    = Isang {value}
EMPLOYER proper .82 after JOB
    sa <value>
    = Nagtatrabaho sa {value}
EMPLOYER firm .87
    <job><bits> <ako><bits> (?:sa|at|for|para sa) <value>
    = Nagtatrabaho sa {value}
LEARNING language .85
    (?:nag-aaral|natututo|pinag-aaralan)<bits> (?:ako|ko)<bits> (?:ng|mag-|ang) ?<value>
    = Natututo ng {value}
STUDY near .87
    (?:nag-aaral|kumukuha)<bits> <ako><bits> ng <value>
    (?:estudyante|student)<bits> <ako><bits> ng <value>
    = Nag-aaral ng {value}
SCHOOL proper .85
    (?:nag-aaral|estudyante|student)<bits> <ako><bits> sa <value>
    = Nag-aaral sa {value}
SCHOOL proper .8 after STUDY
    sa <value>
    = Nag-aaral sa {value}
# Pamilya at alaga
RELATIVE name .93
    (?:ang )?(?:pangalan|name) ng (?:mga )?<rel> ko(?: po)? (?:ay|is|ay si|si) <value>
    (?:si )?<value2> (?:po )?ang (?:pangalan|name) ng <rel> ko
    may <rel><bits> (?:akong|ako|aq|kaming|kami)<bits>,? (?:na )?(?:ang pangalan ay|na ang \
        pangalan ay|si|na si|named|pangalan ay|ang pangalan niya ay|na nagngangalang) <value>
    ang <rel> ko(?: po)?,? (?:ay )?si <value>
    = Pangalan ng {rel}: {value}
RELATIVE capital .82 anywhere
    (?<!\w)<rel> (?:ko|kong|namin|naming)(?: po)?(?: na)?[,:]? si <value>
    (?<!\w)(?:dalawa|tatlo|apat|dalawang|tatlong|apat na|mga) (?:po )?(?:ang )?(?:mga )?<rel> \
        (?:ko|kong|namin|naming)(?: po)?[,:]? (?:na )?si [^.;!?]{1,40}? (?:at|and|saka) \
        si <value>
    = Pangalan ng {rel}: {value}
RELATIVE names .82 anywhere
    (?<!\w)(?:mga )?<rel> (?:ko|kong|namin|naming|kami|ako)(?: po)?[,:]? (?:na )?sina <value>
    = Pangalan ng {rel}: {value}
RELATIVE capital .85
    si (?:ate |kuya |tita |tito )?<value2>(?: naman| po)?,? (?:yung|ang|iyong) (?:isa (?:ko pang\
        |kong|\
        pang|ko na)|isa pang|bunso kong|panganay kong) <rel>
    = Pangalan ng {rel}: {value}
RELATIVE capital .88
    si <value2> (?:po )?ang <rel> ko
    ang <rel> kong si <value>
    (?:yung |iyong )?<rel> (?:ko|kong|namin|naming) (?:na )?si <value>
    = Pangalan ng {rel}: {value}
AGE .85
    <age> (?:years old|anyos|taong gulang|taon)(?: na)? (?:ang|yung) <rel> ko
    = {rel}: {age} taong gulang
ALLERGY thingsnear .9
    allergic (?:po )?(?:ang|yung) <rel> ko(?: po)? sa <value>
    = {rel}: allergic sa {value}
DIET .88
    <diet> (?:po )?(?:ang|yung) <rel> ko
    = {rel}: {diet}
MARITAL_STATUS .87
    <marital><bits> <ako><end>
    = {marital}
CHILDREN .88
    (?:may|mayroon|meron)(?: akong| kaming| po akong)? <many> <young>(?: ako| kami)?<end>
    (?:mayroon|meron) (?:akong|kaming) <many> <young>
    = May {many} {young}
PETS .82
    (?:may|mayroon|meron)(?: akong| kaming| alagang| alaga akong| alaga kaming)? <many> \
        <pets>(?: ako| kami)?<end>
    = May {many} {pets}
PETS .82
    (?:may|mayroon|meron)(?: akong| kaming)? (?:alagang )?<pet>(?: ako| kami)<end>
    = May alagang {pet}
# Kalusugan at pagkain
ALLERGY thingsnear .95
    (?:all?ergic|may all?ergy|may allergies|may alerdyi|alerdyik)<bits> <ako><bits> sa <value>
    <akoay>(?:allergic|may allergy) sa <value>
    allergy ko(?: po)? (?:ay|is)? ?(?:sa )?<value>
    = Allergic sa {value}
EATS thingsnear .85
    bawal<bits> (?:sa akin|sakin|ako)<bits> (?:ang|ng|sa) <value>
    = Bawal ang {value}
INTOLERANCE short .92
    <value1>[ -]intolerant<bits> <ako>
    = Intolerant sa {value}
CONDITION .9
    <condition><bits> <ako><end>
    = {condition}
CONDITION ailment .88
    (?:may(?! [^,.;!?]{1,40} (?:ang|si|yung|sina|siya|sya|niya|nya|ni|sila)(?!\w))|mayroon akong\
        |meron akong|may sakit akong)(?: po)? <value>
    = May {value}
CONDITION condition .88
    (?:may(?! [^,.;!?]{1,40} (?:ang|si|yung|sina|siya|sya|niya|nya|ni|sila)(?!\w))|mayroon akong\
        |meron akong|may sakit akong) <value>
    = May {value}
DIET .93
    <diet><bits> <ako><end>
    <akoay>(?:isang )?<diet><end>
    = {diet}
EATS thingsnear .88
    (?:hindi|di)<bits> <ako><bits> (?:kumakain|nakain|pwedeng kumain) ng <value>
    = Hindi kumakain ng {value}
DRINKS thingsnear .88
    (?:hindi|di)<bits> <ako><bits> (?:umiinom|nainom) ng <value>
    = Hindi umiinom ng {value}
# Mga sagot
ANSWER_LENGTH .9
    (?:mas )?gusto ko(?: po| na){0,2} (?:ng |ang )?(?:mga )?<length>(?: na)? (?:mga )?(?:sagot\
        |reply|replies|answers)
    = Gusto ng {length} sagot
ANSWER_LANGUAGE language .88
    <to>(?:sumagot|sagutin mo ako|sagot|mag-?reply|magsalita|reply|sagutin ako|sumagot ka\
        |sagutin mo|kausapin mo ako)(?: ka| mo| lagi| palagi| po| lang| ako){0,3} (?:sa|in|ng) \
        <value>
    (?:mas )?gusto ko(?: po)? (?:ng|ang) (?:mga )?(?:sagot|reply)(?: mo)? sa <value>
    <to>mag-?<value1> ka(?: na)?(?: lang)?(?: sa (?:mga )?sagot)?<end>
    = Gusto ng sagot sa {value}
ANSWER_LENGTH .82 after ANSWER_LANGUAGE
    (?:yung |sa )?<length> lang
    = Gusto ng {length} sagot
ANSWER_LENGTH .88
    (?:dapat |please |pls )?<length> lang (?:po )?(?:ang |dapat ang )(?:mga )?sagot
    = Gusto ng {length} sagot
ANSWER_LENGTH .85
    paki-?iklian (?:mo )?(?:po )?(?:lang )?ang (?:mga )?sagot
    = Gusto ng maiikling sagot
ANSWER_LANGUAGE language .85
    <value1>(?: lang)?(?: po)?(?: sana)? (?:ang|dapat ang) (?:mga )?(?:sagot|reply)(?: mo)?<end>
    = Gusto ng sagot sa {value}
ANSWER_STYLE .85
    <to>(?:huwag|wag)(?: kang| ka| mong| nang)?(?: gumamit| maglagay| gagamit)? (?:ng )?<style>
    walang <style>(?: please)?<end>
    = Ayaw ng {style} sa sagot
ANSWER_STYLE .8
    (?:walang|alisin mo ang|tanggalin mo ang|wag na)(?: mga| yung)? <fluff>(?: please\
        | po)?<end>
    = Ayaw ng {fluff} sa sagot
# Hilig
TASTE thing .88
    (?:ang )?(?:paborito|favorite) kong <sort> (?:ay|is) <value>
    <value3> (?:po )?ang (?:paborito|favorite) kong <sort><end>
    = Gusto ang {value}
FAVOURITE thing .9
    (?:ang )?(?:paborito|pabortito|favorite) kong <what> (?:ay|is) <value>
    <value3> (?:po )?ang (?:paborito|favorite) kong <what><end>
    (?:paborito|favorite) kong <what> ang <value>
    = Paboritong {what}: {value}
PREFERENCE thingsnear .85
    mas (?:gusto|prefer|type|bet) ko<bits> (?:ang |ng )?<value3> <over> <other><end>
    = Mas gusto ang {value} {over} {other}
TASTE things .78
    mas (?:gusto|prefer) ko<bits> (?:ang |ng |na )<value>
    = Mas gusto ang {value}
TASTE things .78
    (?:gusto|love|bet) ko<bits> (?:ang )?lahat ng may <value>
    = Gusto ang lahat ng may {value}
TASTE things .8
    (?:doon|dun|dito|diyan)<bits> <ako> (?P<like>nahilig) sa (?:mga )?<value>
    <like><bits> <ako><bits> sa (?:mga )?<value>
    (?P<like>ayoko)<bits> (?:ng|sa|nang) (?:mga )?<value>
    <like><bits> ko<bits> (?:ang|sa) (?:mga )?<value>
    (?P<like>paborito|favorite)<bits> ko<bits> yung (?:mga )?<value>
    (?P<like>ayaw)<bits> ko<bits> (?:ng|sa|ang) (?:mga )?<value>
    = {like} {value}
TASTE things .78
    (?:hindi|di)(?: po)? ko<bits> (?:gusto|type|bet|trip) (?:ang|yung) (?:mga )?<value>
    = Hindi gusto ang {value}
TASTE things .78
    mahilig<bits> akong <value>
    = Mahilig {value}
SMOKING .88
    <smoke>
    = {smoke}
HOBBY thingsnear .87
    (?:ang )?(?:hobby|libangan|hilig) ko(?: po)? (?:ay|is) (?:ang )?<value>
    = Libangan: {value}
PLAYS play .87
    (?:naglalaro|tumutugtog|marunong tumugtog|nagba-?play)<bits> <ako><bits> ng <value>
    = Naglalaro ng {value}
# Gamit
USES tools .8
    gumagamit<bits> (?:ako|aq|kami)<bits> ng <value>
    (?:ang )?(?:gamit|ginagamit) (?:ko|kong|namin)(?: po)?(?: ay| ang)? <value>
    = Gumagamit ng {value}
USES proper .75 after USES
    sa (?:lumang |bagong )?<value3> (?:ko|kong|namin)<end>
    = Gumagamit ng {value}
USES proper .8
    naka-?<value3><bits> <ako><end>
    <value3> (?:po )?ang (?:gamit|ginagamit) ko
    = Gumagamit ng {value}
USES code .85
    (?:nagpo-?program|nagko-?code|nag-?co-?code)<bits> <ako><bits> (?:sa|gamit ang|in|ng) <value>
    = Nagko-code sa {value}
VEHICLE proper .87
    (?:ang )?(?:kotse|sasakyan|motor|auto|tsikot) ko<bits>,? (?:ay|is) (?:isang )?<value>
    (?:kotse|sasakyan|motor|auto|tsikot) ko<bits>,? <value4>(?= ?(?:[,.;!…]|\Z))
    <value4> (?:po )?ang (?:kotse|sasakyan|motor) ko
    (?:nagda-?drive|nagmamaneho)<bits> <ako><bits> ng <value>
    = Sasakyan: {value}
DEVICE proper .85
    (?:ang )?<device> ko<bits>,? (?:ay|is) <value>
    <device> ko<bits>,? <value4>(?= ?(?:[,.;!…]|\Z))
    = {device}: {value}
# Plano
PROJECT writing .85
    (?:nagsusulat|sumusulat)<bits> <ako><bits> ng <value>
    = Nagsusulat ng {value}
PROJECT project .78
    <making><bits> (?:ako|aq|kami)<bits> ng <value>
    = {making} ng {value}
GOAL phrase .82
    <train><bits> (?:ako|aq|kami)<bits> (?:para sa|sa|for) <value>
    = {train} {value}
GOAL phrase .87
    (?:ang )?(?:goal|layunin|pangarap) ko(?: po)? (?:ay|is) (?:ang )?<value>
    = Layunin: {value}
GOAL phrase .78
    (?:balak|plano) (?:kong|naming|ko ring) <by_then><value>
    = Balak {value}
WEDDING phrase .87
    ikakasal<bits> (?:ako|aq|kami)<bits> (?:sa|ngayong) <by_then><value>
    = Ikakasal sa {value}
WEDDING_PLACE named .84
    sa <value3>(?: na)?(?: po)?(?: talaga| lang)? (?:kami|ako) (?:magpapakasal|ikakasal)
    (?:ikakasal|magpapakasal)<bits> (?:ako|kami)<bits> sa <value>
    sa <value3> (?:po )?ang kasal (?:ko|namin|natin)
    = Magpapakasal sa {value}
DECISION phrase .85
    <done><bits> (?:akong|kaming|kong|naming|namin na|ko na|namin|ko)<bits> (?:na )?(?:ang |na \
        )?<value>
    = {done} {value}
DECISION tools .78
    (?:gagamitin|pipiliin)<bits> (?:ko|namin|natin)<bits> (?:ang )?<value>
    (?:(?:napagdesisyunan|napagpasyahan|napagkasunduan) (?:ng team|namin|natin|ko) na \
        )?<value2>(?: na)?(?: lang)? ang (?:gagamitin|pipiliin|napili|pinili) (?:ko|namin|natin)
    = Gagamitin ang {value}
BUDGET amount .88
    <value2>(?: lang)?(?: po)?(?: ang)? budget (?:ko|namin)
    = Budget: {value}
BUDGET amount .9
    (?:ang )?budget (?:ko|namin)(?: po)? (?:ay|is)? ?(?:nasa |mga )?<value>
    = Budget: {value}
ROUTINE .82
    <routine><bits> <ako><bits><doing> <often><end>
    <often><po>,? (?:akong|ako|kaming|kami) <routine><doing><rest>
    = {routine}{doing} {often}
GETS_UP .8
    gumigising<bits> <ako><bits> (?:ng|nang|tuwing) <hour>
    = Gumigising nang {hour}
"""
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
    retractions=((r"\bhindi na (ako) (\w+)(?!\w)(<rest>|)", (2, 1, 3)),),
    retraction_ends="pero; kasi; dahil; kaya; at ngayon",
    note_openings="ang (?:user|gumagamit)(?: ay)?",
    ended="umalis; nag-resign",
    object_articles="ang mga ng si isang yung iyong",
)
