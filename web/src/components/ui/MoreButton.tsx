import type { Paged } from "../../hooks/usePaged";
import type { Identified } from "../../model/listing";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "./ErrorNote";

interface Props<T> {
  paged: Paged<T>;
  label: string;
}

/** Asks for the next page, as long as there is one. */
export function MoreButton<T extends Identified>({ paged, label }: Props<T>) {
  const texts = useTexts(common);
  const { listing, more, error, loadMore } = paged;
  if (listing.cursor === null) return null;
  if (more === "failed" && error) return <ErrorNote error={error} onRetry={loadMore} />;
  const isLoading = more === "loading";
  return (
    <div className="more">
      <button
        type="button"
        className="button quiet"
        aria-disabled={isLoading}
        onClick={isLoading ? undefined : loadMore}
      >
        {isLoading ? texts.loadingMore : label}
      </button>
    </div>
  );
}
