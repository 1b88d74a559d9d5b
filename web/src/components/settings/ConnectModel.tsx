import { Link } from "../ui/Link";
import { CodeSnippet } from "./CodeSnippet";
import { startCommand, modelProviders } from "./modelProviders";
import { useModelTexts } from "./modelTexts";

/** Commands that start the server with the user's own model. */
export function ConnectModel() {
  const texts = useModelTexts();
  return (
    <div className="connect">
      <p>{texts.connectHint}</p>
      {modelProviders.map((provider) => (
        <div key={provider.name}>
          <h3>{provider.name}</h3>
          {provider.setup && (
            <>
              <p className="hint">{texts.sameLength(provider.name)}</p>
              <CodeSnippet text={provider.setup} label={texts.start(provider.name)} />
            </>
          )}
          <CodeSnippet text={startCommand(provider)} label={texts.command(provider.name)} />
        </div>
      ))}
    </div>
  );
}

/** Explains the limits of the local model and how to connect another one. */
export function LocalModelNote({ isShort = false }: { isShort?: boolean }) {
  const texts = useModelTexts();
  if (isShort) {
    return (
      <p className="hint local-model-short">
        {texts.localShort} <Link href="/settings">{texts.localShortLink}</Link>
      </p>
    );
  }
  return (
    <div className="local-model">
      <h3>{texts.localTitle}</h3>
      <p>{texts.localLimits}</p>
      <ConnectModel />
    </div>
  );
}
