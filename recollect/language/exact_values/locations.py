"""URLs, e-mail addresses and paths.

A path is rooted (`/etc/hosts`, `~/notes`, `C:\\Users`) or ends in a file type; otherwise "and/or"
and "km/h" would be paths.
"""

from recollect.language.exact_values.pattern import literal_patterns, plain_patterns

_PART = r"[\w.@%+~=-]{1,80}"
_FILE_TYPES = (
    "bak|bat|bin|c|cfg|conf|cpp|cs|css|csv|db|docx?|env|epub|gif|go|gz|h|hpp|html?|ini|ipynb|jar|"
    "java|jpe?g|jsonl?|jsx?|key|kt|lock|log|lua|md|mkv|mov|mp[34]|od[st]|pdf|pem|php|png|pptx?|ps1|"
    "py|rb|rs|rst|rtf|s?css|sh|sql|sqlite|svg|tar|tex|toml|tsv|tsx?|txt|vue|wav|webp|xlsx?|xml|"
    "ya?ml|zip"
)
_OF_URL = r"""[^\s<>"'`{}|\\^\[\]（）「」，。]"""  # noqa: RUF001

URLS = literal_patterns(
    "url",
    rf"""(?<![\w+.-]) (?: [a-zA-Z][a-zA-Z0-9+.-]{{1,15}}:// | www\. )
    {_OF_URL}{{3,300}} (?!{_OF_URL})""",
)
EMAILS = literal_patterns(
    "identifier",
    r"(?<![\w.+-]) [\w.+-]{1,64} @ [\w-]{1,63} (?: \. [\w-]{1,63} ){1,4}",
)
PATHS = literal_patterns(
    "path",
    r"""(?<!\w) (?: [A-Za-z]: | \\\\[\w.-]{1,60} ) \\     # a drive or a server
    (?: [^\\/:*?"<>|\s] [^\\/:*?"<>|\n]{0,60} \\ ){0,15}  # folders, often with spaces
    [\w.@%+~-]{0,80}""",
    rf"(?<![\w/:.~]) (?: ~ | \.{{1,2}} )? / (?: {_PART} / ){{0,15}} {_PART} /?",
    rf"(?<![\w/:.@-]) (?: {_PART} / ){{1,15}} [\w.@%+~=-]{{0,70}} \.[A-Za-z]\w{{0,9}} (?!\w)",
) + plain_patterns(
    "path",
    rf"""(?<![\w/.@-]) (?! (?: node | vue | next | nuxt | react | three | express | d3 )\.js )
    \w[\w.-]{{0,70}} \. (?: {_FILE_TYPES} ) (?![\w-])""",
)
