import { useCallback } from "react";
import type { Message, Receipt } from "../api/types";
import { findReceipt } from "../session/findReceipt";
import { useResource, type Resource } from "./useResource";

/** What the model was shown for an answer; null where nothing is recorded, or not yet. */
export function useReceipt(answer: Message): Resource<Receipt> {
  const load = useCallback(
    (signal: AbortSignal) =>
      answer.status === "streaming" ? Promise.resolve(null) : findReceipt(answer, signal),
    // The row is read again now and then; what counts here stays as it is once it has ended.
    [answer.id, answer.status],
  );
  return useResource(load);
}
