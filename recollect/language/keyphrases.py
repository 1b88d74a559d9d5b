"""What a text is about, in its own words and without a model.

A sentence is cut into words. A word *tells* something, and then it has stems, or it only holds the
sentence together, as articles, pronouns, "please" and "vorrei" do. Telling words that neither such
stop words nor punctuation part are the candidates, as in RAKE: "cover letter", "Python 3.12". A
candidate counts once for each text it occurs in, times the weight of that text; repeating it inside
one text adds less and less, so that a long answer does not drown a short question. Longer phrases,
names, and words that come up elsewhere too are worth more, as in YAKE.

Stems serve comparison only: up to six folded letters, so that "travelling" and "traveller" are one.
Chinese and Japanese write no spaces. There, particles part the words, and pairs of characters are
the stems; a sentence with hiragana in it is Japanese, one without is Chinese.

Only the beginning and the end of long input are read, and reading takes linear time.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import log
from typing import Self, TypeVar

from recollect.language.normalize import fold
from recollect.language.sentences import is_code, split_sentences

__all__ = [
    "Sentence",
    "Token",
    "WeightedText",
    "WeightedTexts",
    "head_and_tail",
    "keyphrases",
    "readable",
    "sentences",
    "stems_of",
]

_LONGEST_BEGINNING, _LONGEST_END = 1_500, 500
_FIRST_TEXTS, _LAST_TEXTS = 8, 32
_LONGEST_PHRASE, _MOST_STEMS = 4, 12
_WORTH_OF_A_NAME, _WORTH_OF_A_WORD_MORE = 1.5, 0.3

WeightedText = tuple[float, str]
"""A text, and how much it counts."""
Stems = tuple[str, ...]
K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a sentence, by its place. It tells something if it has stems."""

    start: int
    end: int
    stems: Stems
    is_courtesy: bool


@dataclass(frozen=True)
class Sentence:
    text: str
    words: tuple[Token, ...]

    @classmethod
    def of(cls, text: str) -> Self:
        return cls(text, tuple(_words(text)))

    @cached_property
    def stems(self) -> Stems:
        return tuple(stem for word in self.words for stem in word.stems)

    @cached_property
    def is_small_talk(self) -> bool:
        """Nothing in it tells what a conversation is about: "hi", "ciao, come stai?", "ok"."""
        return all(word.is_courtesy or not word.stems for word in self.words)

    def gap_before(self, word: int) -> str:
        return self.text[self.words[word - 1].end : self.words[word].start]

    def part(self, first: int, last: int) -> str:
        """From one word to another, both included, as it was written."""
        return self.text[self.words[first].start : self.words[last].end]


@dataclass(frozen=True)
class WeightedTexts:
    """Weighted texts as sentences, each text with its weight. Small talk tells nothing."""

    texts: Sequence[tuple[float, Sequence[Sentence]]]

    @classmethod
    def of(cls, texts: Sequence[WeightedText]) -> Self:
        read = head_and_tail(texts, _FIRST_TEXTS, _LAST_TEXTS)
        return cls([(weight, [*sentences(text)]) for weight, text in read])

    @cached_property
    def told(self) -> Sequence[tuple[float, Sequence[Sentence]]]:
        return [(weight, [s for s in said if not s.is_small_talk]) for weight, said in self.texts]

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """How much each stem tells about the texts."""
        return _tally(
            (weight, (stem for s in said for stem in s.stems)) for weight, said in self.told
        )

    def keyphrases(self, limit: int) -> list[str]:
        found = [(weight, [*_phrases_in(said)]) for weight, said in self.told]
        times = _tally((weight, (phrase.stems for phrase in said)) for weight, said in found)
        phrases = [phrase for _, said in found for phrase in said]
        names = {phrase.stems for phrase in phrases if phrase.is_name}
        spelling = {phrase.stems: phrase.text for phrase in reversed(phrases)}

        def worth(stems: Stems) -> float:
            length = 1 + _WORTH_OF_A_WORD_MORE * (min(len(stems), _LONGEST_PHRASE) - 1)
            own = times[stems] * length * (_WORTH_OF_A_NAME if stems in names else 1)
            return own + sum(self.weights[stem] for stem in stems) / len(stems)

        chosen: list[Stems] = []
        for stems in sorted(times, key=worth, reverse=True):
            if len(chosen) >= limit:
                break
            if not any(_are_near(stems, other) for other in chosen):
                chosen.append(stems)
        return [spelling[stems] for stems in chosen]


