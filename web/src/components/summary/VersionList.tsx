import { useEffect, useMemo, useRef, useState } from "react";
import { listSummaryVersions } from "../../api/summaries";
import type { Summary, SummaryWithCoverage } from "../../api/types";
import { usePagedList, type PageSource } from "../../hooks/usePagedList";
import { ErrorMessage } from "../ui/ErrorMessage";
import { LoadMoreButton } from "../ui/LoadMoreButton";
import { useSummaryTexts } from "./texts";
import type { SummaryTasks } from "./useSummaryTasks";
import { VersionItem } from "./VersionItem";

/** A paged list needs ids; a version has its number. */
interface Version extends Summary {
  id: string;
}

interface Props {
  summary: SummaryWithCoverage;
  tasks: SummaryTasks;
}

export function VersionList({ summary, tasks }: Props) {
  const texts = useSummaryTexts();
  const { conversation_id: conversationId, version: current } = summary;
  const source = useMemo<PageSource<Version>>(
    () => ({
      load: async (cursor, signal) => {
        const page = await listSummaryVersions(conversationId, cursor, signal);
        return { ...page, items: page.items.map((item) => ({ ...item, id: `${item.version}` })) };
      },
      isAfter: (item, other) => item.version < other.version,
    }),
    [conversationId],
  );
  const list = usePagedList(source);
  const [openId, setOpenId] = useState<string | null>(null);

  const { refresh } = list;
  const shownVersion = useRef(current);
  useEffect(() => {
    if (shownVersion.current !== current) refresh();
    shownVersion.current = current;
  }, [current, refresh]);

  const { items, cursor } = list.listing;
  if (list.status === "failed" && list.error) {
    return <ErrorMessage error={list.error} onRetry={list.retry} />;
  }
  if (items.length === 0) return null;
  return (
    <section className="versions" aria-labelledby="versions-title">
      <h2 id="versions-title">{texts.versions}</h2>
      <p className="hint">{texts.versionsHint}</p>
      <ul>
        {items.map((item, index) => (
          <VersionItem
            key={item.id}
            version={item}
            before={items[index + 1] ?? null}
            isFirst={index === items.length - 1 && cursor === null}
            current={summary}
            isOpen={item.id === openId}
            onToggle={() => setOpenId(item.id === openId ? null : item.id)}
            tasks={tasks}
          />
        ))}
      </ul>
      <LoadMoreButton list={list} label={texts.more} />
    </section>
  );
}
