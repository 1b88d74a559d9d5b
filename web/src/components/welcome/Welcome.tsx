import { listConversations } from "../../api/conversations";
import { listModels } from "../../api/models";
import { useResource } from "../../hooks/useResource";
import { LocalModelNote } from "../settings/ConnectModel";
import { EmptyState } from "../ui/EmptyState";
import { ErrorMessage } from "../ui/ErrorMessage";
import { isSample } from "./sample";
import { useWelcomeTexts } from "./texts";
import { useSample } from "./useSample";

const loadConversations = (signal: AbortSignal) =>
  listConversations({ q: "", archived: false, project_id: null, cursor: null }, signal);

/** Shown instead of messages. `isNew` is for a conversation that is not created yet. */
export function Welcome({ isNew }: { isNew: boolean }) {
  const texts = useWelcomeTexts();
  const conversations = useResource(loadConversations).value;
  const models = useResource(listModels).value;

  if (!isNew) {
    return <EmptyState title={texts.empty} hints={[texts.emptyHint]} />;
  }
  const isLocal = models?.items.some(({ is_default, is_local }) => is_default && is_local);
  return (
    <div className="empty welcome">
      <img src="/favicon.svg" alt="" width="56" height="56" />
      {conversations?.items.length === 0 ? (
        <FirstRun />
      ) : (
        <>
          <h1>{texts.again}</h1>
          <p>{texts.againHint}</p>
        </>
      )}
      {isLocal && <LocalModelNote isShort />}
      {conversations && conversations.items.length > 0 && !conversations.items.some(isSample) && (
        <SampleButton className="button quiet small" />
      )}
    </div>
  );
}

function FirstRun() {
  const texts = useWelcomeTexts();
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
  const texts = useWelcomeTexts();
  const { isPending, error, createSample } = useSample();
  return (
    <>
      <button type="button" className={className} aria-disabled={isPending} onClick={createSample}>
        {texts.sample}
      </button>
      {error && <ErrorMessage error={error} onRetry={createSample} />}
    </>
  );
}
