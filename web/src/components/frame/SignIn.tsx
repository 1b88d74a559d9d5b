import { useState, type FormEvent } from "react";
import { signIn } from "../../api/identity";
import { useSaving } from "../../hooks/useSaving";
import { common } from "../../texts/common";
import { sayError } from "../../texts/sayError";
import { useTexts } from "../../texts/texts";
import { texts as frameTexts } from "./texts";

export function SignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const texts = useTexts(frameTexts);
  const words = useTexts(common);
  const [key, setKey] = useState("");
  const { isSaving, error, save } = useSaving(async () => {
    await signIn(key.trim());
    onSignedIn();
  });
  const isReady = key.trim() !== "" && !isSaving;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void save();
  };

  return (
    <main className="stage">
      <form className="card" aria-labelledby="sign-in-title" onSubmit={submit}>
        <img src="/favicon.svg" alt="" width="40" height="40" />
        <h1 id="sign-in-title">{texts.signInTitle}</h1>
        <p className="hint" id="sign-in-hint">
          {texts.signInHint} <code>recollect keys create --user you</code>.
        </p>
        <label htmlFor="api-key">{texts.apiKey}</label>
        <input
          id="api-key"
          type="password"
          required
          autoFocus
          autoComplete="current-password"
          aria-describedby="sign-in-hint"
          aria-invalid={error !== null}
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        {error && (
          <p className="field-error" role="alert">
            {sayError(error, words)}
          </p>
        )}
        <button type="submit" className="button primary" aria-disabled={!isReady}>
          {texts.signIn}
        </button>
      </form>
    </main>
  );
}
