import { hasActiveFilters, type FilterValues } from "../../model/memoryFilter";
import { EmptyState } from "../ui/EmptyState";
import { useMemoryTexts } from "./texts";

interface Props {
  filters: FilterValues;
  onClear: () => void;
  onCreate: () => void;
  onExtract: () => void;
}

export function NoMemories({ filters, onClear, onCreate, onExtract }: Props) {
  const texts = useMemoryTexts();

  if (hasActiveFilters(filters)) {
    return (
      <EmptyState isInline hints={[texts.noneFits]}>
        <button type="button" className="button" onClick={onClear}>
          {texts.clear}
        </button>
      </EmptyState>
    );
  }
  if (filters.state !== "current") {
    const hint = filters.state === "archived" ? texts.noneArchived : texts.noneSuperseded;
    return <EmptyState isInline hints={[hint]} />;
  }
  return (
    <EmptyState isInline icon="memory" title={texts.none} hints={[texts.noneHow, texts.noneNext]}>
      <div className="actions">
        <button type="button" className="button primary" onClick={onCreate}>
          {texts.newMemory}
        </button>
        <button type="button" className="button" onClick={onExtract}>
          {texts.extract}
        </button>
      </div>
    </EmptyState>
  );
}
