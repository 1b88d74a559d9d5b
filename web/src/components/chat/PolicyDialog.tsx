import { useState } from "react";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { Dialog } from "../ui/Dialog";
import { texts as chatTexts } from "./texts";

interface Props {
  chosen: string;
  onClose: () => void;
  onChoose: (policy: string) => void;
}

export function PolicyDialog({ chosen, onClose, onChoose }: Props) {
  const texts = useTexts(chatTexts);
  const { cancel, save } = useTexts(common);
  const [policy, setPolicy] = useState(chosen);
  return (
    <Dialog title={texts.policy} onClose={onClose}>
      <fieldset className="choices">
        <legend className="hint">{texts.policyHint}</legend>
        {Object.entries(texts.policies).map(([name, meaning]) => (
          <label key={name} className="choice">
            <input
              type="radio"
              name="policy"
              value={name}
              checked={policy === name}
              onChange={() => setPolicy(name)}
            />
            {meaning}
          </label>
        ))}
      </fieldset>
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          {cancel}
        </button>
        <button type="button" className="button primary" onClick={() => onChoose(policy)}>
          {save}
        </button>
      </div>
    </Dialog>
  );
}
