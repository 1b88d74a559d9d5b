import { useEffect, useRef } from "react";
import type { ImportReport } from "../../api/data";
import { wholeNumber } from "../../model/amounts";
import { told } from "../../model/told";
import { useSpeech, useTexts } from "../../texts/texts";
import { Fold } from "../ui/Fold";
import { Counts } from "./Counts";
import { texts as settingsTexts } from "./texts";

/** What an import has brought, and what it could not. */
export function ImportResult({ report }: { report: ImportReport }) {
  const texts = useTexts(settingsTexts);
  const { locale } = useSpeech();
  const box = useRef<HTMLDivElement>(null);
  const skipped = told(report.skipped, texts.importedNames);

  useEffect(() => box.current?.focus(), []);

  return (
    <div ref={box} className="import-result" role="group" aria-label={texts.importResult} tabIndex={-1}>
      <Counts
        title={texts.imported}
        counts={told(report.imported, texts.importedNames)}
        none={texts.nothing}
      />
      {skipped.length > 0 && <Counts title={texts.skipped} counts={skipped} none="" />}
      {report.failures > 0 && (
        <Fold summary={texts.failures(report.failures, locale)}>
          <ul className="failures">
            {report.failed.map(({ where, reason }, index) => (
              <li key={index}>
                <strong>{where}</strong> {reason}
              </li>
            ))}
          </ul>
          {report.failures > report.failed.length && (
            <p className="hint">+ {wholeNumber(report.failures - report.failed.length, locale)}</p>
          )}
        </Fold>
      )}
    </div>
  );
}
