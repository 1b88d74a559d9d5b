"""Queries match documents by the terms of the index, in any language."""

# ruff: noqa: RUF001  (the letters of other scripts are meant)

import time
import unicodedata
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from recollect.language import analyzer
from recollect.language.analyzer import (
    MAX_QUERY_TERMS,
    MAX_TERM_CHARS,
    analyze,
    count_words,
    query_terms,
)
from recollect.language.normalize import fold
from recollect.language.stopwords import KNOWN_WORDS, STOP_WORDS

COM = ["exampl", "com"]
TOKENIZER = "unicode61 remove_diacritics 0 categories 'L* N* Co M* P* S*'"

DOCUMENTS = {
    "en": "We have booked two flights to Manila, and the hotel reservations were confirmed.",
    "it": "Ho prenotato due voli per Manila e le prenotazioni degli alberghi sono confermate.",
    "fil": "Kumain kami ng adobo, at nagluto si Nanay ng masarap na ulam para sa kaibigang bisita.",
    "es": "He reservado dos vuelos a Manila y las reservaciones de los hoteles están confirmadas.",
    "fr": "J'ai réservé deux vols pour Manille et les réservations d'hôtels ont été confirmées.",
    "de": "Ich habe zwei Flüge nach Manila gebucht, und die Buchungen der Häuser sind bestätigt.",
    "pt": "Eu reservei dois bilhetes para Manila e as traduções dos contratos não foram feitas.",
    "nl": "Ik heb twee vluchten naar Manila geboekt en de boekingen van de huizen zijn bevestigd.",
    "ru": "Мы забронировали два билета в Манилу, и гостиницы подтвердили брони.",
    "el": "Κλείσαμε δύο πτήσεις και τα ξενοδοχεία.",
    "ar": "حجزنا الغرف في المدينة",
    "hi": "मैंने दो किताबें खरीदीं",
    "ta": "நான் புத்தகங்கள் வாங்கினேன்",
    "hy": "Մենք տեսանք քաղաքները",
}
INFLECTED = {
    "en": ["reservation", "flight", "BOOKING", "confirming", "which flight did we book?"],
    "it": ["prenotazione volo", "volo", "l’albergo", "CONFERMATO", "quando ho prenotato il volo?"],
    "fil": ["kumakain", "magluluto", "lutuin", "kaibigan", "bisitang", "ano ang kinakain mo?"],
    "es": ["vuelo", "reservación", "reservacion", "¿cuándo reservé el vuelo?"],
    "fr": ["vol", "réservation", "reservation", "hotel", "confirmé", "quand est-ce qu'on vole ?"],
    "de": ["Flug", "buchung", "HAUS", "Wann geht der Flug?"],
    "pt": ["bilhete", "tradução", "traducao", "contrato", "o que eles reservaram?"],
    "nl": ["vlucht", "boeking", "huis", "wanneer is de vlucht?"],
    "ru": ["билет", "гостиница", "Где наши билеты?"],
    "el": ["πτήση", "ξενοδοχείο"],
    "ar": ["مدينة"],
    "hi": ["किताब"],
    "ta": ["புத்தகம்"],
    "hy": ["քաղաք"],
}
STRANGERS = [  # languages without a stemmer here, two of them without one anywhere
    "Bókin er á borðinu hjá Sigríði og kötturinn sefur undir rúminu",
    "Watoto wanacheza mpira uwanjani karibu na nyumba yetu kubwa",
    "თბილისი არის საქართველოს დედაქალაქი და უდიდესი ქალაქი",
    "הספר נמצא על השולחן ליד החלון",
    "Książka leży na stole, a kot śpi pod łóżkiem",
    "Çocuklar İstanbul'da bahçede oynuyorlar",
]


def matches(query: str, document: str) -> set[str]:
    return {*query_terms(query)} & {*analyze(document)}


def test_other_inflections_match() -> None:
    for language, question in [(lang, q) for lang, asked in INFLECTED.items() for q in asked]:
        assert matches(question, DOCUMENTS[language])


def test_every_word_matches_itself() -> None:
    for language, document in DOCUMENTS.items():
        for word in document.replace(",", "").replace(".", "").split():
            assert matches(word, document)
            if language not in {"hi", "ta"}:  # their vowel signs are more than accents
                assert matches(fold(word), document)


