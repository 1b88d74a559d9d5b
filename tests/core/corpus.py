# ruff: noqa: RUF001
"""Documents of every kind that turns up in a conversation, for counting tokens.

All of them were written for these tests.
"""


def _prose(text: str) -> str:
    """One line, as a chat client sends it."""
    return " ".join(text.split())


def _dense(text: str) -> str:
    """One line of a script that puts no spaces between words."""
    return "".join(line.strip() for line in text.splitlines())


DOCUMENTS = {
    "ok": "ok",
    "thanks": "Thanks!",
    "yes please": "Yes, please.",
    "question": "What time does the pharmacy on Harbour Street close today?",
    "italian short": "Va bene, grazie mille!",
    "filipino short": "Sige, salamat po!",
    "german short": "Passt, bis morgen.",
    "russian short": "Хорошо, спасибо!",
    "chinese short": "好的，谢谢！",
    "japanese short": "了解しました。",
    "korean short": "네, 알겠습니다.",
    "thumbs": "👍",
    "number": "42",
    "order number": "Order 4471-B, 3 pieces",
    "hello": "Hello",
    "no": "no",
    "sounds good": "Sounds good to me",
    "where": "where are you?",
    "spanish short": "¿Qué tal? Todo bien por aquí.",
    "french short": "D'accord, à demain !",
    "portuguese short": "Não sei, talvez amanhã.",
    "filipino question": "Anong oras po kayo magsasara?",
    "italian question": "Quanto costa la spedizione?",
    "russian question": "Когда вы работаете?",
    "arabic short": "شكرا جزيلا",
    "hebrew short": "מה השעה?",
    "hindi short": "धन्यवाद, कल मिलते हैं।",
    "thai short": "ขอบคุณมากค่ะ",
    "chinese question": "请问几点关门？",
    "japanese question": "何時に閉まりますか？",
    "korean question": "몇 시에 문을 닫아요?",
    "hearts": "😍😍 so cute!!",
    "price": "€49.90",
    "date": "2024-11-05",
    "phone": "+39 347 555 0182",
    "mail": "anna.keller@example.com",
    "file name": "quarterly_report_final_v3.xlsx",
    "english": _prose("""
        When my grandmother moved out of the old house, she gave each of us one box and told us
        to fill it with whatever we wanted to keep. My brother took the tools from the shed,
        because he had learned to use every one of them there. I took the letters. There were
        hundreds, tied up with kitchen string, and most of them were about nothing at all: the
        price of apples, a neighbour's new dog, the weather on the coast. Reading them now, I
        understand that this was the point. Nobody writes down the important things while they
        are happening.
    """),
    "english support chat": _prose("""
        Hi there, I ordered a standing desk two weeks ago and it still hasn't shipped. The
        tracking page only says "label created", and nobody answered the two emails I've sent. I
        don't want to cancel, I'd just like to know if it's realistic to expect it before the
        14th, because that's when I'm moving. If it isn't, could you please change the delivery
        address? I'll send you the new one as soon as you've confirmed that's possible. Thanks a
        lot for your help!
    """),
    "italian": _prose("""
        Domenica scorsa siamo andati in montagna con gli amici di mia sorella. Siamo partiti
        prestissimo, quando in città dormivano ancora tutti, e verso le nove eravamo già al
        rifugio. Il sentiero era coperto di foglie bagnate e bisognava fare attenzione a non
        scivolare. A mezzogiorno abbiamo mangiato pane, formaggio e una torta di mele che
        qualcuno aveva portato nello zaino, schiacciata ma buonissima. Quando è cominciato a
        piovere nessuno si è lamentato: avevamo ancora tanta voglia di chiacchierare.
    """),
    "filipino": _prose("""
        Noong bata pa ako, tuwing Sabado ay sumasama ako sa nanay ko sa palengke. Maaga kaming
        gumigising para makapili ng sariwang isda at gulay bago pa dumami ang tao. Kilala niya
        ang halos lahat ng tindera, kaya palagi kaming may nakukuhang dagdag na kamatis o sili.
        Pag-uwi namin, tinuturuan niya akong magluto ng sinigang, at sinasabi niyang ang
        pinakamahalagang sangkap ay ang pagtitiyaga. Ngayong ako naman ang nagluluto para sa mga
        anak ko, naiintindihan ko na kung ano talaga ang ibig niyang sabihin.
    """),
    "spanish": _prose("""
        Mi abuelo tenía una pequeña librería en la esquina de la plaza, y los jueves por la
        tarde me dejaba elegir un libro para llevarme a casa. Nunca me preguntaba si lo había
        terminado; solo quería saber qué página me había gustado más y por qué. Años después,
        cuando cerró la tienda, descubrí que guardaba una libreta con todas mis respuestas,
        fechadas y ordenadas como si fueran facturas. Todavía la consulto cuando no sé qué leer.
    """),
    "german": _prose("""
        Seit wir die Wohnung im vierten Stock gemietet haben, streiten wir uns jeden Herbst über
        die Heizung. Meine Mitbewohnerin behauptet, dass achtzehn Grad völlig ausreichen, wenn
        man einen ordentlichen Pullover trägt, während ich schon beim Frühstück kalte Finger
        bekomme. Letzte Woche haben wir schließlich einen Kompromiss gefunden: Tagsüber bleibt
        das Thermostat niedrig, aber abends, sobald jemand kocht, darf aufgedreht werden. Die
        Nebenkostenabrechnung wird zeigen, ob das eine gute Idee gewesen ist.
    """),
    "french": _prose("""
        Le train avait déjà quarante minutes de retard lorsque le contrôleur est passé nous
        expliquer qu'une branche était tombée sur la voie. Personne n'a vraiment protesté. Une
        dame a sorti un thermos de café, un étudiant a proposé de partager ses biscuits, et peu
        à peu le wagon entier s'est mis à bavarder comme dans un salon. Quand nous sommes enfin
        repartis, j'ai eu l'impression étrange que plusieurs voyageurs le regrettaient un peu.
    """),
    "portuguese": _prose("""
        Quando cheguei a Lisboa pela primeira vez, não conhecia ninguém e falava um português
        bastante atrapalhado. Aluguei um quarto numa rua tão estreita que os vizinhos
        conversavam de janela para janela sem levantar a voz. Todas as manhãs, a senhora do café
        perguntava-me se eu já tinha saudades de casa, e eu respondia que ainda não. No dia em
        que finalmente disse que sim, ela trouxe-me um pastel de nata sem cobrar nada.
    """),
    "russian": _prose("""
        Прошлой зимой мы с друзьями решили поехать на дачу, хотя все говорили, что дорогу давно
        занесло снегом. Машина застряла за два километра до посёлка, и дальше пришлось идти
        пешком, с рюкзаками и фонариками. В доме было так холодно, что чайник казался самым
        важным предметом на свете. Зато утром, когда выглянуло солнце, никто уже не жалел, что
        приехал: лес стоял совершенно неподвижный, и было слышно, как с веток падает снег.
    """),
    "greek": _prose("""
        Το καλοκαίρι που έκλεισα τα δεκαοχτώ, δούλεψα σε μια ταβέρνα δίπλα στη θάλασσα. Το πρωί
        καθάριζα τραπέζια και το βράδυ κουβαλούσα δίσκους ανάμεσα σε παρέες που δεν βιάζονταν να
        φύγουν. Ο ιδιοκτήτης ήταν αυστηρός, αλλά όταν τελείωνε η βάρδια μάς έβαζε όλους να
        καθίσουμε και μας σέρβιρε ο ίδιος. Έλεγε πως όποιος δεν ξέρει να σερβίρει δεν ξέρει ούτε
        να τρώει.
    """),
    "arabic": _prose("""
        في كل مساء كان جدي يجلس أمام باب البيت ويحكي لنا قصة جديدة عن رحلاته القديمة. لم نكن
        نعرف إن كانت تلك القصص حقيقية أم من خياله، لكننا كنا ننتظرها بفارغ الصبر. كان يبدأ دائما
        بوصف الطريق والطقس والناس، ثم يتوقف عند اللحظة الأكثر إثارة ويقول إن البقية ستأتي غدا.
        والآن، بعد سنوات طويلة، أجد نفسي أروي القصص نفسها لأطفالي بالطريقة ذاتها.
    """),
    "hebrew": _prose("""
        בשבוע שעבר נסענו לבקר את הדודה שלי בצפון. היא גרה בבית קטן עם גינה גדולה, ובכל פעם
        שאנחנו מגיעים היא כבר מחכה לנו ליד השער עם קנקן של לימונדה. הפעם היא ביקשה שנעזור לה
        לקטוף את הזיתים לפני הגשם הראשון. עבדנו כמה שעות, דיברנו על הכול, ובסוף היום היו לנו
        ידיים שחורות ומצב רוח מצוין.
    """),
    "hindi": _prose("""
        पिछले साल जब मैं अपने गाँव गया, तो सब कुछ बदला हुआ लगा। जिस तालाब में हम बचपन में नहाते थे, उसके किनारे
        अब एक छोटी सी चाय की दुकान है। दुकान चलाने वाले ने मुझे तुरंत पहचान लिया और पूछा कि शहर में मन लगता है
        या नहीं। मैंने कहा कि लगता तो है, लेकिन यहाँ जैसी शाम वहाँ कभी नहीं होती। उसने हँसकर एक और कप चाय आगे
        बढ़ा दी।
    """),
    "thai": _prose("""
        เมื่อวานนี้ฉันไปตลาดนัดกับเพื่อนเพื่อหาของขวัญวันเกิดให้คุณแม่ เราเดินดูร้านค้าเกือบสองชั่วโมง
        แต่ยังตัดสินใจไม่ได้ว่าจะซื้ออะไรดี สุดท้ายเราเลือกผ้าพันคอสีฟ้าที่คุณป้าคนหนึ่งทอเอง
        แล้วก็แวะกินก๋วยเตี๋ยวเรือก่อนกลับบ้าน คุณแม่ชอบมากและบอกว่าจะใส่ไปทำงานทุกวัน
    """),
    "chinese": _dense("""
        去年秋天，我和妹妹一起回到了小时候住过的小镇。老街上的店铺大多已经换了招牌，只有那家修
        鞋店还在原来的地方。师傅的头发全白了，可他一眼就认出了我们，还记得我小学时总是把鞋跟磨
        坏。我们在店里坐了一个下午，听他讲这些年镇上发生的事情。临走的时候，他坚持不肯收钱，说
        下次带着孩子一起来就好。
    """),
    "traditional chinese": _dense("""
        昨天晚上颱風過後，陽台上的花盆全都倒了，我花了整個早上整理。隔壁的鄰居看到我一個人在搬
        土，就拿著掃把過來幫忙，還送了我兩株剛發芽的羅勒。我們一邊打掃一邊聊天，才發現原來我們
        在同一間公司上班，只是樓層不同，從來沒有遇過。
    """),
    "japanese": _dense("""
        先週の土曜日、久しぶりに実家へ帰りました。駅前の商店街はずいぶん静かになっていましたが、
        子どものころによく通ったパン屋さんはまだ営業していて、懐かしいにおいがしました。母は私
        の好きな煮物をたくさん作って待っていてくれて、夕飯のあとは二人で古いアルバムを見ながら
        遅くまで話しました。帰りの電車の中で、次はもう少し早く帰ろうと思いました。
    """),
    "korean": _prose("""
        지난주에 회사 동료들과 함께 제주도로 짧은 여행을 다녀왔습니다. 첫날은 비가 많이 와서
        숙소에서 보드게임만 했는데, 다음 날에는 하늘이 맑게 개어서 바닷가를 따라 오래 걸을 수
        있었습니다. 저녁에는 작은 식당에서 갈치 조림을 먹었고, 주인아주머니께서 귤을 한 봉지나
        챙겨 주셨습니다. 다음에는 가족들과 꼭 다시 오고 싶습니다.
    """),
    "english essay": _prose("""
        Bridges are honest structures. A wall may hide its weakness behind plaster for a
        century, but a bridge shows how it carries its load to anyone who stops to look. The
        arch pushes outward and must be held by its banks; the beam bends, and grows thicker
        where it bends most; the cable only pulls, and so it can be astonishingly thin.
        Engineers learned these differences slowly, and usually from collapse. Perhaps that is
        why they speak of failure more calmly than the rest of us do: they have kept careful
        records of it.
    """),
    "english assistant answer": _prose("""
        Good question! Sourdough usually turns out dense for one of three reasons. First, your
        starter might not be active enough: it should double within six hours of feeding.
        Second, the dough may be underproofed, especially in a cold kitchen. Third, you could be
        adding too much flour while shaping. I'd suggest keeping notes for your next two loaves
        (temperature, times, hydration), and we can look at them together. Would you like a
        simple schedule?
    """),
    "english legal": _prose("""
        The Tenant shall give the Landlord no less than sixty (60) days' written notice prior to
        vacating the Premises. Any alteration, improvement or addition made without the
        Landlord's prior consent shall, at the Landlord's option, be removed at the Tenant's
        expense, and the Premises restored to their original condition, ordinary wear and tear
        excepted.
    """),
    "english informal": _prose("""
        lol yeah i totally forgot abt that. gonna ask my sis if she can drive us bc mine's still
        in the shop :( also do u have the tix already or should i screenshot mine?? pls lmk
        asap, dont wanna be stuck outside like last time haha
    """),
    "italian news": _prose("""
        Il consiglio comunale ha approvato ieri sera il nuovo piano per la mobilità sostenibile.
        Nei prossimi tre anni verranno realizzati diciotto chilometri di piste ciclabili e
        saranno raddoppiate le corse notturne degli autobus. L'opposizione ha criticato i costi,
        giudicati eccessivi, e ha chiesto maggiore trasparenza sugli appalti. Il sindaco ha
        risposto che i finanziamenti europei copriranno quasi tutta la spesa.
    """),
    "italian assistant": _prose("""
        Certo! Per disdire l'abbonamento devi entrare nella tua area personale, scegliere la
        voce Pagamenti e poi cliccare su Disattiva il rinnovo automatico. Riceverai subito un
        messaggio di conferma. Se hai pagato meno di quattordici giorni fa puoi anche chiedere
        il rimborso: vuoi che prepari io la richiesta?
    """),
    "filipino story": _prose("""
        Isang hapon, habang nagpapahinga ang mga mangingisda sa lilim ng niyog, may dumating na
        estrangherong may dalang malaking mapa. Itinanong niya kung saan matatagpuan ang pulo na
        hindi nakikita kapag kabilugan ng buwan. Nagkatinginan ang mga matatanda at walang
        gustong sumagot. Ngunit ang pinakabatang anak ng kapitan ay tumayo at nagturo sa
        kanluran, kung saan unti-unting lumulubog ang araw.
    """),
    "filipino assistant": _prose("""
        Opo, maaari ninyong palitan ang inyong password sa pamamagitan ng pagpindot sa Settings
        at pagpili ng Seguridad. Magpapadala kami ng code sa inyong cellphone na kailangan
        ninyong ilagay sa loob ng limang minuto. Kung hindi ninyo matanggap ang mensahe,
        pakisuri muna kung tama ang numerong nakarehistro.
    """),
    "spanish recipe": _prose("""
        Para preparar un buen gazpacho se necesitan tomates muy maduros, medio pepino, un
        pimiento verde pequeño, un diente de ajo y un poco de pan del día anterior. Se trituran
        todos los ingredientes con aceite de oliva, vinagre y sal, se cuela la mezcla y se deja
        enfriar en la nevera durante varias horas. Antes de servirlo conviene probarlo y
        corregir el punto de sal.
    """),
    "german office": _prose("""
        Sehr geehrte Frau Lindner, vielen Dank für Ihre Rückmeldung. Leider können wir die
        gewünschte Vertragsänderung nicht rückwirkend vornehmen, da die Kündigungsfrist bereits
        abgelaufen ist. Selbstverständlich haben Sie die Möglichkeit, innerhalb von zwei Wochen
        schriftlich Widerspruch einzulegen. Für Rückfragen stehen wir Ihnen jederzeit gerne zur
        Verfügung.
    """),
    "french history": _prose("""
        Au dix-huitième siècle, les almanachs étaient souvent le seul livre que possédait une
        famille de paysans. On y trouvait les phases de la lune, les dates des foires, quelques
        remèdes contre la fièvre et des prédictions dont personne ne se souvenait l'année
        suivante. Ils se vendaient si bien que les imprimeurs se disputaient les colporteurs.
    """),
    "portuguese tech": _prose("""
        Depois da última atualização, o aplicativo passou a fechar sozinho sempre que tento
        anexar uma foto. Já desinstalei, limpei o cache e reiniciei o celular, mas o problema
        continua. A versão instalada é a mais recente e o aparelho tem espaço de sobra. Vocês
        conseguem me dizer se existe alguma previsão de correção?
    """),
    "dutch": _prose("""
        Gisteren zijn we met de fiets naar het strand gegaan, ook al voorspelde het weerbericht
        stevige buien. Onderweg kregen we natuurlijk een lekke band, maar gelukkig had mijn zus
        een pompje bij zich. We hebben uren in de duinen gezeten, patat gegeten en geprobeerd te
        raden welke schepen er aan de horizon voorbijkwamen.
    """),
    "polish": _prose("""
        W zeszłym tygodniu wreszcie udało nam się znaleźć mieszkanie, które odpowiada wszystkim.
        Jest niewielkie, ale jasne, a z balkonu widać stary park. Właścicielka zgodziła się,
        żebyśmy przemalowali kuchnię na zielono. Teraz zostało już tylko przewieźć książki,
        których mamy stanowczo za dużo.
    """),
    "turkish": _prose("""
        Sabahları işe giderken vapura binmeyi seviyorum. Martılar simit atan çocukların
        etrafında dönüyor, herkes çayını yudumlarken sessizce karşı kıyıya bakıyor. Yol yirmi
        dakika sürüyor ama sanki bütün günün yorgunluğunu daha başlamadan alıp götürüyor.
    """),
    "vietnamese": _prose("""
        Chị ơi, cho em hỏi đơn hàng của em bao giờ thì giao đến ạ? Em đã chuyển khoản từ hôm thứ
        hai nhưng vẫn chưa thấy ai gọi điện. Nếu không kịp trước cuối tuần thì chị giúp em đổi
        sang địa chỉ công ty nhé, vì ở nhà không có người nhận.
    """),
    "indonesian": _prose("""
        Kemarin malam listrik di rumah kami padam hampir tiga jam, jadi kami semua duduk di
        teras sambil bercerita. Ayah menceritakan masa kecilnya di kampung, waktu belum ada
        televisi dan anak-anak bermain layang-layang sampai gelap. Adik saya tidak percaya bahwa
        orang bisa hidup tanpa internet.
    """),
    "swedish": _prose("""
        När snön äntligen smälte upptäckte vi att någon hade glömt en gammal eka vid stranden.
        Vi frågade runt i byn, men ingen kände igen den. Till slut bestämde vi oss för att tjära
        skrovet och måla årorna röda, och nu ror vi ut varje kväll när vinden har lagt sig.
    """),
    "ukrainian": _prose("""
        Минулої осені ми посадили біля школи двадцять молодих лип. Кожен клас доглядає за своїм
        деревом, поливає його і записує, як воно росте. Учителька каже, що через тридцять років
        у їхньому затінку сидітимуть наші діти. Мені подобається думати про це, коли я йду
        додому.
    """),
    "russian assistant": _prose("""
        Конечно, помогу. Чтобы вернуть товар, зайдите в раздел «Мои заказы», выберите нужную
        позицию и нажмите кнопку «Оформить возврат». Деньги поступят на карту в течение десяти
        рабочих дней. Если упаковка повреждена, приложите, пожалуйста, фотографию: так заявку
        рассмотрят быстрее.
    """),
    "greek news": _prose("""
        Η δημοτική βιβλιοθήκη θα παραμείνει κλειστή έως το τέλος του μήνα λόγω εργασιών
        ανακαίνισης. Οι αναγνώστες μπορούν να επιστρέφουν τα βιβλία στο κουτί που βρίσκεται έξω
        από την κεντρική είσοδο, ενώ οι εκδηλώσεις για παιδιά μεταφέρονται προσωρινά στο παλιό
        δημαρχείο.
    """),
    "arabic assistant": _prose("""
        بالتأكيد، يمكنني مساعدتك في تغيير موعد الحجز. أرجو أن ترسل لي رقم الحجز والتاريخ الجديد
        الذي يناسبك، وسأتحقق من توفر الغرف. إذا كان السعر مختلفا فسوف أخبرك بذلك قبل تأكيد
        التعديل. لا توجد رسوم إضافية إذا تم التغيير قبل يومين من الوصول.
    """),
    "hebrew assistant": _prose("""
        כדי לשנות את הסיסמה יש להיכנס להגדרות החשבון, ללחוץ על אבטחה ולבחור באפשרות המתאימה.
        לאחר מכן נשלח אליכם קוד אימות בהודעת טקסט. אם לא קיבלתם את הקוד תוך מספר דקות, בדקו
        שמספר הטלפון המעודכן שלכם שמור במערכת ונסו שוב.
    """),
    "hindi news": _prose("""
        नगर निगम ने घोषणा की है कि अगले महीने से शहर के सभी पार्क सुबह पाँच बजे से रात दस बजे तक खुले रहेंगे। इसके
        साथ ही पुराने झूलों की मरम्मत की जाएगी और बच्चों के लिए नए खेल के मैदान बनाए जाएँगे। स्थानीय निवासियों
        ने इस फैसले का स्वागत किया है।
    """),
    "thai assistant": _prose("""
        ได้เลยค่ะ หากต้องการเปลี่ยนรหัสผ่าน ให้เข้าไปที่หน้าการตั้งค่า แล้วเลือกเมนูความปลอดภัย
        ระบบจะส่งรหัสยืนยันไปยังเบอร์โทรศัพท์ที่ลงทะเบียนไว้ กรุณากรอกรหัสภายในห้านาที หากไม่ได้รับข้อความ
        ให้กดปุ่มส่งอีกครั้งหรือติดต่อเจ้าหน้าที่ได้ตลอดเวลา
    """),
    "chinese assistant": _dense("""
        当然可以。如果您想修改收货地址，请先打开订单详情页面，点击右上角的编辑按钮，然后填写新
        的地址和联系电话。需要注意的是，包裹一旦发出就无法更改，只能等到货以后再申请退换。如果
        您着急，也可以直接联系人工客服，工作时间是每天上午九点到晚上十点。
    """),
    "chinese essay": _dense("""
        黄昏时分，湖面渐渐暗了下来，只剩远处几盏渔火忽明忽暗。老船夫收起桨，点燃一支烟，慢慢讲
        起他年轻时遇到的那场风暴。波浪像山一样压过来，同伴们抱着桅杆，谁也不敢松手。天亮以后，
        他们才发现船已经漂到了陌生的海湾，岸边开满了野菊花。
    """),
    "taiwanese chat": _dense("""
        欸你有沒有看到群組的訊息？老師說下禮拜的報告改到星期五，而且要印出來交，不能只傳檔案。
        我的印表機壞掉了，你可以幫我印嗎？我請你喝珍珠奶茶。還有，記得把參考資料的連結傳給我，
        謝啦！
    """),
    "japanese novel": _dense("""
        彼女は窓辺の椅子に腰かけ、雨に濡れた庭をぼんやりと眺めていた。紫陽花の葉から雫が落ちる
        たびに、遠い夏の記憶がよみがえる。あの日、兄は白い帽子をかぶって坂道を下りていき、その
        まま戻らなかった。時計の針だけが、静かに時を刻んでいる。
    """),
    "japanese support": _dense("""
        ご連絡ありがとうございます。アカウントのパスワードを変更するには、設定メニューから「セ
        キュリティ」を選択し、画面の案内に従って新しいパスワードを入力してください。確認メール
        が届かない場合は、迷惑メールフォルダもご確認ください。
    """),
    "korean assistant": _prose("""
        네, 비밀번호를 변경하시려면 설정 화면에서 보안 메뉴를 선택해 주세요. 등록된 휴대전화
        번호로 인증 코드가 전송되며, 오 분 안에 입력하셔야 합니다. 문자를 받지 못하셨다면 잠시
        후 다시 시도하시거나 고객센터로 문의해 주시기 바랍니다.
    """),
    "korean diary": _prose("""
        오늘은 오랜만에 혼자 산에 올랐다. 나뭇잎이 거의 다 떨어져서 길이 푹신했고, 정상에는
        바람이 세게 불었다. 보온병에 담아 간 커피를 마시면서 멀리 보이는 강을 한참 바라보았다.
        내려오는 길에 다람쥐 두 마리를 만났다.
    """),
    "python": '''\
from collections import deque
from collections.abc import Iterable, Iterator


class MovingAverage:
    """Keeps the mean of the last `window` values."""

    def __init__(self, window: int = 20) -> None:
        if window < 1:
            raise ValueError("A window holds at least one value.")
        self._values: deque[float] = deque(maxlen=window)
        self._total = 0.0

    def push(self, value: float) -> float:
        if len(self._values) == self._values.maxlen:
            self._total -= self._values[0]
        self._values.append(value)
        self._total += value
        return self._total / len(self._values)


def smooth(values: Iterable[float], *, window: int = 20) -> Iterator[float]:
    average = MovingAverage(window)
    for value in values:
        yield average.push(value)


if __name__ == "__main__":
    for number in smooth([1.0, 2.5, 4.0, 8.0], window=2):
        print(f"{number:.2f}")
''',
    "typescript": """\
interface Basket { id: string; lines: BasketLine[]; couponCode?: string }

export async function fetchBasket(userId: string, signal?: AbortSignal): Promise<Basket | null> {
  const response = await fetch(`/api/users/${encodeURIComponent(userId)}/basket`, { signal });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`Basket service answered ${response.status}`);
  return (await response.json()) as Basket;
}

export const totalOf = (basket: Basket) =>
  basket.lines.reduce((sum, line) => sum + line.unitPrice * line.quantity, 0);
""",
    "json tool output": """\
{"status": "ok", "results": [{"id": 8812, "name": "Blue ceramic mug", "price": {"amount": 1450, \
"currency": "EUR"}, "inStock": true, "tags": ["kitchen", "handmade"]}, {"id": 8840, "name": \
"Linen apron", "price": {"amount": 3900, "currency": "EUR"}, "inStock": false, "tags": []}], \
"nextCursor": null, "took_ms": 37}""",
    "json indented": """\
{
  "conversation": {
    "title": "Trip to Porto",
    "participants": ["maria", "assistant"],
    "settings": {
      "language": "pt-PT",
      "temperature": 0.4,
      "max_tokens": 2048
    },
    "archived": false
  }
}
""",
    "sql": """\
SELECT c.name, COUNT(o.id) AS orders, SUM(o.total_cents) / 100.0 AS revenue
FROM customers AS c
LEFT JOIN orders AS o ON o.customer_id = c.id AND o.cancelled_at IS NULL
WHERE c.created_at >= '2024-01-01'
GROUP BY c.name
HAVING COUNT(o.id) > 3
ORDER BY revenue DESC
LIMIT 25;
""",
    "markdown table": """\
## Opening hours

| Day       | Morning       | Afternoon     | Notes                    |
|-----------|---------------|---------------|--------------------------|
| Monday    | 08:30 - 12:00 | 14:00 - 18:00 |                          |
| Wednesday | closed        | 14:00 - 20:00 | late opening             |
| Saturday  | 09:00 - 13:00 | closed        | only by **appointment**  |

* Please ring the bell *twice*.
* Parking is free behind the building.
""",
    "log lines": """\
2025-03-04T09:12:44.318Z INFO  api.gateway request_id=7f3a91 GET /v1/orders/5521 200 18ms
2025-03-04T09:12:44.901Z WARN  db.pool waited 512ms for a connection (size=10, in_use=10)
2025-03-04T09:12:45.007Z ERROR worker.mail retry 3/5: ConnectionResetError: [Errno 104] \
Connection reset by peer
2025-03-04T09:12:47.220Z INFO  api.gateway request_id=7f3a9c POST /v1/payments 201 143ms
""",
    "traceback": """\
Traceback (most recent call last):
  File "/srv/app/billing/invoices.py", line 88, in render
    total = sum(line.amount for line in invoice.lines)
  File "/srv/app/billing/invoices.py", line 88, in <genexpr>
    total = sum(line.amount for line in invoice.lines)
AttributeError: 'NoneType' object has no attribute 'amount'
""",
    "urls": """\
https://www.example.com/shop/category/garden-furniture?page=3&sort=price_asc&utm_source=newsletter
https://docs.example.org/en/latest/reference/configuration.html#logging-handlers
http://localhost:8080/api/v2/users/1029/sessions?active=true
https://cdn.example.net/assets/img/2023/09/hero-banner@2x.7d1f0b.webp
""",
    "uuids": """\
0b9d3c52-6f1e-4a77-9c0e-2f64d1a8e935
f47e12aa-98b3-4c1d-b6f0-71c5e3d20b84
5c2a7e90-d4f8-4b36-8e1f-a093b7c6d152
""",
    "hex": "9f86d081e4c7b2a35d0f6e81c94b7a2238fe5dc0a1b3947e62d8f50c7ba9e614 sha256 of build.tar",
    "base64": """\
UmVjb2xsZWN0IGtlZXBzIHdoYXQgd2FzIHNhaWQsIGluIHRoZSBvcmRlciBpbiB3aGljaCBpdCB3YXMgc2FpZC4gVGhlIHJl
Y29yZCBuZXZlciBsb3NlcyBhIG1lc3NhZ2UsIGFuZCB3aGF0IGlzIGZvcmdvdHRlbiBpcyBmb3Jnb3R0ZW4gb24gcHVycG9z
ZTogYnkgYSBydWxlIHRoYXQgc29tZWJvZHkgd3JvdGUgZG93bi4=
""",
    "numbers": """\
year   revenue     costs     margin
2019   1204881.20  990321.75  17.8
2020    987334.00  901277.10   8.7
2021   1350990.45 1010554.30  25.2
2022   1498002.90 1200876.05  19.8
""",
    "shell": """\
$ docker compose up -d --build && docker compose logs -f web
$ find . -name '*.log' -mtime +7 -print0 | xargs -0 rm -v
$ curl -sS -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/me | jq '.email'
""",
    "html": """\
<section class="card card--wide" id="pricing">
  <h2>Plans</h2>
  <ul>
    <li><strong>Starter</strong>: 9&nbsp;&euro; per month</li>
    <li><a href="/plans/team?ref=home" target="_blank" rel="noopener">Team</a></li>
  </ul>
</section>
""",
    "javascript": """\
import { useEffect, useRef, useState } from "react";

export function useDebounced(value, delay = 300) {
  const [settled, setSettled] = useState(value);
  const timer = useRef(null);

  useEffect(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer.current);
  }, [value, delay]);

  return settled;
}
""",
    "go": """\
func (s *Server) handleUpload(w http.ResponseWriter, r *http.Request) {
\tfile, header, err := r.FormFile("document")
\tif err != nil {
\t\thttp.Error(w, "missing document", http.StatusBadRequest)
\t\treturn
\t}
\tdefer file.Close()
\tlog.Printf("received %s (%d bytes)", header.Filename, header.Size)
}
""",
    "rust": """\
impl<T: Ord + Clone> SortedVec<T> {
    pub fn insert(&mut self, item: T) -> usize {
        let index = self.items.partition_point(|other| other <= &item);
        self.items.insert(index, item);
        index
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> { self.items.iter() }
}
""",
    "python comments": '''\
# The queue is drained before the connection closes; see the note on shutdown above.
async def drain(queue: asyncio.Queue[Job | None], *, timeout: float = 5.0) -> int:
    """Runs what is left and returns how many jobs that were."""
    done = 0
    while (job := await asyncio.wait_for(queue.get(), timeout)) is not None:
        try:
            await job.run()
        except CancelledError:
            logger.warning("job_cancelled", extra={"job_id": job.id, "attempt": job.attempt})
            raise
        done += 1
    return done
''',
    "yaml": """\
services:
  web:
    image: registry.example.com/shop/web:1.14.2
    restart: unless-stopped
    environment:
      - DATABASE_URL=postgresql://shop:secret@db:5432/shop
      - LOG_LEVEL=info
    ports: ["8080:80"]
    depends_on:
      db:
        condition: service_healthy
""",
    "csv": """\
id,first_name,last_name,city,signup_date,balance
1001,Giulia,Ferrari,Bologna,2023-02-11,150.25
1002,Mateo,Santos,Cebu,2023-02-14,-12.00
1003,Ingrid,Johansen,Bergen,2023-03-01,980.10
1004,Yusuf,Demir,Izmir,2023-03-09,0.00
""",
    "diff": """\
--- a/recollect/core/pagination.py
+++ b/recollect/core/pagination.py
@@ -18,7 +18,9 @@ def page_of(rows, limit):
-    return rows[:limit], len(rows) > limit
+    more = len(rows) > limit
+    cursor = encode_cursor(rows[limit - 1]) if more else None
+    return Page(rows[:limit], cursor)
""",
    "xml": """\
<?xml version="1.0" encoding="UTF-8"?>
<invoice number="2024-0117" currency="CHF">
  <customer vat="CHE-114.882.301">Alpine Tools GmbH</customer>
  <line sku="HX-220" quantity="4" unitPrice="19.50"/>
  <total net="78.00" tax="6.32">84.32</total>
</invoice>
""",
    "java trace": """\
java.lang.IllegalStateException: Transaction already committed
\tat com.example.store.TransactionManager.begin(TransactionManager.java:142)
\tat com.example.store.OrderRepository.save(OrderRepository.java:67)
\tat com.example.api.OrderController$1.call(OrderController.java:51)
Caused by: java.sql.SQLException: connection closed (code=08003)
""",
    "css": """\
.chat-bubble { max-width: 62ch; padding: 0.75rem 1rem; border-radius: 12px; }
.chat-bubble--own { background: #e8f1ff; margin-left: auto; color: rgba(0, 0, 0, 0.87); }
@media (max-width: 640px) { .chat-bubble { font-size: 15px; line-height: 1.45; } }
""",
    "latex": r"""\
The energy is $E = \frac{1}{2} m v^2 + m g h$, so that
\[ \int_0^T \left( \dot{x}(t)^2 - \omega^2 x(t)^2 \right) \, dt \le \sqrt{\alpha^2 + \beta^2}. \]
""",
    "tool call": """\
{"name": "search_flights", "arguments": {"origin": "FCO", "destination": "MNL", "depart": \
"2025-12-18", "return": "2026-01-06", "passengers": [{"type": "adult"}, {"type": "child", \
"age": 7}], "max_stops": 1, "cabin": "economy"}}""",
    "json vectors": "[0.0182, -0.2231, 0.9914, 0.0003, -0.5578, 0.1279, 0.4405, -0.0916, 0.3333]",
    "jwt": (
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyLTgxMjMiLCJyb2xlIjoiZWR"
        "pdG9yIiwiaWF0IjoxNzMwMDAwfQ.q3Vx0sYbHk2mZt9LwPfRj7GnC5aEuD1oKiQ8yNvXl4A"
    ),
    "access log": """\
203.0.113.42 - - [05/Nov/2024:10:02:11 +0000] "GET /static/app.3f9c.js HTTP/1.1" 200 48213
198.51.100.7 - alice [05/Nov/2024:10:02:15 +0000] "POST /login HTTP/1.1" 302 0
""",
    "ids": _prose("""
        user_8Kq2ZtLw order-00019283 trace=4bf92f3577b34da6a3ce929d0e0e4736 v2.11.0-rc.3
        pod-7c9d8
    """),
    "capitals": _prose("""
        PLEASE NOTE: THE ELEVATOR IS OUT OF SERVICE UNTIL FURTHER NOTICE. USE THE STAIRS AT THE
        NORTH ENTRANCE. CONTACT THE MANAGEMENT OFFICE IF YOU NEED ASSISTANCE.
    """),
    "markdown": """\
# Release notes 2.4

**New**

- Search in archived conversations (`archived=true`)
- Keyboard shortcuts: <kbd>Ctrl</kbd>+<kbd>K</kbd>

**Fixed**

1. The sidebar no longer flickers on *Safari*.
2. Uploads above 20 MB show a [clear error](https://docs.example.com/errors#413).
""",
    "names": _prose("""
        Attendees: Siobhan O'Reilly, Nguyễn Thị Hạnh, Wojciech Szczepański, María José
        Gutiérrez, Oluwaseun Adeyemi, Krzysztof, Þórdís Björnsdóttir, Xochitl, Dmitrijs,
        Chukwuemeka
    """),
    "emoji chat": _prose("""
        omg 😂😂😂 did you see what he posted?? 🙈 I can't even 💀 anyway happy bday!!! 🎉🎂🥳
        see u at 8 🍕🍷 ❤️
    """),
    "family emoji": "👨‍👩‍👧‍👦 🇮🇹🇵🇭 👍🏽 ☀️ ✈️ 🏖️ let's goooo!!!",
    "taglish": _prose("""
        Hi ma'am, na-receive ko na po yung parcel kanina pero may sira yung box. Okay lang ba
        kung i-return ko na lang? Nag-message na rin ako sa customer service pero wala pang
        reply. Pwede po bang i-refund via GCash? Thank you so much po!
    """),
    "chinese with latin": _dense("""
        我们的后端用的是Python和FastAPI，数据库是PostgreSQL 15，前端用React加TypeScript。部署
        在AWS上，每次push到main分支都会触发GitHub Actions。最近API的latency有点高，P99大概在800ms
        左右，你能帮我看一下slow query的log吗？
    """),
    "japanese with latin": _dense("""
        すみません、Dockerのイメージをbuildしたときに「permission denied」というエラーが出まし
        た。Ubuntu 22.04でPython 3.11を使っています。requirements.txtは昨日から変更していませ
        ん。どうすれば解決できますか？
    """),
    "chat markup": """\
**Summary**

1. You asked for a *vegetarian* lasagne.
2. I suggested `spinach & ricotta`.
3. You replied: "no ricotta, please".

> Shall I look for another recipe?
""",
    "party chat": _prose("""
        who's bringing snacks?? 🍿🥤 I got drinks 🍹 and Leo has the speaker 🔊🎶 don't be late
        this time 😜😂 love uuu 💕💕
    """),
    "reactions": "🔥🔥🔥💯 🤣🤣 🥺👉👈 🫶 ✨ 🙏🏼 🏳️‍🌈 🤷‍♂️",
    "hinglish": _prose("""
        Bhai kal ka plan kya hai? Mujhe office se jaldi nikalna padega, toh main seedha station
        aa jaunga. Tickets maine book kar liye hain, tum bas khana le aana. Aur haan, charger
        mat bhoolna please.
    """),
    "italian with english": _prose("""
        Ho fatto il deploy in staging ma il container va in crash loop: nei log vedo un timeout
        verso Redis. Secondo me manca la variabile REDIS_URL nel config map. Puoi fare un check
        veloce e nel caso un rollback alla release precedente?
    """),
    "korean with english": _prose("""
        이번 sprint에서 API 응답 속도를 개선하려고 Redis cache를 추가했습니다. 그런데 staging
        환경에서 CORS error가 나서 frontend 테스트를 못 하고 있어요. Nginx 설정을 같이 확인해
        주실 수 있나요?
    """),
    "chinese code review": """\
这个函数 `parse_config()` 没有处理 `None` 的情况，建议改成：

```python
if config is None:
    return DEFAULTS.copy()
```

另外，第 42 行的 `timeout=30` 最好写成常量。
""",
    "arabic with numbers": _prose("""
        الطلب رقم 48213 بقيمة 350.75 ريال سيصل يوم 12/05/2025 بين الساعة 14:00 و16:30.
    """),
    "typography": _prose("""
        “Well…” she said — ‘perhaps’ • £20–£35 • 20 °C → 68 °F • ½ cup • © 2024 Müller & Søn™
    """),
    "good morning": "Good morning!",
    "why": "But why?",
    "cancel": "Please cancel my appointment.",
    "italian thanks": "Perfetto, ci vediamo sabato allora.",
    "filipino reply": "Hindi pa po ako nakakain.",
    "german question": "Wie spät ist es?",
    "spanish reply": "Claro que sí, sin problema.",
    "greek short": "Τι κάνεις σήμερα;",
    "chinese reply": "我明天下午有空。",
    "japanese reply": "明日の午後は大丈夫です。",
    "korean reply": "내일 오후에 시간 있어요.",
    "arabic question": "أين تقع المحطة؟",
    "laughing": "hahaha 🤣",
    "measure": "12.5 kg",
    "command": "git push --force-with-lease",
    "english science": _prose("""
        Octopuses have three hearts and blue blood, but their nervous system is stranger still.
        Two thirds of their neurons sit in the arms, and an arm can taste, decide and move
        without asking the brain for permission. Researchers who taught an octopus to open a jar
        found that it learned faster by watching another animal, which nobody had expected from
        a creature that lives alone and rarely grows older than two years.
    """),
    "english dialogue": _prose("""
        "You said you'd call." "I know. I'm sorry." "That's what you said last week." She put
        the kettle on so that she wouldn't have to look at him. "There was a problem with the
        van, then Marcus needed help, and by the time we'd finished it was past midnight." "It's
        always something, isn't it?" He didn't answer. Outside, somebody was trying to park.
    """),
    "english review": _prose("""
        Bought these headphones for commuting and I'm mostly impressed. Battery easily lasts a
        week, the noise cancelling takes the edge off the subway, and they fold up small.
        However, the touch controls are way too sensitive: brushing my hair aside skips the
        track. Four stars, and I'd buy them again if there were an option to switch that off.
    """),
    "italian dialogue": _prose("""
        Pronto, buongiorno, chiamo per quell'annuncio del divano. È ancora disponibile? Volevo
        sapere se si può smontare, perché abito al terzo piano senza ascensore e le scale sono
        strettissime. Potrei venire a vederlo stasera dopo le sette oppure domenica mattina. Se
        mi piace pago in contanti e lo porto via subito con il furgone di mio cognato.
    """),
    "italian science": _prose("""
        Le api comunicano tra loro con una danza. Quando un'esploratrice trova un prato fiorito,
        torna all'alveare e disegna una figura a otto: l'angolo rispetto alla verticale indica
        la direzione del sole, la durata dell'oscillazione indica la distanza. Le compagne
        seguono i movimenti al buio, toccandola con le antenne, e poi volano quasi senza
        sbagliare.
    """),
    "filipino news": _prose("""
        Inanunsyo kahapon ng pamahalaang lungsod na magkakaroon ng libreng sakay sa mga bus
        tuwing umaga simula sa susunod na buwan. Layunin ng proyekto na mabawasan ang trapiko at
        matulungan ang mga manggagawang apektado ng pagtaas ng presyo ng langis. Ayon sa
        alkalde, hihingin nila ang opinyon ng mga mamamayan bago ito gawing permanente.
    """),
    "filipino chat": _prose("""
        Uy, nasaan ka na? Kanina pa kami naghihintay dito sa may tindahan. Sabi mo alas tres, e
        alas kuwatro na. Bilisan mo naman, baka maubusan tayo ng upuan. Tsaka dalhin mo yung
        payong ko na hiniram mo noong isang linggo, mukhang uulan mamaya.
    """),
    "spanish news": _prose("""
        La selección femenina consiguió anoche una victoria histórica después de remontar dos
        goles en los últimos quince minutos. La entrenadora elogió la paciencia de sus jugadoras
        y pidió prudencia de cara a la semifinal. Miles de aficionados celebraron el resultado
        en las calles hasta bien entrada la madrugada.
    """),
    "german science": _prose("""
        Gletscher bewegen sich langsamer als ein Stundenzeiger, und doch formen sie ganze
        Landschaften. Unter dem Druck des Eises schmilzt an der Sohle ein dünner Wasserfilm, auf
        dem die Masse talwärts gleitet. Dabei schleift sie den Fels glatt und trägt Geröll mit
        sich, das später als Moräne liegen bleibt.
    """),
    "french chat": _prose("""
        Coucou ! Tu as bien reçu mon message d'hier ? Je t'ai envoyé les photos du mariage, mais
        je crois que la moitié n'est pas passée. Sinon je te les mets sur une clé et je te
        l'apporte dimanche. Ah, et n'oublie pas de me rendre mon livre de cuisine, j'en ai
        besoin pour samedi !
    """),
    "portuguese news": _prose("""
        A prefeitura anunciou que a reforma da ponte deve terminar antes do previsto. Segundo o
        secretário de obras, as equipes trabalharam inclusive nos fins de semana para reduzir os
        transtornos aos motoristas. Comerciantes da região comemoraram a notícia, já que as
        vendas caíram quase pela metade durante a interdição.
    """),
    "russian news": _prose("""
        В городском парке открылась выставка ледяных скульптур. Мастера из двенадцати стран
        работали над своими произведениями целую неделю, несмотря на сильный мороз. Больше всего
        посетителей собирает огромный кит, внутри которого можно пройти по освещённому тоннелю.
        Выставка продлится до первой оттепели.
    """),
    "greek chat": _prose("""
        Έλα, πού είσαι; Σε περιμένουμε εδώ και μισή ώρα. Παραγγείλαμε ήδη τα ορεκτικά και ο
        Νίκος λέει ότι αν δεν έρθεις σύντομα θα φάει και το δικό σου. Πάρε ταξί, θα το
        μοιραστούμε. Και μην ξεχάσεις το δώρο της Ελένης!
    """),
    "arabic news": _prose("""
        افتتحت المدينة يوم الخميس مكتبة عامة جديدة تضم أكثر من خمسين ألف كتاب وقاعات للدراسة
        ومسرحا صغيرا للأطفال. وقال مدير المكتبة إن الدخول سيكون مجانيا للجميع، وإن فريقا من
        المتطوعين سيقدم دورات أسبوعية في القراءة والكتابة والحاسوب.
    """),
    "hebrew news": _prose("""
        העירייה הודיעה כי החל מהחודש הבא ייסגר הרחוב הראשי לתנועת כלי רכב בימי שישי אחר הצהריים.
        במקום המכוניות יוצבו דוכנים של אמנים ומוזיקאים מקומיים. בעלי העסקים באזור חלוקים בדעתם:
        חלקם מברכים על הרעיון, ואחרים חוששים שהלקוחות יתקשו למצוא חניה.
    """),
    "hindi chat": _prose("""
        अरे यार, तुम कहाँ हो? हम सब कब से इंतज़ार कर रहे हैं। फिल्म बस शुरू होने वाली है और तुम्हारा टिकट मेरे पास
        है। जल्दी से ऑटो पकड़कर आ जाओ, पैसे मैं दे दूँगा। और सुनो, रास्ते से थोड़ा पॉपकॉर्न भी लेते आना।
    """),
    "thai chat": _prose("""
        เธออยู่ไหนแล้ว พวกเรารอกันนานมาก หนังจะเริ่มแล้วนะ ตั๋วของเธออยู่ที่ฉัน รีบเรียกแท็กซี่มาเลย เดี๋ยวช่วยกันออกเงิน
        แล้วก็อย่าลืมเอาร่มที่ยืมไปมาคืนด้วย เห็นฟ้ามืดๆ เหมือนฝนจะตก
    """),
    "chinese news": _dense("""
        记者昨日从市交通局获悉，地铁五号线将于下月初开始试运行，全程约三十二公里，共设二十一座
        车站。试运行期间，列车间隔为八分钟，票价暂不调整。有市民表示，新线路开通后，上班时间可
        以缩短将近一半。
    """),
    "chinese recipe": _dense("""
        先把五花肉切成小块，冷水下锅焯一下，捞出来沥干。锅里放少许油和冰糖，小火炒到微微冒泡，
        再倒入肉块翻炒上色。接着加生抽、料酒、姜片和八角，添开水没过肉，盖上锅盖慢炖一个小时，
        最后大火收汁，撒点葱花就可以上桌了。
    """),
    "japanese news": _dense("""
        市内の動物園で先月生まれたレッサーパンダの赤ちゃんが、きのう初めて一般公開されました。
        朝早くから多くの家族連れが訪れ、木の枝にしがみつく姿に歓声が上がりました。名前は来園者
        の投票で決まり、来月の式典で発表される予定です。
    """),
    "japanese chat": _dense("""
        ねえ、今どこ？もうみんな集まってるよ。映画があと十分で始まっちゃうから急いで！チケット
        は私が持ってるから大丈夫。あと、この前貸した傘、忘れずに持ってきてね。夕方から雨降るら
        しいし。
    """),
    "korean news": _prose("""
        시립 도서관이 다음 달부터 야간 개방 시간을 자정까지 연장한다. 도서관 측은 직장인과
        수험생들의 요청이 많았다며, 늦은 시간에도 안전하게 귀가할 수 있도록 순환 버스를 운영할
        계획이라고 밝혔다. 시범 운영은 석 달 동안 이어진다.
    """),
    "c": """\
static int ring_push(struct ring *r, const void *item)
{
    size_t next = (r->head + 1) % r->capacity;

    if (next == r->tail)
        return -ENOSPC;     /* full: the caller has to wait */
    memcpy(r->slots + r->head * r->item_size, item, r->item_size);
    r->head = next;
    return 0;
}
""",
    "kotlin": """\
data class Reminder(val id: Long, val title: String, val dueAt: Instant, val done: Boolean = false)

class ReminderViewModel(private val repository: ReminderRepository) : ViewModel() {
    val overdue = repository.observeAll()
        .map { reminders -> reminders.filter { !it.done && it.dueAt < Instant.now() } }
        .stateIn(viewModelScope, SharingStarted.Lazily, emptyList())
}
""",
    "dockerfile": """\
FROM python:3.12-slim AS build
WORKDIR /app
COPY pyproject.toml uv.lock ./
RUN pip install --no-cache-dir uv && uv sync --frozen --no-dev
COPY . .
EXPOSE 8000
CMD ["uvicorn", "shop.main:app", "--host", "0.0.0.0", "--port", "8000"]
""",
    "sql schema": """\
create table reminders (
    id         uuid primary key,
    user_id    text not null references users (id) on delete cascade,
    title      varchar(200) not null,
    due_at     timestamptz,
    created_at timestamptz not null default now()
);
create index reminders_due on reminders (user_id, due_at) where due_at is not null;
""",
    "git log": """\
commit 8d3e1fa6c0b94b7a5e2d7713c9f0a46be21d5c08 (HEAD -> main, origin/main)
Author: Petra Novak <petra.novak@example.org>
Date:   Tue Mar 18 14:22:09 2025 +0100

    Retry uploads when the connection drops
""",
    "weather json": """\
{"city":"Trieste","coord":{"lat":45.6495,"lon":13.7768},"hourly":[{"t":"2025-03-18T15:00Z",\
"temp":12.4,"wind_kmh":38,"gust_kmh":71,"sky":"partly_cloudy"},{"t":"2025-03-18T16:00Z",\
"temp":11.9,"wind_kmh":41,"gust_kmh":78,"sky":"overcast"}],"alerts":["strong_wind"]}""",
    "kubernetes": """\
NAME                          READY   STATUS             RESTARTS      AGE
api-6d5f9c7b8d-x2k4q          1/1     Running            0             3d4h
worker-7c8b6d9f54-9hz7m       0/1     CrashLoopBackOff   17 (2m ago)   58m
postgres-0                    1/1     Running            1 (12d ago)   41d
""",
    "digest": (
        "sha512-3Vt7yR0nqkZ8cXo2bQf5JmWl9uHsEgD1aTiPpYxKv6NwLz4rMjCeBhUOdSFAGI8q2tX0w7y5s3n1lK9v=="
    ),
    "connection strings": """\
postgresql+asyncpg://app:s3cr3t@db.internal:5432/orders?sslmode=require
amqps://guest:guest@mq-01.example.net:5671/%2Fprod
s3://backups-eu-west-1/2025/03/18/dump.sql.zst
""",
    "invoice table": """\
| Position | Description              | Qty | Unit price | Total    |
|---------:|--------------------------|----:|-----------:|---------:|
|        1 | Oak shelf, 120 cm        |   2 |     89.00  |   178.00 |
|        2 | Wall brackets (pair)     |   4 |     12.50  |    50.00 |
|          | **Sum incl. VAT (22 %)** |     |            | **278.16** |
""",
    "tagalog with emoji": _prose("""
        Grabe ang traffic kanina 😭😭 dalawang oras kami sa EDSA 🚗💤 pero worth it naman 🥰🏖️
    """),
    "spanglish": _prose("""
        Oye bro, ¿ya viste el update? Me dropearon el server otra vez y perdí todo el progreso.
        Le mandé un ticket al support pero ni caso. Si sigue así hago refund, la neta.
    """),
    "japanese tech": _dense("""
        GitHub ActionsでCIを回していますが、pytestの実行時に`ModuleNotFoundError: No module named '
        numpy'`が出ます。ローカルでは問題なく動作します。キャッシュが原因でしょうか？
    """),
    "russian tech": _prose("""
        После обновления до версии 3.12 сервис падает с ошибкой ImportError при запуске через
        gunicorn. Локально в Docker всё работает. Логи приложил, переменные окружения проверил,
        requirements.txt не менялся.
    """),
    "answer with code": """\
You can sort the list without changing it:

```python
names = ["Zoe", "adam", "Mia"]
print(sorted(names, key=str.casefold))  # ['adam', 'Mia', 'Zoe']
```

`sorted` returns a *new* list; `names.sort()` would change the one you have.
""",
}
