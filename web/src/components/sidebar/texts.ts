import type { Period } from "../../model/time";
import { counted, defineTexts } from "../../texts/texts";

const periodsEn: Record<Period, string> = {
  today: "Today",
  yesterday: "Yesterday",
  week: "Previous 7 days",
  month: "Previous 30 days",
  older: "Older",
};

const periodsIt: Record<Period, string> = {
  today: "Oggi",
  yesterday: "Ieri",
  week: "Ultimi 7 giorni",
  month: "Ultimi 30 giorni",
  older: "Meno recenti",
};

export const texts = defineTexts(
  {
    answering: "An answer is being written",
    filter: "Filter conversations",
    filterHint: "Filter by title or topic",
    loading: "Loading conversations",
    messages: (amount: number, locale: string) => counted(amount, "message", "messages", locale),
    more: "Load more conversations",
    newConversation: "New conversation",
    none: "No conversations yet.",
    noneArchived: "Nothing is archived.",
    noneMatches: (q: string) => `No conversation matches “${q}”.`,
    periods: periodsEn,
    showActive: "Back to active ones",
    showArchived: "Archived",
    switch: "Go to a conversation",
    unread: "New messages",
  },
  {
    answering: "È in arrivo una risposta",
    filter: "Filtra le conversazioni",
    filterHint: "Filtra per titolo o argomento",
    loading: "Caricamento delle conversazioni",
    messages: (amount: number, locale: string) => counted(amount, "messaggio", "messaggi", locale),
    more: "Carica altre conversazioni",
    newConversation: "Nuova conversazione",
    none: "Ancora nessuna conversazione.",
    noneArchived: "Nessuna conversazione archiviata.",
    noneMatches: (q: string) => `Nessuna conversazione corrisponde a «${q}».`,
    periods: periodsIt,
    showActive: "Torna a quelle attive",
    showArchived: "Archiviate",
    switch: "Vai a una conversazione",
    unread: "Nuovi messaggi",
  },
);
