import { counted, createTexts } from "../../i18n/i18n";
import type { DateGroup } from "../../model/dateFormat";

const en = {
  allProjects: "All projects",
  answering: "An answer is being written",
  filter: "Filter conversations",
  filterHint: "Filter by title or topic",
  loading: "Loading conversations",
  messages: (amount: number, locale: string) => counted(amount, "message", "messages", locale),
  more: "Load more conversations",
  newConversation: "New conversation",
  none: "No conversations yet.",
  noneArchived: "No archived conversations.",
  noneMatches: (q: string) => `No conversations match “${q}”.`,
  project: "Project",
  dateGroups: {
    today: "Today",
    yesterday: "Yesterday",
    week: "Previous 7 days",
    month: "Previous 30 days",
    older: "Older",
  } as Record<DateGroup, string>,
  showActive: "Back to active",
  showArchived: "Archived",
  openPalette: "Go to a conversation",
  unread: "New messages",
};

const it: typeof en = {
  allProjects: "Tutti i progetti",
  answering: "È in arrivo una risposta",
  filter: "Filtra le conversazioni",
  filterHint: "Filtra per titolo o argomento",
  loading: "Caricamento delle conversazioni",
  messages: (amount, locale) => counted(amount, "messaggio", "messaggi", locale),
  more: "Carica altre conversazioni",
  newConversation: "Nuova conversazione",
  none: "Ancora nessuna conversazione.",
  noneArchived: "Nessuna conversazione archiviata.",
  noneMatches: (q) => `Nessuna conversazione corrisponde a «${q}».`,
  project: "Progetto",
  dateGroups: {
    today: "Oggi",
    yesterday: "Ieri",
    week: "Ultimi 7 giorni",
    month: "Ultimi 30 giorni",
    older: "Meno recenti",
  },
  showActive: "Torna a quelle attive",
  showArchived: "Archiviate",
  openPalette: "Vai a una conversazione",
  unread: "Nuovi messaggi",
};

export const useSidebarTexts = createTexts(en, it);
