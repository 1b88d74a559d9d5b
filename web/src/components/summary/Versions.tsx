import { useEffect, useMemo, useRef, useState } from "react";
import { listSummaryVersions } from "../../api/summaries";
import type { Summary, SummaryWithCoverage } from "../../api/types";
import { usePaged, type Source } from "../../hooks/usePaged";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { MoreButton } from "../ui/MoreButton";
import { texts as summaryTexts } from "./texts";
import type { SummaryWork } from "./useSummaryWork";
import { VersionItem } from "./VersionItem";

/** A list needs to tell its items apart; a version is known by its number. */
interface Version extends Summary {
  id: string;
}

interface Props {
  summary: SummaryWithCoverage;
  work: SummaryWork;
}

/** All there have been, newest first. */
export function Versions({ summary, work }: Props) {
  const texts = useTexts(summaryTexts);
  const { conversation_id: conversationId, version: current } = summary;
  const source = useMemo<Source<Version>>(
    () => ({
      load: async (cursor, signal) => {
        const page = await listSummaryVersions(conversationId, cursor, signal);
        return { ...page, items: page.items.map((item) => ({ ...item, id: `${item.version}` })) };
      },
      isFarther: (item, than) => item.version < than.version,
    }),
    [conversationId],
  );
  const paged = usePaged(source);
  const [openId, setOpenId] = useState<string | null>(null);

  const { refresh } = paged;
  const shown = useRef(current);
  useEffect(() => {
    if (shown.current !== current) refresh();
    shown.current = current;
  }, [current, refresh]);

  const { items, cursor } = paged.listing;
  if (paged.first === "failed" && paged.error) {
    return <ErrorNote error={paged.error} onRetry={paged.retry} />;
  }
  if (items.length === 0) return null;
  return (
    <section className="versions" aria-labelledby="versions-title">
      <h2 id="versions-title">{texts.versions}</h2>
      <p className="hint">{texts.versionsHint}</p>
      <ul>
        {items.map((item, place) => (
          <VersionItem
            key={item.id}
            version={item}
            before={items[place + 1] ?? null}
            isFirst={place === items.length - 1 && cursor === null}
            current={summary}
            isOpen={item.id === openId}
            onToggle={() => setOpenId(item.id === openId ? null : item.id)}
            work={work}
          />
        ))}
      </ul>
      <MoreButton paged={paged} label={texts.more} />
    </section>
  );
}
