import { useCallback, useEffect, useRef, useState } from "react";
import type { Conversation } from "../../api/types";
import { useDebounce } from "../../hooks/useDebounce";
import { useResource } from "../../hooks/useResource";
import { isSentence } from "../../model/palette";
import { runSwitchTool } from "../../session/switchTool";

/** Searches for the conversation that a sentence describes, while it is typed or on `submit`. */
export function useConversationSwitch(text: string, onMatch: (conversation: Conversation) => void) {
  const sentence = text.trim();
  const [query, setQuery] = useState("");
  const submitted = useRef<string | null>(null);

  useEffect(() => {
    submitted.current = null;
  }, [sentence]);

  const debounced = useDebounce(sentence, 350);
  useEffect(() => {
    if (isSentence(debounced)) setQuery(debounced);
  }, [debounced]);

  const load = useCallback(
    async (signal: AbortSignal) => (query === "" ? null : runSwitchTool({ query }, signal)),
    [query],
  );
  const { value, error, isLoading, reload } = useResource(load, { keepPrevious: true });
  const isQueried = query === sentence && sentence !== "";
  const isCurrent = isQueried && value !== null && !isLoading && error === null;

  useEffect(() => {
    if (!isCurrent || submitted.current !== sentence) return;
    submitted.current = null;
    if (value.outcome === "switch") onMatch(value.conversation);
  }, [isCurrent, value, sentence, onMatch]);

  return {
    /** The sentence that was searched for, or the previous one while this one is typed. */
    query: isQueried || isSentence(sentence) ? query : "",
    /** The result for this text, or for the previous sentence while this one is loading. */
    answer: isCurrent || isSentence(sentence) ? value : null,
    isCurrent,
    isLoading: isQueried && !isCurrent && error === null,
    error: isQueried ? error : null,
    retry: reload,
    /** Searches now, and opens the conversation if the match is clear. */
    submit: () => {
      if (isCurrent) return;
      submitted.current = sentence;
      if (isQueried && error !== null) reload();
      else setQuery(sentence);
    },
  };
}
