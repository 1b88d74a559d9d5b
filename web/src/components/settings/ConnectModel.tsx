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
