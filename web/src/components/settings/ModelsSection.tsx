import { listModels } from "../../api/models";
import type { ModelVariant } from "../../api/types";
import { useResource } from "../../hooks/useResource";
import { useLocale } from "../../i18n/i18n";
import { formatCompact } from "../../model/numberFormat";
import { Collapsible } from "../ui/Collapsible";
import { ErrorMessage } from "../ui/ErrorMessage";
import { Loading } from "../ui/Loading";
import { ConnectModel, LocalModelNote } from "./ConnectModel";
import { useModelTexts } from "./modelTexts";
import { SettingsSection } from "./SettingsSection";
import { useSettingsTexts } from "./texts";

export function ModelsSection() {
  const texts = useSettingsTexts();
  const { value, error, reload } = useResource(listModels);

  return (
    <SettingsSection title={texts.models} hint={texts.modelsHint}>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {value === null && !error && <Loading />}
      {value && <ModelList models={value.items} />}
    </SettingsSection>
  );
}

function ModelList({ models }: { models: readonly ModelVariant[] }) {
  const texts = useSettingsTexts();
  const { connect } = useModelTexts();
  const defaultModel = models.find((model) => model.is_default);

  if (!defaultModel) {
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
      {defaultModel.is_local ? (
        <LocalModelNote />
      ) : (
        <Collapsible summary={connect}>
          <ConnectModel />
        </Collapsible>
      )}
    </>
  );
}

function ModelItem({ model }: { model: ModelVariant }) {
  const texts = useSettingsTexts();
  const { locale } = useLocale();
  return (
    <li>
      <div className="settings-item">
        <p>
          <strong>{model.name}</strong>
          {model.is_default && <span className="tag good">{texts.defaultModel}</span>}
          {model.is_local && <span className="tag">{texts.isLocal}</span>}
        </p>
        <p className="meta-list">
          <span>{model.model}</span>
          <span>{texts.tokensWindow(formatCompact(model.window, locale))}</span>
        </p>
      </div>
    </li>
  );
}
