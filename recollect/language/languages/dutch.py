"""Dutch."""

from recollect.language.definition import Language, NameWords, Stemming

LANGUAGE = Language(
    code="nl",
    precedence=8,
    stop_words="""
        aan achter af al alle alleen alles als altijd andere anders bent beetje ben bij bijna binnen
        boven buiten d daar daarna daarom dan dat de deden deed den der deze die dit doch doe doen
        doet door dus een eens eerst elk elke en enkele er erg ergens even ga gaan gaat geen gedaan
        geweest gewoon ging graag haar had hadden heb hebben hebt heeft hem hen het hier hij hoe
        hoeveel hun ieder iedereen iemand iets ik in inmiddels is ja je jij jou jouw jullie kan kon
        konden kunnen kunt maar mag mee meer men met mij mijn misschien moest moet moeten mogen na
        naar naast nee niet niets niks nog nooit nu of om omdat onder ons onze ook op over overal
        pas per samen sinds soms steeds t te tegen ten ter terug terwijl tijdens toch toen tot
        tussen u uit uw vaak van vanaf vanuit veel verder via volgens voor vooral voordat waar
        waarin waarom wanneer want waren was wat weer wel welk welke werd werden wie wij wil wilde
        willen wilt word worden wordt wou zal ze zei zeker zelf zelfs zich zij zijn zo zoals zonder
        zou zouden zulke
    """,
    stemming=Stemming(snowball="dutch"),
    names=NameWords(particles="de den der van"),
)
