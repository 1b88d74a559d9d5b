import { revokeKey } from "../../api/keys";
import type { ApiKey } from "../../api/types";
import { useToasts } from "../../hooks/useToasts";
import { useTexts } from "../../texts/texts";
import { Confirm } from "../ui/Confirm";
import { texts as settingsTexts } from "./texts";

interface Props {
  apiKey: ApiKey;
  onClose: () => void;
  onRevoked: () => void;
}

export function RevokeKey({ apiKey, onClose, onRevoked }: Props) {
  const texts = useTexts(settingsTexts);
  const tell = useToasts();

  const revoke = async () => {
    await revokeKey(apiKey.id);
    tell({ text: texts.revokedNow });
    onRevoked();
  };

  return (
    <Confirm
      title={texts.revokeTitle(apiKey.prefix)}
      text={texts.revokeWarning(apiKey.user_id)}
      confirm={texts.revoke}
      isDangerous
      onConfirm={revoke}
      onClose={onClose}
    />
  );
}
