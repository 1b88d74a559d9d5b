"""French."""

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

_PROPOS = "(?:(?:a propos|au sujet) d(?:e|u|es|')|concernant)"

LANGUAGE = Language(
    code="fr",
    precedence=5,
    stop_words="""
        a afin ai aie ainsi alors apres as assez au aucun aucune aujourd auquel aura aurait aussi
        autre autres aux avaient avais avait avant avec avez avoir avons ayant beaucoup bien c ca
        car ce ceci cela celle celles celui cependant ces cet cette ceux chaque chez ci combien
        comme comment contre d dans de deja depuis des dois doit donc dont du durant elle elles en
        encore enfin entre es est et etaient etais etait etant ete etes etre eu eux fait faut fut
        hui ici il ils j jamais je jusqu jusque l la laquelle le lequel les lesquels leur leurs lors
        lorsqu lorsque lui m ma mais malgre me meme memes merci mes mien mienne moi moins mon n ne
        ni non nos notre nous on ont ou oui par parce parfois parmi pas pendant peu peut peux plus
        plusieurs plutot pour pourquoi pourrais pourrait pouvez presque puis puisque qu quand que
        quel quelle quelles quelqu quelque quelques quels qui quoi rien s sa sans se sera serait ses
        seulement si sien soi soit sommes son sont sous souvent suis sur surtout ta tandis tant te
        tes toi ton toujours tous tout toute toutes tres trop tu un une va vais vers veut veux voici
        voila vos votre voudrais vous y
    """,
    stemming=Stemming(snowball="french"),
    abbreviations=Abbreviations(always="mme mlle mgr av env"),
    salience=SaliencePhrases(
        decision=r"""
            (?:nous avons|on a|j'ai) (?:decide|choisi|convenu|opte)\w*; on (?:part|reste) sur
            desormais
        """,
        preference=r"(?:je|nous) prefer\w+; j'(?:aime|adore|aimerais mieux)",
        constraint=r"""
            (?:ne \w+|n'\w+) (?:pas|jamais|plus|rien); pas de; jamais; allergique; interdit\w*
        """,
        goal="je (?:veux|voudrais|dois); j'ai besoin; notre but; objectif",
        notice=r"rappelle-toi; n'oublie\w*; a noter; je m'appelle",
        open=r"reste a \w+er; a confirmer; a definir",
        first_person="mon; ma; mes; notre; nos; je; nous; j'ai",
        practical="""
            facture; commande; contrat; client; vol; rendez-vous; echeance; projet; avocat
        """,
        transient="hier; ce matin; la semaine derniere; un jour; peut-etre",
        request=r"""
            dis-moi; donne-moi; explique\w*; compare; traduis; raconte\w*; montre-moi; ecris un\w?
        """,
        courtesy="bonjour; bonsoir; salut; merci; de rien; d'accord; bien sur",
    ),
    references=TurnReferences(
        ordinals=(
            Ordinals(
                stems="""
                    premier première 1er 1re 1ère, deuxième second seconde 2e 2ème,
                    troisième 3e 3ème, quatrième 4e 4ème, cinquième 5e 5ème, sixième 6e 6ème,
                    septième 7e 7ème, huitième 8e 8ème, neuvième 9e 9ème, dixième 10e 10ème,
                    dernier dernière précédent précédente, avant-dernier avant-dernière
                """,
                determiners="le la l' au du",
            ),
        ),
        last="question précédente; réponse précédente; message précédent",
        last_at_clause_end="plus tôt",
        turn_nouns="tour",
        before_turn_noun="le; au; du",
        courtesies="s'il +(?:te|vous) +plait",
    ),
    requests=RequestPhrases(
        opening="""
            alors; bon; peux-tu; pouvez-vous; on peut; je (?:veux|voudrais); j'aimerais
            s'il (?:te|vous) plait
        """,
        verbs="""
            (?:reviens|revenons|revenir|retourn(?:e|ons|er)|pass(?:e|ons)|ramene-moi) (?:au?|aux)
            r?ouvr(?:e|ons|ir|ez); (?:re)?trouve-moi; montre-moi; repren(?:ds|ons|dre)
        """,
        chat_nouns="conversation; discussion",
        chat="(?:le|cette|notre|l') ?<chat>",
        pronouns="cel(?:le|ui)",
        talked="""
            (?:ou |quand )?(?:on|nous) (?:parlait|parlions|a parle|avons parle) d(?:e|u|es|')
        """,
        links="sur; d(?:e|u|es|'); ou; dans laquelle; a propos d(?:e|u|es|')",
        articles="le; la; les; l'",
        closing="s'il (?:te|vous) plait; merci",
    ),
    subjects=SubjectPhrases(
        before=rf"""
            cel(?:le|ui)(?:-la)? (?:sur|{_PROPOS}|qui parl\w{{1,5}} d(?:e|u|es|'))
            (?:la|le|ma|mon|ta|ton) (?:question|reponse|partie|message|passage|point) \
                (?:sur|{_PROPOS})
            ce que (?:j'ai|_ (?:as|a|avons|avez|m'as))(?: _)? dit (?:sur|{_PROPOS}|d(?:e|u|es|'))
            quand (?:on|nous) (?:(?:a|avons) parle|parlait|parlions)(?: _)? d(?:e|u|es|')
        """,
        after=r"dont (?:on|nous)(?: _)? parl\w{1,5}",
        articles="le; la; les; l'",
        not_subjects="(?:la )?(?:table|gauche|droite)",
        pronouns="cela; ca; elle",
        closing="s'il (?:te|vous) plait",
    ),
    keyphrases=KeyphraseWords(
        stop_words="""
            aide aider aidez ainsi alors apres au aucun aussi autre aux avec avez avoir besoin bon
            bonjour bonsoir ca car ce cela ces cet cette ceux chaque chez combien comme comment dans
            des dois donc dont du elle elles est est-ce et etait ete etes etre eux expliquer faire
            fais fait faut aimerais ici ils je leur leurs mais meme merci mes moi mon notre nous ont
            ou par pas peu peut peux plait plus pour pourquoi pourrais pourriez pouvez puis quand
            quel quelles quels quoi salut sans savoir ses sont souhaite sous suis sur svp ta tes toi
            ton tous tout tres une utilisateur vais veut veux voici voudrais vos votre vous deux
            trois meilleur meilleure facon
        """,
        courtesies="bienvenue enchante journee nuit soiree vas",
        greetings="bonjour bonsoir salut merci",
        elisions="[cdjlmnst]; qu",
    ),
    dates=DateWords(
        months="""
            janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
        """,
        weekdays="lundi mardi mercredi jeudi vendredi samedi dimanche",
        ordinal_suffixes="er",
        articles="le",
    ),
    amounts=AmountWords(
        currencies="euros? dollars? francs?",
        multipliers="millions",
        percent=r"pour\scent",
        not_counted="a de en est et il la le ou si",
    ),
    names=NameWords(
        common="""
            je tu il elle nous vous ils mon ma mes le les des et mais est sont ce cette pour avec
            dans
        """,
        particles="de du la le",
    ),
)
