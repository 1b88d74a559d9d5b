"""Filipino phrases: what sentences do, and how people refer to turns and conversations."""

from recollect.language.definition import (
    Ordinals,
    RequestPhrases,
    SaliencePhrases,
    SubjectPhrases,
    TurnReferences,
)

SALIENCE = SaliencePhrases(
    decision=r"""
        napagpasyahan\w*; napagdesisyunan\w*; nagpasya\w*; nagdesisyon\w*; desisyon\w*
        napagkasunduan\w*; nagkasundo\w*; (?:pinili|pipiliin|kukunin|gagamitin) (?:ko|namin|natin)
        na lang (?:tayo|natin|kami); (?:pinal|final) na; mula ngayon; (?:inilipat|nalipat) sa
    """,
    preference=r"""
        mas (?:gusto|nais|pinipili|pipiliin|okay sa akin); gustong-gusto
        (?:gusto|nais|hilig) (?:ko|namin); paborito\w*; ayaw (?:ko|namin); ayoko\w*
        mahilig (?:ako|kami)
    """,
    constraint=r"""
        huwag(?: mong?| kang)? (?!nang alala|mag-?alala|alalahanin|mo nang)\w+; bawal; ipinagbabawal
        hindi (?:dapat|pwede|puwede|maaari)\w*; hindi (?:lalampas|hihigit|bababa); iwasan; dapat
        hindi (?:ako|kami|ko|namin|natin) (?:pwede|puwede|maaari|kumakain|gumagamit)\w*; alerdyi\w*
        hanggang \S+(?: \S+)? lang; walang (?!anuman|problema|alam|katapusan)\w+
    """,
    goal=r"""
        (?:gusto|kailangan|plano|balak|nais) (?:kong|naming|nating); layunin; nagpaplano\w*
        naghahanda\w*
    """,
    notice=r"""
        tandaan\w*; pakitandaan; huwag (?:mong )?kalimutan; mahalaga\w*; importante\w*; paki-?note
        para alam mo; ilista mo; ang pangalan ko
    """,
    open="hindi pa; pag-uusapan pa; pagpapasyahan pa",
    first_person="""
        ko(?:ng)?; ak(?:o|ong|in|ing); namin(?:g)?; amin(?:g)?; kami(?:ng)?; natin(?:g)?; tayo
        atin(?:g)?
    """,
    practical=r"""
        badyet; budget; bayad; upa; sahod; utang; resibo; deposito; order; booking; tiket; kontrata
        seguro; kliyente; lisensya; pasaporte; numero; lipad; hotel; appointment; deadline; ikakasal
        kasal; proyekto\w*; boss; abogado; doktor; kausap; server; database; config; script; datos
        file; sulat; padala; venue; produkto
    """,
    transient=r"""
        kahapon; kanina; kagabi; noong; ngayon; mamaya; biruin mo; yata; daw; raw; balang araw
        siguro; baka; \Anag(?!-?(?P<nag>\w\w?)(?P=nag))\w+; \Ana(?!ka)[bhklmnpt]\w{3,}
        \A(?P<um>[bghklst])um[aeiou](?!(?P=um))\w+
    """,
    request="""
        kuwentuhan; bigyan; magbigay; ipaliwanag; ihambing; ikumpara; ibuod; isalin; gumawa; basahin
        ipakita; ilista; ilarawan; paki-?iksian; turuan
    """,
    courtesy="""
        kumusta; kamusta; salamat; magandang (?:umaga|gabi|hapon|tanghali); sige; ayos; oo; opo
        naku; walang (?:anuman|problema); naintindihan ko; pasensya; mabuti
    """,
)
_YUNG_TEMPLATES = ("yung {}", "iyong {}", "ung {}")
REFERENCES = TurnReferences(
    ordinals=(
        Ordinals(
            stems="""
                pang-una, pangalawa, pangatlo, pang-apat pangapat, panlima panglima pang-lima,
                pang-anim panganim, pampito pangpito pang-pito, pangwalo pang-walo,
                pansiyam pangsiyam pang-siyam, pansampu pangsampu pang-sampu
            """,
            determiners="ang",
            anywhere=_YUNG_TEMPLATES,
            is_unambiguous=True,
        ),
        Ordinals(  # words that may also begin a list or a date ("ika-4 ng Hulyo")
            stems="""
                una ikauna ika-una ika-1 pang-1, ikalawa ika-2 pang-2, ikatlo ika-3 pang-3,
                ikaapat ika-apat ika-4 pang-4, ikalima ika-lima ika-5 pang-5,
                ikaanim ika-anim ika-6 pang-6, ikapito ika-pito ika-7 pang-7,
                ikawalo ika-walo ika-8 pang-8, ikasiyam ika-siyam ika-9 pang-9,
                ikasampu ika-sampu ika-10 pang-10, huli nauna nakaraan
            """,
            determiners="ang",
            anywhere=_YUNG_TEMPLATES,
        ),
    ),
    last="kanina; yung kanina; iyong kanina",
    before_turn_noun="sa; yung",
    courtesies="ulit; nga; po",
)

