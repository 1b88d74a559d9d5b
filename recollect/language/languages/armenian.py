"""Armenian."""

from recollect.language.definition import Language, Stemming

LANGUAGE = Language(
    code="hy",
    stemming=Stemming(snowball="armenian", scripts=(range(0x0530, 0x0590),)),
)
