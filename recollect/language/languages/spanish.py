"""Spanish."""

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

_SOBRE = "(?:sobre|acerca del?|respecto al?)"

LANGUAGE = Language(
    code="es",
    precedence=4,
    stop_words="""
        a ademas ahi ahora al algo alguien algun alguna algunas alguno algunos alla alli ambos ante
        antes aquel aquella aquellos aqui asi aun aunque bajo bien cada casi como con conmigo
        contigo contra cosa cual cuales cualquier cuando cuanta cuantas cuanto cuantos da de debe
        debo del demasiado desde despues donde durante e el ella ellas ello ellos en entonces entre
        era eran eras eres es esa esas ese eso esos esta estaba estaban estado estamos estan estar
        estas este esto estos estoy estuve estuvo fue fueron fui gracias ha habia haber hace hacer
        hacia han has hasta hay haya he hemos hice hizo i la las le les lo los luego mas me menos mi
        mia mias mientras mio mios mis misma mismo mucha muchas mucho muchos muy nada nadie ni
        ningun ninguna ninguno no nos nosotras nosotros nuestra nuestras nuestro nuestros nunca o os
        otra otras otro otros para pero poco podemos podria podrias poder por porque pude pudo puede
        pueden puedes puedo pues que quien quienes quiere quiero quisiera sabe se sea segun ser sera
        si sido siempre siendo sin sino sobre sois solo somos son soy su sus suya suyo tal tambien
        tampoco tan tanto te tendra tener tengo tenia ti tiene tienen tienes toda todas todavia todo
        todos tu tus tuvo tuya tuyo u un una unas uno unos usted ustedes va vamos varias varios ver
        vez voy y ya yo
    """,
    stemming=Stemming(snowball="spanish"),
    abbreviations=Abbreviations(always="sr sra srta dna ud uds num"),
    salience=SaliencePhrases(
        decision="""
            (?:he|hemos|han) (?:decidido|elegido|acordado|escogido|optado); decidimos
            nos quedamos con; vamos a usar; a partir de ahora
        """,
        preference="""
            prefiero; preferimos; preferiria; me (?:gusta|gustan|encanta|encantan); favorit[oa]s?
        """,
        constraint=r"""
            no (?:uses?|usar|puedo|podemos|debe\w*|quiero|hay que); nunca; alergic[oa]s?
            prohibid[oa]; evit[ae]\w*; nada de
        """,
        goal="quiero; queremos; necesito; necesitamos; objetivo",
        notice="recuerda; ten en cuenta; no olvides; toma nota; me llamo",
        open="por (?:decidir|confirmar|definir); pendiente",
        first_person="mis?; nuestr[oa]s?; yo; tengo; tenemos; nos",
        practical="""
            presupuesto; factura; pago; pedido; reserva; contrato; cliente; vuelo; cita; plazo
            proyecto; jefe; abogado
        """,
        transient="ayer; anoche; la semana pasada; esta manana; ahora mismo; algun dia; quizas?",
        request=r"""
            dime; dame; explica\w*; compara; resume; traduce; cuentame; muestrame
            escribe(?:me)? un\w?
        """,
        courtesy="hola; gracias; buen[oa]s (?:dias|tardes|noches); vale; de nada; claro",
    ),
    references=TurnReferences(
        ordinals=(
            Ordinals(
                stems="""
                    primer 1, segund 2, tercer 3, cuart 4, quint 5, sext 6, séptim 7, octav 8,
                    noven 9, décim 10, últim, penúltim
                """,
                endings=("o", "a"),
                determiners="el la al del",
            ),
        ),
        last="""
            lo de antes; dije antes; dijiste antes; pregunta anterior; respuesta anterior
            mensaje anterior
        """,
        last_at_clause_end="hace un momento; el anterior; la anterior",
        last_alone="anterior",
        idioms="en el cuarto",
        turn_nouns="turno",
        before_turn_noun="del; al; el",
        courtesies="por +favor",
    ),
    requests=RequestPhrases(
        opening="""
            oye; vale; bueno; ahora; por favor; puedes; podemos; podrias; quiero; quisiera; me; nos
        """,
        verbs=r"""
            (?:vuelve|volvamos|volver|regres(?:a|emos|ar)|pas(?:a|emos)|cambi(?:a|emos)|vamos)\
                (?: al?); (?:re)?abr(?:e|eme|amos|ir); buscame; muestrame; retom(?:a|emos|ar)
        """,
        chat_nouns="conversacion; charla; hilo",
        chat="(?:al|el|es[ae]|nuestra) ?<chat>",
        pronouns="aquella; esa",
        talked="(?:donde |cuando )?habl(?:amos|abamos) (?:del?|sobre)",
        links="sobre(?: [ao]s?)?; acerca del?; del?; donde; en (?:la|el) que; cuando",
        articles="el; la; los; las",
        closing="por favor; gracias",
    ),
    subjects=SubjectPhrases(
        before=rf"""
            (?:la|lo|el|es[aeo]|aquel(?:l[ao])?)(?: de antes)? {_SOBRE}
            (?:la|el|tu|mi|es[ae]) (?:pregunta|respuesta|parte|mensaje|comentario|punto) {_SOBRE}
            lo de(?:l| la| las| los)(?! (?:siempre|antes|menos|mas|ayer))
            lo que(?: me| te| nos)? (?:dij|pregunt|coment|habl)\w{{1,6}}(?: _)? (?:{_SOBRE}|del?)
            cuando(?: _)? (?:habl|pregunt)\w{{1,6}}(?: _)? (?:{_SOBRE}|del?|por)
        """,
        after=r"de(?:l| la| lo)? que habl\w{1,6}",
        articles="el; la; los; las",
        not_subjects="(?:la )?(?:mesa|izquierda|derecha)",
        pronouns="es[oae]; esto; ello",
        closing="por favor; antes",
    ),
    keyphrases=KeyphraseWords(
        stop_words="""
            ahora algo alguien alguna algunas alguno algunos antes aqui asi aun aunque ayuda ayudame
            ayudar ayudarme bien buenas buenos cada conmigo cual cuales cuando cuanto cuantos de
            debo desde donde el ella ellos en entre eres es esa ese eso esta estaba estamos estan
            estar estas este esto estos estoy explicame favor fue gracias haber hacer hago hasta hay
            hola hoy las les los mis mucho muy nada necesito nos nosotros otra otro podrias poder
            por porque pregunta puede puedes puedo pues que quiere quiero quisiera saber sea ser sin
            sobre solo son soy sus tal tambien te tener tengo ti tiene tienes todo todos tus unas
            unos usuario usted y ya yo como dos tres mejor ayudas
        """,
        courtesies="conocerte conversacion dia dias encantada encantado noches nombre tardes",
        greetings="hola gracias",
    ),
    dates=DateWords(
        months="""
            enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
        """,
        weekdays="lunes martes miercoles jueves viernes sabado domingo",
        month_links="de del",
        year_links="de del",
        articles="el",
        clock_links=r"a\slas",
    ),
    amounts=AmountWords(
        currencies="euros? dolares dolar libras pesos?",
        multipliers="mil mill millones",
        percent=r"por\sciento",
        not_counted="a al con de del el en es la mas no o para por se si su u y",
    ),
    names=NameWords(
        common="el los las y pero es son mi su este esta como para por con sin que",
        particles="de del el la y",
    ),
)
