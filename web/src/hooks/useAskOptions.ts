import { useMemo, useState } from "react";
import type { AskOptions } from "../api/chat";
import { useLocalStorage } from "./useLocalStorage";

export type NotesByName = Readonly<Record<string, string>>;

export interface AskSettings {
  /** Empty for the server's default model. */
  model: string;
  setModel: (name: string) => void;
  isFullContext: boolean;
  setFullContext: (isFullContext: boolean) => void;
  notes: NotesByName;
  setNotes: (notes: NotesByName) => void;
  /** The settings as options of a request. */
  options: AskOptions;
}

const NO_NOTES: NotesByName = {};

export function notesKey(conversationId: string | null): string {
  return `recollect.notes.${conversationId ?? "new"}`;
}

export function fullContextKey(conversationId: string | null): string {
  return `recollect.full.${conversationId ?? "new"}`;
}

/** The user's settings for the next answers of a conversation. */
export function useAskOptions(conversationId: string | null): AskSettings {
  const [model, setModel] = useState("");
  const [isFullContext, setFullContext] = useLocalStorage(fullContextKey(conversationId), false);
  const [notes, setNotes] = useLocalStorage(notesKey(conversationId), NO_NOTES);

  const options = useMemo<AskOptions>(
    () => ({
      mode: isFullContext ? "full" : "compressed",
      ...(model !== "" && { model }),
      ...(Object.keys(notes).length > 0 && { context: notes }),
    }),
    [isFullContext, model, notes],
  );

  return { model, setModel, isFullContext, setFullContext, notes, setNotes, options };
}
