import type { Me } from "../../api/types";
import { useSaving } from "../../hooks/useSaving";
import { useTexts } from "../../texts/texts";
import { texts as frameTexts } from "../frame/texts";
import { ErrorNote } from "../ui/ErrorNote";

interface Props {
  me: Me;
  onSignOut: () => Promise<void>;
}

export function Account({ me, onSignOut }: Props) {
  const texts = useTexts(frameTexts);
  const { isSaving, error, save } = useSaving(onSignOut);
  const leave = () => void save();
  return (
    <div className="account">
      <span className="account-user" title={me.user_id}>
        {me.user_id}
      </span>
      <button
        type="button"
        className="button quiet"
        aria-disabled={isSaving}
        onClick={leave}
      >
        {texts.signOut}
      </button>
      {error && <ErrorNote error={error} onRetry={leave} />}
    </div>
  );
}
