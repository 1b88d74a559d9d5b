# ruff: noqa: RUF001, E501
"""Texts that a token estimate tends to underestimate: rare languages, art, symbols, encoded data.

All of them were written or generated for the tests of the estimate. The languages are in addition
to those of `tests.core.corpus`.
"""

from collections.abc import Sequence
from itertools import chain
from random import Random

LANGUAGES = {
    "afrikaans": "Môreoggend gaan ons vroeg mark toe om brood, melk en appels te koop, want my suster kom"
    " kuier en sy bring haar twee kinders saam. Onthou asseblief om jou jas aan te trek.",
    "albanian": "Nesër në mëngjes do të shkojmë në treg për të blerë bukë, qumësht dhe mollë, sepse motra"
    " ime vjen për vizitë me dy fëmijët e saj. Të lutem, mos harro të veshësh pallton.",
    "amharic": "ነገ ጠዋት ዳቦ፣ ወተትና ፖም ለመግዛት ወደ ገበያ እንሄዳለን፤ ምክንያቱም እህቴ ከሁለት ልጆቿ ጋር ልትጠይቀን ትመጣለች።"
    " እባክህ ካፖርትህን መልበስ አትርሳ።",
    "armenian": "Վաղն առավոտյան գնալու ենք շուկա՝ հաց, կաթ և խնձոր գնելու, որովհետև քույրս հյուր է գալիս իր"
    " երկու երեխաների հետ։ Խնդրում եմ, չմոռանաս վերարկուդ հագնել։",
    "azerbaijani": "Sabah səhər çörək, süd və alma almaq üçün bazara gedəcəyik, çünki bacım iki uşağı ilə"
    " bizə qonaq gəlir. Zəhmət olmasa, paltonu geyinməyi unutma.",
    "basque": "Bihar goizean azokara joango gara ogia, esnea eta sagarrak erostera, nire ahizpa bi"
    " seme-alabekin etorriko baita bisitan. Mesedez, ez ahaztu berokia janzten.",
    "bengali": "কাল সকালে আমরা রুটি, দুধ আর আপেল কিনতে বাজারে যাব, কারণ আমার বোন তার দুই সন্তানকে নিয়ে"
    " বেড়াতে আসছে। দয়া করে কোট পরতে ভুলো না।",
    "bulgarian": "Утре сутринта ще отидем на пазара да купим хляб, мляко и ябълки, защото сестра ми идва на"
    " гости с двете си деца. Моля те, не забравяй да си облечеш палтото.",
    "burmese": "မနက်ဖြန်မနက် ပေါင်မုန့်၊ နွားနို့နဲ့ ပန်းသီးဝယ်ဖို့ ဈေးကိုသွားမယ်၊ ဘာလို့လဲဆိုတော့ ကျွန်မအစ်မက"
    " သူ့ကလေးနှစ်ယောက်နဲ့ လာလည်မယ်။ ကုတ်အင်္ကျီဝတ်ဖို့ မမေ့ပါနဲ့။",
    "catalan": "Demà al matí anirem al mercat a comprar pa, llet i pomes, perquè la meva germana ve de visita"
    " amb els seus dos fills. Sisplau, no t'oblidis de posar-te l'abric.",
    "cherokee": "ᏑᎾᎴᎢ ᎦᏚ ᎤᏅᏗ ᎠᎴ ᏒᎧᏔ ᏓᏲᏥᏩᎯᏍᏏ ᎠᏓᎾᏅᎢ, ᎠᎩᏙ ᏔᎵ ᏧᏪᏥ ᎤᏘᏃᎵ. ᎭᏄᏬ ᏞᏍᏗ ᏣᎨᏫᏒᏃ.",
    "croatian": "Sutra ujutro idemo na tržnicu kupiti kruh, mlijeko i jabuke jer mi sestra dolazi u posjet sa"
    " svoje dvoje djece. Molim te, nemoj zaboraviti obući kaput.",
    "czech": "Zítra ráno půjdeme na trh koupit chleba, mléko a jablka, protože ke mně přijede na návštěvu"
    " sestra se svými dvěma dětmi. Prosím tě, nezapomeň si vzít kabát.",
    "danish": "I morgen tidlig går vi på markedet for at købe brød, mælk og æbler, fordi min søster kommer på"
    " besøg med sine to børn. Husk nu at tage din frakke på.",
    "estonian": "Homme hommikul läheme turule leiba, piima ja õunu ostma, sest mu õde tuleb oma kahe lapsega"
    " külla. Palun ära unusta mantlit selga panna.",
    "finnish": "Huomisaamuna menemme torille ostamaan leipää, maitoa ja omenoita, koska siskoni tulee"
    " kyläilemään kahden lapsensa kanssa. Muistathan pukea takin päällesi.",
    "georgian": "ხვალ დილით ბაზარში წავალთ პურის, რძისა და ვაშლის საყიდლად, რადგან ჩემი და ორ შვილთან ერთად"
    " სტუმრად მოდის. გთხოვ, პალტოს ჩაცმა არ დაგავიწყდეს.",
    "guarani": "Ko'ẽrõ pyhareve rohóta márkepe rojogua haguã mbujape, kamby ha mansána, che reindy oútagui"
    " imemby mokõi ndive. Ani nderesarái reñemonde haguã.",
    "gujarati": "કાલે સવારે અમે રોટલી, દૂધ અને સફરજન ખરીદવા બજારમાં જઈશું, કારણ કે મારી બહેન તેના બે બાળકો"
    " સાથે મળવા આવે છે. મહેરબાની કરીને કોટ પહેરવાનું ભૂલશો નહીં.",
    "hausa": "Gobe da safe za mu je kasuwa mu sayi burodi, madara da tuffa, domin ƙanwata za ta kawo mana"
    " ziyara tare da 'ya'yanta biyu. Don Allah kada ka manta ka sa kwat ɗinka.",
    "hawaiian": "I ke kakahiaka o ka lā ʻapōpō e hele ana mākou i ka mākeke e kūʻai i ka palaoa, ka waiū a me"
    " ka ʻāpala, no ka mea e kipa mai ana koʻu kaikuahine me kāna mau keiki ʻelua.",
    "hungarian": "Holnap reggel elmegyünk a piacra kenyeret, tejet és almát venni, mert a nővérem látogatóba"
    " jön a két gyerekével. Kérlek, ne felejtsd el felvenni a kabátodat.",
    "icelandic": "Í fyrramálið förum við á markaðinn að kaupa brauð, mjólk og epli, því systir mín kemur í"
    " heimsókn með börnin sín tvö. Mundu að fara í kápuna þína.",
    "igbo": "Echi n'ụtụtụ anyị ga-aga ahịa ịzụ achịcha, mmiri ara ehi na apụl, n'ihi na nwanne m nwaanyị na"
    " ụmụ ya abụọ na-abịa ileta anyị. Biko echefula iyi uwe mkpuchi gị.",
    "inuktitut": "ᖃᐅᑉᐸᑦ ᐅᓪᓛᒃᑯᑦ ᓂᐅᕕᕐᕕᖕᒧᐊᕐᓂᐊᖅᐳᒍᑦ ᓂᐊᖁᔭᖅᑖᕐᐊᕐᓗᑕ, ᐃᒻᒧᖕᒥᒃ ᐊᒻᒪᓗ ᐋᐳᓂᒃ, ᓇᔭᒐ ᐳᓛᕆᐊᕐᓂᐊᕐᒪᑦ ᕿᑐᕐᖓᒌᒃ ᒪᕐᕉᒃ ᐃᓚᒋᓗᒋᒃ.",
    "irish": "Maidin amárach rachaimid go dtí an margadh chun arán, bainne agus úlla a cheannach, mar tá mo"
    " dheirfiúr ag teacht ar cuairt lena beirt pháistí. Ná déan dearmad do chóta a chur ort.",
    "javanese": "Sesuk esuk awake dhewe arep menyang pasar tuku roti, susu lan apel, amarga mbakyuku arep"
    " dolan bareng anake loro. Aja lali nganggo jaket ya.",
    "kannada": "ನಾಳೆ ಬೆಳಿಗ್ಗೆ ನಾವು ಬ್ರೆಡ್, ಹಾಲು ಮತ್ತು ಸೇಬು ಕೊಳ್ಳಲು ಮಾರುಕಟ್ಟೆಗೆ ಹೋಗುತ್ತೇವೆ, ಏಕೆಂದರೆ ನನ್ನ ತಂಗಿ"
    " ತನ್ನ ಇಬ್ಬರು ಮಕ್ಕಳೊಂದಿಗೆ ಬರುತ್ತಿದ್ದಾಳೆ. ದಯವಿಟ್ಟು ಕೋಟು ಹಾಕಿಕೊಳ್ಳಲು ಮರೆಯಬೇಡಿ.",
    "kazakh": "Ертең таңертең нан, сүт және алма сатып алу үшін базарға барамыз, өйткені әпкем екі баласымен"
    " қонаққа келеді. Пальтоңды киюді ұмытпашы.",
    "khmer": "ព្រឹកស្អែក យើងនឹងទៅផ្សារទិញនំប៉័ង ទឹកដោះគោ និងផ្លែប៉ោម ព្រោះបងស្រីខ្ញុំនឹងមកលេងជាមួយកូនពីរនាក់របស់គាត់។"
    " សូមកុំភ្លេចពាក់អាវធំ។",
    "kinyarwanda": "Ejo mu gitondo tuzajya ku isoko kugura umugati, amata na pome, kuko mushiki wanjye azaza"
    " kudusura ari kumwe n'abana be babiri. Ntiwibagirwe kwambara ikoti.",
    "kurdish": "Sibê sibehê em ê biçin bazarê ku nan, şîr û sêvan bikirin, ji ber ku xwişka min bi du zarokên"
    " xwe re tê serdanê. Ji kerema xwe, li xwe kirina qapûtê ji bîr neke.",
    "lao": "ມື້ອື່ນເຊົ້າພວກເຮົາຈະໄປຕະຫຼາດຊື້ເຂົ້າຈີ່ ນົມ ແລະ ໝາກແອັບເປິນ ເພາະວ່າເອື້ອຍຂອງຂ້ອຍຈະມາຢາມພ້ອມກັບລູກສອງຄົນ."
    " ກະລຸນາຢ່າລືມໃສ່ເສື້ອກັນໜາວ.",
    "latvian": "Rīt no rīta iesim uz tirgu pirkt maizi, pienu un ābolus, jo mana māsa nāks ciemos ar saviem"
    " diviem bērniem. Lūdzu, neaizmirsti uzvilkt mēteli.",
    "lithuanian": "Rytoj ryte eisime į turgų pirkti duonos, pieno ir obuolių, nes mano sesuo atvyksta į"
    " svečius su dviem vaikais. Prašau, nepamiršk apsivilkti palto.",
    "macedonian": "Утре наутро ќе одиме на пазар да купиме леб, млеко и јаболка, бидејќи сестра ми доаѓа на"
    " гости со своите две деца. Те молам, не заборавај да го облечеш палтото.",
    "malayalam": "നാളെ രാവിലെ റൊട്ടിയും പാലും ആപ്പിളും വാങ്ങാൻ ഞങ്ങൾ ചന്തയിൽ പോകും, കാരണം എന്റെ സഹോദരി രണ്ട്"
    " കുട്ടികളുമായി വിരുന്നിനു വരുന്നു. ദയവായി കോട്ട് ധരിക്കാൻ മറക്കരുത്.",
    "maltese": "Għada filgħodu mmorru s-suq nixtru l-ħobż, il-ħalib u t-tuffieħ, għax oħti ġejja żżurna maż-żewġt"
    " itfal tagħha. Jekk jogħġbok tinsiex tilbes il-kowt.",
    "maori": "Āpōpō i te ata ka haere mātou ki te mākete ki te hoko parāoa, miraka me ngā āporo, nā te mea ka"
    " toro mai taku tuahine me āna tamariki tokorua. Kaua e wareware ki te kuhu i tō koti.",
    "marathi": "उद्या सकाळी आपण पाव, दूध आणि सफरचंद घ्यायला बाजारात जाऊ, कारण माझी बहीण तिच्या दोन मुलांसह भेटायला"
    " येत आहे. कृपया कोट घालायला विसरू नकोस.",
    "mongolian": "Маргааш өглөө бид талх, сүү, алим авахаар зах явна, учир нь эгч маань хоёр хүүхэдтэйгээ"
    " зочлохоор ирж байгаа. Пальтогоо өмсөхөө битгий мартаарай.",
    "navajo": "Yiskąągo abínígo naalyéhé bá hooghangóó diikah, bááh, abe' dóó bilasáana nídadiilnih, háálá"
    " shádí ba'áłchíní naaki bił nihaa diikah. Ni'éétsoh baa diinóóh.",
    "nepali": "भोलि बिहान हामी रोटी, दूध र स्याउ किन्न बजार जान्छौं, किनभने मेरी दिदी आफ्ना दुई छोराछोरीसँग भेट्न"
    " आउँदै हुनुहुन्छ। कृपया कोट लगाउन नबिर्सनुहोला।",
    "norwegian": "I morgen tidlig går vi på markedet for å kjøpe brød, melk og epler, fordi søsteren min"
    " kommer på besøk med de to barna sine. Husk å ta på deg kåpen.",
    "odia": "ଆସନ୍ତାକାଲି ସକାଳେ ଆମେ ପାଉଁରୁଟି, କ୍ଷୀର ଏବଂ ସେଓ କିଣିବାକୁ ବଜାରକୁ ଯିବୁ, କାରଣ ମୋ ଭଉଣୀ ତାଙ୍କ ଦୁଇ ପିଲାଙ୍କ ସହ"
    " ବୁଲିବାକୁ ଆସୁଛନ୍ତି। ଦୟାକରି କୋଟ ପିନ୍ଧିବାକୁ ଭୁଲିବେ ନାହିଁ।",
    "pashto": "سبا سهار به د ډوډۍ، شیدو او مڼو پېرلو لپاره بازار ته ځو، ځکه چې زما خور د خپلو دوو ماشومانو"
    " سره زموږ لیدو ته راځي. مهرباني وکړه کوټ اغوستل مه هېروه.",
    "persian": "فردا صبح برای خریدن نان، شیر و سیب به بازار می‌رویم، چون خواهرم با دو فرزندش به مهمانی ما"
    " می‌آید. لطفاً پوشیدن پالتویت را فراموش نکن.",
    "punjabi": "ਕੱਲ੍ਹ ਸਵੇਰੇ ਅਸੀਂ ਰੋਟੀ, ਦੁੱਧ ਅਤੇ ਸੇਬ ਖਰੀਦਣ ਲਈ ਬਾਜ਼ਾਰ ਜਾਵਾਂਗੇ, ਕਿਉਂਕਿ ਮੇਰੀ ਭੈਣ ਆਪਣੇ ਦੋ ਬੱਚਿਆਂ ਨਾਲ ਮਿਲਣ ਆ"
    " ਰਹੀ ਹੈ। ਕਿਰਪਾ ਕਰਕੇ ਕੋਟ ਪਾਉਣਾ ਨਾ ਭੁੱਲਣਾ।",
    "quechua": "Paqarin tutamanta qhatuman risunchik t'antata, lechetapas manzanatapas rantimunapaq,"
    " panaymi iskay wawankunawan watukuq hamunqa. Ama qunqaychu punchuykita churakuyta.",
    "romanian": "Mâine dimineață mergem la piață să cumpărăm pâine, lapte și mere, pentru că sora mea vine în"
    " vizită cu cei doi copii ai ei. Te rog, nu uita să-ți iei paltonul.",
    "samoan": "Taeao i le taeao o le a matou o i le maketi e faatau ai ni falaoa, susu ma apu, aua o le a"
    " asiasi mai lo'u tuafafine ma lana fanau e toalua.",
    "serbian": "Сутра ујутру идемо на пијацу да купимо хлеб, млеко и јабуке, јер ми сестра долази у госте са"
    " своје двоје деце. Молим те, немој да заборавиш да обучеш капут.",
    "sinhala": "හෙට උදේ අපි පාන්, කිරි සහ ඇපල් මිලදී ගැනීමට වෙළඳපොළට යනවා, මොකද මගේ සහෝදරිය ඇගේ දරුවන් දෙදෙනා"
    " සමඟ අපව බලන්න එනවා. කරුණාකර කබාය අඳින්න අමතක කරන්න එපා.",
    "slovak": "Zajtra ráno pôjdeme na trh kúpiť chlieb, mlieko a jablká, lebo príde na návštevu moja sestra so"
    " svojimi dvoma deťmi. Prosím ťa, nezabudni si obliecť kabát.",
    "slovenian": "Jutri zjutraj gremo na tržnico po kruh, mleko in jabolka, ker pride na obisk moja sestra s"
    " svojima otrokoma. Prosim, ne pozabi obleči plašča.",
    "somali": "Berri subaxdii waxaan aadi doonnaa suuqa si aan u soo iibsanno rooti, caano iyo tufaax, maxaa"
    " yeelay walaashay ayaa nagu soo booqan doonta labadeeda carruur ah.",
    "swahili": "Kesho asubuhi tutaenda sokoni kununua mkate, maziwa na matufaha, kwa sababu dada yangu"
    " anakuja kututembelea pamoja na watoto wake wawili. Tafadhali usisahau kuvaa koti lako.",
    "tajik": "Пагоҳ саҳар барои харидани нон, шир ва себ ба бозор меравем, чунки хоҳарам бо ду фарзандаш ба"
    " меҳмонӣ меояд. Илтимос, пӯшидани палторо фаромӯш накун.",
    "tamil": "நாளை காலை ரொட்டி, பால், ஆப்பிள் வாங்க நாங்கள் சந்தைக்குச் செல்வோம், ஏனென்றால் என் அக்கா தன் இரண்டு"
    " குழந்தைகளுடன் எங்களைப் பார்க்க வருகிறாள். கோட்டு அணிய மறக்காதீர்கள்.",
    "telugu": "రేపు ఉదయం మేము రొట్టె, పాలు, ఆపిల్ పండ్లు కొనడానికి మార్కెట్‌కు వెళ్తాము, ఎందుకంటే మా అక్క తన ఇద్దరు"
    " పిల్లలతో మమ్మల్ని చూడటానికి వస్తోంది. దయచేసి కోటు వేసుకోవడం మర్చిపోవద్దు.",
    "tibetan": "སང་ཞོགས་ང་ཚོ་བག་ལེབ་དང་འོ་མ་ཀུ་ཤུ་བཅས་ཉོ་བར་ཁྲོམ་ལ་འགྲོ་གི་ཡིན། གང་ཡིན་ཟེར་ན་ངའི་ཨ་ཅག་ཕྲུ་གུ་གཉིས་དང་མཉམ་དུ་ཐུག་འཕྲད་ལ་ཡོང་གི་རེད།",
    "tigrinya": "ጽባሕ ንግሆ እንጀራ፣ ጸባን ቱፋሕን ክንገዝእ ናብ ዕዳጋ ክንከይድ ኢና፤ ምኽንያቱ ሓፍተይ ምስ ክልተ ደቃ ክትበጽሓና ክትመጽእ"
    " እያ። ብኽብረትካ ጃከትካ ምኽዳን ኣይትረስዕ።",
    "urdu": "کل صبح ہم روٹی، دودھ اور سیب خریدنے بازار جائیں گے، کیونکہ میری بہن اپنے دو بچوں کے ساتھ ملنے آ"
    " رہی ہے۔ براہِ کرم کوٹ پہننا مت بھولنا۔",
    "uyghur": "ئەتە ئەتىگەن نان، سۈت ۋە ئالما ئالغىلى بازارغا بارىمىز، چۈنكى ئاچام ئىككى بالىسى بىلەن مېھمان"
    " بولۇپ كېلىدۇ. پەلتويۇڭنى كىيىشنى ئۇنتۇما.",
    "uzbek": "Ertaga ertalab non, sut va olma olgani bozorga boramiz, chunki opam ikki farzandi bilan"
    " mehmonga keladi. Iltimos, paltoyingizni kiyishni unutmang.",
    "welsh": "Bore yfory byddwn ni'n mynd i'r farchnad i brynu bara, llaeth ac afalau, oherwydd bod fy chwaer"
    " yn dod i ymweld â ni gyda'i dau blentyn. Cofia wisgo dy gôt, os gweli di'n dda.",
    "wolof": "Suba ci suba dinanu dem marse jënd mburu, meew ak pom, ndaxte sama jigéen dafay ñëw seetsi nu,"
    " moom ak ñaari doomam. Bul fàtte sol sa mantóo.",
    "xhosa": "Ngomso kusasa siza kuya emarikeni siyothenga isonka, ubisi nama-apile, kuba udade wethu uza"
    " kusityelela nabantwana bakhe ababini. Nceda ungalibali ukunxiba idyasi yakho.",
    "yiddish": "מאָרגן אין דער פֿרי גייען מיר אויפֿן מאַרק קויפֿן ברויט, מילך און עפּל, ווייל מײַן שוועסטער קומט צו"
    " גאַסט מיט אירע צוויי קינדער. פֿאַרגעס נישט אָנצוטאָן דעם מאַנטל.",
    "yoruba": "Ní òwúrọ̀ ọ̀la a ó lọ sí ọjà láti ra búrẹ́dì, wàrà àti ápù, nítorí pé àbúrò mi obìnrin ń bọ̀ wá kí wa"
    " pẹ̀lú àwọn ọmọ rẹ̀ méjì. Jọ̀wọ́ má gbàgbé láti wọ ẹ̀wù òtútù rẹ.",
    "zulu": "Kusasa ekuseni sizoya emakethe siyothenga isinkwa, ubisi nama-apula, ngoba udadewethu uzosivakashela"
    " nezingane zakhe ezimbili. Sicela ungakhohlwa ukugqoka ijazi lakho.",
}

