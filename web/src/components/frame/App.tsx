import { signOut } from "../api/identity";
import { useIdentity } from "../hooks/useIdentity";
import { ErrorNote } from "./ErrorNote";
import { Loading } from "./Loading";
import { SignIn } from "./SignIn";
import { Workspace } from "./Workspace";

export function App() {
  const { identity, reload } = useIdentity();

  switch (identity.state) {
    case "loading":
      return (
        <main className="stage">
          <Loading label="Loading Recollect" />
        </main>
      );
    case "failed":
      return (
        <main className="stage">
          <ErrorNote error={identity.error} onRetry={reload} />
        </main>
      );
    case "signed-out":
      return <SignIn onSignedIn={reload} />;
    case "signed-in":
      return <Workspace me={identity.me} onSignOut={() => signOut().then(reload)} />;
  }
}
