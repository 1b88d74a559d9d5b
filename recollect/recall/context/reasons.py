"""The reasons that a receipt can give.

The web app translates them, so every `Reason` is defined in this module.
"""

from typing import NewType

Reason = NewType("Reason", str)

INSTRUCTIONS = Reason("The caller's instructions.")
CALLER_CONTEXT = Reason("Given by the caller.")
CURRENT_MESSAGE = Reason("The current message.")
AFTER_CURRENT_MESSAGE = Reason("What has happened since.")

MESSAGES_ARE_SENT = Reason("The messages themselves are sent.")
OVER_BUDGET = Reason("Over budget.")
CUT_BY_SENTENCES = Reason("Cut by whole sentences.")
EARLIER_MESSAGES = Reason("What was said before the messages below.")
EXACT_VALUES = Reason("Exact values from what was said before.")

PINNED = Reason("Pinned by the user.")
RELEVANT = Reason("Bears on it.")
NEWEST = Reason("One of the newest.")
REFERENCED = Reason("Named by the user.")
NO_TEXT = Reason("There are no words in it to quote.")
LEXICAL_ONLY = Reason(
    "The message was not embedded in time: older ones were searched by words alone."
)

RECENT = Reason("Recent.")
SHORTENED = Reason("Recent, and too long: its middle.")
WITH_ITS_CALL = Reason("With its call.")
OLDER_THAN_KEPT = Reason("Older than what the policy keeps verbatim.")
NOT_READ = Reason("It was not even read: there is too much of it.")
COVERED = Reason("The summary covers it.")
NOT_DIGESTED = Reason("It is not digested yet.")

STILL_STREAMING = Reason("It is still being written.")
RESULT_WITHOUT_CALL = Reason("A tool result without its call.")
CALL_WITHOUT_RESULT = Reason("A tool call without a result.")
EMPTY = Reason("There is nothing in it.")


def items_kept(left: int, all_of_it: int) -> Reason:
    return Reason(f"{left} of {all_of_it} are there.")


def joined(*reasons: Reason) -> Reason:
    return Reason(" ".join(reasons))
