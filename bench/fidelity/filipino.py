"""Texts of the Filipino conversations. Brackets mark the value that has to survive."""

from bench.fidelity.language import Exchange, Language, Phrasings
from bench.fidelity.small_talk import FILIPINO_TALK

_TUNED = Phrasings(
    amount=(
        "Ang badyet namin para sa lahat ay [{amount}], kasama na ang pamasahe.",
        "Hanggang [{amount}] lang ang kaya naming gastusin sa venue.",
        "Para sa resibo: ang napagkasunduang bayad ay [{amount}].",
        "Nagtabi ako ng [{amount}] para sa proyektong ito.",
        "[{amount}] ang hinihinging deposito sa amin.",
    ),
    date=(
        "Ang deadline ay sa [{date}].",
        "Ikakasal kami sa [{date}].",
        "Kailangan kong matapos ang lahat bago mag-[{date}].",
        "Sa [{date}] ang labas ng produkto namin.",
        "Ang lipad ko ay sa [{date}].",
    ),
    name=(
        "Ang pangalan ng boss ko ay [{person}].",
        "Si [{person}] ang kausap namin sa venue.",
        "Katrabaho ko rito si [{person}].",
        "Paki-address ang sulat kay [{person}].",
        "Ang abogado namin, si [{person}], ang pipirma.",
    ),
    identifier=(
        "Ang booking reference ko ay [{code}].",
        "Ang order number ay [{code}].",
        "Tungkol ito sa ticket na [{code}].",
        "[{code}] ang customer id namin.",
        "Kakailanganin mo ang numero ng kontrata, [{code}].",
    ),
    path=(
        "Ang config file ay [{path}].",
        "Nasa [{path}] ang mga datos ko.",
        "Isulat mo ang resulta sa [{path}].",
        "Ang script na pinapatakbo ko gabi-gabi ay [{path}].",
        "Lahat ng kailangan mo ay nasa [{path}].",
    ),
    preference=(
        "Mas gusto ko ang [{liking}].",
        "Mas pipiliin ko ang [{liking}].",
        "Sa totoo lang, gustong-gusto ko ang [{liking}].",
        "Kapag may pagpipilian, gusto ko palagi ang [{liking}].",
        "Paborito ko ang [{liking}], iyon na lang sana.",
    ),
    constraint=(
        "Kahit anong mangyari, [huwag gumamit ng {tool}].",
        "[Hindi dapat magpadala ng kahit ano sa {tool}].",
        "[Allergic ako sa {food}], kaya pakiplano nang maayos.",
        "[Hindi namin puwedeng gamitin ang {tool}] dahil sa lisensya.",
        "Pakiusap, [iwasan ang {tool}] dito.",
    ),
    decision=(
        "Napagpasyahan naming [kunin ang {choice}].",
        "Sige, [{choice} na lang tayo].",
        "Pinal na desisyon: [{choice}].",
        "Nagkasundo kami sa [{choice}].",
        "Pinili ko na rin ang [{choice}].",
    ),
)

