import { useState } from "react";
import { useConversations } from "../../hooks/useConversations";
import type { Memories } from "../../hooks/useMemories";
import { Dialog } from "../ui/Dialog";
import { ConversationPicker } from "./ConversationPicker";
import { ExtractionProgress } from "./ExtractionProgress";
import { ExtractionResult } from "./ExtractionResult";
import { useMemoryTexts } from "./texts";
import { useExtraction } from "./useExtraction";

interface Props {
  extractMemories: Memories["extractMemories"];
  onShow: (ids: ReadonlySet<string>) => void;
  onClose: () => void;
}

/** Extracts memories from selected conversations, and shows the result. */
export function ExtractDialog({ extractMemories, onShow, onClose }: Props) {
  const texts = useMemoryTexts();
  const conversations = useConversations("");
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { run, start, cancel } = useExtraction(extractMemories);

  return (
    <Dialog title={texts.extract} className="extract" onClose={onClose}>
      {run === null && (
        <ConversationPicker
          conversations={conversations}
          selected={selected}
          onSelect={setSelected}
          onStart={start}
        />
      )}
      {run && !run.isFinished && <ExtractionProgress run={run} onCancel={cancel} />}
      {run?.isFinished && (
        <ExtractionResult run={run} onRetry={start} onShow={onShow} onClose={onClose} />
      )}
    </Dialog>
  );
}
