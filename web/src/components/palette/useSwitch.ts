import { useCallback, useEffect, useRef, useState } from "react";
import type { ApiError } from "../../api/error";
import type { Conversation } from "../../api/types";
import { useDebounced } from "../../hooks/useDebounced";
import { useResource } from "../../hooks/useResource";
import { isSentence } from "../../model/palette";
import { runSwitchTool, type SwitchResult } from "../../session/switchTool";

interface Switching {
  /** What the server said of this text; while it is asked about a sentence, of the last one. */
  answer: SwitchResult | null;
  isFresh: boolean;
  isAsking: boolean;
  error: ApiError | null;
  retry: () => void;
  /** Asks now, and goes there if the answer is clear. */
  go: () => void;
}

/** Puts a sentence to the server while it is being written, or when the reader says so. */
export function useSwitch(text: string, onMatch: (conversation: Conversation) => void): Switching {
  const sentence = text.trim();
  const [asked, setAsked] = useState("");
  const goesFor = useRef<string | null>(null);

  useEffect(() => {
    goesFor.current = null;
  }, [sentence]);

  const settled = useDebounced(sentence, 350);
  useEffect(() => {
    if (isSentence(settled)) setAsked(settled);
  }, [settled]);

  const load = useCallback(
    async (signal: AbortSignal) =>
      asked === "" ? null : runSwitchTool({ query: asked }, signal),
    [asked],
  );
  const { value, error, isLoading, reload } = useResource(load, { keepsLast: true });
  const isAsked = asked === sentence && sentence !== "";
  const isFresh = isAsked && value !== null && !isLoading && error === null;

  useEffect(() => {
    if (!isFresh || goesFor.current !== sentence) return;
    goesFor.current = null;
    if (value.outcome === "switch") onMatch(value.conversation);
  }, [isFresh, value, sentence, onMatch]);

  return {
    answer: isFresh || isSentence(sentence) ? value : null,
    isFresh,
    isAsking: isAsked && !isFresh && error === null,
    error: isAsked ? error : null,
    retry: reload,
    go: () => {
      if (isFresh) return;
      goesFor.current = sentence;
      if (isAsked && error !== null) reload();
      else setAsked(sentence);
    },
  };
}
