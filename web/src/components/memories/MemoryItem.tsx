import { useState } from "react";
import type { Memory, MemoryUpdate } from "../../api/types";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { IconButton } from "../ui/IconButton";
import { Menu } from "../ui/Menu";
import { MemoryEditor } from "./MemoryEditor";
import { MemoryFacts } from "./MemoryFacts";
import { texts as memoryTexts } from "./texts";
import { useHandling } from "./useHandling";
import { useReturnedFocus } from "./useReturnedFocus";

export interface MemoryActions {
  categories: readonly string[];
  onUpdate: (id: string, changes: MemoryUpdate) => Promise<void>;
  onDelete: (memory: Memory) => void;
  onHistory: (memory: Memory) => void;
  onCategory: (category: string) => void;
}

interface Props extends MemoryActions {
  memory: Memory;
  now: Date;
  isHighlighted: boolean;
}

export function MemoryItem({ memory, now, isHighlighted, categories, ...on }: Props) {
  const texts = useTexts(memoryTexts);
  const words = useTexts(common);
  const [isEditing, setEditing] = useState(false);
  const { isBusy, pin, archive } = useHandling(memory, on.onUpdate);
  const item = useReturnedFocus<HTMLLIElement>(isEditing, "[data-opens-editor]");
  const { id, content, is_archived, is_pinned } = memory;
  const name = shortened(content);

  return (
    <li
      ref={item}
      className={isHighlighted ? "memory highlighted" : "memory"}
      data-id={id}
      tabIndex={-1}
      aria-label={name}
      aria-busy={isBusy}
    >
      {isEditing ? (
        <MemoryEditor
          memory={memory}
          categories={categories}
          onSave={(changes) => on.onUpdate(id, changes)}
          onClose={() => setEditing(false)}
        />
      ) : (
        <>
          <div className="memory-said">
            <p className="memory-content" dir="auto">
              {content}
            </p>
            <MemoryFacts memory={memory} now={now} onCategory={on.onCategory} />
          </div>
          <div className="memory-actions">
            <IconButton
              icon="pin"
              label={texts.pinOf(name)}
              title={is_pinned ? words.unpin : words.pin}
              aria-pressed={is_pinned}
              aria-disabled={isBusy}
              onClick={pin}
            />
            <IconButton
              icon="edit"
              data-opens-editor
              label={texts.editOf(name)}
              title={words.edit}
              onClick={() => setEditing(true)}
            />
            <Menu
              label={texts.actions(name)}
              items={[
                { label: texts.history, icon: "history", onSelect: () => on.onHistory(memory) },
                {
                  label: is_archived ? texts.restore : texts.archive,
                  icon: "archive",
                  onSelect: archive,
                },
                {
                  label: words.delete,
                  icon: "trash",
                  onSelect: () => on.onDelete(memory),
                  isDangerous: true,
                },
              ]}
            />
          </div>
        </>
      )}
    </li>
  );
}

function shortened(content: string): string {
  return content.length <= 80 ? content : `${content.slice(0, 79)}…`;
}