TABLES = {
    "padded table": """\
| Item           | Qty | Unit price | Total    |
|:---------------|----:|-----------:|---------:|
| Oak board, 2 m |  12 |    €18.40  |  €220.80 |
| Screws (4×40)  | 300 |     €0.05  |   €15.00 |
| Wood glue      |   2 |     €7.95  |   €15.90 |
| **Sum**        |     |            | **€251.70** |
""",
    "narrow table": """\
|a|b|c|d|
|-|-|-|-|
|1|x|✓|–|
|2|y|✗|–|
|3|z|✓|!|
""",
    "table of marks": """\
| Feature | Free | Pro | Team |
|---|:---:|:---:|:---:|
| Search | ✅ | ✅ | ✅ |
| Export | ❌ | ✅ | ✅ |
| SSO | ❌ | ❌ | ✅ |
| `--dry-run` | ~~no~~ | _yes_ | **yes** |
| [Docs](https://example.org/d/4f?x=1#k) | ½ | ¾ | 1/1 |
""",
    "grid table": """\
+-------+--------+------------+
| Host  | CPU %  | Memory     |
+=======+========+============+
| db-1  |  71.4  | 12.1/16 GB |
+-------+--------+------------+
| db-2  |   3.9  |  2.0/16 GB |
+-------+--------+------------+
""",
    "matrix": """\
| × | 1 | 2 | 3 | 4 | 5 |
| --- | --- | --- | --- | --- | --- |
| 1 | 1 | 2 | 3 | 4 | 5 |
| 2 | 2 | 4 | 6 | 8 | 10 |
| 3 | 3 | 6 | 9 | 12 | 15 |
""",
    "confusion": "|  |  |  |\n|--|--|--|\n|  |  |  |\n|::|::|::|\n|||||\n|-|-|\n" * 3,
}

