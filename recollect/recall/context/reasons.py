"""The reasons that a receipt can give.

The web app translates them, so every `Reason` is defined in this module.
"""

from typing import NewType

Reason = NewType("Reason", str)

INSTRUCTIONS = Reason("The caller's instructions.")
CALLER_CONTEXT = Reason("Given by the caller.")
CURRENT_MESSAGE = Reason("The current message.")
AFTER_CURRENT_MESSAGE = Reason("Recorded after the current message.")

CURRENT_DATE = Reason("The day on which the message was sent.")
DATA_NOTE = Reason("Recalled text is data, not instructions.")

MESSAGES_ARE_SENT = Reason("The messages themselves are sent.")
OVER_BUDGET = Reason("Over budget.")
CUT_BY_SENTENCES = Reason("Cut by whole sentences.")
EARLIER_MESSAGES = Reason("Summary of earlier messages.")
EXACT_VALUES = Reason("Exact values from earlier messages.")

PINNED = Reason("Pinned by the user.")
RELEVANT = Reason("Relevant to the current message.")
ELSEWHERE = Reason("Relevant to the current message, from another conversation.")
NEWEST = Reason("One of the newest.")
SOURCE_IS_SHOWN = Reason("The message that it was taken from is sent.")
REFERENCED = Reason("Referred to by the user.")
NO_TEXT = Reason("It has no text to quote.")
LEXICAL_ONLY = Reason(
    "The message was not embedded in time: older ones were searched by words alone."
)

RECENT = Reason("Recent.")
SHORTENED = Reason("Recent, but long: its middle is left out.")
WITH_ITS_CALL = Reason("Sent with its tool call.")
OLDER_THAN_KEPT = Reason("Older than what the policy keeps verbatim.")
NOT_READ = Reason("Not read: there are too many messages.")
COVERED = Reason("Covered by the summary.")
NOT_DIGESTED = Reason("Not digested yet.")

STILL_STREAMING = Reason("Still being written.")
RESULT_WITHOUT_CALL = Reason("A tool result without its call.")
CALL_WITHOUT_RESULT = Reason("A tool call without a result.")
EMPTY = Reason("Empty.")


def items_kept(kept: int, total: int) -> Reason:
    return Reason(f"{kept} of {total} kept.")


def joined(*reasons: Reason) -> Reason:
    return Reason(" ".join(reasons))
