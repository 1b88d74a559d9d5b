import { useEffect, useRef, useState } from "react";
import { ApiError } from "../../api/error";
import type { Memory, MemoryUpdate } from "../../api/types";
import { useToasts } from "../../hooks/useToasts";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { IconButton } from "../ui/IconButton";
import { Menu } from "../ui/Menu";
import { MemoryEditor } from "./MemoryEditor";
import { MemoryFacts } from "./MemoryFacts";
import { texts as memoryTexts } from "./texts";

export interface MemoryActions {
  categories: readonly string[];
  onUpdate: (id: string, changes: MemoryUpdate) => Promise<void>;
  onDelete: (memory: Memory) => void;
  onHistory: (memory: Memory) => void;
  onCategory: (category: string) => void;
}

interface Props extends MemoryActions {
  memory: Memory;
  isHighlighted: boolean;
}

export function MemoryItem({ memory, isHighlighted, categories, ...on }: Props) {
  const texts = useTexts(memoryTexts);
  const words = useTexts(common);
  const tell = useToasts();
  const [isEditing, setEditing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const item = useReturnedFocus<HTMLLIElement>(isEditing, "[data-opens-editor]");
  const { id, content, is_archived, is_pinned } = memory;
  const name = shortened(content);

  const change = async (changes: MemoryUpdate) => {
    if (isBusy) return false;
    setBusy(true);
    try {
      await on.onUpdate(id, changes);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      tell({ text: error.message, isError: true });
      return false;
    } finally {
      setBusy(false);
    }
  };
  const archive = async () => {
    if (!(await change({ is_archived: !is_archived }))) return;
    const back = () => void change({ is_archived });
    tell({
      text: is_archived ? texts.restoredToast : texts.archivedToast,
      action: { label: words.undo, onSelect: back },
    });
  };

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
            <MemoryFacts memory={memory} onCategory={on.onCategory} />
          </div>
          <div className="memory-actions">
            <IconButton
              icon="pin"
              label={texts.pinOf(name)}
              title={is_pinned ? words.unpin : words.pin}
              aria-pressed={is_pinned}
              aria-disabled={isBusy}
              onClick={() => void change({ is_pinned: !is_pinned })}
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
                  onSelect: () => void archive(),
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

/** Gives the focus back to the button that opened something in its own place. */
function useReturnedFocus<T extends HTMLElement>(isOpen: boolean, opener: string) {
  const box = useRef<T>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) box.current?.querySelector<HTMLElement>(opener)?.focus();
    wasOpen.current = isOpen;
  }, [isOpen, opener]);
  return box;
}

function shortened(content: string): string {
  return content.length <= 80 ? content : `${content.slice(0, 79)}…`;
}
