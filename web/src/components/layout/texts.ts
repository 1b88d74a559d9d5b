import { createTexts } from "../../i18n/i18n";

const en = {
  analytics: "Analytics",
  apiKey: "API key",
  back: "Back to conversations",
  conversations: "Conversations",
  memories: "Memories",
  notFound: "Page not found",
  notFoundHint: "Check the address.",
  settings: "Settings",
  showConversations: "Show all conversations",
  signIn: "Sign in",
  signInHint: "This server requires an API key. Its administrator can create one with",
  signInTitle: "Sign in to Recollect",
  signOut: "Sign out",
  skip: "Skip to content",
};

const it: typeof en = {
  analytics: "Statistiche",
  apiKey: "Chiave API",
  back: "Torna alle conversazioni",
  conversations: "Conversazioni",
  memories: "Ricordi",
  notFound: "Pagina non trovata",
  notFoundHint: "Controlla l’indirizzo.",
  settings: "Impostazioni",
  showConversations: "Mostra tutte le conversazioni",
  signIn: "Accedi",
  signInHint: "Questo server richiede una chiave API. L’amministratore può crearne una con",
  signInTitle: "Accedi a Recollect",
  signOut: "Esci",
  skip: "Vai al contenuto",
};

export const useLayoutTexts = createTexts(en, it);
