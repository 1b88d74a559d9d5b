import { useId } from "react";
import type { Summary } from "../../api/types";
import { useNow } from "../../hooks/useNow";
import { exactTime, relativeTime } from "../../model/time";
import { useSpeech, useTexts } from "../../texts/texts";
import { Icon } from "../ui/Icon";
import { texts as summaryTexts } from "./texts";
import type { SummaryWork } from "./useSummaryWork";
import { VersionDetails } from "./VersionDetails";

interface Props {
  version: Summary;
  /** The one before it, where it has been read. */
  before: Summary | null;
  /** Whether there is none before it. */
  isFirst: boolean;
  current: Summary;
  isOpen: boolean;
  onToggle: () => void;
  work: SummaryWork;
}

export function VersionItem({ version, isOpen, onToggle, ...rest }: Props) {
  const texts = useTexts(summaryTexts);
  const { locale } = useSpeech();
  const now = useNow();
  const id = useId();
  const isCurrent = version.version === rest.current.version;
  return (
    <li className="version">
      <button
        type="button"
        className="version-button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={onToggle}
      >
        <span className="version-name">
          {texts.version(version.version.toLocaleString(locale))}
          {isCurrent && <span className="tag">{texts.current}</span>}
        </span>
        <span className="hint">
          {texts.authors[version.author]}
          {" · "}
          <time dateTime={version.created_at} title={exactTime(version.created_at, locale)}>
            {relativeTime(version.created_at, now, locale)}
          </time>
        </span>
        <Icon name="down" />
      </button>
      {isOpen && (
        <div id={id} className="version-details">
          <VersionDetails version={version} isCurrent={isCurrent} {...rest} />
        </div>
      )}
    </li>
  );
}
