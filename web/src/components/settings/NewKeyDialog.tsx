import { useState } from "react";
import type { Me, NewApiKey } from "../../api/types";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { CodeSnippet } from "./CodeSnippet";
import { KeyForm } from "./KeyForm";
import { useSettingsTexts } from "./texts";

interface Props {
  me: Me;
  onCancel: () => void;
  /** Called after the user has seen the new key. */
  onDone: () => void;
}

export function NewKeyDialog({ me, onCancel, onDone }: Props) {
  const texts = useSettingsTexts();
  const [created, setCreated] = useState<NewApiKey | null>(null);

  return (
    <Dialog title={created ? texts.createdKey : texts.newKey} onClose={created ? onDone : onCancel}>
      {created ? (
        <div className="settings-form">
          <p role="status">{texts.createdKeyHint}</p>
          <CodeSnippet text={created.key} label={texts.createdKey} />
          <div className="actions">
            <Button className="primary" autoFocus onClick={onDone}>{texts.keySaved}</Button>
          </div>
        </div>
      ) : (
        <KeyForm me={me} onCancel={onCancel} onCreated={setCreated} />
      )}
    </Dialog>
  );
}