def keyphrases(texts: Sequence[WeightedText], *, limit: int = 5) -> list[str]:
    """What the texts are about, as they put it: the most telling phrase first, each idea once."""
    return WeightedTexts.of(texts).keyphrases(limit)


def stems_of(text: str) -> frozenset[str]:
    return frozenset(stem for sentence in sentences(text) for stem in sentence.stems)


def head_and_tail(items: Sequence[T], first: int, last: int) -> Sequence[T]:
    return items if len(items) <= first + last else [*items[:first], *items[-last:]]


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text, without its code; the middle of a long text is left out."""
    if len(text) > _LONGEST_BEGINNING + _LONGEST_END:
        text = f"{text[:_LONGEST_BEGINNING]}\n{text[-_LONGEST_END:]}"
    for sentence in split_sentences(text):
        if not is_code(sentence) and (plain := readable(sentence)):
            yield Sentence.of(plain)


def readable(text: str) -> str:
    """Text on one line, without code blocks, links, markup and control characters."""
    if not text.isprintable():
        text = "".join(c if c.isprintable() or c in _JOINERS else _blank(c) for c in text)
    prose = _NO_PROSE.sub(" ", _LINK_TEXT.sub(r"\1", text)).replace("`", "")
    return " ".join(_MARKUP.sub("", prose.strip()).split())


def _blank(character: str) -> str:
    return " " if character.isspace() else ""


@dataclass(frozen=True, slots=True)
class _Phrase:
    stems: Stems
    text: str
    is_name: bool


def _phrases_in(said: Iterable[Sentence]) -> Iterator[_Phrase]:
    """Every run of a few telling words with nothing but blanks between them."""
    for sentence in said:
        for first in range(len(sentence.words)):
            if not _NUMBER.fullmatch(sentence.part(first, first)):
                yield from _phrases_from(first, sentence)


def _phrases_from(first: int, sentence: Sentence) -> Iterator[_Phrase]:
    stems: Stems = ()
    for last, word in enumerate(sentence.words[first : first + _LONGEST_PHRASE], first):
        stems += word.stems
        is_parted = last > first and sentence.gap_before(last).strip()
        if not word.stems or is_parted or len(stems) > _MOST_STEMS:
            return
        text = sentence.part(first, last)
        after_capital = text[1:] if first == 0 else text
        yield _Phrase(stems, text, is_name=after_capital != after_capital.lower())


def _tally(found: Iterable[tuple[float, Iterable[K]]]) -> dict[K, float]:
    total: dict[K, float] = {}
    for weight, items in found:
        for item, times in Counter(items).items():
            total[item] = total.get(item, 0.0) + weight * (1 + log(times))
    return total


def _are_near(one: Stems, other: Stems) -> bool:
    """They share more than half of the shorter one."""
    return 2 * len({*one} & {*other}) > min(len({*one}), len({*other}))


def _words(sentence: str) -> Iterator[Token]:
    pattern = _JAPANESE if _HIRAGANA.search(sentence) else _CHINESE
    follows_greeting = False
    for match in pattern.finditer(sentence):
        folded = fold(match[0]).replace("\u2019", "'")
        is_greeted = follows_greeting and _is_set_apart(match)
        follows_greeting = folded in _GREETINGS
        is_stop = match.lastgroup is None or is_greeted or folded in _STOP_WORDS
        stems = () if is_stop else _stems(folded, is_wide=match.lastgroup == "wide")
        yield Token(match.start(), match.end(), stems, folded in _COURTESIES)


def _is_set_apart(word: re.Match[str]) -> bool:
    """As the name in "Hi Claude, can you …" is, but not the one in "Hi, Docker does not start"."""
    return word[0][0].isupper() and word.string[word.end() : word.end() + 1] in ",.!?"


def _stems(folded: str, *, is_wide: bool) -> Stems:
    if is_wide:
        return tuple(map("".join, pairwise(folded))) or (folded,)
    bare = folded.removesuffix("'s")
    if len(bare) > 3:
        bare = bare.removesuffix("s")
    return (bare[:6],) if bare else ()


_JOINERS = "\u200c\u200d"  # invisible, but part of how words and emoji are written
_NO_PROSE = re.compile(
    r"```.*?(?:```|\Z)|</?[a-zA-Z][^<>]{0,200}>"
    r"|https?://\S+|www\.\S+|[\w.+-]{1,64}@[\w-]{1,64}\.\w+"
)
_LINK_TEXT = re.compile(r"!?\[([^\[\]\n]{0,200})\]\([^()\s]{0,500}\)")
_MARKUP = re.compile(
    r"\A(?:(?:[#>*\u2022\u2013\u2014-]+|(?i:user|assistant) ?:)\s+)+"
    r"|\*\*+|(?<![\w*])[*_]{1,3}(?=\w)|(?<=[\w.!?])[*_]{1,3}(?![\w*])"
)
_NUMBER = re.compile(r"[\d.,-]+")

_HAN = "\u3005\u3006\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u30ff\u31f0-\u31ff"
_MARKS = (  # accents and vowel signs, which Python does not count among the letters
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u0900-\u0963\u0981-\u0df3\u0e31-\u0e4e\u0eb1-\u0ece\u0f71-\u0f84\u102b-\u103e\u17b4-\u17d3"
)
_LETTER = rf"(?:[^\W_{_HAN}{_KANA}]|[{_MARKS}])"
_SPACED = (
    r"\b(?i:[cdjlmnst]|qu|un|[dnsc]?[aeou]ll|quest|quell)['\u2019](?=\w)"  # l'arte, qu'il
    rf"|(?P<word>{_LETTER}+(?:(?:[-.'\u2019\u200c\u200d]|(?<=\d),(?=\d)){_LETTER}+)*[+#]*)"
)
_SIGN = rf"[{_HAN}\u30a1-\u30fa\u30fc]"  # what Japanese writes its nouns with
_HIRAGANA = re.compile("[\u3041-\u309f]")
_NOUN_ENDS = "(?=[がにのはもを])"
_JAPANESE = re.compile(
    rf"{_SPACED}|(?P<wide>"
    rf"{_SIGN}{{1,12}}(?:[いきけしちっべみめりれ]{_SIGN}{{1,4}}){{1,2}}(?:[きしちり]{_NOUN_ENDS})?"
    rf"|{_SIGN}{{2,12}}(?:[きちり]{_NOUN_ENDS})?"
    rf"|{_SIGN}{_NOUN_ENDS})"  # elsewhere a single sign is the stem of a verb
    rf"|[\u3041-\u309f]+|{_SIGN}"
)
_CHINESE_PARTICLE = (
    "[请請][问問帮幫]?|[帮幫][忙助]?|[我你您他她它][们們]?(?:想要?|要)?|想要|能不能|可不可以|可以"
    "|能否|是否|有[没沒]有|有?[为為]?什[么麼]|怎[么麼][样樣办辦]?|怎[样樣]|如何|哪[些里裡个個]|多少"
    "|[这這那][个個些样樣里裡]?|一[下些个個次种種份]|因[为為]|所以|但是|如果|而且|或者|以及|[还還]是"
    "|[没沒]有|不是|就是|[现現正]在|[应應][该該]|需要|希望|[觉覺]得|知道|告[诉訴]|[关關对對][于於]"
    "|非常|已[经經]|可能|用[户戶]|助手|[询詢][问問]|[吗嗎呢吧啊是]|(?<!目)的|了解?"
    "|(?<![过過失除])去(?![年世除])|(?<![存潜])在(?![线線库庫宅])"
    "|(?<![平温溫共柔])和(?![平谐諧食服风風解])"
)
_CHINESE = re.compile(
    rf"{_SPACED}|{_CHINESE_PARTICLE}"
    rf"|(?P<wide>(?:(?!{_CHINESE_PARTICLE}){_SIGN}){{2,12}})|{_SIGN}"
)

_STOP_WORDS_OF = {
    "English": (
        "a about after again all also am an and any anyone anything are as ask asked at be because "
        "been before being but by can can't cannot could couldn't did didn't do does doesn't doing "
        "don't each else every explain few find for from get give go going got had has have "
        "haven't he help her here him his how how's i i'd i'll i'm i've if in into is isn't it "
        "it's its just know learn let let's like look looking made make many may maybe me mine "
        "more most much must my need needed no not now of off ok okay on once one only or other "
        "our out over own please question really said same say see she should show so some "
        "something such sure tell than thank thanks that that's the their them then there these "
        "they thing things think this those through to today too try trying understand until up us "
        "use user using very want wanted was way we well were what what's when where which while "
        "who why will wish with without won't wonder would yes yet you you'd you're your yours "
        "assistant discussed suggested hi hello hey bye sorry near recommend recommended love two "
        "three best good wow yeah awesome cool glad haha lol always never often usually sometimes "
        "between"
    ),
    "Italian": (
        "abbiamo ad agli ai aiutami aiutare aiutarmi aiuti aiuto al alla alle allo anche ancora "
        "avere aveva avrei bisogno buona buongiorno buonasera che chi chiesto ciao ci coi col come "
        "con consigliami cosa cosi cui da dai dal dalla dalle dallo degli dei del della delle "
        "dello devo di dimmi dire dirmi dove dunque e ed era ero essere fa fai fammi fare farmi "
        "gli grazie ha hai hanno ho il invece io la le lei li lo loro lui ma mi mia mie miei mio "
        "molto ne nei nel nella nelle nello noi non nostro o ogni ora per perche perfetto pero piu "
        "po poi possiamo posso potresti prego puo puoi pure qual qualche qualcosa quale quali "
        "quando quanto quella quelle quelli quello questa queste questi questo qui quindi riesci "
        "sai sapere saluti scusa se sei senza si sia siamo sono spiegami sta stai sto su sua sue "
        "sugli sui sul sulla sulle suo suoi tra trovare tu tua tuo tutti tutto un una uno utente "
        "assistente va vi voglio vorrei due tre quattro migliore serve faccio migliori"
    ),
    "Filipino": (
        "akin aking ako akong alam alin ang ano anong ating ay ba bago bakit bang bawat bilang "
        "dahil dapat daw din dito diyan doon eh gaano gusto gustong habang hanggang hindi ibang "
        "ikaw ilan ilang inyo ipaliwanag isa isang ito itong iyan iyo iyon iyong ka kahit kailan "
        "kailangan kailangang kami kamusta kang kanya kanyang kapag kasi kay kaya kayo kayong ko "
        "kong kumusta kung lahat lamang lang maaari maari mag magandang magkano mas mayroon meron "
        "mga mo mong muna na nais naman namin nang nasa natin ng ngayon ni nila ninyo niya nito "
        "noon nung oo opo pa paano paki pala para parang puwede pwede pwedeng raw rin sa saan "
        "salamat sana sila sino siya talaga tapos tayo tayong tulong tulungan tungkol upang wala "
        "yan yata yun yung dalawang tatlong siyempre"
    ),
    "Spanish": (
        "ahora algo alguien alguna algunas alguno algunos antes aqui asi aun aunque ayuda ayudame "
        "ayudar ayudarme bien buenas buenos cada conmigo cual cuales cuando cuanto cuantos de debo "
        "desde donde el ella ellos en entre eres es esa ese eso esta estaba estamos estan estar "
        "estas este esto estos estoy explicame favor fue gracias haber hacer hago hasta hay hola "
        "hoy las les los mis mucho muy nada necesito nos nosotros otra otro podrias poder por "
        "porque pregunta puede puedes puedo pues que quiere quiero quisiera saber sea ser sin "
        "sobre solo son soy sus tal tambien te tener tengo ti tiene tienes todo todos tus unas "
        "unos usuario usted y ya yo como dos tres mejor ayudas"
    ),
    "French": (
        "aide aider aidez ainsi alors apres au aucun aussi autre aux avec avez avoir besoin bon "
        "bonjour bonsoir ca car ce cela ces cet cette ceux chaque chez combien comme comment dans "
        "des dois donc dont du elle elles est est-ce et etait ete etes etre eux expliquer faire "
        "fais fait faut aimerais ici ils je leur leurs mais meme merci mes moi mon notre nous ont "
        "ou par pas peu peut peux plait plus pour pourquoi pourrais pourriez pouvez puis quand "
        "quel quelles quels quoi salut sans savoir ses sont souhaite sous suis sur svp ta tes toi "
        "ton tous tout tres une utilisateur vais veut veux voici voudrais vos votre vous deux "
        "trois meilleur meilleure facon"
    ),
    "German": (
        "aber allem allen aller alles als auch auf aus bei beim bin bis bitte brauche damit dann "
        "danke das dass dein deine dem den denn der dich die dies diese dieser dieses dir doch "
        "durch ein eine einem einen einer eines er erklare erklaren etwas euch frage fur gegen "
        "geht gern gerne geht's gibt hab habe haben hallo hast hat helfen hier hilf hilfe ich ihm "
        "ihn ihnen ihr ihre im immer ins ist ja jede jetzt kann kannst kein keine keinen konnen "
        "konnte konnten konntest mache machen man mehr mein meine meinem meinen meiner mich mir "
        "mit mochte muss mussen nach nicht nichts noch nun nur nutzer benutzer ob oder ohne schon "
        "sehr sein seine seit sich sie sind soll sollte uber um und uns unser unter vom von vor "
        "wann warum weil welche welchen welcher welches wenn wer werden wie wieder willst wir wird "
        "wo wurde wurden zu zum zur zwei drei beste besten lange"
    ),
    "Portuguese": (
        "agora ajuda ajudar ajude algum ao aos ate boa bom com dela dele depois dos ela ele eles "
        "em entao essa esse estao estou eu explicar fazer foi gostaria isso isto lhe mesmo meu "
        "meus minha minhas muito nao nas nem nossa nosso num numa obrigada obrigado oi ola os "
        "outra pela pelo pode poderia podes pra preciso quais quem quero sem seu seus sou suas tem "
        "tenho ter tudo uma voce voces dois outro melhor"
    ),
    "Japanese": "私 僕 俺 君 何 誰 今 方 事 時 為 物 今回 質問 一緒 手伝 ユーザー アシスタント",
}
_COURTESY_WORDS = (
    "afternoon chat conversation day evening everything fine good great greeting "
    "greetings later meet morning name new nice night none null pleased pleasure test "
    "testing unknown untitled week weekend welcome bella bello bene buon conoscerti "
    "conversazione giornata giorno mattina nome piacere salve sera araw gabi hapon "
    "kaibigan mabuti maganda pangalan tanghali umaga conocerte conversacion dia dias "
    "encantada encantado noches nombre tardes bienvenue enchante journee nuit soiree "
    "vas abend gesprach gruss gut gute guten guter morgen nacht servus tag bem "
    "conversa noite prazer tarde 你好 您好 最近好 早上好 "
    "早安 晚上好 晚安 再见 再見 谢谢 謝謝 元気 今日 名前"
)
_GREETINGS = frozenset(
    {"hi", "hello", "hey", "thanks", "ciao", "salve", "grazie", "buongiorno", "buonasera"}
    | {"kumusta", "kamusta", "salamat", "hola", "gracias", "bonjour", "bonsoir", "salut", "merci"}
    | {"hallo", "danke", "oi", "ola", "obrigado", "obrigada"}
)
_STOP_WORDS = frozenset(fold(" ".join(_STOP_WORDS_OF.values())).split())
_COURTESIES = frozenset(fold(_COURTESY_WORDS).split())
"""Greetings are made of these; in any other sentence they count."""
