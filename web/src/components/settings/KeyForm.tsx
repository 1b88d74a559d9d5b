import { useId, useState, type FormEvent } from "react";
import { signIn } from "../../api/identity";
import { createKey } from "../../api/keys";
import type { Me, NewApiKey } from "../../api/types";
import { useSaving } from "../../hooks/useSaving";
import { common } from "../../texts/common";
import { sayError } from "../../texts/sayError";
import { useTexts } from "../../texts/texts";
import { wantsFocus } from "../ui/wantsFocus";
import { texts as settingsTexts } from "./texts";

interface Props {
  me: Me;
  onCancel: () => void;
  onMade: (key: NewApiKey) => void;
}

/**
 * Whose key it shall be. The first one is the reader's own, so that nobody locks themselves out of
 * what they have recorded so far.
 */
export function KeyForm({ me, onCancel, onMade }: Props) {
  const texts = useTexts(settingsTexts);
  const words = useTexts(common);
  const isFirst = me.mode === "local";
  const [user, setUser] = useState(isFirst ? me.user_id : "");
  const [isAdmin, setAdmin] = useState(isFirst);
  const hintId = useId();
  const { isSaving, error, save } = useSaving(async () => {
    const made = await createKey(user.trim(), isAdmin);
    // The next request would be refused, and the key gone before it was read.
    if (isFirst) await signIn(made.key).catch(() => undefined);
    onMade(made);
  });
  const isReady = user.trim() !== "" && !isSaving;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void save();
  };

  return (
    <form className="settings-form" onSubmit={submit}>
      {isFirst && (
        <div className="warning">
          <p>{texts.firstKeyWarning}</p>
          <p>{texts.firstKeyHint}</p>
        </div>
      )}
      {!isFirst && (
        <>
          <label className="field">
            <span>{texts.user}</span>
            <input
              ref={wantsFocus}
              required
              autoComplete="off"
              spellCheck={false}
              aria-describedby={hintId}
              aria-invalid={error !== null}
              value={user}
              onChange={(event) => setUser(event.target.value)}
            />
          </label>
          <p className="hint" id={hintId}>
            {texts.userHint}
          </p>
          <label className="choice">
            <input
              type="checkbox"
              checked={isAdmin}
              onChange={(event) => setAdmin(event.target.checked)}
            />
            {texts.admin}: {texts.adminHint}
          </label>
        </>
      )}
      {error && (
        <p className="field-error" role="alert">
          {sayError(error, words)}
        </p>
      )}
      <div className="actions">
        <button type="button" className="button" onClick={onCancel}>
          {words.cancel}
        </button>
        <button type="submit" className="button primary" aria-disabled={!isReady}>
          {texts.createKey}
        </button>
      </div>
    </form>
  );
}