_HELD_OUT = Phrasings(
    amount=(
        "Walang papayag dito na lumampas sa [{amount}].",
        "Ipagpalagay mong [{amount}] ang kabuuan kapag nagplano ka.",
        "Siningil nila ako ng [{amount}] at pumayag na ako.",
        "Kabuuang pondo: [{amount}].",
        "Kumikita ako ng [{amount}] kada buwan, para sa loan form.",
    ),
    date=(
        "Dapat nasa imprenta na ang lahat sa [{date}].",
        "Araw ng launch: [{date}].",
        "Itinakda ang hearing sa [{date}].",
        "Darating ang mga magulang ko sa [{date}] at isang linggo sila rito.",
        "Kapag hindi naihatid sa [{date}], aatras ang kliyente.",
    ),
    name=(
        "Kay [{person}] ka lumapit kapag may kailangang pirma.",
        "Si [{person}] ang doktor na mag-oopera sa akin.",
        "Ang batang tinuturuan ko ay si [{person}].",
        "Padalhan mo rin ng kopya ang accountant kong si [{person}].",
        "Dadaan lahat iyan kay [{person}] ng procurement.",
    ),
    identifier=(
        "Naka-file iyan bilang [{code}].",
        "Banggitin mo ang [{code}] kapag sumulat ka sa kanila.",
        "Masusubaybayan ang padala gamit ang [{code}].",
        "[{code}] ang nakasulat sa insurance card ko.",
        "Ilagay mong reference sa transfer ang [{code}].",
    ),
    path=(
        "Hanapin mo sa [{path}] ang template.",
        "Doon napupunta sa [{path}] ang mga backup namin.",
        "Kung may gagawin kang file, sa [{path}] ang lagay.",
        "[{path}] ang pumapalya tuwing nagde-deploy ako.",
        "Galing sa [{path}] ang mga numero.",
    ),
    preference=(
        "Wala nang tatalo sa [{liking}] para sa akin.",
        "Kung ako ang masusunod, [{liking}] palagi.",
        "Mas komportable ako sa [{liking}].",
        "Alam mo naman, mahilig ako sa [{liking}].",
        "Pinakabagay sa akin: [{liking}].",
    ),
    constraint=(
        "[Hindi puwede ang {tool}] dahil sa batas.",
        "[Walang {tool}], kahit kailan.",
        "[Bawal sa anak ko ang {food}].",
        "Pinagbawalan ng security team namin [ang paggamit ng {tool}].",
        "Kailangan itong gumana [nang walang {tool}].",
    ),
    decision=(
        "Pagkatapos ng usapan kagabi, [{choice}] na talaga.",
        "Buo na ang loob namin sa [{choice}].",
        "Ang komite ay bumoto para sa [{choice}].",
        "Kalimutan na ang iba, panalo ang [{choice}].",
        "Desidido na ako: [{choice}].",
    ),
)

