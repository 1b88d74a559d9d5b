import { useMemo, useState } from "react";
import type { AskOptions } from "../api/chat";
import { useKept } from "./useKept";

export type NotesByName = Readonly<Record<string, string>>;

export interface AskChoices {
  /** Empty for the server's own choice. */
  model: string;
  setModel: (name: string) => void;
  isFull: boolean;
  setFull: (isFull: boolean) => void;
  notes: NotesByName;
  setNotes: (notes: NotesByName) => void;
  /** What goes along with a question, or with asking again. */
  options: AskOptions;
}

const noNotes: NotesByName = {};

export function notesName(conversationId: string | null): string {
  return `recollect.notes.${conversationId ?? "new"}`;
}

export function fullName(conversationId: string | null): string {
  return `recollect.full.${conversationId ?? "new"}`;
}

/** What the reader has chosen for the next answers of a conversation. */
export function useAskOptions(conversationId: string | null): AskChoices {
  const [model, setModel] = useState("");
  const [isFull, setFull] = useKept(fullName(conversationId), false);
  const [notes, setNotes] = useKept(notesName(conversationId), noNotes);

  const options = useMemo<AskOptions>(
    () => ({
      mode: isFull ? "full" : "compressed",
      ...(model !== "" && { model }),
      ...(Object.keys(notes).length > 0 && { context: notes }),
    }),
    [isFull, model, notes],
  );

  return { model, setModel, isFull, setFull, notes, setNotes, options };
}
