import type { Message, Mode } from "../../api/types";
import type { ReceiptSection } from "../../model/receipt";
import { useSpeech, useTexts } from "../../texts/texts";
import { RunLine } from "./RunLine";
import { texts as receiptTexts } from "./texts";
import { useSectionNames } from "./useSectionNames";

interface Props {
  sections: readonly ReceiptSection[];
  mode: Mode;
  answer: Message;
}

export function SectionList({ sections, mode, answer }: Props) {
  const texts = useTexts(receiptTexts);
  const names = useSectionNames(mode);
  const { locale } = useSpeech();
  return sections.map(({ section, runs, tokens, isSent, headed }) => (
    <section key={section} className="seen-section" aria-labelledby={`seen-${section}`}>
      <header>
        <i className={`swatch section-${section}`} aria-hidden="true" />
        <h2 id={`seen-${section}`}>{names[section]}</h2>
        <span className="hint">
          {isSent ? texts.tokens(tokens.toLocaleString(locale)) : texts.notSent}
        </span>
      </header>
      <ul>
        {runs.map((run, place) => (
          <RunLine key={place} run={run} headed={headed} answer={answer} />
        ))}
      </ul>
    </section>
  ));
}
