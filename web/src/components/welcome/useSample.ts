import { createConversation } from "../../api/conversations";
import { publishChange } from "../../api/dataChanges";
import { queueExtraction } from "../../api/memories";
import { useMediaQuery } from "../../hooks/useMediaQuery";
import { useMutation } from "../../hooks/useMutation";
import { conversationPath, useNavigation } from "../../hooks/useRoute";
import { useLocale } from "../../i18n/i18n";
import { samples } from "./sample";

/** Creates the sample conversation and opens it. */
export function useSample() {
  const { language } = useLocale();
  const { navigate } = useNavigation();
  const isWide = useMediaQuery("(min-width: 75rem)");
  const { isPending, error, mutate } = useMutation(async () => {
    const { id } = await createConversation(samples[language]);
    await queueExtraction(id);
    publishChange({ kind: "conversation", id });
    navigate(conversationPath(id, { panel: isWide ? "summary" : null }));
  });
  return { isPending, error, createSample: () => void mutate() };
}
