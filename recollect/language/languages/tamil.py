"""Tamil."""

from recollect.language.definition import Language, Stemming

LANGUAGE = Language(
    code="ta",
    stemming=Stemming(snowball="tamil", scripts=(range(0x0B80, 0x0C00),)),
)