def test_words_of_any_language_match_themselves_in_any_text() -> None:
    for document in DOCUMENTS.values():
        for stranger in STRANGERS:
            for word in stranger.replace(",", "").split():
                assert matches(word, f"{document} {stranger} {document}")
                assert matches(f"{word}?", stranger)


NO_MATCH = [
    ("wine", "Who did win the race?"),
    ("care", "The car is in the garage."),
    ("plane", "We have a plan."),
    ("gatto", "Il gateau è nella scatola."),
    ("volo", "Il volto della città."),
    ("user", "the use of it"),
    ("1234", "ACME-12345 is open"),
    ("猫", "犬がいる"),
]


def test_other_words_do_not_match() -> None:
    for question, document in NO_MATCH:
        assert not matches(question, document)


LOANWORDS = [
    ("container", "Ho fatto il deploy dei containers sui server della rete."),
    ("meeting", "Domani ci sono due meetings con il cliente."),
    ("reservation", "Gusto ko i-cancel ang mga reservations natin sa Cebu."),
    ("book", "Nag-book ako ng hotel."),
]


def test_english_loanwords_are_stemmed() -> None:
    for question, document in LOANWORDS:
        assert matches(question, document)


TERMS = [
    ("l'appartamento dell’amico", ["l~", "appart~", "dell~", "amic~"]),
    ("don't, what's, Marta’s", ["dont", "what", "s", "marta", "s"]),
    ("Città CITTÀ citta", ["citta"] * 3),
    ("Straße ﬁne ｆｕｌｌ", ["strass", "fine", "full"]),
    ("naïve co\u00adoperation", ["naiv", "cooper"]),
    ("_so_ __very__ **bold**", ["so", "veri", "bold"]),
    ("3.14 42 1,200 1.200", ["3.14", "42", "1,200", "1200", "1.200", "1200"]),
    ("ACME-1234", ["acme-1234", "acm", "1234"]),
    ("user_id", ["user_id", "user", "id"]),
    ("foo.bar()", ["foo.bar", "foo", "bar"]),
    ("v2.0.1 python3.11", ["v2.0.1", "v2", "python3.11", "python3", "11"]),
    ("AB12-99 #4821", ["ab12-99", "ab12", "99", "#4821", "4821"]),
    ("C++, C# and R&D", ["c++", "c#", "and", "r&d"]),
    ("10:30 2026-05-01", ["10:30", "2026-05-01", "2026"]),
    ("2026-05-01T10:30", ["2026-05-01t10:30", "2026-05-01", "10:30", "2026"]),
    (
        "marta.rossi@example.com",
        ["marta.rossi@example.com", "marta.rossi", "example.com", "marta", "rossi", *COM],
    ),
    ("https://www.example.com", ["example.com", "exampl", "com"]),
    ("example.com/a-b", ["example.com/a-b", "example.com", "a-b", "exampl", "com"]),
    ("/etc/hosts", ["etc/hosts", "etc", "host"]),
    (r"C:\Users\marta", ["c:/users/marta", "user", "marta"]),
    ("東京へ行く", ["東京", "京へ", "へ行", "行く", "東", "京", "行"]),
    ("iPhoneの猫", ["iphon", "の猫", "猫"]),
    ("책을", ["책을", "책", "을"]),
    ("สวัสดี", ["สวั", "วัส", "สดี"]),
    ("ﾊﾟﾝ バス", ["パン", "バス"]),
    ("👩🏽‍💻 ❤️ 🇵🇭 👍🏿", ["👩", "💻", "❤", "🇵🇭", "👍"]),
    ("\ud800\x00 \u0301 — … !", []),
    ("", []),
]


def test_terms_of_a_document() -> None:
    for text, expected in TERMS:
        assert analyze(text) == expected


def test_a_document_is_stemmed_and_marked_in_its_language() -> None:
    assert analyze("il volo della mattina") == ["il~", "vol~", "dell~", "mattin~"]
    assert analyze("the flight of the morning") == ["the", "flight", "of", "the", "morn"]
    assert analyze("volo") == ["volo"]


