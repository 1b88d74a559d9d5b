import type { Message, Mode } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import type { ReceiptSection } from "../../model/receipt";
import { ItemGroupRow } from "./ItemGroupRow";
import { useReceiptTexts } from "./texts";
import { usePassageMessages } from "./usePassageMessages";
import { useSectionNames } from "./useSectionNames";

interface Props {
  sections: readonly ReceiptSection[];
  mode: Mode;
  answer: Message;
}

export function SectionList({ sections, mode, answer }: Props) {
  const texts = useReceiptTexts();
  const names = useSectionNames(mode);
  const { locale } = useLocale();
  const items = sections.flatMap(({ groups }) => groups.flatMap((group) => group.items));
  const messages = usePassageMessages(items.filter(({ outcome }) => outcome !== "dropped"));
  return sections.map(({ section, groups, tokens, isSent, headingItem }) => (
    <section key={section} className="receipt-section" aria-labelledby={`receipt-${section}`}>
      <header>
        <i className={`swatch section-${section}`} aria-hidden="true" />
        <h2 id={`receipt-${section}`}>{names[section]}</h2>
        <span className="hint">
          {isSent ? texts.tokens(tokens.toLocaleString(locale)) : texts.notSent}
        </span>
      </header>
      <ul>
        {groups.map((group, index) => (
          <ItemGroupRow
            key={index}
            group={group}
            headingItem={headingItem}
            answer={answer}
            messages={messages}
          />
        ))}
      </ul>
    </section>
  ));
}
