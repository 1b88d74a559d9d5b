import { useState } from "react";
import type { ApiError } from "../../api/error";
import type { Me } from "../../api/types";
import { useTexts } from "../../texts/texts";
import { texts as frameTexts } from "../frame/texts";
import { ErrorNote } from "../ui/ErrorNote";

interface Props {
  me: Me;
  onSignOut: () => Promise<void>;
}

export function Account({ me, onSignOut }: Props) {
  const texts = useTexts(frameTexts);
  const [error, setError] = useState<ApiError | null>(null);
  const leave = () => {
    setError(null);
    onSignOut().catch(setError);
  };
  return (
    <div className="account">
      <span className="account-user" title={me.user_id}>
        {me.user_id}
      </span>
      <button type="button" className="button quiet" onClick={leave}>
        {texts.signOut}
      </button>
      {error && <ErrorNote error={error} onRetry={leave} />}
    </div>
  );
}