ART = {
    "cat": r"""
   /\_/\       |\__/,|   (`\
  ( o.o )    _.|o o  |_   ) )
   > ^ <    -(((---(((--------
  /|   |\      /'._,'\  ~~~~
 (_|   |_)    (  ,  , )
""",
    "banner": r"""
 _   _      _ _        __        __         _     _
| | | | ___| | | ___   \ \      / /__  _ __| | __| |
| |_| |/ _ \ | |/ _ \   \ \ /\ / / _ \| '__| |/ _` |
|  _  |  __/ | | (_) |   \ V  V / (_) | |  | | (_| |
|_| |_|\___|_|_|\___/     \_/\_/ \___/|_|  |_|\__,_|
""",
    "flow": r"""
        +---------+      yes      .---------.
  o---->| ready?  |-------------->|  start  |
        +----+----+               '----+----'
             | no                      |
             v                         v
        [ wait 5 s ]<---/\/\/\---( :::: )
             \_______________________/
""",
    "boat": r"""
              |    |    |
             )_)  )_)  )_)
            )___))___))___)\
           )____)____)_____)\\
         _____|____|____|____\\\__
---------\                   /---------
  ^^^^^ ^^^^^^^^^^^^^^^^^^^^^
    ^^^^      ^^^^     ^^^    ^^
""",
    "tree of files": """\
src/
|-- app/
|   |-- __init__.py
|   `-- main.py
|-- lib.rs
`-- ../..//./~tmp/*.{c,h}
""",
    "dots": r"""
.:*~*:._.:*~*:._.:*~*:._.:*~*:._.:*~*:.
`·.¸¸.·´¯`·.¸><(((º>  ¸.·´¯`·.¸><(((º>
<(^_^<) <(^_^)> (>^_^)> d(-_-)b (╯°□°)╯︵ ┻━┻
@@@%%%###***+++===---:::...   ...:::---===+++
""",
    "noise": "".join(Random(1).choices("/\\|_-+*#~^'`.,:;()<>[]{}=@%&$!?\" ", k=600)),
    "marks": "".join(Random(2).choices("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", k=600)),
    "regex": r"""^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$|^\s*(?<k>[^=#\s]+?)\s*=\s*(?:"((?:\\.|[^"\\])*)")?$
s/\([^)]*\)\{2,\}/\&\\n/g; s#//\+#/#g; /^[[:space:]]*$/!{$!N;};P;D""",
    "brackets": "".join(Random(3).choices("+-<>[].,", k=500)),
}


