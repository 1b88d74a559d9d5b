"""The slots of the fact rules in Filipino."""

_A = r"(?:po|ho|na|pa|rin|din|naman|talaga|lang|nga|kasi|ngayon|pala)"
_BITS, _PO = rf"(?: {_A}){{0,3}}", r"(?: (?:po|ho|nga|naman|pala|talaga|lang)){0,2}"
_TOWN = r"(?:(?:lungsod|siyudad|bayan|lalawigan|probinsya) ng )?"
SUBJECTS = {
    "ako": ("(?:ako|aq)", "(?:ako|aq)"),
    "bits": (_BITS, _BITS),
    "po": (_PO, _PO),
    "town": (_TOWN, _TOWN),
    "akoay": (rf"(?:ako|aq)(?: {_A}){{0,2}} ay |ako'y |(?:ako|aq)(?: {_A}){{0,2}},? ", r"(?!)"),
    "to": (
        r"(?:paki ?|please,? |pls |lagi |palagi |dapat |mula ngayon,? |simula ngayon,? |sana "
        r"|gusto kong? |gusto ko,? |pwede bang? ){0,3}",
        r"(?:please |palagi |lagi ){0,2}",
    ),
}
_MONTHS = (
    "enero|pebrero|marso|abril|mayo|hunyo|hulyo|agosto|setyembre|oktubre|nobyembre|disyembre"
    "|january|february|march|april|may|june|july|august|september|october|november|december"
)
_DAYS = "(?:lunes|martes|miyerkules|huwebes|biyernes|sabado|linggo)"
SLOT_PATTERNS = {
    "by_then": rf"(?=(?:[\w',-]{{1,30}} ){{0,9}}?(?:{_MONTHS}|taon|20\d\d)(?!\w))",
    "doing": r"(?: [\w'-]{1,30}){0,4}?",
    "often": (
        rf"(?:tuwing|kada|every|bawat) (?:umaga|gabi|hapon|araw|linggo|buwan|weekend|morning|day"
        rf"|week|night|{_DAYS})(?: ng (?:umaga|gabi|hapon))?(?: at {_DAYS})?"
        r"|araw-araw|gabi-gabi|linggo-linggo|(?:isang|dalawang|tatlong|apat na|limang) beses "
        r"(?:sa|kada|isang|bawat) (?:isang )?(?:linggo|araw|buwan)"
    ),
}
BOUNDARIES = {
    "end": """
        at; pero; kasi; kaya; dahil; tapos; na; sa; po; and; but; so; i; ko; ako; pwede; ano; saan
        eh; naman; din; rin; lang; talaga; ngayon; may; dito; para; kaso; tsaka; saka; (?:ha){2,9}
        (?:he){2,9}; huhu; lol
    """,
    "rest": """
        at; pero; kasi; kaya; dahil; tapos; para; tsaka; saka; bago; pagkatapos; po; and; but; so
    """,
}
SLOTS = r"""
age = \d{1,2}
zone = (?:gmt|utc) ?[+-]\d{1,2}; pht; philippine time; (?:asia|europe|america)/[a-z_]{2,20}
student = (?!hindi |di |dati |noong |bilang |wala |pero |kasi \
        |kung )(?:[\w-]{1,30} ){0,3}(?:student|estudyante)
sort = (?:klase|uri|genre|tipo) ng [a-z]{1,25}; genre
fluff = disclaimers?; emojis?; jargon; palabok; paligoy-ligoy; emoticons; small talk
    malalim na salita; paumanhin
diet = vegetarian; vegan; pescatarian; halal
condition = diabetic; asthmatic; celiac; hypertensive; buntis; epileptic; bingi; colorblind
    dyslexic; highblood; may altapresyon; anemic
marital = may asawa; may asawa na; kasal; kasal na; hiwalay sa asawa; biyudo; biyuda; single
    dalaga; binata; married; engaged; divorced
many = dalawang; tatlong; apat na; limang; dalawa; tatlo; isang; \d; two; three
young = anak; anak na babae; anak na lalaki; kids
pets = aso; pusa; kapatid; manok; apo; kuneho; roommate
pet = aso; pusa; kuneho; loro; tuta; kuting
like = mahilig > Mahilig sa; favorite > Paborito ang; ayaw > Ayaw sa; ayoko > Ayaw sa
    gusto > Gusto ang; gustong-gusto > Gustong-gusto ang; gustung-gusto > Gustong-gusto ang
    paborito > Paborito ang; hate > Ayaw sa; love > Gustong-gusto ang
    nahilig > Mahilig sa; adik > Adik sa; baliw > Baliw sa; hilig > Hilig ang
    adik na adik > Adik sa; hindi gusto > Hindi gusto ang
    di gusto > Hindi gusto ang; hindi mahilig > Hindi mahilig sa
over = kaysa sa; kaysa; kesa sa; kesa
other = [\w-]{2,30}(?: [\w-]{2,30}){0,2}
what = [a-z]{1,25}(?: (?:na )?[a-z]{1,25}){0,2}
length = maikling > maikling; maiikling > maiikling; mahabang > mahabang; mahahabang > mahahabang
    detalyadong > detalyadong; diretsong > diretsong; simpleng > simpleng; maikli > maikling
    maiksi > maiksing; maiikli > maiikling; detalyado > detalyadong; diretso > diretsong
    maiksing > maiksing; short > maikling; concise > maikling; mahaba > mahabang
    simple > simpleng
style = emojis?; bullet points; bullets; tables; markdown; lists; emoticons
device = laptop; cellphone; phone; computer; camera; tablet; pc; editor
making = gumagawa; nagde-?develop; bumubuo; nagpaplano; nag-?oorganize; nagtatayo; nagpapatayo
    nagre-?renovate; nag-?o-organize
train = naghahanda > Naghahanda para sa; nag-iipon > Nag-iipon para sa
    nagte-training > Nagte-training para sa; nagsasanay > Nagsasanay para sa
    nagrereview > Nagrereview para sa; nag-rereview > Nag-rereview para sa
    nagre-review > Nagre-review para sa
routine = tumatakbo; lumalangoy; nagji-gym; naggi-gym; nagjo-jogging; nagdarasal; naglalakad
    nagluluto; nagsisimba; naglalaro; nagbabasa; nagbibisikleta; nagme-meditate; nag-eexercise
    nag-e-exercise; nagbabike; nagyo-yoga; nagsa-swimming; nagta-train; pumupunta; nagba-bike
    nagjojogging; naggygym; nag-gym
done = nagpasya > Nagpasyang; nagdesisyon > Nagdesisyong; napagpasyahan > Napagpasyahang
    napagdesisyunan > Napagdesisyunang; pinili > Pinili ang
smoke = hindi ako naninigarilyo > Hindi naninigarilyo; di ako naninigarilyo > Hindi naninigarilyo
    tumigil na ako sa paninigarilyo > Tumigil sa paninigarilyo
    tumigil na ako manigarilyo > Tumigil sa paninigarilyo; naninigarilyo ako > Naninigarilyo
job = nagtatrabaho; nagwowork; nag-wowork; nagwo-work; nag-wo-work; work
hour = alas-?\s?\w{1,12}; \d{1,2}(?::\d\d)? ?(?:am|pm)?
"""
