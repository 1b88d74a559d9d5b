"""German."""

from recollect.language.definition import (
    Abbreviations,
    AmountWords,
    DateWords,
    KeyphraseWords,
    Language,
    NameWords,
    Ordinals,
    RequestPhrases,
    SaliencePhrases,
    Stemming,
    SubjectPhrases,
    TurnReferences,
)

_GESAGT = "(?:gesagt|geschrieben|gefragt|gesprochen|geredet|gemeint)"

LANGUAGE = Language(
    code="de",
    precedence=6,
    stop_words="""
        ab aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf
        aus ausser bald bei beide beim bereits bevor bin bis bist bitte bloss da dabei dadurch dafur
        dagegen damals damit danach daneben dann daran darauf daraus darf darin daruber darum das
        dass davon davor dazu dein deine deinem deinen deiner dem den denen denn dennoch der deren
        des deshalb dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch
        durfen ein eine einem einen einer eines einfach einige einmal er erst es etwa etwas euch
        euer eure fast fur ganz gar gegen genau gewesen gibt ging hab habe haben habt hast hat hatte
        hatten her hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in indem
        ins irgendwie ist ja je jede jedem jeden jeder jedes jemand jene jetzt kann kannst kein
        keine keinem keinen keiner konnen konnte konnten man manche mehr mein meine meinem meinen
        meiner meistens mich mir mit mochte muss mussen musste nach nachdem nachher nein nicht
        nichts nie niemand noch nun nur ob oben oder oft ohne schon sehr sei seid sein seine seinem
        seinen seiner seit selbst sich sie sind so sobald sogar solche soll sollen sollte sondern
        sonst soweit sowie trotz uber uberhaupt um und uns unser unsere unseren unter viel viele
        vielen vielleicht vom von vor wahrend wann war waren warst warum was weder wegen weil weiter
        welche welchem welchen welcher welches wem wen wenig wenn wer werde werden weshalb wessen
        wie wieder wieso wieviel will wir wird wirst wo wobei wofur woher wohin wohl wollen wollte
        womit worden wurde wurden zu zum zur zwar zwischen
    """,
    stemming=Stemming(snowball="german"),
    abbreviations=Abbreviations(
        always="bzw evtl ggf inkl exkl hr nr str vgl",
        unless_capital="usw usf",
        months="jan feb mär mar apr mai jun jul aug sep okt nov dez",
    ),
    salience=SaliencePhrases(
        decision="entschieden; entscheidung; beschlossen; vereinbart; wir nehmen; ab jetzt",
        preference=r"bevorzug\w+; am liebsten; lieber; ich (?:mag|hasse); lieblings\w+",
        constraint=r"""
            (?:nicht|niemals|keine?\w*) \w+; allergisch; verboten; vermeide\w*; darf; hochstens
        """,
        goal="""
            (?:ich|wir) (?:mochten?|will|wollen|brauchen?|muss|mussen|planen?); mein ziel
            unser ziel
        """,
        notice="merk dir; wichtig; beachte; vergiss nicht; ich heisse",
        open="noch (?:offen|nicht|unklar)",
        first_person=r"mein\w{0,2}; unser\w{0,2}; ich; wir; mir; uns",
        practical="""
            rechnung; bestellung; buchung; vertrag; kunde; flug; termin; frist; projekt; chef
            anwalt
        """,
        transient="gestern; letzte (?:woche|nacht); heute morgen; gerade; irgendwann; vielleicht",
        request=r"""
            sag mir; gib mir; erklar\w*; vergleiche?; ubersetze?; zeig mir; schreib mir; erzahl\w*
        """,
        courtesy="hallo; guten (?:morgen|tag|abend); danke; bitte; gerne?; alles klar",
    ),
    references=TurnReferences(
        ordinals=(
            Ordinals(
                stems="""
                    erst, zweit, dritt, viert, fünft, sechst, siebt siebent, acht, neunt, zehnt,
                    letzt vorherig, vorletzt
                """,
                endings=("e", "en", "er", "es"),
                # without "am", because "am ersten" is a date
                determiners="der die das den dem des zum zur beim vom im",
            ),
        ),
        last="vorhin; vorherige frage; vorherige antwort; vorherige nachricht",
        turn_nouns="runde",
        before_turn_noun="in; der; zu",
        courtesies="bitte",
    ),
    requests=RequestPhrases(
        opening="bitte; gut; kannst du; konnen wir; ich (?:mochte|will); lass uns",
        verbs="""
            (?:geh|gehe|gehen wir|wechsle|wechseln wir|spring)(?: bitte)?(?: zuruck)? (?:zu[mr]?|in)
            zuruck zu[mr]?; offne(?: bitte)?; (?:zeig|such|hol)e? mir
        """,
        chat_nouns="gesprach; unterhaltung; diskussion",
        chat=r"(?:de[mrn]|die|das|unser\w*+) ?<chat>",
        talked="(?:wo |als |in de[mr] )?wir(?: _)? (?:uber|von)",
        links="uber; zu[mr]?; mit; vo[nm]; wo; in de[mr]; als",
        articles="der; die; das; den; dem",
        closing="bitte; danke; (?:gesprochen|geredet)(?: haben| hatten)?",
    ),
    subjects=SubjectPhrases(
        before=rf"""
            das mit (?:dem|der|den|deine[mr]|meine[mr]|unsere[mr])
            (?:die|der|das|deine?|meine?) (?:frage|antwort|nachricht|teil|punkt|stelle|sache|tipp)\
                (?: _)? (?:zu[mr]?|uber|mit|wegen)
            was (?:du|ich|wir|hast du)(?: _)?(?: _)? (?:zu[mr]?|uber)(?=[^.,!?]{{1,80}} {_GESAGT})
            als (?:du|ich|wir)(?: _)?(?: _)? (?:uber|nach)(?=[^.,!?]{{1,80}} {_GESAGT})
        """,
        articles="der; die; das; den; dem",
        pronouns="das; es",
        closing=f"bitte; vorhin; nochmal; hast; haben?; {_GESAGT}",
    ),
    keyphrases=KeyphraseWords(
        stop_words="""
            aber allem allen aller alles als auch auf aus bei beim bin bis bitte brauche damit dann
            danke das dass dein deine dem den denn der dich die dies diese dieser dieses dir doch
            durch ein eine einem einen einer eines er erklare erklaren etwas euch frage fur gegen
            geht gern gerne geht's gibt hab habe haben hallo hast hat helfen hier hilf hilfe ich ihm
            ihn ihnen ihr ihre im immer ins ist ja jede jetzt kann kannst kein keine keinen konnen
            konnte konnten konntest mache machen man mehr mein meine meinem meinen meiner mich mir
            mit mochte muss mussen nach nicht nichts noch nun nur nutzer benutzer ob oder ohne schon
            sehr sein seine seit sich sie sind soll sollte uber um und uns unser unter vom von vor
            wann warum weil welche welchen welcher welches wenn wer werden wie wieder willst wir
            wird wo wurde wurden zu zum zur zwei drei beste besten lange
        """,
        courtesies="abend gesprach gruss gut gute guten guter morgen nacht servus tag",
        greetings="hallo danke",
    ),
    dates=DateWords(
        months="""
            januar februar marz april mai juni juli august september oktober november dezember
        """,
        weekdays="montag dienstag mittwoch donnerstag freitag samstag sonntag",
        articles="den der",
        clock_links="um",
        clock_suffixes=r"uhr(?!\w)",
    ),
    amounts=AmountWords(
        currencies="euro dollar franken",
        multipliers="tausend millionen",
        percent="prozent",
        not_counted="am an das den der es in ist so um und",
    ),
    names=NameWords(
        common="""
            ich du er sie es wir ihr mein meine unser unsere herr frau und oder aber ist sind das
            der die ein eine
        """,
        particles="den der von zu",
        noun_capitals="""
            der die das und ist nicht ich wir ein eine einen den dem mit auf zu fur im am von sich
            auch
        """,
    ),
)
