import { useId, useState, type FormEvent } from "react";
import { ApiError } from "../../api/error";
import { signIn } from "../../api/identity";
import { createKey } from "../../api/keys";
import type { Me, NewApiKey } from "../../api/types";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { texts as settingsTexts } from "./texts";
import { wantsFocus } from "./wantsFocus";

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
  const { cancel } = useTexts(common);
  const isFirst = me.mode === "local";
  const [user, setUser] = useState(isFirst ? me.user_id : "");
  const [isAdmin, setAdmin] = useState(isFirst);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const hintId = useId();
  const isReady = user.trim() !== "" && !isBusy;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    setBusy(true);
    setError(null);
    try {
      const made = await createKey(user.trim(), isAdmin);
      // The next request would be refused, and the key gone before it was read.
      if (isFirst) await signIn(made.key).catch(() => undefined);
      onMade(made);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setError(error);
      setBusy(false);
    }
  };

  return (
    <form className="settings-form" onSubmit={(event) => void submit(event)}>
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
          {error.message}
        </p>
      )}
      <div className="actions">
        <button type="button" className="button" onClick={onCancel}>
          {cancel}
        </button>
        <button type="submit" className="button primary" aria-disabled={!isReady}>
          {texts.createKey}
        </button>
      </div>
    </form>
  );
}
