"""Greek."""

from recollect.language.definition import Language, Stemming

LANGUAGE = Language(
    code="el",
    stemming=Stemming(snowball="greek", scripts=(range(0x0370, 0x0400), range(0x1F00, 0x2000))),
)
