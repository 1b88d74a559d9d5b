import type { Me } from "../../api/types";
import { useMutation } from "../../hooks/useMutation";
import { useLayoutTexts } from "../layout/texts";
import { Button } from "../ui/Button";
import { ErrorMessage } from "../ui/ErrorMessage";

interface Props {
  me: Me;
  onSignOut: () => Promise<void>;
}

export function SignedInUser({ me, onSignOut }: Props) {
  const texts = useLayoutTexts();
  const { isPending, error, mutate } = useMutation(onSignOut);
  const handleSignOut = () => void mutate();
  return (
    <div className="account">
      <span className="account-user" title={me.user_id}>
        {me.user_id}
      </span>
      <Button className="quiet" aria-disabled={isPending} onClick={handleSignOut}>
        {texts.signOut}
      </Button>
      {error && <ErrorMessage error={error} onRetry={handleSignOut} />}
    </div>
  );
}
