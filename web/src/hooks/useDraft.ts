import { useCallback, useEffect, useState } from "react";

const nameOf = (conversationId: string | null) => `recollect.draft.${conversationId ?? "new"}`;

function read(name: string): string {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return ""; // a browser that keeps nothing
  }
}

/** What has been typed and not sent, kept in this browser for each conversation. */
export function useDraft(conversationId: string | null): [string, (text: string) => void] {
  const name = nameOf(conversationId);
  const [text, setText] = useState(() => read(name));

  useEffect(() => setText(read(name)), [name]);

  const keep = useCallback(
    (draft: string) => {
      setText(draft);
      try {
        if (draft === "") localStorage.removeItem(name);
        else localStorage.setItem(name, draft);
      } catch {
        // Then it lasts as long as the page.
      }
    },
    [name],
  );

  return [text, keep];
}
