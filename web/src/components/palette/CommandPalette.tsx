import type { KeyboardEvent } from "react";
import { useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import type { Conversation } from "../../api/types";
import { useConversations } from "../../hooks/useConversations";
import { useDebounce } from "../../hooks/useDebounce";
import { conversationPath, useNavigation } from "../../hooks/useRoute";
import {
  defaultSelection,
  moveSelection,
  paletteSections,
  type Entry,
  type FoundMessage,
} from "../../model/palette";
import { Dialog } from "../ui/Dialog";
import { ErrorMessage } from "../ui/ErrorMessage";
import { optionId, PaletteList } from "./PaletteList";
import { usePaletteTexts } from "./texts";
import { useConversationSwitch } from "./useConversationSwitch";
import { useMessageSearch } from "./useMessageSearch";

/** Opens a conversation by words of its title or a sentence about it, or another page. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const texts = usePaletteTexts();
  const { navigate } = useNavigation();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();

  // After the dialog has set its own focus.
  useEffect(() => field.current?.focus(), []);

  const goTo = useCallback(
    (path: string) => {
      onClose();
      navigate(path);
    },
    [onClose, navigate],
  );
  const open = useCallback(({ id }: Conversation) => goTo(conversationPath(id)), [goTo]);
  const select = (entry: Entry) => {
    if (entry.kind === "conversation") open(entry.conversation);
    else if (entry.kind === "message") goTo(messagePath(entry.found));
    else goTo(entry.destination === "new" ? "/" : `/${entry.destination}`);
  };

  const conversations = useConversations(useDebounce(text.trim(), 150));
  const conversationSwitch = useConversationSwitch(text, open);
  const messages = useMessageSearch(conversationSwitch.query);
  const { items } = conversations.listing;
  const { answer, isCurrent, isLoading } = conversationSwitch;
  const sections = useMemo(
    () => paletteSections({ text, conversations: items, answer, messages, labels: texts.destinations }),
    [text, items, answer, messages, texts],
  );
  const entries = sections.flatMap((section) => section.entries);
  const isListed = entries.some(({ key }) => key === chosen);
  // Results of an older sentence are not selected by default.
  const defaultKey = answer !== null && !isCurrent ? null : defaultSelection(text, sections);
  const active = isListed ? chosen : defaultKey;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") setChosen(moveSelection(sections, active, 1));
    else if (event.key === "ArrowUp") setChosen(moveSelection(sections, active, -1));
    else if (event.key === "Enter") {
      const entry = entries.find(({ key }) => key === active);
      if (entry) select(entry);
      else if (text.trim() !== "") conversationSwitch.submit();
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
        {isLoading && texts.searching}
        {isCurrent && answer?.outcome === "ask" && (
          <span className="visually-hidden">{texts.choose}</span>
        )}
        {isCurrent && answer?.outcome === "none" && messages.length === 0 && texts.none}
        {!isLoading && !isCurrent && entries.length === 0 && text.trim() !== "" && texts.noTitle}
      </p>
      {conversationSwitch.error && <ErrorMessage error={conversationSwitch.error} onRetry={conversationSwitch.retry} />}
      {conversations.status === "failed" && conversations.error && (
        <ErrorMessage error={conversations.error} onRetry={conversations.retry} />
      )}
      <PaletteList
        id={listId}
        sections={sections}
        query={conversationSwitch.query}
        active={active}
        isBusy={isLoading}
        onSelect={select}
      />
    </Dialog>
  );
}

function messagePath({ hit, conversation }: FoundMessage): string {
  return conversationPath(conversation.id, { anchor: hit.id, passage: hit.passages[0] ?? null });
}
