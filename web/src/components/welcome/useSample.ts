import { announce } from "../../api/changes";
import { createConversation } from "../../api/conversations";
import type { ApiError } from "../../api/error";
import { queueExtraction } from "../../api/memories";
import { useMedia } from "../../hooks/useMedia";
import { conversationPath, useNavigation } from "../../hooks/useRoute";
import { useSaving } from "../../hooks/useSaving";
import { useSpeech } from "../../texts/texts";
import { samples } from "./sample";

interface Sampling {
  isSaving: boolean;
  error: ApiError | null;
  begin: () => void;
}

/** Stores the sample conversation, and opens it. */
export function useSample(): Sampling {
  const { language } = useSpeech();
  const { navigate } = useNavigation();
  const isWide = useMedia("(min-width: 75rem)");
  const { isSaving, error, save } = useSaving(async () => {
    const { id } = await createConversation(samples[language]);
    await queueExtraction(id);
    announce({ kind: "conversation", id });
    navigate(conversationPath(id, { panel: isWide ? "summary" : null }));
  });
  return { isSaving, error, begin: () => void save() };
}
