import { hasActiveFilters, type FilterValues } from "../../model/memoryFilter";
import { Button } from "../ui/Button";
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
        <Button onClick={onClear}>{texts.clear}</Button>
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
        <Button className="primary" onClick={onCreate}>{texts.newMemory}</Button>
        <Button onClick={onExtract}>{texts.extract}</Button>
      </div>
    </EmptyState>
  );
}
