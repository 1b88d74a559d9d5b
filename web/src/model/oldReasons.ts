/**
 * Reasons as earlier versions of the server wrote them into receipts, with their present wording.
 * Stored receipts do not change.
 */
export const presentReasons: Readonly<Record<string, string>> = {
  "What has happened since.": "Recorded after the current message.",
  "What was said before the messages below.": "Summary of earlier messages.",
  "Exact values from what was said before.": "Exact values from earlier messages.",
  "Bears on it.": "Relevant to the current message.",
  "Named by the user.": "Referred to by the user.",
  "There are no words in it to quote.": "It has no text to quote.",
  "Recent, and too long: its middle.": "Recent, but long: its middle is left out.",
  "With its call.": "Sent with its tool call.",
  "It was not even read: there is too much of it.": "Not read: there are too many messages.",
  "The summary covers it.": "Covered by the summary.",
  "It is not digested yet.": "Not digested yet.",
  "It is still being written.": "Still being written.",
  "There is nothing in it.": "Empty.",
};
