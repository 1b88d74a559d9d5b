import type { KeyboardEvent } from "react";
import { useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import type { Conversation } from "../../api/types";
import { useConversations } from "../../hooks/useConversations";
import { useDebounced } from "../../hooks/useDebounced";
import { conversationPath, useNavigation } from "../../hooks/useRoute";
import { preselected, sectionsOf, step, type Entry } from "../../model/palette";
import { useTexts } from "../../texts/texts";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { optionId, PaletteList } from "./PaletteList";
import { texts as paletteTexts } from "./texts";
import { useSwitch } from "./useSwitch";

/** Goes to a conversation by a few words of its title or by a sentence about it, or to a page. */
export function Palette({ onClose }: { onClose: () => void }) {
  const texts = useTexts(paletteTexts);
  const { navigate } = useNavigation();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();

  // After the dialog has opened, which puts the focus on its first button.
  useEffect(() => field.current?.focus(), []);

  const goTo = useCallback(
    (path: string) => {
      onClose();
      navigate(path);
    },
    [onClose, navigate],
  );
  const open = useCallback((one: Conversation) => goTo(conversationPath(one.id)), [goTo]);
  const select = (entry: Entry) => {
    if (entry.kind === "conversation") open(entry.conversation);
    else goTo(entry.destination === "new" ? "/" : `/${entry.destination}`);
  };

  const conversations = useConversations(useDebounced(text.trim(), 150));
  const switching = useSwitch(text, open);
  const { items } = conversations.listing;
  const { answer, isFresh, isAsking } = switching;
  const sections = useMemo(
    () => sectionsOf({ text, conversations: items, answer, labels: texts.destinations }),
    [text, items, answer, texts],
  );
  const entries = sections.flatMap((section) => section.entries);
  const isThere = entries.some(({ key }) => key === chosen);
  // What an older sentence found may be chosen, but not taken unasked.
  const byItself = answer !== null && !isFresh ? null : preselected(text, sections);
  const active = isThere ? chosen : byItself;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") setChosen(step(sections, active, 1));
    else if (event.key === "ArrowUp") setChosen(step(sections, active, -1));
    else if (event.key === "Enter") {
      const entry = entries.find(({ key }) => key === active);
      if (entry) select(entry);
      else if (text.trim() !== "") switching.go();
    } else return;
    event.preventDefault();
  };

  return (
    <Dialog title={texts.title} className="palette" onClose={onClose}>
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label={texts.field}
        aria-expanded={entries.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active === null ? undefined : optionId(listId, active)}
        autoComplete="off"
        enterKeyHint="go"
        maxLength={1_000}
        placeholder={texts.placeholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(null);
        }}
        onKeyDown={onKeyDown}
      />
      <p className="hint palette-status" role="status">
        {isAsking && texts.asking}
        {isFresh && answer?.outcome === "ask" && (
          <span className="visually-hidden">{texts.ask}</span>
        )}
        {isFresh && answer?.outcome === "none" && texts.none}
        {!isAsking && !isFresh && entries.length === 0 && text.trim() !== "" && texts.noTitle}
      </p>
      {switching.error && <ErrorNote error={switching.error} onRetry={switching.retry} />}
      {conversations.first === "failed" && conversations.error && (
        <ErrorNote error={conversations.error} onRetry={conversations.retry} />
      )}
      <PaletteList
        id={listId}
        sections={sections}
        active={active}
        isBusy={isAsking}
        onSelect={select}
      />
    </Dialog>
  );
}
