"""Chinese."""

from recollect.language.definition import KeyphraseWords, Language
from recollect.language.patterns import IDEOGRAPH

_PARTICLE = (
    "[请請][问問帮幫]?|[帮幫][忙助]?|[我你您他她它][们們]?(?:想要?|要)?|想要|能不能|可不可以|可以"
    "|能否|是否|有[没沒]有|有?[为為]?什[么麼]|怎[么麼][样樣办辦]?|怎[样樣]|如何|哪[些里裡个個]|多少"
    "|[这這那][个個些样樣里裡]?|一[下些个個次种種份]|因[为為]|所以|但是|如果|而且|或者|以及|[还還]是"
    "|[没沒]有|不是|就是|[现現正]在|[应應][该該]|需要|希望|[觉覺]得|知道|告[诉訴]|[关關对對][于於]"
    "|非常|已[经經]|可能|用[户戶]|助手|[询詢][问問]|[吗嗎呢吧啊是]|(?<!目)的|了解?"
    "|(?<![过過失除])去(?![年世除])|(?<![存潜])在(?![线線库庫宅])"
    "|(?<![平温溫共柔])和(?![平谐諧食服风風解])"
)

LANGUAGE = Language(
    code="zh",
    keyphrases=KeyphraseWords(
        courtesies="你好 您好 最近好 早上好 早安 晚上好 晚安 再见 再見 谢谢 謝謝",
        script=rf"{_PARTICLE}|(?P<wide>(?:(?!{_PARTICLE}){IDEOGRAPH}){{2,12}})|{IDEOGRAPH}",
    ),
)
