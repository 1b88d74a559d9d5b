"""How facts are stated in Italian."""

from recollect.language.definition import FactLanguage
from recollect.language.languages.italian.fact_slots import (
    BOUNDARIES,
    SLOT_PATTERNS,
    SLOTS,
    SUBJECTS,
)
from recollect.language.languages.italian.fact_words import (
    CORRECTIONS,
    FUNCTION_WORDS,
    GAZETTEER,
    HEDGES,
    PEOPLE,
    QUOTED,
    TRADES,
    VALUES,
)

RULES = r"""
NAME name .95
    (?:io )?mi chiamo <value>
    il mio nome e' <value>
    il mio nome e <value>
    = Si chiama {value}
CALLED capital .85
    (?:puoi |potete )?chiam(?:ami|armi|atemi) (?:pure |semplicemente |solo )?<value>
    (?:tutti|gli amici|i miei amici|amici e parenti) mi chiamano <value>
    = Vuole essere chiamato {value}
NATIONALITY people .8
    <sono><value>
    = È {value}
NAME alone .8
    (?:io )?sono <value>
    qui <value>
    = Si chiama {value}
AGE .92
    (?:io )?ho (?:quasi )?<age> anni
    (?:ho (?:appena )?compiuto|ho fatto) <age> anni
    = Ha {age} anni
AGE .82
    (?:ne )?(?:compio|compiro|faccio|faro) <age> anni
    = Compie {age} anni
BIRTHDAY date .95
    il mio compleanno e (?:il |l')?<value>
    compio gli anni (?:il |l')<value>
    (?:io )?sono nat[oa] (?:il |l')<value>
    = Compie gli anni il {value}
BIRTH_YEAR date .85
    (?:io )?sono nat[oa] nel <value>
    = Anno di nascita {value}
BIRTHDAY date .85 after BIRTHPLACE
    (?:il |l')<value>
    = Compie gli anni il {value}
BIRTHPLACE place .85
    (?:io )?sono <born> <in><value>
    = È {born} {in}{value}
BIRTHPLACE place .85 after ORIGIN
    <born> <in><value>
    = È {born} {in}{value}
ORIGIN place .85
    (?:io )?sono <raised> <in><value>
    = È {raised} {in}{value}
ORIGIN place .85 after BIRTHPLACE
    <raised> <in><value>
    = È {raised} {in}{value}
ORIGIN named .85
    <sono>(?:originari[oa] )?di <value>
    = È di {value}
ORIGIN named .85
    vengo <from> <value>
    = Viene {from} {value}
LIVED named .82
    (?:io )?(?:ho (?:vissuto|abitato)|vivevo|abitavo) (?:\w{1,15} anni \
        |per (?:\w{1,15} ){1,2}anni |da \
        (?:ragazz[oa]|bambin[oa]|piccol[oa]|giovane) )?<in><value>
    da (?:ragazz[oa]|bambin[oa]|piccol[oa]|giovane|studente) (?:ho vissuto|ho abitato|vivevo\
        |abitavo\
        |stavo) <in><value>
    = Ha vissuto {in}{value}
HOME named .75
    sto (?:a|ad) (?!\w{1,30} (?:per|con (?:te|voi))(?!\w))<value>
    = Vive a {value}
HOME place .85
    (?:ora |adesso )?(?:sono|sto|siamo|stiamo) (?:ora |adesso )?<in><value3>(?: ora| adesso)?,? \
        (?:mi sono|ci siamo) (?:appena |da poco )?trasferit[oaie]
    = Vive {in}{value}
HOME place .92
    <io>(?:vivo|abito|risiedo|viviamo|abitiamo) <adv><in><value>
    = Vive {in}{value}
    = Abita {in}{value}
HOME named .8
    sto di casa <in><value>
    = Vive {in}{value}
HOME place .87
    (?:mi sono|ci siamo) <adv><moved> (?:da poco |di recente |definitivamente )?<in><value>
    = {moved} {in}{value}
TIME_ZONE .9
    il mio fuso(?: orario)? e <zone>(?!\w)
    (?:sono|vivo) (?:in|nel fuso(?: orario)?|su|con) <zone>(?!\w)
    = Fuso orario {zone}
NATIVE_LANGUAGE language .95
    la mia (?:lingua madre|madrelingua|prima lingua) e (?:l'|il |lo )?<value>
    = Lingua madre: {value}
NATIVE_LANGUAGE tongue .92
    <sono>(?:di )?madrelingua <value>
    = È madrelingua {value}
SPEAKS languages .9
    <io>parlo (?:bene |fluentemente |correntemente |un po' di |anche )?(?:l'|il |lo )?<value>
    = Parla {value}

# Lavoro e studio
JOB near .92
    <io>lavoro <adv>come <value>
    = Lavora come {value}
JOB trade .88
    (?:faccio|di mestiere faccio|di lavoro faccio|nella vita faccio) (?:il |la |lo |l'|i )<value>
    di (?:mestiere|professione|lavoro) (?:sono|faccio) (?:il |la |lo |l'|un |una |un')?<value>
    = Lavora come {value}
JOB near .88
    <io>insegno <value>
    = Insegna {value}
JOB .85
    <sono><idle><end>
    = È {idle}
STUDY .85
    <sono><student>
    = È {student}
JOB trade .82
    <sono>(?:un |una |uno |un')?<value>
    = È {value}
JOB trade .85 after EMPLOYER
    come <value>
    = Lavora come {value}
EMPLOYER firm .8
    (?:mi sono (?:licenziat[oa]|dimess[oa]) (?:da|dal|dalla)|non lavoro piu <at>) ?<value>
    = Ha lasciato {value}
EMPLOYER .82
    (?:mi sono (?:licenziat[oa]|dimess[oa])|ho (?:lasciato|perso|mollato) il (?:mio )?lavoro\
        |mi hanno \
        licenziat[oa]|ho dato le dimissioni)<end>
    = Ha lasciato il lavoro
EMPLOYER proper .82 after JOB
    <at><value>
    = Lavora {at}{value}
WORKPLACE .8
    <io>lavoro <where><end>
    = Lavora {where}
EMPLOYER firm .85
    <io>lavoro <adv><at><value>
    = Lavora {at}{value}
EMPLOYER .85
    (?:ho|gestisco|possiedo|sono titolare di) <firm>
    = Gestisce {firm}
LEARNING language .88
    (?:sto imparando|sto studiando) (?:l'|il |lo )?<value>
    = Sta imparando {value}
LEARNING play .85
    sto imparando a (?:suonare|giocare a) (?:il |la |l'|lo )?<value>
    = Sta imparando {value}
LEARNING tools .8
    sto imparando (?:a usare )?<value>
    = Sta imparando {value}
STUDIED proper .82
    (?:io )?(?:ho studiato|studiavo|mi sono (?:laureat|diplomat)[oa]) (?:\w{2,20} )?<in><value>
    = Ha studiato {in}{value}
DEGREE near .85
    <sono>laureat[oa] in <value>
    (?:ho|ho preso) (?:una|la) laurea in <value>
    = Ha una laurea in {value}
SCHOOL proper .8 after STUDY
    <at><value>
    = Studia {at}{value}
STUDY near .88
    <io>(?:studio|sto studiando) (?!per |a |con |da |in )<value>
    sono iscritt[oa] a <value>
    (?:frequento|faccio) (?:la facolta di |l'universita di |il corso di )(?:laurea in )?<value>
    (?:sto facendo|faccio) (?:un|il) (?:dottorato|master) in <value>
    = Studia {value}

# Famiglia e animali
RELATIVE name .93
    <my> <rel> si chiama <value>
    il nome d(?:i|el|ella) <my> <rel> e <value>
    = {my} {rel} si chiama {value}
RELATIVE name .93
    <have><a>(?:\w{1,30} )?<rel>,? (?:e )?(?:che si chiama|si chiama|di nome|chiamat[oa]) <value>
    = Ha {a}{rel} di nome {value}
RELATIVE names .88
    (?:ho|abbiamo) (?:due|tre|quattro|\d) <rels>(?:,|:| -)? (?:che si chiamano |di nome \
        |chiamat[ie] )\
        ?<value>
    (?:i miei|le mie|i nostri|le nostre) (?:due |tre )?<rels> si chiamano <value>
    = {rels} si chiama {value}
RELATIVE capital .88
    <value2>, <my> <rel>, (?=\w)
    <value2> e <my> <rel><end>
    = {my} {rel} si chiama {value}
AGE .87
    <my> <rel> ha <age> anni
    = {my} {rel} ha {age} anni
ALLERGY towards .9
    <my> <rel> e <allergic> <value>
    = {my} {rel} è {allergic} {value}
DIET .88
    <my> <rel> e <diet><end>
    = {my} {rel} è {diet}
CONDITION .85
    <my> <rel> e <condition><end>
    = {my} {rel} è {condition}
JOB trade .82
    <my> <rel> (?:fa (?:il |la |lo |l')|lavora come |e (?:un |una |un')?)<value>
    = {my} {rel} lavora come {value}
BIRTHDAY date .9
    <my> <rel> compie gli anni (?:il |l')<value>
    = {my} {rel} compie gli anni il {value}
RELATIVE capital .8 anywhere
    (?<!\w)<my> <rel>,? <value>
    = {my} {rel} si chiama {value}
MARITAL_STATUS .88
    <sono><marital><end>
    = È {marital}
CHILDREN .88
    (?:ho|abbiamo) <many> <young>
    = Ha {many} {young}
PETS .85
    (?:ho|abbiamo) <many> <pets>
    = Ha {many} {pets}
PETS .82
    (?:ho|abbiamo|ho adottato|abbiamo adottato) (?:un |una |un')<pet><end>
    = Ha un {pet}

# Salute e cibo
ALLERGY towards .95
    <sono><allergic> <value>
    = È {allergic} {value}
ALLERGY towards .93
    <io>ho (?:un'|una )(?:\w{1,30} )?allergia <value>
    = Ha un'allergia {value}
INTOLERANCE towards .93
    <sono><intolerant> <value>
    = È {intolerant} {value}
CONDITION .9
    <sono>(?:un |una )?<condition><end>
    = È {condition}
CONDITION ailment .88
    (?:ho|soffro di|ho sempre avuto) <value>
    = Ha {value}
CONDITION condition .88
    (?:ho|soffro di|mi hanno diagnosticato|mi e stat[oa] diagnosticat[oa]) (?:il |la |l'|lo \
        |una |un )?<value>
    = Ha {value}
DIET .93
    <sono>(?:un |una )?<diet><end>
    (?:sono diventat[oa]|sono ormai) <diet><end>
    = È {diet}
DIET .88
    (?:seguo|faccio) una dieta <trait>
    = Segue una dieta {trait}
EATS things .85
    ho smesso di mangiare (?:il |la |lo |l'|i |gli |le )?<value>
    = Non mangia {value}
EATS things .88
    <io>non (?:mangio|posso mangiare)(?: piu| mai)? (?:il |la |lo |l'|i |gli |le )?<value>
    = Non mangia {value}
DRINKS things .88
    <io>non (?:bevo|posso bere)(?: piu| mai)? (?:il |la |lo |l'|i |gli |le )?<value>
    = Non beve {value}

# Risposte
ANSWER_LENGTH .9
    (?:preferisco|preferirei|voglio|vorrei|mi piacciono) (?:sempre )?(?:le )?risposte (?:molto \
        )?<length>
    <to>(?:dammi|fammi|scrivi|tieni|mantieni|usa)(?: sempre)? (?:le )?risposte (?:molto )?<length>
    risposte <length>,? (?:per favore|grazie)
    = Preferisce risposte {length}
ANSWER_STYLE .82 after ANSWER_LENGTH
    (?:e )?senza <style><end>
    = Non vuole {style} nelle risposte
ANSWER_TONE .85
    (?:preferisco|usa|vorrei|mantieni)(?: sempre)? un tono <tone>
    = Preferisce un tono {tone}
ANSWER_TONE .85
    <to>(?:dammi(?: sempre| pure)?|puoi darmi|darmi|diamoci|mi dia(?: pure)?|preferisco che mi dia|\
        preferisco che tu mi dia) del <form><end>
    = Preferisce che gli si dia del {form}
    = Vuole il {form}
ANSWER_LANGUAGE language .88
    <to>(?:rispondimi|rispondi|scrivimi|parlami|parla|risponda|rispondermi|rispondere\
        |risponda)(?: sempre| solo)?(?: pure)? in <value>
    (?:preferisco|preferirei|vorrei|voglio)(?: avere| ricevere)? (?:le )?risposte in <value>
    = Vuole risposte in {value}
ANSWER_STYLE .85
    <to>(?:non usare|non mettere|evita|niente|basta|basta con|non voglio)(?: mai)? <style><end>
    = Non vuole {style} nelle risposte
ANSWER_STYLE .8
    <to>(?:salta|togli|lascia perdere|risparmiami|lascia stare|senza|tralascia) (?:i |gli |le \
        |tutti i )?\
        <fluff><end>
    = Non vuole {fluff} nelle risposte
ANSWER_STYLE .8
    <to>(?:usa|preferisco|mi piacciono)(?: sempre)? (?:gli |le |i )?<style><end>
    = Vuole {style} nelle risposte

# Gusti
TASTE thing .88
    il mio <sort> preferito (?:e|resta) (?:il |la |lo |l'|i |gli |le )?<value>
    (?:il |la |lo |l'|i |gli |le )?<value3> e il mio <sort> preferito<end>
    = Ama {value}
FAVOURITE thing .88
    (?:il |la |lo |l'|i |gli |le )?<value3> (?:e|sono) (?:il mio|la mia|i miei|le mie) <what> \
        <favourite><end>
    = {what} {favourite}: {value}
FAVOURITE thing .9
    (?:il mio|la mia|i miei|le mie|l') ?<what> <favourite> (?:e|sono|resta) (?:il |la |lo |l'|i \
        |gli |le )?<value>
    = {what} {favourite}: {value}
PREFERENCE thing .88
    <io>preferisco (?:il |la |lo |l'|i |gli |le )?<value3> <over> <other><end>
    = Preferisce {value} {over} {other}
TASTE thing .78
    <io>preferisco (?:di gran lunga )?<value>
    = Preferisce {value}
TASTE things .78
    <io><craze> (?:il |la |lo |l'|i |gli |le )?<value>
    = {craze} {value}
TASTE things .78
    mi fa(?:nno)? impazzire (?:il |la |lo |l'|i |gli |le )?<value>
    = Ama molto {value}
TASTE thing .78
    (?:io )?<like> (?:tutto (?:cio|quello) che (?:ha|contiene)|qualsiasi cosa con\
        |tutto con(?: dentro)?) \
        (?:il |la |lo |l'|i |gli |le )?<value>
    = {like} tutto con {value}
TASTE things .78
    <sono><keen> (?:di |del |della |dei )?<value>
    = È {keen} {value}
TASTE things .78
    (?:io |a me )?<like> <adv>(?!(?:i |le )?mi[aeo] |i miei )<value>
    = {like} {value}
HOBBY things .88
    (?:il mio hobby e|i miei hobby sono|la mia passione e|le mie passioni sono) (?:il |la |lo \
        |l'|i |gli |le )?<value>
    = Hobby: {value}
PLAYS play .88
    <io>(?:gioco|giochiamo) a <value>
    <io>suono (?:il |la |lo |l')<value>
    = Pratica {value}
COLLECTS things .85
    <io>colleziono <value>
    = Colleziona {value}

# Strumenti
USES tools .8
    per (?!questo|ora|adesso|me)(?:\w{1,20} ){1,3}(?:uso|utilizzo|lavoro con|lavoro su\
        |mi affido a) <value>
    <io>faccio (?:quasi )?tutto (?:con|in|su) <value>
    = Usa {value}
USES known .8
    <io>lavoro (?:con|su) <value>
    = Usa {value}
USES proper .75 after USES
    (?:sul|su) (?:mio |un )(?:vecchio |nuovo )?<value>
    = Usa {value}
USES tools .8
    <io>(?:uso|utilizzo|usiamo|utilizziamo) <value>
    sto usando <value>
    = Usa {value}
USES code .85
    <io>programmo (?:soprattutto |principalmente )?in <value>
    = Programma in {value}
VEHICLE proper .88
    <io>guido <a><value>
    la mia (?:macchina|auto|moto) e <a><value>
    = Guida {a}{value}
DEVICE proper .85
    il mio <device> e (?:un |una |un')?<value>
    = {device}: {value}

# Progetti
PROJECT title .85
    (?:sto|stiamo) (?:scrivendo|finendo) <work>,? (?:che si chiama|si chiama|chiamat[oa]\
        |intitolat[oa]\
        |dal titolo|titolo provvisorio|che si intitola|si intitola) <value>
    = Sta scrivendo {work} intitolato {value}
PROJECT writing .85
    sto (?:scrivendo|finendo) <value>
    = Sta scrivendo {value}
GOAL phrase .82
    (?:mi )?sto <train> <value>
    = {train} {value}
PROJECT project .78
    (?:sto|stiamo) <making> <value>
    = Sta {making} {value}
PROJECT phrase .85
    il mio progetto e <value>
    = Progetto: {value}
PROJECT capital .85
    (?:il mio|la mia) (?:app|gioco|romanzo|libro|podcast|blog|sito|progetto|startup) si chiama \
        <value>
    = Il suo progetto si chiama {value}
GOAL aim .88
    il mio obiettivo (?:principale |di quest'anno |per quest'anno )?e (?:di )?<value>
    = Obiettivo: {value}
GOAL phrase .78
    (?:voglio|vogliamo|ho intenzione di|conto di|punto a|progetto di|abbiamo intenzione di) \
        <by_then><value>
    = Ha intenzione di {value}
WEDDING phrase .88
    (?:mi sposo|ci sposiamo) <by_then><value>
    = Si sposa {value}
WEDDING_PLACE named .85
    (?:mi sposo|ci sposiamo|mi sposero|ci sposeremo) (?:a|ad|in) <value>
    abbiamo deciso di sposarci (?:a|ad|in) <value>
    il (?:nostro )?matrimonio (?:e|sara) (?:a|ad|in) <value>
    = Matrimonio a {value}
DECISION phrase .85
    <ho>(?:finalmente |infine |poi )?<done> <value>
    = {done} {value}
DECISION tools .78
    (?:alla fine )?<go> <value>
    = {go} {value}
BUDGET amount .9
    il (?:mio |nostro )?budget (?:\w{1,30} ){0,3}e (?:di )?(?:circa |al massimo )?<value>
    = Budget: {value}
    = Budget di {value}
ROUTINE .82
    <io><routine><doing> <often><end>
    <often>,? <routine><doing><rest>
    = {routine}{doing} {often}
SMOKING .88
    <io><smoke>
    = {smoke}
GETS_UP .8
    mi (?:alzo|sveglio) (?:sempre |di solito )?alle <hour>(?: ogni (?:giorno|mattina))?<end>
    = Si alza alle {hour}
"""
FACTS = FactLanguage(
    function_words=FUNCTION_WORDS,
    rules=RULES,
    slots=SLOTS,
    slot_patterns=SLOT_PATTERNS,
    boundaries=BOUNDARIES,
    subjects=SUBJECTS,
    people=PEOPLE,
    trades=TRADES,
    values=VALUES,
    gazetteer=GAZETTEER,
    hedges=HEDGES,
    quoted=QUOTED,
    corrections=CORRECTIONS,
    retractions=(
        (
            r"\bnon (sono|ho|mi|vivo|abito|lavoro|studio|uso|mangio|bevo|faccio|gioco|suono|guido)"
            r" piu (<rest>)",
            (1, 2),
        ),
        (r"\bnon (mi \w+|\w+o) piu (<rest>)", (1, 2)),
    ),
    retraction_ends="ma; pero; perche; quindi; e (?:ora|adesso)",
    note_openings="l'utente",
    ended="ha lasciato",
    object_articles="""
        un uno una il lo la i gli le l al allo alla ai agli alle all del dello della dei degli delle
        dell suo sua suoi sue
    """,
    spellings="""
        nocciola nocciole; noce noci; arachide arachidi; gatto gatti; cane cani; gambero gamberi
        uovo uova; fragola fragole; crostaceo crostacei; latticino latticini; mandorla mandorle
        pistacchio pistacchi
    """,
)
