import type { PagedList } from "../../hooks/usePagedList";
import { useCommonTexts } from "../../i18n/common";
import type { Identified } from "../../model/listing";
import { Button } from "./Button";
import { ErrorMessage } from "./ErrorMessage";

interface Props<T> {
  list: PagedList<T>;
  label: string;
}

/** Loads the next page; hidden on the last one. */
export function LoadMoreButton<T extends Identified>({ list, label }: Props<T>) {
  const texts = useCommonTexts();
  const { listing, moreStatus, error, loadMore } = list;
  if (listing.cursor === null) return null;
  if (moreStatus === "failed" && error) return <ErrorMessage error={error} onRetry={loadMore} />;
  const isLoading = moreStatus === "loading";
  return (
    <div className="load-more">
      <Button
        className="quiet"
        aria-disabled={isLoading}
        onClick={isLoading ? undefined : loadMore}
      >
        {isLoading ? texts.loadingMore : label}
      </Button>
    </div>
  );
}
