import { useState, type FormEvent } from "react";
import type { ApiError } from "../../api/error";
import { signIn } from "../../api/identity";
import { useTexts } from "../../texts/texts";
import { texts as frameTexts } from "./texts";

export function SignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const texts = useTexts(frameTexts);
  const [key, setKey] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    signIn(key.trim())
      .then(onSignedIn, setError)
      .finally(() => setBusy(false));
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
            {error.message}
          </p>
        )}
        <button type="submit" className="button primary" disabled={isBusy || key.trim() === ""}>
          {texts.signIn}
        </button>
      </form>
    </main>
  );
}