PARTS = [
    ("acme 1234", "see ACME-1234"),
    ("ACME-1234", "acme and 1234"),
    ("user", "the user_id column"),
    ("1200", "it costs 1,200 euros"),
    ("1.200", "it costs 1,200 euros"),
    ("example.com", "https://www.example.com/docs/plan.pdf?page=1"),
    ("plan.pdf", "https://www.example.com/docs/plan.pdf?page=1"),
    ("http://example.com/docs", "at example.com/docs"),
    ("猫", "私の猫は白い"),
    ("책", "책을 읽는다"),
    ("東京", "昨日東京へ行った"),
    ("🎉", "Done 🎉🎉"),
    ("👍", "👍🏽"),
]


def test_parts_and_other_spellings_match() -> None:
    for question, document in PARTS:
        assert matches(question, document)


def test_a_whole_identifier_matches_more_terms_than_its_parts() -> None:
    assert len(matches("ACME-1234", "ACME-1234")) > len(matches("ACME-1234", "acme 1234"))


QUERY_WORDS = [
    ("What did I say about the wine?", {"say", "wine"}),
    ("Quando abbiamo prenotato l'albergo?", {"prenotato", "albergo"}),
    ("Kailan ba ang flight namin?", {"flight"}),
    ("¿Dónde está mi pasaporte?", {"pasaport"}),
    ("Où est-ce que j'ai mis mon passeport ?", {"est-ce", "est", "ce", "mis", "passeport"}),
    ("Wo habe ich den Reisepass?", {"reisepass"}),
    ("Onde está o meu passaporte?", {"passaport"}),
    ("Waar is mijn paspoort?", {"paspoort"}),
    ("US visa", {"us", "visa"}),
    ("WHERE IS THE US VISA FOR MARTA?", {"visa", "marta"}),
    ("a fast car in the van", {"fast", "car", "van"}),
    ("world war", {"world", "war"}),
    ("who are you", {"who", "are", "you"}),
    ("chi sei", {"chi", "sei"}),
    ("?", set()),
]


def test_a_query_drops_stop_words_unless_it_has_nothing_else() -> None:
    for question, words in QUERY_WORDS:
        assert {term for term in query_terms(question) if not term.endswith("~")} == words


def test_query_terms_are_distinct() -> None:
    terms = query_terms("volo volo Volo voli ACME-1234 acme")
    assert len(terms) == len({*terms})


def test_a_long_query_keeps_its_rarest_words() -> None:
    padding = " ".join(f"w{chr(97 + n % 26)}{chr(97 + n // 26)}x" for n in range(200))
    terms = query_terms(f"{padding} incomprehensibilities X-99 {padding}")
    assert len(terms) == MAX_QUERY_TERMS
    assert {"x-99", "99", "incomprehens"} <= {*terms}


def test_a_long_query_keeps_the_stems_of_its_language() -> None:
    words = "prenotazioni alberghi voli treni biglietti ristoranti musei giardini spiagge montagne"
    more = "laghi fiumi castelli piazze strade mercati negozi stazioni aeroporti passaporti valigie"
    terms = query_terms(f"che cosa hai detto delle {words} e degli {more}?")
    assert len(terms) <= MAX_QUERY_TERMS
    for word in f"{words} {more}".split():
        assert {*analyze(f"il {word} della")} & {*terms}


def test_stop_words_are_folded() -> None:
    for words in STOP_WORDS.values():
        assert {fold(word) for word in words} == words
    assert frozenset[str]().union(*STOP_WORDS.values()) >= KNOWN_WORDS["en"] - STOP_WORDS["en"]


LETTERS = st.characters(categories=["L", "N"])
TEXTS = st.one_of(
    st.text(),
    st.text(
        st.sampled_from(
            "aÀé'’-_.@/:,#+\\ \n1٣ßςİǅ猫のกุ한ﬁ½ﷺ™👍🏽\u200d\ufe0f\u0301\u0302\ud800\x00"
        )
    ),
    st.lists(st.sampled_from([*DOCUMENTS.values(), *STRANGERS, "x", "7"]), max_size=3).map(
        " ".join
    ),
)


