import { useState } from "react";
import { createConversation } from "../api/conversations";
import type { ApiError } from "../api/error";
import type { Conversation } from "../api/types";
import { ErrorNote } from "./ErrorNote";
import { Icon } from "./Icon";

export function NewConversation({ onCreated }: { onCreated: (made: Conversation) => void }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);

  const create = () => {
    setBusy(true);
    setError(null);
    createConversation()
      .then(onCreated, setError)
      .finally(() => setBusy(false));
  };

  return (
    <>
      <button type="button" className="button primary" disabled={isBusy} onClick={create}>
        <Icon name="plus" />
        New conversation
      </button>
      {error && <ErrorNote error={error} onRetry={create} />}
    </>
  );
}