def _drawn(characters: Sequence[str], seed: int, length: int = 300) -> str:
    return "".join(Random(seed).choices(characters, k=length))


def _codes(*ranges: range) -> list[str]:
    return [chr(code) for code in chain(*ranges)]


SYMBOLS = {
    "ipa": "/ðə ˈkwɪk ˌbɹaʊn ˈfɒks ˈdʒʌmps ˌəʊvə ðə ˈleɪzi ˈdɒɡ/ [ʔɐ̃ˈʃɐ̃w̃ ɲɔˈk͡ʃi ʎuˈɾẽ] ˈʒɛ̃.dɑːʁ, χaˈɮʲø, ʈ͡ʂʰiɤ˥˩",
    "ipa narrow": "[ˈt̪ʰɹ̝̊ɪ̞k̚.sɫ̩ ɓʉ̀ŋɡá ᵑǃòã̰ ɢ͡ʀ̥ə̆ɬɯ̽ ˦˨ ʘ ǀ ǁ ǂ ɧ ɕ ʑ ɺ ɻ ʕ ʜ ʢ]",
    "arrows": _drawn(_codes(range(0x2190, 0x2200)), 1),
    "operators": _drawn(_codes(range(0x2200, 0x2300)), 2),
    "formulas": "∀ε>0 ∃δ>0: |x−x₀|<δ ⇒ |f(x)−f(x₀)|<ε; ∮_∂Ω ω = ∫_Ω dω; ℵ₀ ≤ 2^ℵ₀; ⟨ψ|Ĥ|ψ⟩ ≥ E₀; A⊗B ≅ ⨁ₙ Vₙ;"
    " ∑ᵢ₌₁ⁿ i² = ⅙n(n+1)(2n+1); ¬(p∧q) ⟺ ¬p∨¬q; ∇×E = −∂B/∂t; ‖v‖₂ ∈ ℝ⁺; f∘g ∉ 𝒞∞",
    "dingbats": _drawn(_codes(range(0x2700, 0x27C0)), 3),
    "technical": _drawn(_codes(range(0x2300, 0x2400)), 4),
    "shapes": _drawn(_codes(range(0x25A0, 0x2700)), 5),
    "braille": _drawn(_codes(range(0x2800, 0x2900)), 6),
    "braille art": "⣿⣿⣿⠟⠋⠉⠙⠻⣿⣿⣿\n⣿⡿⠁⢀⣠⣤⣄⡀⠈⢿⣿\n⣿⠃⢠⣿⣿⣿⣿⣿⡄⠘⣿\n⣿⣧⡀⠻⢿⣿⡿⠟⢀⣼⣿\n" * 3,
    "currencies": _drawn(_codes(range(0x20A0, 0x20C1)), 7),
    "all symbols": _drawn(_codes(range(0x2000, 0x2C00)), 8),
    "legacy computing": _drawn(_codes(range(0x1FB00, 0x1FBCB)), 9),
    "dominoes and cards": _drawn(_codes(range(0x1F000, 0x1F0F6)), 10),
    "music": "𝄞 𝄢 𝅘𝅥𝅮 𝅗𝅥 𝄪 𝄫 ♩ ♪ ♫ ♬ ♭ ♮ ♯ 𝆑 𝆏 𝄐 𝄽 𝄾",
    "chess": "♜♞♝♛♚♝♞♜\n♟♟♟♟♟♟♟♟\n▢▨▢▨▢▨▢▨\n♙♙♙♙♙♙♙♙\n♖♘♗♕♔♗♘♖",
    "hexagrams": _drawn(_codes(range(0x4DC0, 0x4E00)), 11),
    "latin one": _drawn(_codes(range(0xA1, 0x100)), 12),
    "latin extended": _drawn(_codes(range(0x100, 0x250)), 13),
    "punctuation": _drawn(_codes(range(0x2010, 0x2060)), 14),
    "typographic": "“He said ‘no’ — twice…” «oui» „nein“ 5–7 ‰ § 12 ¶ † ‡ • ‣ ′ ″ © ® ™ № ℃ Ω µm ½ ¼ ⅓ ² ³ ₂ ⁿ",
    "private use": _drawn(_codes(range(0xE000, 0xE100)), 15),
    "controls": _drawn(_codes(range(0, 0x20), range(0x7F, 0xA0)), 16),
    "unassigned planes": _drawn(_codes(range(0x30000, 0x30100), range(0xF0000, 0xF0100)), 17),
    "invisible": _drawn(
        _codes(range(0x200B, 0x2010), range(0x2060, 0x2065), range(0xFEFF, 0xFF00)), 18
    ),
    "tags": _drawn(_codes(range(0xE0001, 0xE0080)), 19),
    "blanks": _drawn([" ", "\t", "\n", "\r", "\u00a0", "\u2003", "\u3000", "\v", "\f"], 20),
    "any character": _drawn(_codes(range(0x20, 0xD800), range(0xE000, 0x20000)), 21),
}

