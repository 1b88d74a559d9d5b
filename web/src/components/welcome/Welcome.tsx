import { listConversations } from "../../api/conversations";
import { listModels } from "../../api/models";
import { useResource } from "../../hooks/useResource";
import { useTexts } from "../../texts/texts";
import { LocalModelNote } from "../settings/LocalModelNote";
import { ErrorNote } from "../ui/ErrorNote";
import { Nothing } from "../ui/Nothing";
import { isSample } from "./sample";
import { texts as welcomeTexts } from "./texts";
import { useSample } from "./useSample";

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
      {known && known.items.length > 0 && !known.items.some(isSample) && (
        <SampleButton className="button quiet small" />
      )}
    </div>
  );
}

function FirstRun() {
  const texts = useTexts(welcomeTexts);
  return (
    <>
      <h1>{texts.first}</h1>
      <ol className="explanation">
        {texts.explanation.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
      <SampleButton className="button primary" />
      <p className="hint">{texts.sampleHint}</p>
    </>
  );
}

function SampleButton({ className }: { className: string }) {
  const texts = useTexts(welcomeTexts);
  const { isSaving, error, begin } = useSample();
  return (
    <>
      <button type="button" className={className} aria-disabled={isSaving} onClick={begin}>
        {texts.sample}
      </button>
      {error && <ErrorNote error={error} onRetry={begin} />}
    </>
  );
}
