import { useId } from "react";
import type { Summary } from "../../api/types";
import { useNow } from "../../hooks/useNow";
import { useLocale } from "../../i18n/i18n";
import { exactTime, relativeTime } from "../../model/dateFormat";
import { Icon } from "../ui/Icon";
import { useSummaryTexts } from "./texts";
import type { SummaryTasks } from "./useSummaryTasks";
import { VersionDetails } from "./VersionDetails";

interface Props {
  version: Summary;
  /** The previous version, if it is loaded. */
  before: Summary | null;
  isFirst: boolean;
  current: Summary;
  isOpen: boolean;
  onToggle: () => void;
  tasks: SummaryTasks;
}

export function VersionItem({ version, isOpen, onToggle, ...rest }: Props) {
  const texts = useSummaryTexts();
  const { locale } = useLocale();
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
