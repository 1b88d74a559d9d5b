import { getAnalytics } from "../api/analytics";
import { ApiError } from "../api/error";
import { getReceipt } from "../api/messages";
import type { Message, Receipt } from "../api/types";

/**
 * The receipt of an answer, or null where none was kept.
 *
 * A browser notes on its console whatever it asks for in vain. So of an answer that was not surely
 * written by this server, the analytics are asked first: only where they had to estimate what its
 * model was shown, there is no receipt.
 */
export async function findReceipt(answer: Message, signal?: AbortSignal): Promise<Receipt | null> {
  if (!isWrittenHere(answer) && !(await isOnRecord(answer, signal))) return null;
  try {
    return await getReceipt(answer.id, signal);
  } catch (error) {
    if (error instanceof ApiError && error.isNotFound) return null;
    throw error;
  }
}

/** What is copied or imported was said before it was stored; what failed may not have begun. */
function isWrittenHere({ model_variant, status, event_at, created_at }: Message): boolean {
  const isFromBefore = Date.parse(event_at) < Date.parse(created_at);
  return model_variant !== null && status !== "error" && !isFromBefore;
}

async function isOnRecord({ conversation_id, seq }: Message, signal?: AbortSignal): Promise<boolean> {
  const { by_turn } = await getAnalytics(conversation_id, signal);
  return by_turn.some((cost) => cost.seq === seq && !cost.estimated);
}
