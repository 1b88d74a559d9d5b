"""Where clauses begin, which is where a statement may stand.

At the start of a sentence, behind a sign or an emoji, and behind a conjunction; greetings and
phrases such as "remember that" may come first. "That" alone is no such place, since what it leads
to may be denied: "I don't think that I'm allergic to cats".
"""

import re
from collections.abc import Iterator

from recollect.language.facts.grammar_types import any_of

_JOINT = re.compile(
    r"\A|[,;:()!?\u2013\u2014…\U0001f300-\U0001faff\u2600-\u27bf] ?|\.{2,} ?| - |"
    + any_of(
        r"""
        and; but; so; because; cause; coz; since; as; plus; also; then; though; btw; anyway
        e; ed; ma; pero; quindi; perche; poiche; siccome; dato che; visto che; poi; inoltre
        anche se; at; kaya; kasi; dahil; tapos; saka; tsaka; eh; kase
        """
    )
    + r" (?=\w)"
)
_LEAD = re.compile(
    any_of(
        r"""
        hi; hello; hey; hiya; good (?:morning|evening|afternoon); ok; okay; well; so; oh; ah; yes
        yeah; yep; no; nope; and; but; also; btw; by the way; fyi; actually; anyway; thanks; please
        thank you; for (?:context|the record|reference|info|what it's worth); just so you know
        as you know; (?:please )?(?:note|keep in mind|bear in mind|remember|don't forget)(?: that)?
        i should (?:mention|say|add)(?: that)?; you should know(?: that)?; let me add(?: that)?
        i forgot to (?:say|mention)(?: that)?; i (?:already )?told you(?: that)?; no wait; wait
        as i (?:said|mentioned); sorry; correction; to be clear; honestly; personally; in fact
        given that; considering(?: that)?; because; since; there; everyone; all; first
        (?:a bit )?about me; ps; p\.s\.; fun fact; (?:small |quick )?update; news; from now on
        in (?:the )?future; in general; usually; basically; obviously; right now; in the end
        finally; eventually; after all; unfortunately; sadly; luckily; these days; nowadays; now
        currently; at home; after the meeting; quick question; w?h?oops; typo; my (?:bad|mistake)
        i mean; going forward; moving forward; henceforth; (?:so )?yeah; haha; lol; guess what
        (?:for|over) (?:about |over |almost |nearly |around )?(?:an?|the (?:last|past)|\w+) \
            (?:\w+ )?(?:years?|months?|weeks?|while|ages)(?: now)?; since (?:\w+ )?(?:\w+day|20\d\d\
            |last (?:year|month|week)|\w+ember|october|january|february|march|april|may|june|july\
            |august)
        ciao; salve; buongiorno; buonasera; cmq; comunque; alla fine; come (?:ti )?dicevo; come sai
        infine; insomma; per fortuna; al momento; in questo momento; da poco; intanto; allora; beh
        bene; va bene; si; tra l'altro; a proposito; guarda; senti; sappi(?: che)?
        ricorda(?:ti)?(?: che)?; tieni (?:presente|a mente|conto)(?: del fatto)?(?: che)?
        considera(?: che)?; ti (?:informo|ricordo|dico|ho detto|avviso)(?: che)?; premetto(?: che)?
        per (?:informazione|la cronaca|favore|piacere|contesto); in realta; anzi; scusa
        no aspetta; aspetta; e; ma; anche; grazie; dato che; visto che; siccome; poiche; perche
        d'ora in poi; da ora in poi; in generale; di solito; purtroppo; io; personalmente
        sinceramente; onestamente; adesso; ora; attualmente; un'altra cosa; nota; aggiornamento
        (?:d'ora|da ora|da adesso|da oggi|da qui) in (?:avanti|poi); ops; cioe; ecco; beh si; dai
        (?:mi sono|ho) (?:sbagliat[oa]|confus[oa]|scritto male); mi correggo; errore mio; davvero
        da (?:circa |quasi |oltre |piu di )?(?:un|una|qualche|\w+) (?:ann[oi]|mes[ei]|settiman[ae]\
            |po' di tempo|tempo|giorni); dal? (?:20\d\d|lunedi|martedi|mercoledi|giovedi|venerdi\
            |gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre\
            |dicembre|anni|mese scorso|primo \w+); da sempre; nel frattempo; ultimamente
        (?:hi|hello) po; k[au]musta; magandang (?:umaga|gabi|hapon|tanghali|araw)(?: po)?
        opo; oo; sige; salamat(?: po)?; final na; sa wakas; sa huli; actually po; bale; ayun
        (?:paki)?tandaan(?: mo)?(?: na)?; para alam mo; sa totoo lang; nga pala; pala; kasi; pero
        at; tapos; saka; tsaka; dahil; eh; ngayon; ngayon ay; mula ngayon; simula ngayon
        sa susunod; bago ko makalimutan; ay; hindi(?=,); wait lang; teka; po; note lang
        update lang; fyi lang; alam mo(?: ba)?(?: na)?; mali; ay mali; pasensya(?: na)?(?: po)?
        nagkamali (?:pala )?ako; sorry po; typo lang; from now on; so ayun; btw; actually
        """
    )
    + r"(?:[,:;!.…-]{1,3} ?-? ?| )"
)
_MOST_LEADS = 4
_CLAUSE_END = re.compile(r"[,;:()!?\u2013\u2014…]|\.(?= |\Z)| - |\Z")


def clause_starts(heard: str) -> list[int]:
    return [joint.end() for joint in _JOINT.finditer(heard)]


def heads(heard: str, start: int) -> Iterator[int]:
    """Where the clause at `start` may begin in earnest: at once, or behind what leads to it."""
    yield start
    for _ in range(_MOST_LEADS):
        lead = _LEAD.match(heard, start)
        if lead is None:
            return
        start = lead.end()
        yield start


def clause_end(heard: str, at: int) -> int:
    found = _CLAUSE_END.search(heard, at)
    return found.start() if found else len(heard)
