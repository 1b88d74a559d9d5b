import { useState } from "react";
import { useCommonTexts } from "../../i18n/common";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { useChatTexts } from "./texts";

interface Props {
  policy: string;
  onClose: () => void;
  onSave: (policy: string) => void;
}

export function PolicyDialog({ policy: initial, onClose, onSave }: Props) {
  const texts = useChatTexts();
  const { cancel, save } = useCommonTexts();
  const [policy, setPolicy] = useState(initial);
  return (
    <Dialog title={texts.policy} onClose={onClose}>
      <fieldset className="choices">
        <legend className="hint">{texts.policyHint}</legend>
        {Object.entries(texts.policies).map(([name, description]) => (
          <label key={name} className="choice">
            <input
              type="radio"
              name="policy"
              value={name}
              checked={policy === name}
              onChange={() => setPolicy(name)}
            />
            {description}
          </label>
        ))}
      </fieldset>
      <div className="actions">
        <Button onClick={onClose}>{cancel}</Button>
        <Button className="primary" onClick={() => onSave(policy)}>{save}</Button>
      </div>
    </Dialog>
  );
}
