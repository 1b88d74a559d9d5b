import type { ApiKey } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { exactTime } from "../../model/dateFormat";
import { Button } from "../ui/Button";
import { useSettingsTexts } from "./texts";

export function KeyItem({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const texts = useSettingsTexts();
  const { locale } = useLocale();
  const { user_id, prefix, is_admin, created_at, revoked_at } = apiKey;

  return (
    <li data-revoked={revoked_at !== null}>
      <div className="settings-item">
        <p>
          <strong>{user_id}</strong>
          {is_admin && <span className="tag">{texts.admin}</span>}
        </p>
        <p className="meta-list">
          <code>{prefix}…</code>
          <span>{texts.created(exactTime(created_at, locale))}</span>
          {revoked_at && <span>{texts.revoked(exactTime(revoked_at, locale))}</span>}
        </p>
      </div>
      {revoked_at === null && (
        <Button className="small" aria-label={texts.revokeKey(prefix, user_id)} onClick={onRevoke}>
          {texts.revoke}
        </Button>
      )}
    </li>
  );
}