_YUNG = "(?:'?yung|iyong|ung|ang)"
_NATIN = "(?: natin| namin| nating| ko| mo)?"
_NGA = "(?: (?:mo|ka|ko|ako|tayo|natin|nating|naman|nga|muna|ulit|na|ba|po|lang|pa))*+"
_PINAG_USAPAN = (
    "(?:(?:pin|n|nap)ag-?u?usap(?:an)?|i?tinanong|sinabi|kinonsulta|kinu?wento|nabanggit)"
)
REQUESTS = RequestPhrases(
    opening="""
        teka; tara; sige; uy; nga; muna; pala; di ba; diba; po; gusto (?:ko|kong|naming|nating)
        (?:pwede|puwede|maaari)(?: bang?| mong?| nating?)*+; kailangan (?:kong|nating)
    """,
    verbs=f"""
        (?:balik(?:an)?|bumalik|ibalik|lipat|lumipat|punta|pumunta|dun|doon){_NGA}(?: sa| dun sa)?
        (?:paki)?(?:buksan|hanap(?:in)?|ibalik|ilabas|ipakita|pakita){_NGA}(?: sa)?; ituloy{_NGA}
        ipagpatuloy{_NGA}; tuloy (?:natin|tayo); (?:na)?saan{_NGA}
        (?:n?asan|naalala|natatandaan){_NGA}
        (?:switch|open|back) (?:mo|ka|tayo|natin){_NGA}(?: dun| doon)?(?: sa)?
        y[ou]n ang gusto kong ituloy
    """,
    chat_nouns="usapan; pag-?uusap",
    chat=f"(?:{_YUNG}(?: mga)? |sa )?(?:dati |dating |lumang |ating )?<chat>{_NATIN}",
    pronouns_by_themselves=f"{_YUNG}(?= +(?:tungkol|about|kung |nung |noong ))",
    talked=rf"""
        (?:{_YUNG} )?{_PINAG_USAPAN}{_NATIN}(?: sa (?:'yo|iyo|akin))?\
            (?: na| tungkol sa| tungkol kay)?
    """,
    links="""
        (?:pa)?tungkol (?:sa|kay); ukol sa; hinggil sa; about sa; kung (?:saan|kailan); na; nung
        noong; sa
    """,
    articles=f"{_YUNG}(?: mga)?; mga",
    closing=f"nga; po; ulit; na {_PINAG_USAPAN} natin",
)

_TUNGKOL = "(?:(?:pa)?tungkol|ukol|hinggil|about|regarding) (?:sa(?: mga)?|kay|kina)"
_SINABI = "(?:sinabi|tinanong|nabanggit|binanggit|sinulat|sagot|tanong|payo)"
_USAPAN = "(?:pin|n|nap)ag-?u?usap(?:an)?"
_TANONG = f"(?:{_SINABI}|usapan|chat|paliwanag|parte|bahagi|isa|kanina|{_USAPAN})"
_SA_AKIN = "akin|iyo|amin|atin|kanya|kanila|inyo"
SUBJECTS = SubjectPhrases(
    before=rf"""
        '?yung {_TUNGKOL}; (?:iyong|ung) {_TUNGKOL}; '?yung about
        (?:{_YUNG}|sa|nung|noong|ano(?: nga)?(?: ba)?) {_TANONG}(?: _)?(?: _)? (?:{_TUNGKOL}|about)
        (?:{_YUNG}|ano(?: nga)?(?: ba)?) {_SINABI} (?:mo|ko|natin)(?: _)? sa(?: mga)?\
            (?! (?:{_SA_AKIN}))
        (?:nung|noong) {_USAPAN} (?:natin|tayo)(?: ang| yung)?(?: mga)?
    """,
    after=f"na (?:{_SINABI}|{_USAPAN}) (?:natin|mo|ko)",
    articles="mga; (?:yung|iyong|ang)(?: mga)?",
    pronouns="ito; iyan; iyon; yan; yun; 'yon; akin; iyo; amin; atin; kanya",
    closing="kanina; ulit; nga; po; ba",
)
