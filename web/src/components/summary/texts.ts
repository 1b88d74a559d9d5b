import { counted, createTexts } from "../../i18n/i18n";

const en = {
  added: "added",
  authors: { user: "Edited by you", model: "Written by the model", extractive: "Quoted sentences" },
  automatic: {
    chunked:
      "It is created automatically when the conversation exceeds about 6,000 tokens, unless the server is configured differently. The latest turns always stay word for word.",
    window:
      "It is created automatically at about 30 messages: the oldest are summarized, and the newest stay word for word.",
    tiered:
      "It is created automatically after about 20 messages, before the next answer. The latest messages always stay word for word.",
    rolling:
      "It is created automatically after about 20 messages, in the background. The last 10 always stay word for word.",
  } as Record<string, string>,
  automaticUnknown: "It is created automatically, depending on the conversation’s memory policy.",
  before: "Previous version",
  comparedWithCurrent: "Compared with the current version:",
  compareWith: "Compare with",
  conflict: "The summary was changed",
  conflictHint: "A new version was saved while you were editing. The differences are marked.",
  covers: "Covers",
  coversNothing: "Covers no messages: it is all your text",
  current: "Current",
  editLabel: "Summary text",
  editHint: "Later summaries keep your text word for word, up to half of their length.",
  exactValues: "Exact values",
  exactValuesHint: "Kept exactly as they were said, each with its message.",
  first: "This is the first version.",
  kinds: {
    date: "Dates and times",
    amount: "Amounts",
    name: "Names",
    identifier: "Numbers and addresses",
    url: "Links",
    path: "Paths",
    quote: "Quotations",
    constraint: "Limits",
    preference: "Preferences",
    decision: "Decisions",
  },
  keepEditing: "Keep editing",
  message: (seq: string) => `message ${seq}`,
  messages: (last: string) => (last === "1" ? "message 1" : `messages 1–${last}`),
  mine: "Your version",
  more: "Show older versions",
  never:
    "This conversation’s policy never creates a summary: the model gets the latest turns, and older ones are deleted.",
  none: "No summary yet",
  noValues: "No exact values found.",
  options: "Summary actions",
  overwrite: "Overwrite with mine",
  reasons: (reason: string, locale: string) => {
    const folded = /^(\d+) messages were folded into the summary\.$/.exec(reason);
    if (folded) return `${counted(Number(folded[1]), "message", "messages", locale)} summarized.`;
    if (reason === "There is nothing older than what stays verbatim.") {
      return "There is nothing to summarize yet: the latest messages stay word for word.";
    }
    if (/^The policy .* never digests\.$/.test(reason)) {
      return "This conversation’s policy never creates a summary.";
    }
    return reason;
  },
  rebuild: "Rebuild from the messages",
  rebuildConfirm:
    "The summary is created again from the messages. Your own text is kept, and you can restore the current version.",
  rebuilding: "Reading all messages again…",
  rebuilt: (version: string) => `Rebuilt as version ${version}.`,
  removed: "removed",
  restore: "Restore this version",
  restoreConfirm: (version: string) =>
    `Version ${version} becomes current again, as a new version. Messages that it does not cover are summarized again later.`,
  restored: (version: string) => `Version ${version} restored.`,
  restoring: "Restoring…",
  sameText: "The text is the same.",
  saving: "Saving…",
  summarize: "Summarize now",
  summarizeMore: "Summarize new messages",
  summarizing: "Summarizing…",
  summaryText: "Summary",
  takesAWhile: "This may take a while. You can keep reading and writing.",
  theCurrent: "Current version",
  theirs: (version: string) => `Other version: ${version}`,
  tokens: (count: string) => `${count} tokens`,
  unsaved: "Not saved yet",
  useTheirs: "Use the other version",
  valuesAdded: "Values added",
  valuesRemoved: "Values removed",
  version: (version: string) => `Version ${version}`,
  versions: "Versions",
  versionsHint: "Old versions are kept. Select one to see its changes.",
};

