import { useState, type FormEvent } from "react";
import { signIn } from "../../api/identity";
import { useMutation } from "../../hooks/useMutation";
import { useCommonTexts } from "../../i18n/common";
import { errorMessage } from "../../i18n/errorMessage";
import { Button } from "../ui/Button";
import { useLayoutTexts } from "./texts";

export function SignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const texts = useLayoutTexts();
  const commonTexts = useCommonTexts();
  const [key, setKey] = useState("");
  const { isPending, error, mutate } = useMutation(async () => {
    await signIn(key.trim());
    onSignedIn();
  });
  const isReady = key.trim() !== "" && !isPending;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void mutate();
  };

  return (
    <main className="centered-page">
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
            {errorMessage(error, commonTexts)}
          </p>
        )}
        <Button type="submit" className="primary" aria-disabled={!isReady}>{texts.signIn}</Button>
      </form>
    </main>
  );
}
