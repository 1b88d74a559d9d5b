import { useEffect, useRef } from "react";
import type { ImportReport } from "../../api/data";
import { useLocale } from "../../i18n/i18n";
import { namedCounts } from "../../model/namedCounts";
import { formatNumber } from "../../model/numberFormat";
import { Collapsible } from "../ui/Collapsible";
import { CountList } from "./CountList";
import { useSettingsTexts } from "./texts";

export function ImportResult({ report }: { report: ImportReport }) {
  const texts = useSettingsTexts();
  const { locale } = useLocale();
  const box = useRef<HTMLDivElement>(null);
  const skipped = namedCounts(report.skipped, texts.importedNames);

  useEffect(() => box.current?.focus(), []);

  return (
    <div ref={box} className="import-result" role="group" aria-label={texts.importResult} tabIndex={-1}>
      <CountList
        title={texts.imported}
        counts={namedCounts(report.imported, texts.importedNames)}
        empty={texts.nothing}
      />
      {skipped.length > 0 && <CountList title={texts.skipped} counts={skipped} empty="" />}
      {report.failures > 0 && (
        <Collapsible summary={texts.failures(report.failures, locale)}>
          <ul className="failures">
            {report.failed.map(({ where, reason }, index) => (
              <li key={index}>
                <strong>{where}</strong> {reason}
              </li>
            ))}
          </ul>
          {report.failures > report.failed.length && (
            <p className="hint">+ {formatNumber(report.failures - report.failed.length, locale)}</p>
          )}
        </Collapsible>
      )}
    </div>
  );
}
