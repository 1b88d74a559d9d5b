import { getAnalytics } from "../api/analytics";
import { ApiError } from "../api/error";
import { getReceipt } from "../api/messages";
import type { Message, Receipt } from "../api/types";

/**
 * Returns the receipt of an answer, or null if there is none.
 *
 * Browsers log every 404 on the console. So for answers that this server may not have written, the
 * analytics are checked first: they have an estimate only for answers without a receipt.
 */
export async function findReceipt(answer: Message, signal?: AbortSignal): Promise<Receipt | null> {
  if (!isWrittenByServer(answer) && !(await hasReceipt(answer, signal))) return null;
  try {
    return await getReceipt(answer.id, signal);
  } catch (error) {
    if (error instanceof ApiError && error.isNotFound) return null;
    throw error;
  }
}

/** Copied and imported answers are older than their row; failed ones may have no receipt. */
function isWrittenByServer({ model_variant, status, event_at, created_at }: Message): boolean {
  const isImported = Date.parse(event_at) < Date.parse(created_at);
  return model_variant !== null && status !== "error" && !isImported;
}

async function hasReceipt({ conversation_id, seq }: Message, signal?: AbortSignal): Promise<boolean> {
  const { by_turn } = await getAnalytics(conversation_id, signal);
  return by_turn.some((cost) => cost.seq === seq && !cost.estimated);
}