_FILLER = (
    Exchange(
        "Gaano kataas ang tore sa {city}?",
        "Mga {n} metro ang taas nito.",
        "Natapos itong itayo noong {year}.",
        "Ang arkitektong si {person} din ang gumawa ng tulay sa malapit.",
        "{price} ang tiket para sa matanda.",
    ),
    Exchange(
        "Salamat, malaking tulong!",
        "Walang anuman!",
        "Sabihin mo lang kung may iba pa.",
    ),
    Exchange(
        "Sino ang sumulat ng libro tungkol sa bantay ng parola?",
        "Si {person} iyon, inilathala noong {year}.",
        "Nakabenta ito ng {n} libong kopya sa unang taon.",
        "Lumabas ang kasunod noong {date}.",
    ),
    Exchange(
        "Kahapon tumakbo kami ni {first} ng {small} km habang umuulan.",
        "Ayos, hindi biro ang {small} km sa ganoong panahon!",
        "Mag-stretching nang hindi bababa sa {small} minuto.",
        "Hindi naman nagkakasakit sa pagtakbo sa ulan.",
    ),
    Exchange(
        "Bakit ang init ng laptop ko?",
        "Karaniwan, puno ng alikabok ang bentilador.",
        "Sobra na ang lampas {n} degrees para sa processor.",
        "Huwag tatakpan ang mga butas sa ilalim.",
        "Mababasa ang sensor sa {path} sa karamihan ng system.",
    ),
    Exchange(
        "Ano ba ang hash table?",
        "Ang hash table ay nag-iimbak ng mga pares at mabilis itong nahahanap.",
        "Sa {n} entry at {small} bucket, hahaba ang mga kadena.",
        "Ang dict ng Python ang pinakakilalang halimbawa.",
    ),
    Exchange(
        "Nananghalian ako sa bagong kainan sa {city}, {price} ang salad.",
        "Medyo mahal iyon para sa salad.",
        "Tumaas ng {small} % ang presyo roon mula {year}.",
        "Sana malaki man lang ang serving.",
    ),
    Exchange(
        "Ano ang pagkakaiba ng UTF-8 at UTF-16?",
        "Isa hanggang apat na byte ang UTF-8, dalawa o apat ang UTF-16.",
        "Sa web, {small} sa bawat libong pahina ang hindi gumagamit ng UTF-8.",
        "Huling binago ang pamantayan noong {year}.",
    ),
    Exchange(
        "Paki-iksian ang ikalawang talata.",
        "Tapos na, mula {n} salita ay {small} na lang.",
        "Inalis ko rin ang pag-uulit sa dulo.",
    ),
    Exchange(
        "Uulan ba sa {city} sa {date}?",
        "May {small} % na tsansa ng ulan ayon sa forecast.",
        "Wala akong live na datos, kaya tingnan mo ulit sa umagang iyon.",
        "Nasa {small} degrees ang temperatura.",
    ),
    Exchange(
        "Pinadalhan ako ng pinsan kong si {first} ng litrato ng {city}, ang ganda.",
        "Maganda talaga roon, lalo na kapag tag-araw.",
        "Mula pa noong {year} ang lumang bayan.",
        "{small} minuto ang tren mula airport.",
    ),
    Exchange(
        "Paano ko babawiin ang huling commit?",
        "Patakbuhin ang git reset --soft HEAD~1 at mananatili ang mga pagbabago.",
        "Kung na-push mo na, mas mabuti ang git revert.",
        "Hindi tatakbo ang mga hook sa {path} kapag nag-reset.",
        "Mayroon na nito mula bersyon {version}.",
    ),
    Exchange(
        "haha sige na nga",
        "Mabuti at nagkaintindihan tayo.",
    ),
    Exchange(
        "Sino ang nanalo sa finals noong {year}?",
        "Nanalo ang koponan ng {city}, {small} laban sa {digit}.",
        "Nakapuntos si {person} sa ika-{small} minuto.",
        "May {n} libong tao sa istadyum.",
    ),
    Exchange(
        "Naiwan ko yata ang payong ko sa biyahe ng {time}.",
        "Sayang naman!",
        "Bukas ang lost and found hanggang {time}.",
        "Tawagan mo sila at sabihin ang numero ng bagon.",
    ),
    Exchange(
        "Isalin ang 'magandang umaga' sa Portuges.",
        "'Bom dia' iyon.",
        "Pagkatapos ng tanghali, 'boa tarde' na.",
    ),
    Exchange(
        "Gaano katagal magpakulo ng itlog?",
        "Mga {small} minuto para sa malambot.",
        "Sa taas na {n} metro, medyo mas matagal.",
        "Huwag agad ilagay sa kumukulong tubig kung galing sa ref.",
    ),
    Exchange(
        "Huwag mo nang alalahanin ang typo, naayos ko na.",
        "Ayos, salamat sa pagsabi.",
    ),
    Exchange(
        "May biro si {first} tungkol sa loro nang {time}, natatawa pa rin ako.",
        "Gusto ko tuloy marinig!",
        "Umaabot ng {small} taon ang loro, baka mas tumagal pa sa atin ang biro.",
    ),
    Exchange(
        "Ano ang ibig sabihin ng error {n}?",
        "Ibig sabihin, masyadong matagal sumagot ang server.",
        "Tingnan sa {path} ang detalye.",
        "Inilarawan din iyan sa ticket {code} sa pampublikong tracker.",
        "Nakakatulong ang restart sa {small} % ng pagkakataon.",
    ),
    Exchange(
        "Mas gusto ko ng tsaa ngayon, sa totoo lang.",
        "Sige, tsaa na!",
        "Mga {small} degrees lang ang green tea, hindi kumukulong tubig.",
    ),
    Exchange(
        "Bigyan mo ako ng pangalan para sa pusa.",
        "Paano kung {first}?",
        "Noong {year}, {first} ang pinakasikat sa {city}.",
        "Madaling tawagin ang maiikling pangalan na nagtatapos sa 'i'.",
    ),
    Exchange(
        "Magkano ang {n} beses {small}?",
        "Paramihin ang {n} sa {small} at iyon na ang sagot.",
        "Mas mabilis siyempre ang calculator.",
    ),
    Exchange(
        "Hindi ko talaga maintindihan kung bakit ganoon ang mga pusa.",
        "Minamarkahan nila ang sa kanila.",
        "Ayon sa pag-aaral noong {year} sa {n} pusa, ginagawa rin nila iyon kapag bored.",
    ),
    Exchange(
        "Sino si {person}?",
        "Si {person} ay pintor mula sa {city}, ipinanganak noong {date}.",
        "Naibenta ang pinakakilalang obra sa halagang {amount}.",
        "Nasa museo ang {n} sa mga guhit.",
    ),
    Exchange(
        "Magandang gabi! Kumusta?",
        "Magandang gabi! Mabuti naman, ano ang maitutulong ko?",
    ),
    Exchange(
        "Ibuod mo ang artikulo tungkol sa baterya.",
        "Ayon sa artikulo, tumaas ng {small} % ang kapasidad sa loob ng {digit} taon.",
        "Sinipi si {person}, na namumuno ng laboratoryo sa {city}.",
        "Bababa raw sa {amount} bawat isa ang presyo pagdating ng {year}.",
        "Problema pa rin ang pag-recycle.",
    ),
    Exchange(
        "Hindi ako makapaniwalang {weekday} na.",
        "Ang bilis ng panahon!",
        "{small} araw na lang at bakasyon na.",
    ),
    Exchange(
        "Paano maghanap ng malalaking file sa Linux?",
        "Gamitin ang du -sh sa folder, o find na may -size +{n}M.",
        "Madalas na salarin ang lumang log sa {path}.",
        "Huwag magbura ng kahit ano sa /proc, hindi totoong file ang mga iyon.",
    ),
    Exchange(
        "Maingay ang kapitbahay hanggang {time}, pagod na pagod ako.",
        "Nakakainis naman, pasensya na.",
        "Malaking tulong ang idlip na {small} minuto.",
    ),
    Exchange(
        "Iba naman ang pag-usapan natin.",
        "Sige, ano ang gusto mong pag-usapan?",
    ),
    Exchange(
        "Ano ang panonoorin ko mamaya?",
        "May dokumentaryo si {person} na may {digit} bituin.",
        "{n} minuto ang haba.",
        "Kung mas gusto mo ang magaan, subukan ang seryeng nasa {city}.",
    ),
    Exchange(
        "Gaano kalayo ang {city} sa dagat?",
        "{n} km sa kalsada, mga {digit} oras.",
        "{price} ang toll.",
        "May bus din nang {time}.",
    ),
    Exchange(
        "Bumili ng bangka ang kapitbahay kong si {person}, {amount} daw, biruin mo.",
        "Naku, ang laking gastos!",
        "Ang pagdaong pa lang ay {price} bawat araw.",
    ),
    Exchange(
        "Ano ang nagbago sa bersyon {version}?",
        "Lumabas ang bersyon {version} noong {date} at inayos ang {small} bug.",
        "Nagbago rin ang default ng {constant}.",
        "Nasa https://example.org/notes/{version} ang buong tala.",
    ),
    Exchange(
        "Ewan ko, mamaya na siguro.",
        "Walang problema, sabihan mo lang ako.",
    ),
    Exchange(
        "Basahin mo ulit ang recipe.",
        "Kailangan ng {n} g na harina, {digit} itlog at {small} ml na gatas.",
        "I-bake sa {n} degrees nang {small} minuto.",
        "Palamigin nang {small} minuto bago hiwain.",
    ),
    Exchange(
        "Noong isang linggo napanood namin nang live si {person} sa {city}, {price} ang tiket.",
        "Ang saya naman!",
        "Hanggang {date} pa ang tour.",
        "Ang encore daw pa lang ay {small} minuto na.",
    ),
    Exchange(
        "Alin sa dalawang pamagat ang mas maganda?",
        "Mas gusto ko ang una, mas maikli nang {small} karakter.",
        "Medyo luma ang dating ng ikalawa.",
    ),
    Exchange(
        "Mas gusto ko ang ikalawang bersyon.",
        "Magandang pili, mas masarap basahin.",
    ),
)

