"""The small words of English, Italian and Filipino."""

from recollect.language.facts.gazetteers import PEOPLES, TRADES, TRADES_FIL, TRADES_IT
from recollect.language.facts.grammar_types import Grammar, words

ENGLISH = Grammar(
    stops=words(
        """
        i i'm im i've ive i'd id i'll ill we we're we've we'd we'll you you're you'd your he she
        they he's she's they're it's that's there's what's it who which that whose whom and or nor
        but so because cause coz cuz since although though while whereas unless if when whenever
        where why how what whether until till then than can could would should will shall might
        must do does did don't dont doesn't didn't is are am was were isn't aren't been has had
        hasn't haven't please btw lol haha hahaha thanks thx even except otherwise however
        therefore plus though besides hence hehe huhu lmao xd ugh yay po kasi naman lang din rin
        talaga ok okay pls yeah remember
        """
    ),
    joins=words("and or"),
    cuts=words("that what how are is was were will has had than did does can could would should"),
    near=words(
        """
        with for since near at on by from to as now in after before about around during like via
        through without where because but because not right today tonight currently while under
        into working living studying based here last next this recently ago these all just
        """
    ),
    clause=words(
        """
        am are be been can can't cannot could did do does don't enjoy feel find get go going got
        had has hate have i've is isn't know like live living love may might must need never own
        play prefer read run should speak study take think try trying use want was wasn't were
        will wish won't work working would wouldn't usually always often currently just mostly
        really used looking wondering planning hoping need i i'm my we he she they it this that
        there you then
        """
    ),
    ending=words(
        """
        too also now again though actually really btw please lol haha anymore well much lot alot a
        the very so ever any more though obviously basically generally currently already still
        always yet honestly tbh imo rn in on at for of to with as by from mostly usually often
        instead together itself all here there
        """
    ),
    barred=words(
        """
        it this that these those them him her me us you your yours his hers its something anything
        nothing everything someone anyone everyone somewhere one ones other others another option
        options version first second third last previous above below former latter idea suggestion
        suggestions answer answers response reply question example draft sound looks way how why
        what whatever same thing things stuff both mine myself yourself chatgpt assistant http
        https few couple bunch
        """
    ),
    fillers=words(
        """
        here there to not no never also especially both just very so too really quite pretty more
        less being having going doing getting trouble fear peace hope love home abroad bed work
        school pain charge need favour favor doubt order search touch case fact between time
        general terms as
        """
    ),
    not_names=words(
        """
        a an the not so very really just too here there back home ok okay fine good great well bad
        sorry sure happy sad tired hungry bored busy free ready done new old back glad afraid
        curious interested looking trying going working thinking wondering writing planning using
        learning studying living based single married divorced engaged pregnant vegan vegetarian
        christian catholic muslim jewish buddhist hindu atheist monday tuesday wednesday thursday
        friday saturday sunday january february march april june july august september october
        november december english team gen generation no yes still also always never almost only
        currently allergic celiac diabetic autistic dyslexic from in on at with and or but my your
        his her our their it its this that what who how why when where i you he she we they god
        male female gay straight bi trans left right lost stuck confused excited in into chatgpt
        claude assistant bot ai gonna not unknown something someone secret private important
        called named irrelevant common weird long short hard easy nice funny difficult
        """
    )
    | PEOPLES
    | TRADES,
    not_places=words(
        """
        hr it town city village countryside country house apartment flat suburbs suburb suburbia
        area neighbourhood neighborhood place places downtown dorm basement van caravan castle
        middle nowhere fear peace hope poverty luxury denial hell paradise moment past present
        future harmony house studio room condo district region bubble world shared student rented
        small big tiny large nice quiet parents timezone zone constant hopes
        """
    ),
    articles=words("a an the some my our"),
    mine={"my": "their", "our": "their", "myself": "themselves"},
)

