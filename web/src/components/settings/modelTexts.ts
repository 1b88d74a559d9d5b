import { createTexts } from "../../i18n/i18n";

/** Separate from the settings' other texts, because the first page shows these too. */
const en = {
  command: (name: string) => `Command for ${name}`,
  connect: "How to connect another model",
  connectHint:
    "Restart the server with the model’s name and key. Any OpenAI-compatible service works.",
  localLimits:
    "Answers come from a small model on this machine. It needs no key, but it knows little, invents facts and forgets instructions. Memory, summaries and search do not depend on it.",
  localShort: "Answers come from a small local model that knows little.",
  localShortLink: "Connect a better one",
  localTitle: "You are using the local model",
  sameLength: (name: string) =>
    `${name} truncates long input silently, so give it the same context length as Recollect. Leave OPENAI_API_KEY unset.`,
  start: (name: string) => `Command to start ${name}`,
};

const it: typeof en = {
  command: (name) => `Comando per ${name}`,
  connect: "Come collegare un altro modello",
  connectHint:
    "Riavvia il server con il nome e la chiave del modello. Funziona qualsiasi servizio compatibile con OpenAI.",
  localLimits:
    "Le risposte vengono da un piccolo modello su questo computer. Non richiede una chiave, ma sa poco, inventa e dimentica le istruzioni. Memoria, riassunti e ricerca non dipendono da questo modello.",
  localShort: "Le risposte vengono da un piccolo modello locale che sa poco.",
  localShortLink: "Collegane uno migliore",
  localTitle: "Stai usando il modello locale",
  sameLength: (name) =>
    `${name} tronca gli input lunghi senza avvisare: imposta la stessa lunghezza di contesto di Recollect. Non impostare OPENAI_API_KEY.`,
  start: (name) => `Comando per avviare ${name}`,
};

export const useModelTexts = createTexts(en, it);
