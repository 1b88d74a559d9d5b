/**
 * "Go back to the chat about X" as a tool that a model can call.
 *
 * `switchTool` is its declaration, in the format of OpenAI and Gemini; `runSwitchTool` executes it.
 */
import { findConversation } from "../api/search";
import type { Conversation, SwitchCandidate } from "../api/types";

export const switchTool = {
  name: "switch_conversation",
  description:
    "Goes to an earlier conversation of the user. Call it when the user asks to return to, open or " +
    "continue a conversation about something, and pass on what they said of it.",
  parameters: {
    type: "object",
    properties: {
      query: {
        type: "string",
        description: "What the conversation was about, in the user's own words and language.",
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
} as const;

export type SwitchResult =
  | { outcome: "switch"; conversation: Conversation; others: readonly SwitchCandidate[] }
  | { outcome: "ask"; candidates: readonly SwitchCandidate[] }
  | { outcome: "none" };

/** Finds the conversation. `others` are the runners-up, in case the match is wrong. */
export async function runSwitchTool(
  { query }: { query: string },
  signal?: AbortSignal,
): Promise<SwitchResult> {
  const { match, candidates, needs_confirmation } = await findConversation(query, signal);
  if (match && !needs_confirmation) {
    const others = candidates.filter(({ conversation }) => conversation.id !== match.id);
    return { outcome: "switch", conversation: match, others };
  }
  return candidates.length > 0 ? { outcome: "ask", candidates } : { outcome: "none" };
}
