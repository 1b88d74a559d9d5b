"""Portuguese."""

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

LANGUAGE = Language(
    code="pt",
    precedence=7,
    stop_words="""
        a agora ai ainda alem algo alguem algum alguma algumas alguns ali ante antes ao aos apenas
        apos aquela aquelas aquele aqueles aqui aquilo as assim ate atraves bem cada coisa com como
        contra contudo cuja cujo da daquela daquele das de debaixo dela delas dele deles depois
        desde dessa desse desta deste deve devo disso do dos durante e ela elas ele eles em embora
        enquanto entao entre era eram essa essas esse esses esta estamos estao estar estas estava
        estavam este esteja estes esteve estive estou eu faz fazer fez fica foi fomos for foram
        fosse fui gostaria ha houve isso isto ja la lhe lhes lo logo mais mas me menos mesma mesmo
        meu meus mim minha minhas muita muitas muito muitos na nada nao naquele nas nela nele nem
        nenhum nenhuma nessa nesse nesta neste ninguem no nos nossa nossas nosso nossos num numa
        nunca o obrigada obrigado onde os ou outra outras outro outros para pela pelas pelo pelos
        perante pode podem poder poderia pois por porem porque posso pouco pra qual quais qualquer
        quando quanta quanto quantos quase que quem quer quero se sem sempre sendo ser sera seria
        seu seus si sido sim so sob sobre somos sou sua suas tal talvez tambem tanto tao te tem
        temos tenha tenho ter teu teus teve ti tinha tive toda todas todavia todo todos tu tua tudo
        um uma umas uns vai vamos voce voces vos vou
    """,
    stemming=Stemming(snowball="portuguese", affixes=(("(?:[õo]es|[ãa]o)$", "ão"),)),
    abbreviations=Abbreviations(always="exmo exma engo"),
    salience=SaliencePhrases(
        decision="""
            decidi; decidimos; decisao; escolhemos; escolhi; combinamos; optamos; vamos com
        """,
        preference="prefiro; preferimos; eu gosto; gosto (?:de|mais)",
        constraint=r"""
            nao (?:usar?|use\w*|posso|podemos|deve\w*|quero|pode\w*); nunca; jamais; proibid[oa]
            evit[ae]\w*
        """,
        goal="quero; queremos; preciso; precisamos; objetivo",
        notice="lembre-se; anote; nao esqueca; me chamo",
        open="por (?:decidir|confirmar|definir); a definir; em aberto",
        first_person="meus?; minhas?; noss[oa]s?; eu; tenho; temos; nos",
        practical="""
            orcamento; fatura; pedido; reserva; contrato; cliente; voo; prazo; projeto; advogado
        """,
        transient="ontem; a semana passada; agora mesmo; um dia; talvez",
        request=r"diga-me; me diga; me de; traduza; resuma; conte-me; mostre-me; escreva um\w?",
        courtesy="ola; bom dia; boa (?:tarde|noite); obrigad[oa]; de nada; claro",
    ),
    references=TurnReferences(
        ordinals=(
            Ordinals(
                stems="""
                    primeir 1, segund 2, terceir 3, quart 4, quint 5, sext 6, sétim 7, oitav 8,
                    non 9, décim 10, últim, penúltim
                """,
                endings=("o", "a"),
                determiners="o a do da ao no",  # without "na", because "na sexta" is on Friday
            ),
        ),
        last="pergunta anterior; resposta anterior; mensagem anterior",
        last_at_clause_end="há pouco; o anterior; a anterior",
        last_alone="anterior",
        turn_nouns="turno",
        before_turn_noun="[dn]?o",
        courtesies="por +favor",
    ),
    requests=RequestPhrases(
        opening="agora; entao; pode; podes; quero; queria; por favor; me",
        verbs="""
            (?:volt(?:e|a|emos|ar)|mud(?:e|a|emos|ar)|pass(?:e|emos)) (?:para|ao?); mostre-me
        """,
        chat_nouns="conversa",
        chat="(?:a|essa|aquela|nossa|a nossa) <chat>",
        pronouns="aquela",
        talked="(?:onde |quando )?fal(?:amos|avamos) (?:d[aeo]s?|sobre)",
        links="sobre(?: [ao]s?)?; d[aeo]s?; onde; em que",
        closing="por favor",
    ),
    subjects=SubjectPhrases(
        before=r"""
            (?:aquel[ae]|aquilo) (?:sobre|acerca d[aeo]s?|a respeito d[aeo]s?)
            (?:a|o|minha|tua|sua) (?:pergunta|resposta|parte|mensagem|ponto|comentario) sobre
            o que(?: _)? (?:diss|fal|pergunt)\w{1,6}(?: _)? (?:sobre|acerca d[aeo]s?|d[aeo]s?)
            quando(?: _)? (?:fal|convers|pergunt)\w{2,6}(?: _)? (?:sobre|d[aeo]s?)
        """,
        after=r"de que fal\w{2,6}",
        articles="o; os; as",
        pronouns="isso; isto",
        closing="por favor; antes",
    ),
    keyphrases=KeyphraseWords(
        stop_words="""
            agora ajuda ajudar ajude algum ao aos ate boa bom com dela dele depois dos ela ele eles
            em entao essa esse estao estou eu explicar fazer foi gostaria isso isto lhe mesmo meu
            meus minha minhas muito nao nas nem nossa nosso num numa obrigada obrigado oi ola os
            outra pela pelo pode poderia podes pra preciso quais quem quero sem seu seus sou suas
            tem tenho ter tudo uma voce voces dois outro melhor
        """,
        courtesies="bem conversa noite prazer tarde",
        greetings="oi ola obrigado obrigada",
    ),
    dates=DateWords(
        months="""
            janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro
        """,
        weekdays="segunda-feira terca-feira quarta-feira quinta-feira sexta-feira sabado domingo",
        month_links="de",
        year_links="de",
        clock_links="as",
    ),
    amounts=AmountWords(
        currencies="euros? dolares dolar reais",
        multipliers="mil",
        percent=r"por\scento",
        not_counted="a as da das de do e mas no o para por se um",
    ),
    names=NameWords(
        common="eu ele ela nos o a os as um uma mas meu minha",
        particles="da das de do dos e",
    ),
)
