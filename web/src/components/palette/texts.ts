import { createTexts } from "../../i18n/i18n";

const en = {
  title: "Go to",
  field: "Search conversations and pages",
  placeholder: "The one about the trip to Lisbon…",
  results: "Results",
  sections: {
    match: "Best match",
    others: "Other matches",
    candidates: "Which one do you mean?",
    messages: "Messages",
    titles: "Titles and topics",
    recent: "Recent conversations",
    destinations: "Pages",
  },
  message: (title: string, seq: string) => `${title}, message ${seq}`,
  destinations: {
    new: "New conversation",
    memories: "Memories",
    analytics: "Analytics",
    settings: "Settings",
  },
  searching: "Searching your conversations…",
  choose: "Several conversations match. Choose one with the arrow keys.",
  none: "No matching conversation.",
  noTitle: "No matching title. Press Enter to search the messages.",
};

const it: typeof en = {
  title: "Vai a",
  field: "Cerca conversazioni e pagine",
  placeholder: "Quella sul viaggio a Lisbona…",
  results: "Risultati",
  sections: {
    match: "Risultato migliore",
    others: "Altri risultati",
    candidates: "Quale intendi?",
    messages: "Messaggi",
    titles: "Titoli e argomenti",
    recent: "Conversazioni recenti",
    destinations: "Pagine",
  },
  message: (title, seq) => `${title}, messaggio ${seq}`,
  destinations: {
    new: "Nuova conversazione",
    memories: "Ricordi",
    analytics: "Statistiche",
    settings: "Impostazioni",
  },
  searching: "Ricerca nelle tue conversazioni…",
  choose: "Più conversazioni corrispondono. Scegline una con i tasti freccia.",
  none: "Nessuna conversazione corrispondente.",
  noTitle: "Nessun titolo corrisponde. Premi Invio per cercare nei messaggi.",
};

export const usePaletteTexts = createTexts(en, it);
