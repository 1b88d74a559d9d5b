import { useState } from "react";
import type { Memories } from "../../hooks/useMemories";
import { useConversations } from "../../hooks/useConversations";
import { useTexts } from "../../texts/texts";
import { Dialog } from "../ui/Dialog";
import { ConversationChoice } from "./ConversationChoice";
import { ExtractionProgress } from "./ExtractionProgress";
import { ExtractionResult } from "./ExtractionResult";
import { texts as memoryTexts } from "./texts";
import { useExtraction } from "./useExtraction";

interface Props {
  extractMemories: Memories["extractMemories"];
  onShow: (ids: ReadonlySet<string>) => void;
  onClose: () => void;
}

/** Choose conversations, watch them being read, and see what came of it. */
export function ExtractDialog({ extractMemories, onShow, onClose }: Props) {
  const texts = useTexts(memoryTexts);
  const conversations = useConversations("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { run, start, cancel } = useExtraction(extractMemories);

  return (
    <Dialog title={texts.extract} className="extract" onClose={onClose}>
      {run === null && (
        <ConversationChoice
          conversations={conversations}
          chosen={chosen}
          onChoose={setChosen}
          onStart={start}
        />
      )}
      {run && !run.isOver && <ExtractionProgress run={run} onCancel={cancel} />}
      {run?.isOver && (
        <ExtractionResult run={run} onAgain={start} onShow={onShow} onClose={onClose} />
      )}
    </Dialog>
  );
}
