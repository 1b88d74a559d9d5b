import { useEffect, useId, useRef, useState, type FormEvent } from "react";
import { ApiError } from "../../api/error";
import { editSummary, getSummary } from "../../api/summaries";
import type { Summary } from "../../api/types";
import { useMutation } from "../../hooks/useMutation";
import { useCommonTexts } from "../../i18n/common";
import { Button } from "../ui/Button";
import { ErrorMessage } from "../ui/ErrorMessage";
import { ConflictDialog } from "./ConflictDialog";
import { useSummaryTexts } from "./texts";

interface Props {
  summary: Summary;
  onSaved: (summary: Summary) => void;
  onClose: () => void;
}

interface Draft {
  text: string;
  /** The version that was edited. */
  version: number;
}

/** Unsaved drafts by conversation, kept while the panel is closed. */
const drafts = new Map<string, Draft>();

export function hasDraft(conversationId: string): boolean {
  return drafts.has(conversationId);
}

function storeDraft(conversationId: string, draft: Draft | null): void {
  if (draft) drafts.set(conversationId, draft);
  else drafts.delete(conversationId);
}

/** Edits the summary. If it was changed meanwhile, the user chooses between both versions. */
export function EditSummary({ summary, onSaved, onClose }: Props) {
  const texts = useSummaryTexts();
  const commonTexts = useCommonTexts();
  const id = summary.conversation_id;
  const [draft, setDraft] = useState(
    () => drafts.get(id) ?? { text: summary.text, version: summary.version },
  );
  const [conflict, setConflict] = useState<Summary | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const hintId = useId();

  // No focus for a draft that is restored with the panel.
  const isNew = useRef(!drafts.has(id));
  useEffect(() => {
    if (isNew.current) field.current?.focus();
  }, []);
  const hadConflict = useRef(false);
  useEffect(() => {
    if (hadConflict.current && conflict === null) field.current?.focus();
    hadConflict.current = conflict !== null;
  }, [conflict]);
  useEffect(
    () => storeDraft(id, draft.text === summary.text ? null : draft),
    [id, draft, summary.text],
  );

  const close = () => {
    storeDraft(id, null);
    onClose();
  };

  const { isPending, error, mutate } = useMutation(async (version: number) => {
    try {
      onSaved(await editSummary(id, draft.text, version));
      close();
    } catch (failure) {
      const isConflict = failure instanceof ApiError && failure.status === 409;
      setConflict(isConflict ? await getSummary(id) : null);
      if (!isConflict) throw failure;
    }
  });

  const isEmpty = draft.text.trim() === "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.text.trim() === summary.text && draft.version === summary.version) close();
    else if (!isEmpty) void mutate(draft.version);
  };

  return (
    <form className="summary-edit" onSubmit={submit}>
      <textarea
        ref={field}
        aria-label={texts.editLabel}
        aria-describedby={hintId}
        aria-invalid={error !== null}
        rows={8}
        value={draft.text}
        onChange={(event) => setDraft({ ...draft, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit(event);
        }}
      />
      <p id={hintId} className="hint">
        {texts.editHint}
      </p>
      {error && <ErrorMessage error={error} />}
      <div className="actions">
        <Button className="quiet" onClick={close}>{commonTexts.cancel}</Button>
        <Button type="submit" className="primary" aria-disabled={isPending || isEmpty}>
          {isPending ? texts.saving : commonTexts.save}
        </Button>
      </div>
      {conflict && (
        <ConflictDialog
          theirs={conflict}
          mine={draft.text}
          isPending={isPending}
          onOverwrite={() => void mutate(conflict.version)}
          onUseTheirs={() => {
            onSaved(conflict);
            close();
          }}
          onKeepEditing={() => {
            setDraft({ ...draft, version: conflict.version });
            setConflict(null);
          }}
        />
      )}
    </form>
  );
}
