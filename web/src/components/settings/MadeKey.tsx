import { useTexts } from "../../texts/texts";
import { Shell } from "./Shell";
import { texts as settingsTexts } from "./texts";

/** A new key, this once. */
export function MadeKey({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
  const texts = useTexts(settingsTexts);
  return (
    <div className="settings-form">
      <p role="status">{texts.createdKeyHint}</p>
      <Shell text={apiKey} label={texts.createdKey} />
      <div className="actions">
        <button type="button" className="button primary" autoFocus onClick={onDone}>
          {texts.keepKey}
        </button>
      </div>
    </div>
  );
}
