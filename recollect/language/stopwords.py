"""The words that hold sentences together, by language and without accents.

Articles, pronouns, prepositions, conjunctions, auxiliary verbs and question words: they tell in
which language a text is, and next to nothing about what it says. What an apostrophe leaves behind
("l", "dell", "ll") counts among them. Each list is complete in itself, so a word that several
languages share stands in several.
"""

_WORDS = {
    "en": """
        a about after again against ain all along already also although always am among an and
        another any anybody anyone anything are arent around as at away back be became because
        become been before being below between both but by can cannot cant could couldnt d did didnt
        do does doesnt doing done dont down during each either else enough even ever every everybody
        everyone everything few for from get gets getting got had hadnt has hasnt have havent having
        he her here hers herself hes him himself his how i if im in instead into is isnt it its
        itself ive just let lets like ll m many may maybe me might mine more most much must my
        myself neither never no nobody none nor not nothing now of off often oh ok okay on once one
        ones only onto or other others our ours ourselves out over own perhaps please quite
        rather re really s same shall she should shouldnt since so some somebody someone something
        sometimes somewhere soon still such t than thank thanks that thats the their theirs them
        themselves then there theres these they theyre thing things this those though through thus
        to together too toward towards unless until up upon us usually ve very was wasnt we well
        were werent what whatever whats when whenever where wherever whether which while who whom
        whos whose why will with within without wont would wouldnt yes yet you your youre yours
        yourself
    """,
    "it": """
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
    "fil": """
        akin aking ako akong alin aling amin aming ang ano anong at atin ating ay ayon ba bago bakit
        bang bawat bilang dahil dapat dati daw din dito diyan doon edi eh ganito ganoon ganyan gaano
        habang hanggang hindi ho huwag iba ibang ikaw ilan ilang inyo inyong isa isang ito itong
        iyan iyo iyon iyong ka kahit kailan kami kamusta kanila kanilang kanino kaninong kanya
        kanyang kang kapag karamihan kasi katulad kay kaya kayo kayong ko kong kumusta kundi kung
        lahat lalo lamang lang maaari maging magkano maraming marami mas may mayroon mayroong meron
        mga mismo mo mong mula muna na nag naging nagkaroon namin naming naman nang nandito nasa
        nasaan natin nating nga ngayon ngayong ng ngunit ni nila nilang nina ninyo nito niya niyang
        niyo noon noong nung nyo oo opo pa paano paanong pag pagkatapos pala palagi pang para parang
        pati pero po puro puwede pwede pwedeng raw rin sa saan saang salamat samantala sana sapagkat
        si sila silang sina sino sinong siya siyang subalit tayo tayong talaga tapos tila tulad
        tungkol tuwing upang wala walang yan yata yaon yon yun yung
    """,
    "es": """
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
    "fr": """
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
    "de": """
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
    "pt": """
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
    "nl": """
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
}
_LIKE_ENGLISH = """
    ad ai akin al ali allen ate aura ay bald bang ben bent bin car col come dan deed die dies dir
    doe door dove eh el em era fare fast fur ha hat hay hen hindi las logo los ma mag man mas men
    met mia mit mo mon na nag nina non noon nun oft os pa par pas plus pour prima pure quest raw
    sara sea sin sob solo son state sue sur tan tal ten ton tot tout una van ver verso via von want
    war wilt word ya yo
"""

STOP_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
ENGLISH_TOO = frozenset(_LIKE_ENGLISH.split())
"""Function words elsewhere, but names, slang or telling words in English. They prove little."""
