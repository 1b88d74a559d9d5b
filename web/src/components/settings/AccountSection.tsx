import type { Me } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { formatBytes, formatNumber } from "../../model/numberFormat";
import { SettingsSection } from "./SettingsSection";
import { useSettingsTexts } from "./texts";

export function AccountSection({ me }: { me: Me }) {
  const texts = useSettingsTexts();
  const { locale } = useLocale();
  const { limits } = me;
  const rate = (limit: number) => (limit === 0 ? texts.unlimited : formatNumber(limit, locale));

  return (
    <SettingsSection title={texts.account} hint={texts.accountHint}>
      <dl className="definition-list">
        <dt>{texts.user}</dt>
        <dd>
          <code>{me.user_id}</code>
          {me.is_admin && <span className="tag">{texts.admin}</span>}
        </dd>
        <dt>{texts.mode}</dt>
        <dd>{texts.modes[me.mode]}</dd>
        <dt>{texts.maxMessage}</dt>
        <dd>{formatBytes(limits.max_message_bytes, locale)}</dd>
        <dt>{texts.maxBody}</dt>
        <dd>{formatBytes(limits.max_body_bytes, locale)}</dd>
        <dt>{texts.maxImport}</dt>
        <dd>{formatBytes(limits.max_import_bytes, locale)}</dd>
        <dt>{texts.requestsPerMinute}</dt>
        <dd>{rate(limits.requests_per_minute)}</dd>
        <dt>{texts.answersPerMinute}</dt>
        <dd>{rate(limits.answers_per_minute)}</dd>
      </dl>
    </SettingsSection>
  );
}
