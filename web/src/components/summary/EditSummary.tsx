import { useEffect, useId, useRef, useState, type FormEvent } from "react";
import { ApiError } from "../../api/error";
import { editSummary, getSummary } from "../../api/summaries";
import type { Summary } from "../../api/types";
import { useSaving } from "../../hooks/useSaving";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Conflict } from "./Conflict";
import { draftOf, keepDraft } from "./drafts";
import { texts as summaryTexts } from "./texts";

interface Props {
  summary: Summary;
  onSaved: (summary: Summary) => void;
  onClose: () => void;
}

/**
 * Saved against the version that was read. When there is a newer one by then, both are shown, and
 * nothing is lost whichever is chosen.
 */
export function EditSummary({ summary, onSaved, onClose }: Props) {
  const texts = useTexts(summaryTexts);
  const words = useTexts(common);
  const id = summary.conversation_id;
  const [draft, setDraft] = useState(
    () => draftOf(id) ?? { text: summary.text, version: summary.version },
  );
  const [conflict, setConflict] = useState<Summary | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const hintId = useId();

  // A draft that is found again, on coming back to the panel, does not ask for the focus.
  const isNew = useRef(draftOf(id) === null);
  useEffect(() => {
    if (isNew.current) field.current?.focus();
  }, []);
  const wasInConflict = useRef(false);
  useEffect(() => {
    if (wasInConflict.current && conflict === null) field.current?.focus();
    wasInConflict.current = conflict !== null;
  }, [conflict]);
  useEffect(
    () => keepDraft(id, draft.text === summary.text ? null : draft),
    [id, draft, summary.text],
  );

  const close = () => {
    keepDraft(id, null);
    onClose();
  };

  const { isSaving, error, save } = useSaving(async (version: number) => {
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
    else if (!isEmpty) void save(draft.version);
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
      {error && <ErrorNote error={error} />}
      <div className="actions">
        <button type="button" className="button quiet" onClick={close}>
          {words.cancel}
        </button>
        <button className="button primary" aria-disabled={isSaving || isEmpty}>
          {isSaving ? texts.saving : words.save}
        </button>
      </div>
      {conflict && (
        <Conflict
          theirs={conflict}
          mine={draft.text}
          isSaving={isSaving}
          onOverwrite={() => void save(conflict.version)}
          onTakeTheirs={() => {
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
