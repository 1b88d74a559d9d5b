import { useState, type FormEvent } from "react";
import type { ApiError } from "../api/error";
import { signIn } from "../api/identity";

export function SignIn({ onSignedIn }: { onSignedIn: () => void }) {
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
        <h1 id="sign-in-title">Sign in to Recollect</h1>
        <p className="hint" id="sign-in-hint">
          This server asks for an API key. Whoever runs it can make one with{" "}
          <code>recollect keys create --user you</code>.
        </p>
        <label htmlFor="api-key">API key</label>
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
          Sign in
        </button>
      </form>
    </main>
  );
}
