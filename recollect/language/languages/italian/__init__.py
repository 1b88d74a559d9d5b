"""Italian."""

from recollect.language.definition import (
    Abbreviations,
    AmountWords,
    DateWords,
    KeyphraseWords,
    Language,
    NameWords,
    Stemming,
)
from recollect.language.languages.italian.facts import FACTS
from recollect.language.languages.italian.phrases import REFERENCES, REQUESTS, SALIENCE, SUBJECTS

LANGUAGE = Language(
    code="it",
    precedence=2,
    stop_words="""
        a abbia abbiamo abbiano ad adesso agl agli ai al alcuna alcune alcuni all alla alle allo
        allora altra altre altri altro anche ancora anzi appena avere avete aveva avevamo avevano
        avevo avrebbe avrei avro avuto ben c che chi ci ciascuno cio cioe coi col come con cosa cosi
        cui d da dagli dai dal dall dalla dalle dallo davvero degli dei del dell della delle dello
        dentro deve devi devo di dopo dov dove dovrebbe dovrei dunque durante e ecco ed entro era
        erano eri ero essa esse essere essi esso fa fai fanno fare fatto finche fino forse fra fu
        gia giu gli grazie ha hai hanno ho i il in infatti insieme intanto invece io l la le lei li
        lo loro lui ma magari mai me mentre mi mia mie miei mio molta molte molti molto ne neanche
        nei nel nell nella nelle nello nemmeno nessuna nessuno niente no noi non nostra nostre
        nostri nostro nulla o od ogni oppure ora ormai per perche percio pero piu po poco poi
        possiamo posso possono potrebbe potrei potresti prima proprio puo puoi pure qua qual qualche
        qualcosa qualcuno quale quali quando quant quante quanti quanto quasi quel quell quella
        quelle quelli quello quest questa queste questi questo qui quindi sai sara sarai saranno
        sarebbe sarei saro se sei sempre senza si sia siamo siano siate siete solo sono sopra
        soprattutto sotto sta stai stanno stata state stati stato stava stesso sto su sua sue sugli
        sui sul sull sulla sulle sullo suo suoi tanto te ti tra troppo tu tua tue tuo tuoi tutta
        tutte tutti tutto un una uno v va vai vanno verso vi voi vorrei vorrebbe vostra vostro vuoi
        vuole
    """,
    stemming=Stemming(snowball="italian", loanwords="[^aeiouàèéìòù]$"),
    abbreviations=Abbreviations(
        always="sig sigg dott ing avv egr spett pag art ca es tel",
        unless_capital="ecc",
        before_digit="n nn",
    ),
    salience=SALIENCE,
    references=REFERENCES,
    requests=REQUESTS,
    subjects=SUBJECTS,
    keyphrases=KeyphraseWords(
        stop_words="""
            abbiamo ad agli ai aiutami aiutare aiutarmi aiuti aiuto al alla alle allo anche ancora
            avere aveva avrei bisogno buona buongiorno buonasera che chi chiesto ciao ci coi col
            come con consigliami cosa cosi cui da dai dal dalla dalle dallo degli dei del della
            delle dello devo di dimmi dire dirmi dove dunque e ed era ero essere fa fai fammi fare
            farmi gli grazie ha hai hanno ho il invece io la le lei li lo loro lui ma mi mia mie
            miei mio molto ne nei nel nella nelle nello noi non nostro o ogni ora per perche
            perfetto pero piu po poi possiamo posso potresti prego puo puoi pure qual qualche
            qualcosa quale quali quando quanto quella quelle quelli quello questa queste questi
            questo qui quindi riesci sai sapere saluti scusa se sei senza si sia siamo sono spiegami
            sta stai sto su sua sue sugli sui sul sulla sulle suo suoi tra trovare tu tua tuo tutti
            tutto un una uno utente assistente va vi voglio vorrei due tre quattro migliore serve
            faccio migliori
        """,
        courtesies="""
            bella bello bene buon conoscerti conversazione giornata giorno mattina nome piacere
            salve sera
        """,
        greetings="ciao salve grazie buongiorno buonasera",
        elisions="[cdlmnst]; un; [dnsc]?[aeou]ll; quest; quell",
    ),
    dates=DateWords(
        months="""
            gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre
            dicembre
        """,
        weekdays="lunedi martedi mercoledi giovedi venerdi sabato domenica",
        month_links="di del",
        articles="il",
        clock_links=r"alle(?:\sore)?; ore",
    ),
    amounts=AmountWords(
        currencies="euro dollari sterline franchi",
        multipliers="mila milioni",
        percent=r"per\s?cento",
        not_counted="""
            a ad ai al alla con da dal dei del di e ed i il in la le nel no o per se si sono su sul
        """,
    ),
    names=NameWords(
        common="""
            il lo la i gli le un uno una l' e o ma se che chi come quando dove quanto perche per con
            da di del della in su tra fra non si no mio mia nostro nostra questo questa quello
            quella ho hai ha abbiamo sono sei siamo ci mi ti vi ne anche poi dunque allora grazie
            ciao lunedi martedi mercoledi giovedi venerdi sabato domenica sig sig.ra dott chiedi
            chiama scrivi manda parla contatta
        """,
        particles="da dei del della di e la le",
    ),
    facts=FACTS,
)