const it: typeof en = {
  added: "aggiunto",
  authors: { user: "Modificato da te", model: "Scritto dal modello", extractive: "Frasi citate" },
  automatic: {
    chunked:
      "Viene creato automaticamente quando la conversazione supera circa 6.000 token, se il server non è configurato diversamente. Gli ultimi scambi restano sempre parola per parola.",
    window:
      "Viene creato automaticamente intorno ai 30 messaggi: i più vecchi vengono riassunti, i più recenti restano parola per parola.",
    tiered:
      "Viene creato automaticamente dopo circa 20 messaggi, prima della risposta successiva. Gli ultimi messaggi restano sempre parola per parola.",
    rolling:
      "Viene creato automaticamente dopo circa 20 messaggi, in background. Gli ultimi 10 restano sempre parola per parola.",
  },
  automaticUnknown:
    "Viene creato automaticamente, secondo la gestione della memoria della conversazione.",
  before: "Versione precedente",
  comparedWithCurrent: "Confronto con la versione attuale:",
  compareWith: "Confronta con",
  conflict: "Il riassunto è stato modificato",
  conflictHint: "Mentre scrivevi è stata salvata una nuova versione. Le differenze sono evidenziate.",
  covers: "Comprende",
  coversNothing: "Non comprende messaggi: è tutto testo tuo",
  current: "Attuale",
  editLabel: "Testo del riassunto",
  editHint:
    "I riassunti successivi conservano il tuo testo parola per parola, fino a metà della loro lunghezza.",
  exactValues: "Valori esatti",
  exactValuesHint: "Conservati come sono stati detti, ognuno con il suo messaggio.",
  first: "Questa è la prima versione.",
  kinds: {
    date: "Date e orari",
    amount: "Importi e quantità",
    name: "Nomi",
    identifier: "Codici e recapiti",
    url: "Link",
    path: "Percorsi",
    quote: "Citazioni",
    constraint: "Vincoli",
    preference: "Preferenze",
    decision: "Decisioni",
  },
  keepEditing: "Continua a modificare",
  message: (seq) => `messaggio ${seq}`,
  messages: (last) => (last === "1" ? "messaggio 1" : `messaggi 1–${last}`),
  mine: "La tua versione",
  more: "Mostra versioni precedenti",
  never:
    "Questa gestione della memoria non crea mai un riassunto: il modello riceve gli ultimi scambi, i più vecchi vengono eliminati.",
  none: "Ancora nessun riassunto",
  noValues: "Nessun valore esatto trovato.",
  options: "Azioni sul riassunto",
  overwrite: "Sovrascrivi con la mia",
  reasons: (reason, locale) => {
    const folded = /^(\d+) messages were folded into the summary\.$/.exec(reason);
    if (folded) {
      return `${counted(Number(folded[1]), "messaggio riassunto", "messaggi riassunti", locale)}.`;
    }
    if (reason === "There is nothing older than what stays verbatim.") {
      return "Non c’è ancora nulla da riassumere: gli ultimi messaggi restano parola per parola.";
    }
    if (/^The policy .* never digests\.$/.test(reason)) {
      return "Questa gestione della memoria non crea mai un riassunto.";
    }
    return reason;
  },
  rebuild: "Ricrea dai messaggi",
  rebuildConfirm:
    "Il riassunto viene ricreato a partire dai messaggi. Il tuo testo resta, e puoi ripristinare la versione attuale.",
  rebuilding: "Rilettura di tutti i messaggi…",
  rebuilt: (version) => `Ricreato come versione ${version}.`,
  removed: "tolto",
  restore: "Ripristina questa versione",
  restoreConfirm: (version) =>
    `La versione ${version} torna a essere quella attuale, come nuova versione. I messaggi che non comprende verranno riassunti di nuovo in seguito.`,
  restored: (version) => `Versione ${version} ripristinata.`,
  restoring: "Ripristino…",
  sameText: "Il testo è lo stesso.",
  saving: "Salvataggio…",
  summarize: "Riassumi ora",
  summarizeMore: "Riassumi i nuovi messaggi",
  summarizing: "Riassunto in corso…",
  summaryText: "Riassunto",
  takesAWhile: "Può volerci un po’. Intanto puoi continuare a leggere e a scrivere.",
  theCurrent: "Versione attuale",
  theirs: (version) => `Altra versione: ${version}`,
  tokens: (count) => `${count} token`,
  unsaved: "Non ancora salvata",
  useTheirs: "Usa l’altra versione",
  valuesAdded: "Valori aggiunti",
  valuesRemoved: "Valori tolti",
  version: (version) => `Versione ${version}`,
  versions: "Versioni",
  versionsHint: "Le vecchie versioni restano salvate. Scegline una per vedere le modifiche.",
};

export const useSummaryTexts = createTexts(en, it);
