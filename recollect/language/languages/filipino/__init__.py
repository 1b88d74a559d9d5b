"""Filipino."""

from recollect.language.definition import (
    Abbreviations,
    AmountWords,
    DateWords,
    KeyphraseWords,
    Language,
    NameWords,
    Stemming,
)
from recollect.language.languages.filipino.facts import FACTS
from recollect.language.languages.filipino.phrases import REFERENCES, REQUESTS, SALIENCE, SUBJECTS

LANGUAGE = Language(
    code="fil",
    precedence=3,
    stop_words="""
        akin aking ako akong alin aling amin aming ang ano anong at atin ating ay ayon ba bago bakit
        bang bawat bilang dahil dapat dati daw din dito diyan doon edi eh ganito ganoon ganyan gaano
        habang hanggang hindi ho huwag iba ibang ikaw ilan ilang inyo inyong isa isang ito itong
        iyan iyo iyon iyong ka kahit kailan kami kamusta kanila kanilang kanino kaninong kanya
        kanyang kang kapag karamihan kasi katulad kay kaya kayo kayong ko kong kumusta kundi kung
        lahat lalo lamang lang maaari maging magkano maraming marami mas may mayroon mayroong meron
        mga mismo mo mong mula muna na nag naging nagkaroon namin naming naman nang nandito nasa
        nasaan natin nating nga ngayon ngayong ng ngunit ni nila nilang nina ninyo nito niya niyang
        niyo noon noong nung nyo oo opo pa paano paanong pag pagkatapos pala palagi pang para parang
        pati pero po puro puwede pwede pwedeng raw rin sa saan saang salamat samantala sana sapagkat
        si sila silang sina sino sinong siya siyang subalit tayo tayong talaga tapos tila tulad
        tungkol tuwing upang wala walang yan yata yaon yon yun yung
    """,
    stemming=Stemming(  # kumakain, kinain, kainan: kain
        affixes=(
            (r"^([^aeiou]?)(?:um|in)(?=[aeiou].{2})", r"\1"),
            (r"^(?:[mnp]agpa|[mn]aka|[mnp]ag|i?pinag|ipa|ni)(?=.{4})", ""),
            (r"^([^aeiou]?)([aeiou])(?=\1[^aeiou]?\2.{2})", ""),
            (r"(?<=.{2}[aeiou])ng$", ""),
            (r"(?<=.{4})(?:h?[ai]n?){1,2}$", ""),
            (r"(?<=.{2}[aeiou])n$", ""),
        ),
        loanwords="[cfjqvxz]|ee|oo|sh|th|[^aeiou]s$",
        equal_letters=("o", "u"),  # luto, lutuin
    ),
    abbreviations=Abbreviations(always="gng bb kgg hal", unless_capital="atbp"),
    salience=SALIENCE,
    references=REFERENCES,
    requests=REQUESTS,
    subjects=SUBJECTS,
    keyphrases=KeyphraseWords(
        stop_words="""
            akin aking ako akong alam alin ang ano anong ating ay ba bago bakit bang bawat bilang
            dahil dapat daw din dito diyan doon eh gaano gusto gustong habang hanggang hindi ibang
            ikaw ilan ilang inyo ipaliwanag isa isang ito itong iyan iyo iyon iyong ka kahit kailan
            kailangan kailangang kami kamusta kang kanya kanyang kapag kasi kay kaya kayo kayong ko
            kong kumusta kung lahat lamang lang maaari maari mag magandang magkano mas mayroon meron
            mga mo mong muna na nais naman namin nang nasa natin ng ngayon ni nila ninyo niya nito
            noon nung oo opo pa paano paki pala para parang puwede pwede pwedeng raw rin sa saan
            salamat sana sila sino siya talaga tapos tayo tayong tulong tulungan tungkol upang wala
            yan yata yun yung dalawang tatlong siyempre
        """,
        courtesies="araw gabi hapon kaibigan mabuti maganda pangalan tanghali umaga",
        greetings="kumusta kamusta salamat",
    ),
    dates=DateWords(
        months="""
            enero pebrero marso abril mayo hunyo hulyo agosto setyembre oktubre nobyembre disyembre
        """,
        weekdays="lunes martes miyerkules huwebes biyernes sabado linggo",
        month_links="ng",
        year_links="taong",
        clock_links="nang",
        parts_of_day=r"(?:ng|sa)\s(?:umaga|tanghali|hapon|gabi)",
        clock=r"alas-?\s?(?:\d{1,2}(?::\d{2})?|\w{3,12})",
        day_and_month=r"ika-?\s?\d{1,2}\sng\s<month>",
        not_after_day=r"\sna\s",
    ),
    amounts=AmountWords(
        currencies="pesos? piso pisong",
        multipliers="libo libong milyon milyong",
        percent="porsiyento",
        not_counted="ang at ay ba ito mas na ng nga ni o para po sa si",
        links="na ng",
    ),
    names=NameWords(
        common="""
            ang ng mga si sina ni nina kay kina sa na at o ay ito iyan iyon ako ikaw siya kami tayo
            kayo sila ko mo namin natin hindi oo opo wala walang may mayroon kung kapag dahil kaya
            pero para po ba bago nasa noong mas lahat ano sino bakit paano kailan saan lunes martes
            miyerkules huwebes biyernes sabado linggo enero pebrero marso abril mayo hunyo hulyo
            agosto setyembre oktubre nobyembre disyembre
        """,
        particles="de dela delos",
    ),
    facts=FACTS,
)
