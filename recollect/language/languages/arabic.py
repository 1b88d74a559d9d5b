"""Arabic."""

from recollect.language.definition import Language, NameWords, Stemming

LANGUAGE = Language(
    code="ar",
    stemming=Stemming(snowball="arabic", scripts=(range(0x0600, 0x0700),)),
    names=NameWords(particles="al bin el ibn"),
)
