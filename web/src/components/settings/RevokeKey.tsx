import { useState } from "react";
import { ApiError } from "../../api/error";
import { revokeKey } from "../../api/keys";
import type { ApiKey } from "../../api/types";
import { useToasts } from "../../hooks/useToasts";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { texts as settingsTexts } from "./texts";
import { wantsFocus } from "./wantsFocus";

interface Props {
  apiKey: ApiKey;
  onClose: () => void;
  onRevoked: () => void;
}

export function RevokeKey({ apiKey, onClose, onRevoked }: Props) {
  const texts = useTexts(settingsTexts);
  const { cancel } = useTexts(common);
  const tell = useToasts();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);

  const revoke = async () => {
    setBusy(true);
    setError(null);
    try {
      await revokeKey(apiKey.id);
      tell({ text: texts.revokedNow });
      onRevoked();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setError(error);
      setBusy(false);
    }
  };

  return (
    <Dialog title={texts.revokeTitle(apiKey.prefix)} onClose={onClose}>
      <p>{texts.revokeWarning(apiKey.user_id)}</p>
      {error && <ErrorNote error={error} />}
      <div className="actions">
        <button type="button" className="button" ref={wantsFocus} onClick={onClose}>
          {cancel}
        </button>
        <button
          type="button"
          className="button danger"
          aria-disabled={isBusy}
          onClick={isBusy ? undefined : () => void revoke()}
        >
          {texts.revoke}
        </button>
      </div>
    </Dialog>
  );
}