BOXES = {
    "terminal table": """\
┌──────────────┬────────┬───────────┐
│ service      │ status │ uptime    │
├──────────────┼────────┼───────────┤
│ api-gateway  │ ● up   │ 12d 4h    │
│ scheduler    │ ○ down │ —         │
└──────────────┴────────┴───────────┘
""",
    "double box": """\
╔══════════════╦═══════════╗
║ ▓▓▓▓▓▓▓░░░░░ ║  58 %     ║
╠══════════════╬═══════════╣
║ ██████▌      ║ ▁▂▃▄▅▆▇█  ║
╚══════════════╩═══════════╝
""",
    "rounded box": "╭─────────╮ ╭───╮\n│ a ⟶ b ⟵ │ │ ╳ │\n╰─┬─────┬─╯ ╰─╥─╯\n  ╎     ┊     ║\n" * 2,
    "tree": "recollect\n├── core\n│   ├── ids.py\n│   └── tokens.py\n├── llm\n│   └── …\n└── web\n    └── src\n",
    "progress": "▏▎▍▌▋▊▉█ ⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ ◐◓◑◒ ▰▰▰▱▱ [■■■□□] ░▒▓█▓▒░ ⣾⣽⣻⢿⡿⣟⣯⣷",
    "frames": _drawn(_codes(range(0x2500, 0x25A0)), 30),
}

