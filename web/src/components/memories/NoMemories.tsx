import { isNarrowed, type MemoryChoice } from "../../model/memoryFilter";
import { useTexts } from "../../texts/texts";
import { Nothing } from "../ui/Nothing";
import { texts as memoryTexts } from "./texts";

interface Props {
  choice: MemoryChoice;
  onClear: () => void;
  onCreate: () => void;
  onExtract: () => void;
}

/** Says why there is nothing to see, and what can be done about it. */
export function NoMemories({ choice, onClear, onCreate, onExtract }: Props) {
  const texts = useTexts(memoryTexts);

  if (isNarrowed(choice)) {
    return (
      <Nothing isPart hints={[texts.noneFits]}>
        <button type="button" className="button" onClick={onClear}>
          {texts.clear}
        </button>
      </Nothing>
    );
  }
  if (choice.shelf !== "current") {
    const hint = choice.shelf === "archived" ? texts.noneArchived : texts.noneSuperseded;
    return <Nothing isPart hints={[hint]} />;
  }
  return (
    <Nothing isPart icon="memory" title={texts.none} hints={[texts.noneHow, texts.noneNext]}>
      <div className="actions">
        <button type="button" className="button primary" onClick={onCreate}>
          {texts.newMemory}
        </button>
        <button type="button" className="button" onClick={onExtract}>
          {texts.extract}
        </button>
      </div>
    </Nothing>
  );
}
