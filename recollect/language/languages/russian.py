"""Russian."""

from recollect.language.definition import Language, Stemming

LANGUAGE = Language(
    code="ru",
    stemming=Stemming(snowball="russian", scripts=(range(0x0400, 0x0530),)),
)