FILIPINO = Language(
    name="Filipino",
    tuned=_TUNED,
    held_out=_HELD_OUT,
    openers=(
        "Nandito na ulit ako!",
        "Bago ko makalimutan.",
        "May isa pang detalye.",
        "Tungkol pala sa plano ko.",
        "Pasensya na, natagalan.",
        "O, sige.",
    ),
    followers=(
        "Malinaw ba?",
        "Ano sa tingin mo?",
        "Mamaya na ang iba.",
        "Salamat sa pasensya!",
        "Kaya ba iyan?",
    ),
    acknowledgements=(
        "Sige, salamat.",
        "Naintindihan ko. Isasaalang-alang ko iyan mula ngayon.",
        "Salamat sa pagsabi! Ituloy na ba natin ang iba?",
        "Mabuting malaman. May iba pa ba?",
    ),
    filler=_FILLER,
    talk=FILIPINO_TALK,
    amounts=("₱{big}", "{big} pesos", "PHP {big}", "{big} piso", "P{big}"),
    prices=("₱{small}", "{small} pesos", "₱{small}.50", "P{small}"),
    thousands=",",
    months=(
        "Enero Pebrero Marso Abril Mayo Hunyo Hulyo Agosto Setyembre Oktubre Nobyembre Disyembre"
    ),
    weekdays="Lunes Martes Miyerkules Huwebes Biyernes Sabado Linggo",
    dates=(
        "ika-{day} ng {month}",
        "{month} {day}, {year}",
        "ika-{day} ng {month} {year}",
        "{month} {day}",
        "{year}-{number:02}-{day:02}",
    ),
    times=("{hour}:{minute} ng gabi", "alas-{hour} ng hapon", "{hour}:{minute}", "{hour} pm"),
    first_names=(
        "Ligaya Bayani Marisol Crisanto Althea Dominador Rosario Isagani Luningning Teodoro "
        "Corazon Efren Jasmin Rodel Mayumi Arnulfo Perla Danilo Tala Virgilio"
    ),
    last_names=(
        "Macaraeg Dimaculangan Villanueva Pangilinan Batungbakal Salonga Magsaysay Catacutan "
        "Evangelista Lacsamana Gatdula Manalo Ocampo Quiambao Tolentino Buenaventura Katigbak "
        "Dizon Sumulong Yambao"
    ),
    cities="Iloilo Baguio Dumaguete Vigan Tagaytay Naga Tacloban Batangas Legazpi Cebu",
    likings=(
        "upuan sa tabi ng pasilyo",
        "maiikling sagot na walang bullet points",
        "biyaheng madaling-araw",
        "maiikling email",
        "tahimik na hotel malapit sa parke",
        "screenshot na naka-dark mode",
        "ulam na isda",
        "meeting pagkatapos ng alas-diyes",
    ),
    foods=("mani", "hipon", "gluten", "linga", "gatas", "itlog"),
    tools=("Redis", "MongoDB", "Kafka", "Dropbox", "WhatsApp", "Kubernetes", "Zapier", "Oracle"),
    choices=(
        "asul na logo",
        "panggabing barko",
        "PostgreSQL sa iisang makina",
        "mas maliit na van",
        "buffet imbes na plated",
        "kontratang dalawang taon",
        "kuwartong nasa hardin",
        "email na plain text",
    ),
)
