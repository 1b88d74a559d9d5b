import { announce } from "../../api/changes";
import { createConversation, listConversations } from "../../api/conversations";
import { queueExtraction } from "../../api/memories";
import { listModels } from "../../api/models";
import { useMedia } from "../../hooks/useMedia";
import { useResource } from "../../hooks/useResource";
import { useSaving } from "../../hooks/useSaving";
import { conversationPath, useNavigation } from "../../hooks/useRoute";
import { useSpeech, useTexts } from "../../texts/texts";
import { LocalModelNote } from "../settings/LocalModelNote";
import { ErrorNote } from "../ui/ErrorNote";
import { Nothing } from "../ui/Nothing";
import { samples } from "./sample";
import { texts as welcomeTexts } from "./texts";

const loadAny = (signal: AbortSignal) =>
  listConversations({ q: "", archived: false, cursor: null }, signal);

/** What stands where no message does yet. `isNew` is a conversation that is about to begin. */
export function Welcome({ isNew }: { isNew: boolean }) {
  const texts = useTexts(welcomeTexts);
  const known = useResource(loadAny).value;
  const models = useResource(listModels).value;

  if (!isNew) {
    return <Nothing title={texts.empty} hints={[texts.emptyHint]} />;
  }
  const isLocal = models?.items.some(({ is_default, is_local }) => is_default && is_local);
  return (
    <div className="empty welcome">
      <img src="/favicon.svg" alt="" width="56" height="56" />
      {known?.items.length === 0 ? (
        <FirstRun />
      ) : (
        <>
          <h1>{texts.again}</h1>
          <p>{texts.againHint}</p>
        </>
      )}
      {isLocal && <LocalModelNote isShort />}
    </div>
  );
}

function FirstRun() {
  const texts = useTexts(welcomeTexts);
  const { language } = useSpeech();
  const { navigate } = useNavigation();
  const isWide = useMedia("(min-width: 75rem)");
  const { isSaving, error, save } = useSaving(async () => {
    const { id } = await createConversation(samples[language]);
    await queueExtraction(id);
    announce({ kind: "conversation", id });
    navigate(conversationPath(id, { panel: isWide ? "summary" : null }));
  });

  return (
    <>
      <h1>{texts.first}</h1>
      <ol className="explanation">
        {texts.explanation.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
      <button
        type="button"
        className="button primary"
        aria-disabled={isSaving}
        onClick={() => void save()}
      >
        {texts.sample}
      </button>
      <p className="hint">{texts.sampleHint}</p>
      {error && <ErrorNote error={error} onRetry={() => void save()} />}
    </>
  );
}
