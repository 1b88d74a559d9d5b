import { useEffect, useRef, useState } from "react";
import { listKeys } from "../../api/keys";
import type { ApiKey, Me } from "../../api/types";
import { usePaged, type Source } from "../../hooks/usePaged";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Icon } from "../ui/Icon";
import { Loading } from "../ui/Loading";
import { MoreButton } from "../ui/MoreButton";
import { KeyItem } from "./KeyItem";
import { NewKey } from "./NewKey";
import { RevokeKey } from "./RevokeKey";
import { Section } from "./Section";
import { texts as settingsTexts } from "./texts";

const source: Source<ApiKey> = {
  load: listKeys,
  isFarther: (item, than) => Date.parse(item.created_at) < Date.parse(than.created_at),
};

/** Who may use the server; for admins. */
export function Keys({ me }: { me: Me }) {
  const texts = useTexts(settingsTexts);
  const { loading, more } = useTexts(common);
  const keys = usePaged(source);
  const { items } = keys.listing;
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
      {keys.first === "failed" && keys.error && (
        <ErrorNote error={keys.error} onRetry={keys.retry} />
      )}
      {keys.first === "loading" && items.length === 0 && <Loading label={loading} />}
      {keys.first === "ready" && items.length === 0 && <p className="hint">{texts.keysNone}</p>}
      {items.length > 0 && (
        <ul className="settings-list">
          {items.map((key) => (
            <KeyItem key={key.id} apiKey={key} onRevoke={() => setLeaving(key)} />
          ))}
        </ul>
      )}
      <MoreButton paged={keys} label={more} />
      {isCreating && (
        <NewKey
          me={me}
          onCancel={() => setCreating(false)}
          onDone={() => {
            setCreating(false);
            // Another mode is another page: who is asking has to be asked again.
            if (me.mode === "local") window.location.reload();
            else keys.retry();
          }}
        />
      )}
      {leaving && (
        <RevokeKey
          apiKey={leaving}
          onClose={() => setLeaving(null)}
          onRevoked={() => {
            setRevoked(revoked + 1);
            keys.retry();
          }}
        />
      )}
    </Section>
  );
}
