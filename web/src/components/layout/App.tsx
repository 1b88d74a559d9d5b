import { useEffect, useMemo } from "react";
import { signOut } from "../../api/identity";
import { useIdentity } from "../../hooks/useIdentity";
import { usePreferences } from "../../hooks/usePreferences";
import { NavigationContext, useBrowserLocation } from "../../hooks/useRoute";
import { clearUserStorage } from "../../hooks/userStorage";
import { useFlushToasts } from "../../hooks/useToast";
import { LocaleContext, resolveLocale } from "../../i18n/i18n";
import { ErrorMessage } from "../ui/ErrorMessage";
import { Loading } from "../ui/Loading";
import { ToastProvider } from "../ui/ToastProvider";
import { SignIn } from "./SignIn";
import { Workspace } from "./Workspace";

export function App() {
  const { language } = usePreferences();
  const locale = useMemo(() => resolveLocale(navigator.languages, language), [language]);
  const navigation = useBrowserLocation();

  useEffect(() => {
    document.documentElement.lang = locale.language;
  }, [locale]);

  return (
    <LocaleContext value={locale}>
      <NavigationContext value={navigation}>
        <ToastProvider>
          <AuthGate />
        </ToastProvider>
      </NavigationContext>
    </LocaleContext>
  );
}

function AuthGate() {
  const { identity, reload } = useIdentity();
  const flushToasts = useFlushToasts();

  const handleSignOut = async () => {
    await flushToasts(); // pending deletions need the user's session
    await signOut();
    clearUserStorage();
    reload();
  };

  switch (identity.state) {
    case "loading":
      return (
        <main className="centered-page">
          <Loading />
        </main>
      );
    case "failed":
      return (
        <main className="centered-page">
          <ErrorMessage error={identity.error} onRetry={reload} />
        </main>
      );
    case "signed-out":
      return <SignIn onSignedIn={reload} />;
    case "signed-in":
      return <Workspace me={identity.me} onSignOut={handleSignOut} />;
  }
}