@given(TEXTS)
@example("ﷺ \u0149 \u0675 İSTANBUL ⅷ ㎏ 𝒜𝓑 ǅ")
def test_terms_are_valid_in_both_databases(text: str) -> None:
    for term in analyze(text) + query_terms(text):
        assert 0 < len(term) <= MAX_TERM_CHARS
        assert not {*"\"'\\"} & {*term}
        assert not {*map(unicodedata.category, term)} & {"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"}
    assert len(query_terms(text)) <= MAX_QUERY_TERMS


@pytest.fixture(scope="module")
def index() -> Iterator[apsw.Connection]:
    with apsw.Connection(":memory:") as connection:
        connection.execute(
            f'create virtual table documents using fts5 (terms, tokenize="{TOKENIZER}")'
        )
        connection.execute("create virtual table vocabulary using fts5vocab (documents, instance)")
        yield connection


@given(text=TEXTS)
@example(text="İ ß ς ﬁ ½ ① ａ Ꭰ ꭰ ᲀ ǅ 𐐀 K Å")
def test_a_term_is_one_token_of_fts5(index: apsw.Connection, text: str) -> None:
    terms = analyze(text)
    index.execute("delete from documents")
    index.execute("insert into documents (rowid, terms) values (1, ?)", (" ".join(terms),))
    assert index.execute("select count(*) from vocabulary").get == len(terms)
    for term in terms:
        assert (
            index.execute("select rowid from documents where documents match ?", (f'"{term}"',)).get
            == 1
        )


@given(st.text(LETTERS, min_size=1, max_size=20), TEXTS, TEXTS)
@example("perché", "il volo della", "")
@example("US", DOCUMENTS["it"], "")
def test_every_word_of_a_text_matches_it(word: str, before: str, after: str) -> None:
    if query_terms(word):
        assert matches(word, f"{before} {word} {after}")


@given(st.text(LETTERS, max_size=MAX_TERM_CHARS))
def test_case_does_not_matter(word: str) -> None:
    is_cut = "\u02bc" in word.upper()  # the capital of ŉ is two letters and an apostrophe
    if query_terms(word) and fold(word.upper()) == fold(word.lower()) and not is_cut:
        assert matches(word.upper(), word.lower())


LONG_TEXTS = [
    "a" * 2_000_000,
    "a" + "\u0301\u0323" * 1_000_000,
    "ก" + "\u0e38\u0e48" * 1_000_000,
    "a-" * 1_000_000,
    "n't" * 600_000,
    "#@_" * 600_000,
    "東" * 1_000_000,
    "😀" * 1_000_000,
    "1," * 1_000_000,
    "\ud800\x00" * 1_000_000,
    " ".join(f"parola{n}a" for n in range(200_000)),
    " ".join(f"x{n}.y{n}/z" for n in range(100_000)),
]


def test_long_texts_take_linear_time() -> None:
    for read in [analyze, query_terms]:
        for text in LONG_TEXTS:
            started = time.process_time()
            read(text)
            assert time.process_time() - started < 1


def test_both_ends_of_a_long_text_are_indexed() -> None:
    text = f"beginning {'padding ' * 100_000} ending"
    assert matches("beginning", text)
    assert matches("ending", text)


def test_analysis_is_thread_safe() -> None:
    texts = [f"{document} {n}" for n in range(200) for document in DOCUMENTS.values()]
    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(analyze, texts)] == [*map(analyze, texts)]


def test_equal_words_are_stemmed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """NFKC makes four words of one sign, so a token of 2,000 signs has 8,000."""
    stemmed: list[str] = []
    snowball = analyzer._snowball

    def counting(language: str, word: str) -> str:
        stemmed.append(word)
        return snowball(language, word)

    monkeypatch.setattr(analyzer, "_snowball", counting)
    terms = analyze("\ufdfa" * 2_000)
    assert 4 <= len(terms) < 10
    assert len(stemmed) < 20


def test_words_are_counted_in_parts() -> None:
    assert count_words("") == 0
    assert count_words("one two, three-four 中文 5.5 😀") == 6
    assert count_words("word " * 100_000) == pytest.approx(100_000, abs=50)
    assert count_words("a," * 100_000) == 100_000
