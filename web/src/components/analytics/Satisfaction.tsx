import type { Analytics } from "../../api/types";
import { percent, wholeNumber } from "../../model/amounts";
import { shareOf } from "../../model/savings";
import { useSpeech, useTexts } from "../../texts/texts";
import { Icon } from "../ui/Icon";
import { texts as analyticsTexts } from "./texts";

/** Thumbs, with memory and with the full history: whether leaving something out is noticed. */
export function Satisfaction({ feedback }: Pick<Analytics, "feedback">) {
  const texts = useTexts(analyticsTexts);
  const { locale } = useSpeech();
  const rated = Object.entries(feedback).filter(([, { up, down }]) => up + down > 0);

  return (
    <div className="figure box">
      <dt>{texts.feedback}</dt>
      {rated.length === 0 && (
        <dd>
          <span className="figure-value">–</span>
          <span className="hint">{texts.feedbackNone}</span>
        </dd>
      )}
      {rated.map(([mode, { up, down }]) => (
        <dd key={mode} className="votes">
          <strong>{percent(shareOf(up, up + down) ?? 0, locale)}</strong>
          <span>{texts.feedbackModes[mode] ?? mode}</span>
          <span className="visually-hidden">
            {texts.thumbs(wholeNumber(up, locale), wholeNumber(down, locale))}
          </span>
          <span className="thumbs" aria-hidden="true">
            <Icon name="thumbUp" /> {wholeNumber(up, locale)}
            <Icon name="thumbDown" /> {wholeNumber(down, locale)}
          </span>
        </dd>
      ))}
    </div>
  );
}
