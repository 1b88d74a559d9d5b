"""The people and animals around a user, by the word for them and whom it stands for in English.

The English word is the subject of what is said of them, so that "mia sorella" and "my sister" are
the same person.
"""

from collections.abc import Mapping


def _subjects(text: str) -> Mapping[str, str]:
    """One line per subject, with the words for it."""
    lines = (line.strip().split(": ") for line in text.strip().splitlines())
    return {word: subject for subject, words in lines for word in words.split("; ")}


ENGLISH = _subjects(
    """
    sister: sister; little sister; big sister; older sister; younger sister; twin sister; sis
    brother: brother; little brother; big brother; older brother; younger brother; twin brother
    wife: wife
    husband: husband
    partner: partner
    girlfriend: girlfriend
    boyfriend: boyfriend
    son: son; oldest son; eldest son; youngest son; little boy
    daughter: daughter; oldest daughter; eldest daughter; youngest daughter; little girl
    cousin: cousin
    nephew: nephew
    niece: niece
    aunt: aunt
    uncle: uncle
    boss: boss; manager; supervisor; team lead
    friend: friend; best friend; closest friend; bff
    dog: dog; puppy; pup; doggo; labrador; greyhound; corgi; beagle; dachshund; poodle; pug
    cat: cat; kitten; kitty
    rabbit: rabbit
    parrot: parrot
    horse: horse
    hamster: hamster
    teacher: teacher
    therapist: therapist
    spouse: spouse
    mother: mother; mom; mum; mama
    father: father; dad; papa
    child: kid; child; baby; toddler
    grandmother: grandmother; grandma; granny; nan
    grandfather: grandfather; grandpa; granddad
    fiance: fiance; fiancee
    colleague: colleague; coworker; co-worker; workmate
    roommate: roommate; flatmate; housemate
    neighbour: neighbour; neighbor
    mother-in-law: mother-in-law
    father-in-law: father-in-law
    tortoise: tortoise
    goldfish: goldfish
    sister-in-law: sister-in-law
    brother-in-law: brother-in-law
    turtle: turtle
    bird: bird
    pony: pony
    """
)
ITALIAN = _subjects(
    """
    sister: sorella; una delle sorelle; sorellina; sorella maggiore; sorella minore
    brother: fratello; uno dei fratelli; fratellino; fratello maggiore; fratello minore
    wife: moglie
    husband: marito
    partner: compagno; compagna; partner
    girlfriend: ragazza; fidanzata; morosa
    boyfriend: ragazzo; fidanzato; moroso
    son: figlio; bimbo; bambino; figlio maggiore; figlio minore
    daughter: figlia; una delle figlie; bimba; bambina; figlia maggiore; figlia minore
    child: uno dei figli
    mother: madre; mamma
    father: padre; papa; babbo
    grandmother: nonna
    grandfather: nonno
    aunt: zia
    uncle: zio
    cousin: cugino; cugina
    friend: amico; amica; migliore amico; migliore amica
    colleague: collega
    boss: capo; responsabile
    dog: cane; uno dei cani; cagnolino; cagnolina; cucciolo; cagna
    cat: gatto; uno dei gatti; una delle gatte; gatta; gattino; gattina; micio; micia
    rabbit: coniglio; uno dei conigli; coniglietto
    roommate: coinquilino; coinquilina
    neighbour: vicino di casa; vicina di casa
    horse: cavallo
    parrot: pappagallo
    hamster: criceto
    turtle: tartaruga
    mother-in-law: suocera
    father-in-law: suocero
    niece: nipotina
    nephew: nipotino; uno dei nipotini
    sister-in-law: cognata
    brother-in-law: cognato
    therapist: psicologo; psicologa
    """
)
FILIPINO = _subjects(
    """
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
)
