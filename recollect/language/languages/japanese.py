"""Japanese: kanji and katakana write the nouns, hiragana the endings and particles."""

from recollect.language.definition import KeyphraseWords, Language
from recollect.language.patterns import IDEOGRAPH

_NOUN_ENDS = "(?=[がにのはもを])"

LANGUAGE = Language(
    code="ja",
    keyphrases=KeyphraseWords(
        stop_words="私 僕 俺 君 何 誰 今 方 事 時 為 物 今回 質問 一緒 手伝 ユーザー アシスタント",
        courtesies="元気 今日 名前",
        script=(
            rf"(?P<wide>{IDEOGRAPH}{{1,12}}(?:[いきけしちっべみめりれ]{IDEOGRAPH}{{1,4}}){{1,2}}"
            rf"(?:[きしちり]{_NOUN_ENDS})?"
            rf"|{IDEOGRAPH}{{2,12}}(?:[きちり]{_NOUN_ENDS})?"
            rf"|{IDEOGRAPH}{_NOUN_ENDS})"  # elsewhere a single sign is the stem of a verb
            rf"|[\u3041-\u309f]+|{IDEOGRAPH}"
        ),
        script_marker="[\u3041-\u309f]",
    ),
)
