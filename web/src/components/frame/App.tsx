import { useEffect, useMemo } from "react";
import { signOut } from "../../api/identity";
import { forgetHere } from "../../hooks/forgetHere";
import { useIdentity } from "../../hooks/useIdentity";
import { usePreferences } from "../../hooks/usePreferences";
import { NavigationContext, useAddressBar } from "../../hooks/useRoute";
import { useSettling } from "../../hooks/useToasts";
import { common } from "../../texts/common";
import { chooseSpeech, SpeechContext } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Loading } from "../ui/Loading";
import { Toasts } from "../ui/Toasts";
import { SignIn } from "./SignIn";
import { Workspace } from "./Workspace";

export function App() {
  const { language } = usePreferences();
  const speech = useMemo(() => chooseSpeech(navigator.languages, language), [language]);
  const navigation = useAddressBar();

  useEffect(() => {
    document.documentElement.lang = speech.language;
  }, [speech]);

  return (
    <SpeechContext value={speech}>
      <NavigationContext value={navigation}>
        <Toasts>
          <Entrance loading={common[speech.language].loading} />
        </Toasts>
      </NavigationContext>
    </SpeechContext>
  );
}

/** Lets in whoever the server knows, and asks the others for a key. */
function Entrance({ loading }: { loading: string }) {
  const { identity, reload } = useIdentity();
  const settle = useSettling();

  const leave = async () => {
    await settle(); // as whoever deleted something, not as nobody
    await signOut();
    forgetHere();
    reload();
  };

  switch (identity.state) {
    case "loading":
      return (
        <main className="stage">
          <Loading label={loading} />
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
      return <Workspace me={identity.me} onSignOut={leave} />;
  }
}