_PLAIN = "The quick brown fox jumps over the lazy dog near the river bank at dawn"


def _letters(upper: int, lower: int) -> str:
    """Return the sentence in another alphabet of Unicode."""
    return "".join(
        chr(lower + ord(c) - ord("a"))
        if c.islower()
        else chr(upper + ord(c) - ord("A"))
        if c != " "
        else c
        for c in _PLAIN
    )


ALPHABETS = {
    "bold": _letters(0x1D400, 0x1D41A),
    "italic": _letters(0x1D434, 0x1D44E),
    "script": _letters(0x1D4D0, 0x1D4EA),
    "fraktur": _letters(0x1D56C, 0x1D586),
    "sans": _letters(0x1D5A0, 0x1D5BA),
    "monospace": _letters(0x1D670, 0x1D68A),
    "full width": _letters(0xFF21, 0xFF41),
    "circled": _letters(0x24B6, 0x24D0),
    "squared": _letters(0x1F130, 0x1F130),
    "regional": _letters(0x1F1E6, 0x1F1E6),
    "small capitals": "ᴛʜᴇ ǫᴜɪᴄᴋ ʙʀᴏᴡɴ ғᴏx ᴊᴜᴍᴘs ᴏᴠᴇʀ ᴛʜᴇ ʟᴀᴢʏ ᴅᴏɢ",
    "upside down": "ʞuɐq ɹǝʌıɹ ǝɥʇ ɹɐǝu ƃop ʎzɐl ǝɥʇ ɹǝʌo sdɯnɾ xoɟ uʍoɹq ʞɔınb ǝɥʇ",
    "superscript": "ᵗʰᵉ ᵠᵘⁱᶜᵏ ᵇʳᵒʷⁿ ᶠᵒˣ ʲᵘᵐᵖˢ ᵒᵛᵉʳ ᵗʰᵉ ˡᵃᶻʸ ᵈᵒᵍ",
    "lookalikes": "ТҺе զսіϲk Ьгоwn fох јumрѕ оvеr tһе lаzу ԁоɡ",
    "runes": "ᚦᛖ ᚲᚹᛁᚲᚲ ᛒᚱᛟᚹᚾ ᚠᛟᚲᛊ ᛃᚢᛗᛈᛊ ᛟᚢᛖᚱ ᚦᛖ ᛚᚨᛉᛃ ᛞᛟᚷ",
    "gothic": "𐌸𐌴 𐌵𐌹𐌺 𐌱𐍂𐌰𐌿𐌽 𐍆𐌰𐌿𐌷𐍃 𐌿𐍆𐌰𐍂 𐌸𐌰𐌽𐌰 𐌻𐌰𐍄𐌰𐌽 𐌷𐌿𐌽𐌳",
    "cuneiform": "𒀭𒂗𒆤 𒈗 𒆳𒆳𒊏 𒀊𒁀 𒀭𒀭𒌷𒉈𒆤 𒅗𒄀𒈾𒉌𒋫",
    "hieroglyphs": "𓀀𓁐𓂋𓃭𓅓𓆑𓇋𓈖𓉔𓊪𓋴𓌳𓍯𓎡𓏏𓐍",
}


