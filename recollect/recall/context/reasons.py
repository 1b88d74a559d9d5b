"""Why something is in a context, or not: every sentence that a receipt can give as a reason.

They are for people, and the web app has them in other languages too. So they stand here, where
whoever translates them finds all of them, and a `Reason` is made nowhere else.
"""

from typing import NewType

Reason = NewType("Reason", str)

INSTRUCTIONS = Reason("The caller's instructions.")
GIVEN = Reason("Given by the caller.")
CURRENT_MESSAGE = Reason("The current message.")
HAPPENED_SINCE = Reason("What has happened since.")

MESSAGES_ARE_SENT = Reason("The messages themselves are sent.")
OVER_BUDGET = Reason("Over budget.")
CUT_BY_SENTENCES = Reason("Cut by whole sentences.")
SAID_BEFORE = Reason("What was said before the messages below.")
EXACT_VALUES = Reason("Exact values from what was said before.")

PINNED = Reason("Pinned by the user.")
RELEVANT = Reason("Bears on it.")
NEWEST = Reason("One of the newest.")
NAMED = Reason("Named by the user.")
NO_WORDS = Reason("There are no words in it to quote.")
BY_WORDS_ONLY = Reason(
    "The message was not embedded in time: older ones were searched by words alone."
)

RECENT = Reason("Recent.")
SHORTENED = Reason("Recent, and too long: its middle.")
WITH_ITS_CALL = Reason("With its call.")
OLDER_THAN_KEPT = Reason("Older than what the policy keeps verbatim.")
NOT_EVEN_READ = Reason("It was not even read: there is too much of it.")
COVERED = Reason("The summary covers it.")
NOT_DIGESTED = Reason("It is not digested yet.")

STILL_WRITTEN = Reason("It is still being written.")
RESULT_WITHOUT_CALL = Reason("A tool result without its call.")
CALL_WITHOUT_RESULT = Reason("A tool call without a result.")
EMPTY = Reason("There is nothing in it.")


def partly(left: int, all_of_it: int) -> Reason:
    return Reason(f"{left} of {all_of_it} are there.")


def both(one: Reason, other: Reason) -> Reason:
    return Reason(f"{one} {other}")
