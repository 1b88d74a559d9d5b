import type { Me } from "../../api/types";
import { bytes, wholeNumber } from "../../model/amounts";
import { useSpeech, useTexts } from "../../texts/texts";
import { Section } from "./Section";
import { texts as settingsTexts } from "./texts";

/** Who the server takes the reader for, and how much it lets them do. */
export function Account({ me }: { me: Me }) {
  const texts = useTexts(settingsTexts);
  const { locale } = useSpeech();
  const { limits } = me;
  const rate = (most: number) => (most === 0 ? texts.unlimited : wholeNumber(most, locale));

  return (
    <Section title={texts.account} hint={texts.accountHint}>
      <dl className="pairs">
        <dt>{texts.user}</dt>
        <dd>
          <code>{me.user_id}</code>
          {me.is_admin && <span className="tag">{texts.admin}</span>}
        </dd>
        <dt>{texts.mode}</dt>
        <dd>{texts.modes[me.mode]}</dd>
        <dt>{texts.maxMessage}</dt>
        <dd>{bytes(limits.max_message_bytes, locale)}</dd>
        <dt>{texts.maxBody}</dt>
        <dd>{bytes(limits.max_body_bytes, locale)}</dd>
        <dt>{texts.maxImport}</dt>
        <dd>{bytes(limits.max_import_bytes, locale)}</dd>
        <dt>{texts.requestsPerMinute}</dt>
        <dd>{rate(limits.requests_per_minute)}</dd>
        <dt>{texts.answersPerMinute}</dt>
        <dd>{rate(limits.answers_per_minute)}</dd>
      </dl>
    </Section>
  );
}
