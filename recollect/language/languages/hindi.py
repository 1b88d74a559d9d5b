"""Hindi."""

from recollect.language.definition import Language, Stemming

LANGUAGE = Language(
    code="hi",
    stemming=Stemming(snowball="hindi", scripts=(range(0x0900, 0x0980),)),
)
