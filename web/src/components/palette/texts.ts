import { defineTexts } from "../../texts/texts";

export const texts = defineTexts(
  {
    title: "Go to",
    field: "Which conversation, or where to?",
    placeholder: "The one about the trip to Lisbon…",
    results: "Results",
    sections: {
      match: "This one",
      others: "Or one of these",
      candidates: "Which one do you mean?",
      titles: "By title",
      recent: "Recent conversations",
      destinations: "Pages",
    },
    destinations: {
      new: "New conversation",
      memories: "Memories",
      analytics: "Analytics",
      settings: "Settings",
    },
    asking: "Looking through your conversations…",
    ask: "More than one may be meant. Choose one with the arrow keys.",
    none: "No conversation is about that.",
    noTitle: "No title says that. Press Enter to look for it in what was said.",
  },
  {
    title: "Vai a",
    field: "Quale conversazione, o dove?",
    placeholder: "Quella sul viaggio a Lisbona…",
    results: "Risultati",
    sections: {
      match: "Questa",
      others: "O una di queste",
      candidates: "Quale intendi?",
      titles: "Dal titolo",
      recent: "Conversazioni recenti",
      destinations: "Pagine",
    },
    destinations: {
      new: "Nuova conversazione",
      memories: "Ricordi",
      analytics: "Statistiche",
      settings: "Impostazioni",
    },
    asking: "Ricerca nelle tue conversazioni…",
    ask: "Potrebbero essere più di una. Scegline una con i tasti freccia.",
    none: "Nessuna conversazione parla di questo.",
    noTitle: "Nessun titolo lo dice. Premi Invio per cercarlo in ciò che è stato detto.",
  },
);
