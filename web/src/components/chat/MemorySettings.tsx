import { useState } from "react";
import type { Conversation, ConversationUpdate } from "../../api/types";
import { useCommonTexts } from "../../i18n/common";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { useChatTexts } from "./texts";

const MAX_PROJECT_CHARS = 200;

interface Props {
  conversation: Conversation;
  onClose: () => void;
  onSave: (changes: ConversationUpdate) => void;
}

/** The policy of a conversation, where passages may come from, and its project. */
export function MemorySettings({ conversation, onClose, onSave }: Props) {
  const texts = useChatTexts();
  const { cancel, save } = useCommonTexts();
  const [policy, setPolicy] = useState(conversation.policy);
  const [scope, setScope] = useState(conversation.recall_scope);
  const [project, setProject] = useState(conversation.project_id ?? "");
  const changes: ConversationUpdate = {
    ...(policy !== conversation.policy && { policy }),
    ...(scope !== conversation.recall_scope && { recall_scope: scope }),
    ...(project.trim() !== (conversation.project_id ?? "") && { project_id: project.trim() || null }),
  };
  return (
    <Dialog title={texts.memorySettings} onClose={onClose}>
      <form
        className="memory-settings"
        onSubmit={(event) => {
          event.preventDefault();
          onSave(changes);
        }}
      >
        <fieldset className="choices">
          <legend>{texts.policy}</legend>
          <p className="hint">{texts.policyHint}</p>
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
        <fieldset className="choices">
          <legend>{texts.scope}</legend>
          <p className="hint">{conversation.remember ? texts.scopeHint : texts.scopeOff}</p>
          {([null, "conversation", "project", "user"] as const).map((value) => (
            <label key={value} className="choice">
              <input
                type="radio"
                name="scope"
                checked={scope === value}
                onChange={() => setScope(value)}
              />
              {value === null ? texts.scopeDefault : texts.scopes[value]}
            </label>
          ))}
        </fieldset>
        <label className="field">
          <span>{texts.project}</span>
          <input
            type="text"
            autoComplete="off"
            maxLength={MAX_PROJECT_CHARS}
            placeholder={texts.noProject}
            value={project}
            onChange={(event) => setProject(event.target.value)}
          />
        </label>
        <div className="actions">
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" className="primary">
            {save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