def _zalgo(text: str, marks: int, seed: int) -> str:
    random = Random(seed)
    return "".join(
        c + "".join(chr(random.randrange(0x300, 0x370)) for _ in range(marks)) for c in text
    )


ZALGO = {
    "light zalgo": _zalgo(_PLAIN, 1, 1),
    "zalgo": _zalgo(_PLAIN, 5, 2),
    "heavy zalgo": _zalgo("hi there", 60, 3),
    "struck out": "".join(f"{c}\u0336" for c in _PLAIN),
    "underlined": "".join(f"{c}\u0332" for c in _PLAIN),
    "keycaps": "".join(f"{d}\ufe0f\u20e3" for d in "0123456789") * 4,
    "decomposed": "Ame\u0301lie e\u0302tait de\u0301c\u0327ue; nin\u0303o, U\u0308ber, A\u030angstro\u0308m, Z\u030curna\u0301l",
}

_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
ENCODED = {
    "base64": _drawn(_BASE64, 40, 800),
    "base64 lines": "\n".join(_drawn(_BASE64, seed, 76) for seed in range(10)),
    "base64url": _drawn(_BASE64[:-2] + "-_", 41, 800),
    "base32": _drawn("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 42, 600),
    "base58": _drawn("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", 43, 600),
    "ascii85": _drawn(_codes(range(33, 118)), 44, 600),
    "hex": _drawn("0123456789abcdef", 45, 800),
    "hex capitals": _drawn("0123456789ABCDEF", 46, 800),
    "hex dump": "\n".join(
        f"{line * 16:08x}  "
        + " ".join(_drawn("0123456789abcdef", 16 * line + i, 2) for i in range(16))
        for line in range(12)
    ),
    "hex escapes": "".join(f"\\x{_drawn('0123456789abcdef', i, 2)}" for i in range(200)),
    "url escapes": "".join(f"%{_drawn('0123456789ABCDEF', i, 2)}" for i in range(200)),
    "unicode escapes": "".join(f"\\u{_drawn('0123456789abcdef', i, 4)}" for i in range(100)),
    "entities": "".join(f"&#{Random(i).randrange(128, 9999)};" for i in range(100)),
    "binary": _drawn("01", 47, 600),
    "digits": _drawn("0123456789", 48, 600),
    "small letters": _drawn("abcdefghijklmnopqrstuvwxyz", 49, 800),
    "capitals": _drawn("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 50, 800),
    "both cases": _drawn("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 51, 800),
    "random words": " ".join(
        _drawn("abcdefghijklmnopqrstuvwxyz", i, 1 + i % 11) for i in range(150)
    ),
    "consonants": " ".join(_drawn("bcdfghjklmnpqrstvwxz", i, 2 + i % 7) for i in range(150)),
    "printable": _drawn(_codes(range(32, 127)), 52, 800),
    "dna": _drawn("ACGT", 53, 600),
    "protein": _drawn("ACDEFGHIKLMNPQRSTVWY", 54, 600),
    "morse": " ".join(_drawn(".-", i, 1 + i % 4) for i in range(150)),
    "passwords": "\n".join(_drawn(_codes(range(33, 127)), 60 + i, 16) for i in range(30)),
    "ids": "\n".join(_drawn("abcdefghijklmnopqrstuvwxyz0123456789", 90 + i, 24) for i in range(25)),
    "minified json": '{"a":[{"id":1,"k":"x","v":null},{"id":2,"k":"y","v":[[],{}]}],"b":{"c":{"d":{"e":-0.5e-7}}},'
    '"t":true,"f":[false,0,"",[[1,2],[3,4]]],"u":"\\u00e9\\n\\"q\\"","z":{"_":"$ref:#/x/0"}}' * 3,
    "json keys": "{" + ",".join(f'"{_drawn("abcdefgh_", i, 5)}":{i}' for i in range(60)) + "}",
    "nested json": "[" * 40 + "{}" + "]" * 40 + ',{"a":' * 20 + "0" + "}" * 20,
    "minified css": "a,b>c{margin:0 -1px;padding:.5em}#x:not(.y)::after{content:'\\201C'}@media(max-width:9em){i{top:0}}"
    * 3,
    "minified js": "!function(e,t){var n=e[0]||{},r=+new Date;for(;n--;)t[n]=~e.i[n]^r>>>2&0xff;return(r?t:e)||null}(this,[]);"
    * 3,
    "logs": "".join(
        f"2024-03-{1 + i % 28:02d}T{i % 24:02d}:{i * 7 % 60:02d}:{i * 13 % 60:02d}.{i * 37 % 1000:03d}Z [w{i}] WARN"
        f" c.e.s.Pool$Q - evict(conn=0x{i * 7919:06x}, ttl=-{i}ms, ip=10.{i}.3.{i * 5 % 255}:54{i:02d})\n"
        for i in range(25)
    ),
    "stack": "".join(f"\tat c.x.Q$${i}.a(Q.java:{i * 31})\n\t... {i} more\n" for i in range(20)),
    "perl": "@_=map{$_->[0]}sort{$a->[1]<=>$b->[1]||$a->[0]cmp$b->[0]}map{[$_,/(\\d+)/?$1:0]}@_;$h{$_}//=[]for%$x;"
    * 3,
    "apl": "life←{⊃1 ⍵∨.∧3 4=+/,¯1 0 1∘.⊖¯1 0 1∘.⌽⊂⍵} ⋄ {⍵[⍋⍵]} ⋄ ⌊0.5+100×⍟⍳9" * 3,
    "latex": r"\begin{align*}\frac{\partial^2u}{\partial t^2}&=c^2\nabla^2u\\[2pt]\hat{\vec{x}}_{i,j}^{(k+1)}&\gets"
    r"\sum_{\substack{m\ne j}}\!\!\alpha_{m}\cdot\mathbb{E}[X|Y]\end{align*}" * 2,
}

EMOJI = {
    "faces": _drawn(_codes(range(0x1F600, 0x1F650)), 70),
    "pictograms": _drawn(_codes(range(0x1F300, 0x1F600)), 71),
    "newer pictograms": _drawn(_codes(range(0x1F900, 0x1FA00)), 72),
    "newest pictograms": _drawn(_codes(range(0x1FA70, 0x1FAF9)), 73),
    "transport": _drawn(_codes(range(0x1F680, 0x1F700)), 74),
    "families": "👨‍👩‍👧‍👦👩‍❤️‍💋‍👨👩🏽‍🚀🧑🏿‍🤝‍🧑🏻🏳️‍🌈🏴‍☠️👁️‍🗨️🐻‍❄️🧔🏼‍♂️" * 4,
    "skins": "👍🏻👍🏼👍🏽👍🏾👍🏿🙏🏻🙏🏾✊🏿🤙🏽💅🏼🫱🏿‍🫲🏻" * 4,
    "flags": "🇮🇹🇵🇭🇩🇪🇧🇷🇯🇵🇰🇷🇺🇦🇿🇦🇳🇿🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴󠁧󠁢󠁷󠁬󠁳󠁿" * 4,
    "variants": "☀️☁️☂️☃️☎️✈️✉️✂️❤️‍🔥⚠️♻️⚖️⛈️ℹ️©️®️™️〰️㊗️" * 4,
    "among words": "ok 👍 see you 🕗 at the 🏟️, bring 🥨+🍺!! 🎉🎉 (no 🐕 allowed 😢) → 🚇 M2 ➡️ 🛑 Central 🙃",
}

MIXED = {
    "languages": " ".join(text[:60] for text in LANGUAGES.values()),
    "everything": "\n".join(
        text[:80]
        for group in (TABLES, ART, SYMBOLS, BOXES, ALPHABETS, ZALGO, ENCODED, EMOJI)
        for text in group.values()
    ),
    "rare words": "pneumonoultramicroscopicsilicovolcanoconiosis Llanfairpwllgwyngyll Donaudampfschifffahrtsgesellschaft"
    " Hyperkalzurie Nebukadnezar xylophagous zwischenzugs Szczebrzeszyn epäjärjestelmällistyttämättömyys",
    "names": "Nguyễn Thị Mỹ Hạnh, Þórdís Kolbrún Gylfadóttir, Szczepan Twardoch, Oluwaseun Adébáyọ̀, Xóchitl Ñañez,"
    " Mbwana Aly Samatta, Ng'ang'a wa Njũgũna, O'Shaughnessy-Ó Súilleabháin, Žydrūnas Ilgauskas",
    "drugs": "Pembrolizumab 200 mg q3w, Axicabtagen-Ciloleucel, 2-(4-Isobutylphenyl)propansäure, N-Acetyl-p-benzochinonimin,"
    " β-D-Glucopyranosyl, 5′-Desoxy-5-fluorouridin, CYP3A4*22, HLA-B*57:01",
    "leet": "h3ll0 w0rld!!1 y0u g0t pwn3d lolz XxX_d4rKl0rd_XxX k33p c4lm & c0d3 :-P >_< ^^; ¯\\_(ツ)_/¯ uwu owo :3",
    "capital prose": "THE PARTIES HEREBY AGREE THAT LIABILITY SHALL NOT EXCEED THE FEES PAID UNDER SECTION VII(B)(II).",
    "camel": "getUserByIdOrThrowIfNotFound parseHTTPSURLFromXMLHttpRequest IOErrorKind mTLSConfigV2 iOSAppDelegate kUTTypeJPEG",
    "snake": "__init_subclass__ MAX_RETRY_COUNT_PER_HOST _mm256_fmadd_ps pthread_mutex_trylock SIGRTMIN_PLUS_3 __STDC_WANT_LIB_EXT1__",
}

HOSTILE = {
    f"{kind}: {name}": text
    for kind, group in {
        "language": LANGUAGES,
        "table": TABLES,
        "art": ART,
        "symbols": SYMBOLS,
        "box": BOXES,
        "alphabet": ALPHABETS,
        "zalgo": ZALGO,
        "encoded": ENCODED,
        "emoji": EMOJI,
        "mixed": MIXED,
    }.items()
    for name, text in group.items()
}
