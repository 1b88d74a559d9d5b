import { useEffect, useRef, useState } from "react";
import { listKeys } from "../../api/keys";
import type { ApiKey, Me } from "../../api/types";
import { useResource } from "../../hooks/useResource";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Icon } from "../ui/Icon";
import { Loading } from "../ui/Loading";
import { KeyItem } from "./KeyItem";
import { NewKey } from "./NewKey";
import { RevokeKey } from "./RevokeKey";
import { Section } from "./Section";
import { texts as settingsTexts } from "./texts";

/** Who may use the server; for admins. */
export function Keys({ me }: { me: Me }) {
  const texts = useTexts(settingsTexts);
  const { loading } = useTexts(common);
  const { value, error, reload } = useResource(listKeys);
  const [isCreating, setCreating] = useState(false);
  const [leaving, setLeaving] = useState<ApiKey | null>(null);
  const [revoked, setRevoked] = useState(0);
  const create = useRef<HTMLButtonElement>(null);

  // The button that was pressed goes with the key.
  useEffect(() => {
    if (revoked > 0) create.current?.focus();
  }, [revoked]);

  return (
    <Section
      title={texts.keys}
      hint={texts.keysHint}
      actions={
        <button ref={create} type="button" className="button" onClick={() => setCreating(true)}>
          <Icon name="plus" />
          {texts.newKey}
        </button>
      }
    >
      {error && <ErrorNote error={error} onRetry={reload} />}
      {value === null && !error && <Loading label={loading} />}
      {value?.items.length === 0 && <p className="hint">{texts.keysNone}</p>}
      {value && value.items.length > 0 && (
        <ul className="settings-list">
          {value.items.map((key) => (
            <KeyItem key={key.id} apiKey={key} onRevoke={() => setLeaving(key)} />
          ))}
        </ul>
      )}
      {isCreating && (
        <NewKey
          me={me}
          onCancel={() => setCreating(false)}
          onDone={() => {
            setCreating(false);
            // Another mode is another page: who is asking has to be asked again.
            if (me.mode === "local") window.location.reload();
            else reload();
          }}
        />
      )}
      {leaving && (
        <RevokeKey
          apiKey={leaving}
          onClose={() => setLeaving(null)}
          onRevoked={() => {
            setRevoked(revoked + 1);
            reload();
          }}
        />
      )}
    </Section>
  );
}