ITALIAN = Grammar(
    stops=words(
        """
        io tu lui lei noi voi loro e ed o oppure ma pero perche che chi cui quindi siccome poiche
        quando mentre dove se anche come cosa sono sei siamo ho hai ha abbiamo hanno mi ti ci vi
        lo ne non puoi potresti vorrei devo dobbiamo vivo abito lavoro studio uso preferisco adoro
        amo odio parlo mangio faccio vado dammi dimmi fammi aiutami grazie ciao invece cioe
        infatti dunque comunque cmq ahah ahahah boh visto dato finche benche sebbene affinche e'
        quale quali eh ok sai pls
        """
    ),
    joins=words("e ed o"),
    cuts=words("che cui sono ha hanno quando dove come cosa"),
    near=words(
        """
        con per da dal dalla in nel nella nei a al alla ai presso vicino come su sul sulla ma il
        adesso ora attualmente insieme due tre quattro cinque sei sette otto nove dieci venti
        nell' dopo prima fino tra fra oggi circa dall' all' non
        """
    ),
    clause=words(
        """
        sono ho vivo abito lavoro studio uso preferisco adoro amo odio detesto parlo mangio bevo
        faccio vado gioco suono mi non vorrei devo cerco sto leggo scrivo corro guido prendo
        voglio posso abbiamo siamo viviamo lui lei si e ha hanno c'e ci
        """
    ),
    ending=words(
        """
        anche molto tanto davvero adesso ora ormai ancora pure solo sempre proprio assai grazie
        insomma comunque di a da in con su per il la lo i gli le un una del della al alla
        tantissimo moltissimo parecchio particolarmente attualmente soprattutto piu
        """
    ),
    barred=words(
        """
        tutti tutte due entrambi entrambe questo questa questi queste quello quella quelli quelle
        tuo tua tuoi tue vostro prima seconda terza primo secondo terzo ultima ultimo precedente
        opzione opzioni versione idea proposta risposta risposte domanda esempio bozza modo cosa
        cose qualcosa niente nulla tutto altro altra altri altre me cio chatgpt assistente stesso
        stessa
        """
    ),
    fillers=words(
        """
        di qui qua molto piu meno tanto poco bisogno voglia paura fretta casa giro ferie vacanza
        attesa difficolta dubbi mente grado corso fondo pace ansia anni cercare capire sapere
        """
    ),
    not_names=words(
        """
        team un una il la lo i gli le in a da di con per su non molto troppo stanco stanca felice
        contento contenta triste sicuro sicura pronto pronta qui qua nato nata sposato sposata
        single fidanzato fidanzata divorziato divorziata vegetariano vegetariana vegano vegana
        celiaco celiaca diabetico diabetica allergico allergica cattolico cattolica io tu lui lei
        noi appena sempre ancora anche gia solo sola stato stata uno lunedi martedi mercoledi
        giovedi venerdi sabato domenica mio mia e o ma che piuttosto abbastanza interessato
        interessata curioso curiosa alla al nel ora oggi intollerante studente studentessa padre
        madre mamma papa zio zia nonno nonna cristiano musulmano ateo gay etero tutto uguale fuori
        spesso davvero malato malata incinta indeciso indecisa preoccupato preoccupata
        """
    )
    | PEOPLES
    | TRADES_IT,
    not_places=words(
        """
        citta paese campagna montagna collina centro periferia casa appartamento affitto
        condominio villa provincia zona quartiere estero mezzo ansia pace mare campeggio famiglia
        genitori monolocale bilocale villaggio borgo posto centro solitudine fretta paesino
        frazione piano coppia poverta paura nero proprio giornata corsa te me grande
        """
    ),
    articles=words("il lo la i gli le un uno una del della dei"),
    mine={
        "mio": "suo",
        "mia": "sua",
        "miei": "suoi",
        "mie": "sue",
        "nostro": "suo",
        "nostra": "sua",
        "nostri": "suoi",
        "nostre": "sue",
    },
)

FILIPINO = Grammar(
    stops=words(
        """
        ako ko ikaw ka mo siya niya kami namin tayo natin kayo ninyo sila nila at o pero ngunit
        kasi dahil kaya kung kapag pag habang tapos saka tsaka ay ang si kaso eh diba pwede puwede
        pwedeng puwedeng may mayroon meron wala hindi huwag sana ba po ho naman lang din rin nga
        talaga daw raw yata pala muna pa ano sino saan paano bakit kailan gusto ayaw mahilig
        nakatira nagtatrabaho nag-aaral i i'm my and but because so is are ni nasa yung huhu hehe
        haha hahaha lol char aq kong akong kesa kaysa ha hah noh gamit mare pare besh beh bes
        """
    ),
    joins=words("at o and saka"),
    cuts=words("ay"),
    near=words(
        """
        sa ng na para kay bilang mula as in at for with ngayon noong since kasama malapit last
        next recently
        """
    ),
    clause=words(
        """
        ako ko gusto ayaw mahilig nakatira nagtatrabaho nag-aaral kumakain umiinom may mayroon
        meron hindi allergic gumagamit naglalaro taga pwede puwede kailangan i i'm my love hate
        ang si
        """
    ),
    ending=words(
        """
        din rin naman lang po ho talaga na pa nga eh kasi ngayon too also please sa ng mga ha no noh
        dati
        """
    ),
    barred=words(
        """
        ito iyan iyon yan yun yon itong iyang iyong yung mo iyo ninyo una pangalawa pangatlo
        ikalawa option version sagot tanong ideya bagay isa ganito ganyan ganoon dito diyan doon
        this that it you your one
        """
    ),
    fillers=words("dito diyan doon ito lahat sobra masyado hindi wala mag maging tulong"),
    not_names=words(
        """
        ang si ng sa na ay mga ako ikaw siya hindi wala may gutom pagod masaya malungkot busy ok
        okay ready single may dito doon taga pinoy pinay lang po nanay tatay ate kuya ito isang
        vegetarian vegan allergic na late sad happy tired hungry bored sick sir maam ma'am mam
        """
    )
    | PEOPLES
    | TRADES
    | TRADES_FIL,
    not_places=words(
        """
        bahay probinsya lungsod bayan condo apartment siyudad baryo abroad dorm kwarto amin bukid
        bundok nayon tabi magulang syudad boarding house lola lolo isang maliit malaking
        """
    ),
    articles=words("ang si mga isang yung"),
    inside=words("ng"),
    mine={"aking": "kanyang", "aming": "kanyang", "akin": "kanya", "ko": "niya", "my": "their"},
)
