import { listModels } from "../../api/models";
import type { ModelVariant } from "../../api/types";
import { useResource } from "../../hooks/useResource";
import { shortNumber } from "../../model/amounts";
import { common } from "../../texts/common";
import { useSpeech, useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Fold } from "../ui/Fold";
import { Loading } from "../ui/Loading";
import { ConnectModel } from "./ConnectModel";
import { LocalModelNote } from "./LocalModelNote";
import { modelTexts } from "./modelTexts";
import { Section } from "./Section";
import { texts as settingsTexts } from "./texts";

export function Models() {
  const texts = useTexts(settingsTexts);
  const { loading } = useTexts(common);
  const { value, error, reload } = useResource(listModels);

  return (
    <Section title={texts.models} hint={texts.modelsHint}>
      {error && <ErrorNote error={error} onRetry={reload} />}
      {value === null && !error && <Loading label={loading} />}
      {value && <ModelList models={value.items} />}
    </Section>
  );
}

function ModelList({ models }: { models: readonly ModelVariant[] }) {
  const texts = useTexts(settingsTexts);
  const { connect } = useTexts(modelTexts);
  const chosen = models.find((model) => model.is_default);

  if (!chosen) {
    return (
      <>
        <p>{texts.modelsNone}</p>
        <ConnectModel />
      </>
    );
  }
  return (
    <>
      <ul className="settings-list">
        {models.map((model) => (
          <ModelItem key={model.name} model={model} />
        ))}
      </ul>
      {chosen.is_local ? (
        <LocalModelNote />
      ) : (
        <Fold summary={connect}>
          <ConnectModel />
        </Fold>
      )}
    </>
  );
}

function ModelItem({ model }: { model: ModelVariant }) {
  const texts = useTexts(settingsTexts);
  const { locale } = useSpeech();
  return (
    <li>
      <div className="settings-item">
        <p>
          <strong>{model.name}</strong>
          {model.is_default && <span className="tag good">{texts.defaultModel}</span>}
          {model.is_local && <span className="tag">{texts.isLocal}</span>}
        </p>
        <p className="asides">
          <span>{model.model}</span>
          <span>{texts.tokensWindow(shortNumber(model.window, locale))}</span>
        </p>
      </div>
    </li>
  );
}
