import { useCallback } from "react";
import type { Message, Receipt } from "../api/types";
import { findReceipt } from "../session/findReceipt";
import { useResource, type Resource } from "./useResource";

/** The receipt of an answer; null if there is none, or while the answer is streaming. */
export function useReceipt(answer: Message): Resource<Receipt> {
  const load = useCallback(
    (signal: AbortSignal) =>
      answer.status === "streaming" ? Promise.resolve(null) : findReceipt(answer, signal),
    // Not `answer`: polling replaces the object, and the receipt of a finished answer is final.
    [answer.id, answer.status],
  );
  return useResource(load);
}
