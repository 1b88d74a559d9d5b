/** What somebody has begun to write into a summary, kept while the panel shows something else. */
interface Draft {
  text: string;
  /** What it was written against. */
  version: number;
}

const drafts = new Map<string, Draft>();

export function draftOf(conversationId: string): Draft | null {
  return drafts.get(conversationId) ?? null;
}

export function keepDraft(conversationId: string, draft: Draft | null): void {
  if (draft) drafts.set(conversationId, draft);
  else drafts.delete(conversationId);
}
