import { isNarrowed, type MemoryChoice } from "../../model/memoryFilter";
import { useTexts } from "../../texts/texts";
import { Icon } from "../ui/Icon";
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
      <div className="empty memory-empty">
        <p role="status">{texts.noneFits}</p>
        <button type="button" className="button" onClick={onClear}>
          {texts.clear}
        </button>
      </div>
    );
  }
  if (choice.shelf !== "current") {
    return (
      <div className="empty memory-empty">
        <p role="status">
          {choice.shelf === "archived" ? texts.noneArchived : texts.noneSuperseded}
        </p>
      </div>
    );
  }
  return (
    <div className="empty memory-empty">
      <span className="memory-emblem">
        <Icon name="memory" />
      </span>
      <h2>{texts.none}</h2>
      <p>{texts.noneHow}</p>
      <p>{texts.noneNext}</p>
      <div className="actions">
        <button type="button" className="button primary" onClick={onCreate}>
          {texts.newMemory}
        </button>
        <button type="button" className="button" onClick={onExtract}>
          {texts.extract}
        </button>
      </div>
    </div>
  );
}
