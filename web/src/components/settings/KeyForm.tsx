import { useId, useState, type FormEvent } from "react";
import { signIn } from "../../api/identity";
import { createKey } from "../../api/keys";
import type { Me, NewApiKey } from "../../api/types";
import { useMutation } from "../../hooks/useMutation";
import { useCommonTexts } from "../../i18n/common";
import { errorMessage } from "../../i18n/errorMessage";
import { Button } from "../ui/Button";
import { autofocus } from "../ui/Dialog";
import { useSettingsTexts } from "./texts";

interface Props {
  me: Me;
  onCancel: () => void;
  onCreated: (key: NewApiKey) => void;
}

/** Creates a key. The first one is for the current user, who would lose access to their data. */
export function KeyForm({ me, onCancel, onCreated }: Props) {
  const texts = useSettingsTexts();
  const commonTexts = useCommonTexts();
  const isFirst = me.mode === "local";
  const [user, setUser] = useState(isFirst ? me.user_id : "");
  const [isAdmin, setAdmin] = useState(isFirst);
  const hintId = useId();
  const { isPending, error, mutate } = useMutation(async () => {
    const created = await createKey(user.trim(), isAdmin);
    // From now on requests without a key fail, before the user has seen the key.
    if (isFirst) await signIn(created.key).catch(() => undefined);
    onCreated(created);
  });
  const isReady = user.trim() !== "" && !isPending;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void mutate();
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
              ref={autofocus}
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
          {errorMessage(error, commonTexts)}
        </p>
      )}
      <div className="actions">
        <Button onClick={onCancel}>{commonTexts.cancel}</Button>
        <Button type="submit" className="primary" aria-disabled={!isReady}>
          {texts.createKey}
        </Button>
      </div>
    </form>
  );
}
