import { useEffect, useRef, useState } from "react";
import { listKeys, revokeKey } from "../../api/keys";
import type { ApiKey, Me } from "../../api/types";
import { usePagedList, type PageSource } from "../../hooks/usePagedList";
import { useToast } from "../../hooks/useToast";
import { useCommonTexts } from "../../i18n/common";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { ErrorMessage } from "../ui/ErrorMessage";
import { Icon } from "../ui/Icon";
import { Loading } from "../ui/Loading";
import { LoadMoreButton } from "../ui/LoadMoreButton";
import { KeyItem } from "./KeyItem";
import { NewKeyDialog } from "./NewKeyDialog";
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
  const showToast = useToast();
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

  const revoke = async ({ id }: ApiKey) => {
    await revokeKey(id);
    showToast({ text: texts.revokedNow });
    setRevokedCount(revokedCount + 1);
    keys.retry();
  };

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
        <ConfirmDialog
          title={texts.revokeTitle(revoking.prefix)}
          text={texts.revokeWarning(revoking.user_id)}
          confirm={texts.revoke}
          isDangerous
          onConfirm={() => revoke(revoking)}
          onClose={() => setRevoking(null)}
        />
      )}
    </SettingsSection>
  );
}
