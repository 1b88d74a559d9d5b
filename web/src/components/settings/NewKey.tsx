import { useState } from "react";
import type { Me, NewApiKey } from "../../api/types";
import { useTexts } from "../../texts/texts";
import { Dialog } from "../ui/Dialog";
import { KeyForm } from "./KeyForm";
import { MadeKey } from "./MadeKey";
import { texts as settingsTexts } from "./texts";

interface Props {
  me: Me;
  onCancel: () => void;
  /** There is a new key, and it has been seen. */
  onDone: () => void;
}

export function NewKey({ me, onCancel, onDone }: Props) {
  const texts = useTexts(settingsTexts);
  const [made, setMade] = useState<NewApiKey | null>(null);

  return (
    <Dialog title={made ? texts.createdKey : texts.newKey} onClose={made ? onDone : onCancel}>
      {made ? (
        <MadeKey apiKey={made.key} onDone={onDone} />
      ) : (
        <KeyForm me={me} onCancel={onCancel} onMade={setMade} />
      )}
    </Dialog>
  );
}
