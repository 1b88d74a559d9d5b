import { useEffect, useRef, useState } from "react";
import type { Memory, MemoryUpdate } from "../../api/types";
import { useCommonTexts } from "../../i18n/common";
import { IconButton } from "../ui/IconButton";
import { Menu } from "../ui/Menu";
import { MemoryEditor } from "./MemoryEditor";
import { MemoryMeta } from "./MemoryMeta";
import { useMemoryTexts } from "./texts";
import { useMemoryActions } from "./useMemoryActions";

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

export function MemoryItem({ memory, now, isHighlighted, categories, ...actions }: Props) {
  const texts = useMemoryTexts();
  const commonTexts = useCommonTexts();
  const [isEditing, setEditing] = useState(false);
  const { isBusy, togglePin, toggleArchive } = useMemoryActions(memory, actions.onUpdate);
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const { id, content, is_archived, is_pinned } = memory;
  const name = truncate(content);

  return (
    <li
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
          onSave={(changes) => actions.onUpdate(id, changes)}
          onClose={() => setEditing(false)}
        />
      ) : (
        <>
          <div className="memory-body">
            <p className="memory-content" dir="auto">
              {content}
            </p>
            <MemoryMeta memory={memory} now={now} onCategory={actions.onCategory} />
          </div>
          <div className="memory-actions">
            <IconButton
              icon="pin"
              label={texts.pinOf(name)}
              title={is_pinned ? commonTexts.unpin : commonTexts.pin}
              aria-pressed={is_pinned}
              aria-disabled={isBusy}
              onClick={togglePin}
            />
            <IconButton
              ref={editButton}
              icon="edit"
              label={texts.editOf(name)}
              title={commonTexts.edit}
              onClick={() => setEditing(true)}
            />
            <Menu
              label={texts.actions(name)}
              items={[
                { label: texts.history, icon: "history", onSelect: () => actions.onHistory(memory) },
                {
                  label: is_archived ? texts.restore : texts.archive,
                  icon: "archive",
                  onSelect: toggleArchive,
                },
                {
                  label: commonTexts.delete,
                  icon: "trash",
                  onSelect: () => actions.onDelete(memory),
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

function truncate(content: string): string {
  return content.length <= 80 ? content : `${content.slice(0, 79)}…`;
}
