"""The words around and inside facts in Filipino."""

from recollect.language.definition import (
    CorrectionPhrases,
    FunctionWords,
    Gazetteer,
    Hedges,
    QuotedMaterial,
    ValueWords,
)
from recollect.language.languages.english.fact_words import TRADES as ENGLISH_TRADES
from recollect.language.patterns import words

FUNCTION_WORDS = FunctionWords(
    stops=words(
        """
        ako ko ikaw ka mo siya niya kami namin tayo natin kayo ninyo sila nila at o pero ngunit kasi
        dahil kaya kung kapag pag habang tapos saka tsaka ay ang si kaso eh diba pwede puwede
        pwedeng puwedeng may mayroon meron wala hindi huwag sana ba po ho naman lang din rin nga
        talaga daw raw yata pala muna pa ano sino saan paano bakit kailan gusto ayaw mahilig
        nakatira nagtatrabaho nag-aaral i i'm my and but because so is are ni nasa yung huhu hehe
        haha hahaha lol char aq kong akong kesa kaysa ha hah noh gamit mare pare besh beh bes
        """
    ),
    joins=words("at o and saka"),
    cuts=words("ay"),
    prepositions=words(
        """
        sa ng na para kay bilang mula as in at for with ngayon noong since kasama malapit last next
        recently
        """
    ),
    verbs=words(
        """
        ako ko gusto ayaw mahilig nakatira nagtatrabaho nag-aaral kumakain umiinom may mayroon meron
        hindi allergic gumagamit naglalaro taga pwede puwede kailangan i i'm my love hate ang si
        """
    ),
    trailing=words(
        """
        din rin naman lang po ho talaga na pa nga eh kasi ngayon too also please sa ng mga ha no noh
        dati
        """
    ),
    excluded=words(
        """
        ito iyan iyon yan yun yon itong iyang iyong yung mo iyo ninyo una pangalawa pangatlo ikalawa
        option version sagot tanong ideya bagay isa ganito ganyan ganoon dito diyan doon this that
        it you your one
        """
    ),
    not_first=words("dito diyan doon ito lahat sobra masyado hindi wala mag maging tulong"),
    not_names=words(
        """
        ang si ng sa na ay mga ako ikaw siya hindi wala may gutom pagod masaya malungkot busy ok
        okay ready single dito doon taga pinoy pinay lang po nanay tatay ate kuya ito isang
        vegetarian vegan allergic late sad happy tired hungry bored sick sir maam ma'am mam
        """
    ),
    not_places=words(
        """
        bahay probinsya lungsod bayan condo apartment siyudad baryo abroad dorm kwarto amin bukid
        bundok nayon tabi magulang syudad boarding house lola lolo isang maliit malaking
        """
    ),
    articles=words("ang si mga isang yung"),
    within_names=words("ng"),
    possessives={
        "aking": "kanyang",
        "aming": "kanyang",
        "akin": "kanya",
        "ko": "niya",
        "my": "their",
    },
)
# Most people mix Filipino and English in chats.
TRADES = ENGLISH_TRADES | words(
    """
    abogado abogada accountant arkitekto artista barbero basurero bombero doktor doktora drayber
    elektrisyan encoder guro mananahi karpintero kusinero kusinera labandera magsasaka mangingisda
    manunulat mangangalakal mekaniko modista musikero nars narses negosyante negosyanta panadero
    piloto pintor pulis sekretarya sundalo tindera tindero titser tubero yaya mandaragat seaman
    inhinyero enhinyero dentista parmasyutiko kahera kahero tsuper katulong propesor mamamahayag
    mang-aawit freelancer va csr ofw vlogger rider
    """
)
PEOPLE = """
    sibling: kapatid
    sister: kapatid na babae; ate; sis; bunsong kapatid na babae
    brother: kapatid na lalaki; kuya; bro
    spouse: asawa
    wife: misis
    husband: mister
    partner: jowa; kasintahan; partner; syota
    girlfriend: nobya; gf; girlfriend
    boyfriend: nobyo; bf; boyfriend
    child: anak; bunso; panganay; baby
    daughter: anak na babae
    son: anak na lalaki
    mother: nanay; mama; ina; inay; mommy; mom
    father: tatay; papa; ama; itay; daddy; dad
    grandmother: lola
    grandfather: lolo
    aunt: tita; tiya
    uncle: tito; tiyo
    cousin: pinsan
    nephew: pamangkin
    friend: kaibigan; bestfriend; best friend; matalik na kaibigan
    colleague: katrabaho; kaopisina; officemate
    boss: boss; amo; manager
    dog: aso; alagang aso; dog; tuta
    cat: pusa; alagang pusa; cat; kuting
    rabbit: kuneho; rabbit
    roommate: roommate; kasama sa bahay
    mother-in-law: biyenan
    parrot: loro
    brother-in-law: bayaw
    sister-in-law: hipag
"""
VALUES = ValueWords(
    quantifiers="kaunting",
    age_units="anyos",
    before_age="na",
    in_titles="ng; sa; at; ang",
)
GAZETTEER = Gazetteer(
    languages="""
        ingles italyano espanyol kastila pranses aleman portuges ruso intsik hapon hapones koreano
    """,
    peoples="pinoy pinay",
    conditions="hika altapresyon diyabetes rayuma anemya alta-presyon highblood diabetis",
    ailments="""
        alta presyon; mataas na presyon; sakit sa puso; sakit sa bato; sakit sa atay; high blood
        mataas na cholesterol; mataas na sugar
    """,
    sports="basketbol balibol gitara biyolin tambol ahedres bilyar mobile legends valorant",
    fields="""
        ospital opisina paaralan bangko pabrika tindahan botika gobyerno munisipyo restawran
        eskwelahan kumpanya kompanya
    """,
    errands="takdang aralin sulat assignment report",
    writings="nobela tesis kuwento tula",
)
HEDGES = Hedges(
    conjunctions="at; pero; kaya; kasi; dahil; tapos; saka; tsaka; eh; kase",
    openings="""
        (?:hi|hello) po; k[au]musta; magandang (?:umaga|gabi|hapon|tanghali|araw)(?: po)?; opo; oo
        sige; salamat(?: po)?; final na; sa wakas; sa huli; actually po; bale; ayun
        (?:paki)?tandaan(?: mo)?(?: na)?; para alam mo; sa totoo lang; nga pala; pala; kasi; pero
        at; tapos; saka; tsaka; dahil; eh; ngayon; ngayon ay; mula ngayon; simula ngayon; sa susunod
        bago ko makalimutan; ay; hindi(?=,); wait lang; teka; po; note lang; update lang; fyi lang
        alam mo(?: ba)?(?: na)?; mali; ay mali; pasensya(?: na)?(?: po)?; nagkamali (?:pala )?ako
        sorry po; typo lang; from now on; so ayun; btw; actually
    """,
    before_questions="at; kaya; pero; tapos",
    question_prepositions="sa; ng",
    questions=r"""
        ano; anong; sino; sinong; saan; saang; san; sang; kailan; bakit; paano; pano; magkano; musta
        ilan; ilang; alin; aling; gaano; pwede(?:ng)?; puwede(?:ng)?; maaari(?:ng)?; may alam
        may ma\w+; kaya ba; alam mo; ok lang; dapat ba; diba; di ba; tama; naaalala; natatandaan
        matutulungan; tulungan; bigyan
    """,
    tag_questions="'di ba; di ?ba; tama(?: ba)?; hindi ba; ano; eh",
    polite_requests="pwede (?:mo )?bang?",
    permanently="mula ngayon; lagi; palagi",
    conditions="""
        kung; kapag; pag; sana; kunwari; baka; sakaling; sabi; sinabi; sinasabi; ayon; daw; raw
        tanong; akala; tingin
    """,
    harmless_conditions="""
        kung (?:makakatulong|sakali|gusto mong malaman|nagtataka ka); oo (?:nga )?sana; sige sana
        sabi ko nga; gaya ng sabi ko; sinabi ko na
    """,
    uncertain="siguro; baka; yata; ata; daw; raw; kuno; kung; ewan; hindi sigurado; parang",
    temporary="""
        ngayong (?:araw|gabi|umaga|hapon|linggo|buwan); mamaya; kanina; kahapon; bukas; kagabi; muna
        pansamantala; sa ngayon; ngayon lang; hanggang
    """,
)
QUOTED = QuotedMaterial(
    orders=r"""
        (?:balewalain|kalimutan|huwag (?:mong )?pansinin) (?:\w+ ){0,4}(?:instructions?|utos\
            |tagubilin); mula ngayon,? (?:ikaw ay|ikaw si|ikaw na|isa ka); joke lang
        char(?:ot|iz|rot)?; biro lang; nagbibiro lang
    """,
    material=r"""
        isalin; i-translate; pakisalin; itama(?! ko); paki-?ayos; paano (?:\w+ )?sabihin
        anong? ibig sabihin; ano sa (?:ingles|english|tagalog|filipino); pangungusap; ibuod
        i-?check mo; i-?rewrite; i-?proofread; i-?correct; maayos ba; tama ba ang
    """,
    editing="ayusin; pakiayos; paki-?check",
    invention=r"""
        magpanggap; kunwari\w*; ipagpalagay\w*; isipin mo; halimbawa\w*; ku?wento tungkol
        (?:gumawa|sumulat|magsulat|isulat|igawa|gawan|sulatan|gawa) (?:\w+ ){0,5}(?:ku?wento|tula\
            |kanta|awit|dialogo|liham|sulat|email|mensahe|sanaysay|bio|karakter|script|talumpati\
            |caption|story|poem|letter|message); ikaw (?:ay|si) \w+
        ang (?:pangalan|tungkulin|trabaho|papel) mo; bida; karakter; tauhan
        sa (?:laro|panaginip|nobela|ku?wento)
    """,
    mail_headers="mula; para kay; paksa",
    salutations="mahal (?:na|kong?); minamahal",
    own_labels=r"""
        (?:may|dalawa|tatlo|ako)(?: [\w'-]+){1,5}; itama ko lang; mali(?: pala)?; tandaan
        pakitandaan; tungkol sa akin; paalala; konteksto
    """,
)
_PALA = (
    r"(?: (?:pala|po|dapat|talaga|siya|sya|yun|not)){1,3}"
    r"(?:(?: ang)? (?:spelling|pangalan|name)(?: (?:niya|nya|nun|noon|nito|nyan))?)?"
    r"(?:,? (?:\w-){1,15}\w(?!\w))?"
)
CORRECTIONS = CorrectionPhrases(
    slips="mali; pasensya; nagkamali; na-?typo; itama ko; nalito; naghalo",
    interjections="ay; eh; hindi; teka",
    it_is="(?:ang )?(?:pangalan|name|spelling) (?:niya|nya|nito|nun) (?:ay|is)",
    i_meant="(?:ang )?ibig (?:kong|ko) sabihin(?: ay)?",
    conjunctions="at",
    before_not="pala",
    not_="hindi; di",
    denials="at hindi; hindi",
    denial_prepositions="sa",
    but="kundi; pero",
    is_not="(?:hindi|di)(?: pala| po)?",
    i_wrote="(?:nasabi|nasulat|sinabi|na-?type|naisulat) ko(?: ay)?",
    renamed_from="(?:pinalitan|binago) (?:ko|namin) ang pangalan (?:mula sa|mula|from)",
    renamed_to="sa",
    name_markers="si",
    trailing="po; pala; eh",
    forms=rf"""
        <right>{_PALA}[,.…]{{0,3}}<not><wrong>
        (?:hindi|di)(?: pala| po)? <wrong>,? <right> (?:pala|dapat)
    """,
    not_values=words("kundi"),
)
