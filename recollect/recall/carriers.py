"""The words of a sentence that only ask: "take me back to the chat where we talked about …".

They say nothing about what is asked for, and an embedder would find every other request alike. What
they leave is the topic; where they leave nothing, the sentence itself is. English, Italian and
Filipino first, then the most common turns of Spanish, French, German and Portuguese.
"""

import re

_CHAT = (
    r"chats?|conversations?|discussions?|threads?|conversazion[ei]|discussion[ei]|discorso|"
    r"usapan|conversaci[oó]n|charla|discussions?|gespräch|unterhaltung|conversa"
)
_PHRASES = (
    # English
    r"(?:can|could|would|will) (?:you|we)(?: please)?|i(?:'d| would) like to|i want to|let'?s|"
    r"please|hey|ok(?:ay)?|would you|"
    r"(?:go|switch|jump|return|get|take me|bring me|put me|turn|move)(?: back)?(?: over)? to|"
    r"(?:go|come|get) back|back to|pull(?: me)? up|bring (?:back|up)|(?:re)?open(?: up)?|load(?: up)?|"
    r"show me|find(?: me)?|pick up(?: again)?(?: on| with)?|continue(?: with)?|resume|"
    r"(?:do you )?remember when|take me (?:there|back)|open it|"
    r"wh(?:ere|en) (?:did )?we (?:talked|talk|spoke|speak|were (?:talking|speaking)|discussed|"
    r"figured out|worked out|planned|looked at)(?: about| of| on)?|"
    r"(?:the|that|this|our|which) (?:one|"
    + _CHAT
    + r")(?: (?:where|when|about|in which|with|on|had))?",
    # Italian
    r"(?:possiamo|puoi|potresti|voglio|vorrei|fammi|mi|per favore|senti|ok|adesso|ora)|"
    r"(?:ri)?torn(?:a|iamo|are)(?: a(?:l|lla|llo|i|lle)?| dove)?|pass(?:a|iamo)(?: a(?:l|lla|llo|i|lle)?)?|"
    r"(?:ri)?apri(?:mi)?|ripren(?:di|diamo|dere)|recupera|ritrovi|trovi|porta(?:mi)?|riporti|"
    r"and(?:iamo|are) a|cambia|vai a(?:l|lla|llo|i|lle)?|rimett(?:iamoci|erci)|rivedere|"
    r"ti ricordi(?: (?:che|quando))?|dov'era|c'era|"
    r"(?:la|una|quella|quel|questa|nostra)? ?(?:"
    + _CHAT
    + r")(?: (?:in cui|dove|su(?:l|lla|i|lle)?|di cui))?|"
    r"quell[ao](?: (?:in cui|dove|su(?:l|lla|i|lle)?|de(?:l|lla|i|lle)))|di cui|in cui|"
    r"(?:parlavamo|abbiamo parlato|avevamo parlato|discutevamo|avevamo discusso|dicevamo|"
    r"ragionavamo|ti chiedevo|ti raccontavo)(?: d(?:i|el|ella|ei|elle)| su(?:l|lla)?)?",
    # Filipino
    r"(?:pwede|puwede)(?: bang?| ba)?|gusto kong?|teka|tara|nga ba|nga|di ba|naalala mo|"
    r"(?:balik(?:an)?|lipat|punta|dun|doon)(?: muna)?(?: tayo| natin)?(?: sa| dun sa| doon sa)?|"
    r"(?:paki)?(?:buksan|hanap(?:in)?|ibalik|ilabas|ituloy)(?: mo)?(?: ulit)?(?: nga)?(?: ako)?(?: natin)?|"
    r"(?:na)?(?:saan|asan)(?: na)?|(?:yung|iyong|ang|mga)? ?(?:" + _CHAT + r")(?: natin)?|"
    r"(?:yung )?(?:pinag-?usapan|napag-?usapan)(?: natin)?(?: na)?|kung saan|tungkol sa|"
    r"yung tungkol sa|switch ka",
    # Spanish, French, German, Portuguese
    r"(?:volvamos|vuelve|volver|abre|cambia|pasemos)(?: a(?: la| el)?| al)?|hablábamos de|"
    r"(?:reviens|revenons|retourne|ouvre|passons)(?: à(?: la)?| au)?|où (?:on|nous) (?:parlions|parlait) de|"
    r"(?:geh|gehen wir|wechsle|öffne|zurück)(?: zu(?:r|m)?| zurück)?|wo wir über|"
    r"(?:volte|voltemos|abra|abre|mude)(?: para| à| ao)?|(?:em que )?falávamos (?:de|sobre)",
)
_CARRIER = re.compile(r"(?<![\w'’])(?:" + "|".join(_PHRASES) + r")(?![\w'’])[\s,:]*", re.IGNORECASE)


def without_carrier(sentence: str) -> str:
    left = _CARRIER.sub(" ", sentence)
    left = re.sub(r"\s+", " ", left).strip(" ,.;:!?¿¡")
    return left if any(c.isalnum() for c in left) else sentence
