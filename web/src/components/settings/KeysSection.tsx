import { useEffect, useRef, useState } from "react";
import { listKeys } from "../../api/keys";
import type { ApiKey, Me } from "../../api/types";
import { usePagedList, type PageSource } from "../../hooks/usePagedList";
import { useCommonTexts } from "../../i18n/common";
import { Button } from "../ui/Button";
import { ErrorMessage } from "../ui/ErrorMessage";
import { Icon } from "../ui/Icon";
import { Loading } from "../ui/Loading";
import { LoadMoreButton } from "../ui/LoadMoreButton";
import { KeyItem } from "./KeyItem";
import { NewKeyDialog } from "./NewKeyDialog";
import { RevokeKeyDialog } from "./RevokeKeyDialog";
import { SettingsSection } from "./SettingsSection";
import { useSettingsTexts } from "./texts";

const source: PageSource<ApiKey> = {
  load: listKeys,
  isAfter: (item, other) => Date.parse(item.created_at) < Date.parse(other.created_at),
};

/** API keys; only for admins. */
export function KeysSection({ me }: { me: Me }) {
  const texts = useSettingsTexts();
  const { more } = useCommonTexts();
  const keys = usePagedList(source);
  const { items } = keys.listing;
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const [revokedCount, setRevokedCount] = useState(0);
  const createButton = useRef<HTMLButtonElement>(null);

  // The focused button disappears with the key.
  useEffect(() => {
    if (revokedCount > 0) createButton.current?.focus();
  }, [revokedCount]);

  return (
    <SettingsSection
      title={texts.keys}
      hint={texts.keysHint}
      actions={
        <Button ref={createButton} onClick={() => setCreating(true)}>
          <Icon name="plus" />
          {texts.newKey}
        </Button>
      }
    >
      {keys.status === "failed" && keys.error && (
        <ErrorMessage error={keys.error} onRetry={keys.retry} />
      )}
      {keys.status === "loading" && items.length === 0 && <Loading />}
      {keys.status === "ready" && items.length === 0 && <p className="hint">{texts.keysNone}</p>}
      {items.length > 0 && (
        <ul className="settings-list">
          {items.map((key) => (
            <KeyItem key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
          ))}
        </ul>
      )}
      <LoadMoreButton list={keys} label={more} />
      {isCreating && (
        <NewKeyDialog
          me={me}
          onCancel={() => setCreating(false)}
          onDone={() => {
            setCreating(false);
            // The first key changes the mode: load the user again.
            if (me.mode === "local") window.location.reload();
            else keys.retry();
          }}
        />
      )}
      {revoking && (
        <RevokeKeyDialog
          apiKey={revoking}
          onClose={() => setRevoking(null)}
          onRevoked={() => {
            setRevokedCount(revokedCount + 1);
            keys.retry();
          }}
        />
      )}
    </SettingsSection>
  );
}
