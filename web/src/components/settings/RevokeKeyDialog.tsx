import { revokeKey } from "../../api/keys";
import type { ApiKey } from "../../api/types";
import { useToast } from "../../hooks/useToast";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { useSettingsTexts } from "./texts";

interface Props {
  apiKey: ApiKey;
  onClose: () => void;
  onRevoked: () => void;
}

export function RevokeKeyDialog({ apiKey, onClose, onRevoked }: Props) {
  const texts = useSettingsTexts();
  const showToast = useToast();

  const revoke = async () => {
    await revokeKey(apiKey.id);
    showToast({ text: texts.revokedNow });
    onRevoked();
  };

  return (
    <ConfirmDialog
      title={texts.revokeTitle(apiKey.prefix)}
      text={texts.revokeWarning(apiKey.user_id)}
      confirm={texts.revoke}
      isDangerous
      onConfirm={revoke}
      onClose={onClose}
    />
  );
}
