import type { Summary } from "../../api/types";
import type { AtomKind } from "../../model/summary";
import { counted, defineTexts } from "../../texts/texts";

interface SummaryTexts {
  added: string;
  authors: Record<Summary["author"], string>;
  before: string;
  byItself: Readonly<Record<string, string>>;
  byItselfUnknown: string;
  comparedWithCurrent: string;
  compareWith: string;
  conflict: string;
  conflictHint: string;
  covers: string;
  coversNothing: string;
  current: string;
  editLabel: string;
  editHint: string;
  exactValues: string;
  exactValuesHint: string;
  first: string;
  kinds: Record<AtomKind, string>;
  keepEditing: string;
  message: (seq: string) => string;
  messages: (last: string) => string;
  mine: string;
  more: string;
  neverByItself: string;
  none: string;
  noValues: string;
  options: string;
  overwrite: string;
  reasons: (reason: string, locale: string) => string;
  rebuild: string;
  rebuildConfirm: string;
  rebuilding: string;
  rebuilt: (version: string) => string;
  removed: string;
  restore: string;
  restoreConfirm: (version: string) => string;
  restored: (version: string) => string;
  restoring: string;
  sameText: string;
  saving: string;
  summarize: string;
  summarizeMore: string;
  summarizing: string;
  summaryText: string;
  takeTheirs: string;
  takesAWhile: string;
  theCurrent: string;
  theirs: (version: string) => string;
  tokens: (amount: string) => string;
  unsaved: string;
  valuesAdded: string;
  valuesRemoved: string;
  version: (version: string) => string;
  versions: string;
  versionsHint: string;
}

export const texts = defineTexts<SummaryTexts>(
  {
    added: "added",
    authors: { user: "Edited by you", model: "Written by the model", extractive: "Quoted sentences" },
    before: "The version before it",
    byItself: {
      chunked:
        "It comes by itself when the conversation grows long: beyond about 6,000 tokens, unless the server is set otherwise. The last turns always stay word for word.",
      window:
        "It comes by itself with the thirtieth message or so: then the oldest are summarized at once, and the newest stay word for word.",
      tiered:
        "It comes by itself after about twenty messages, right before the next answer. The last few always stay word for word.",
      rolling:
        "It comes by itself after about twenty messages, in the background. The last ten always stay word for word.",
    },
    byItselfUnknown: "It comes by itself when the conversation’s policy says so.",
    comparedWithCurrent: "Compared with the current version:",
    compareWith: "Compare with",
    conflict: "The summary has changed meanwhile",
    conflictHint:
      "While you were writing, a new version was saved. Words that only one of the two has are marked.",
    covers: "Covers",
    coversNothing: "Covers no messages: all of it is yours",
    current: "Current",
    editLabel: "Summary text",
    editHint:
      "What you write is kept word for word by later summaries, up to half of their length.",
    exactValues: "Exact values",
    exactValuesHint: "Kept to the letter beside the prose, each from the message it was said in.",
    first: "The first version: there is none before it.",
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
    message: (seq) => `message ${seq}`,
    messages: (last) => (last === "1" ? "message 1" : `messages 1–${last}`),
    mine: "Yours",
    more: "Show older versions",
    neverByItself:
      "This conversation’s policy never summarizes: it shows the model the latest turns, and forgets those that are too old.",
    none: "No summary yet",
    noValues: "None were found in what the summary covers.",
    options: "Summary actions",
    overwrite: "Overwrite with mine",
    reasons: (reason, locale) => {
      const folded = /^(\d+) messages were folded into the summary\.$/.exec(reason);
      if (folded) return `${counted(Number(folded[1]), "message", "messages", locale)} summarized.`;
      if (reason === "There is nothing older than what stays verbatim.") {
        return "There is nothing to summarize yet: the latest messages stay word for word.";
      }
      if (/^The policy .* never digests\.$/.test(reason)) {
        return "This conversation’s policy never summarizes.";
      }
      return reason;
    },
    rebuild: "Rebuild from the messages",
    rebuildConfirm:
      "The summary is written anew from the messages themselves. What you wrote into it stays, and the version of now can be restored.",
    rebuilding: "Reading all the messages again…",
    rebuilt: (version) => `Rebuilt: this is version ${version}.`,
    removed: "removed",
    restore: "Restore this version",
    restoreConfirm: (version) =>
      `Version ${version} becomes the current one again, as a new version. The messages that it does not cover are summarized again later.`,
    restored: (version) => `Version ${version} is restored.`,
    restoring: "Restoring…",
    sameText: "The text is the same.",
    saving: "Saving…",
    summarize: "Summarize now",
    summarizeMore: "Summarize what is new",
    summarizing: "Summarizing…",
    summaryText: "Summary",
    takeTheirs: "Take the other one",
    takesAWhile: "This may take a while. You can go on reading and writing.",
    theCurrent: "The current version",
    theirs: (version) => `The other one, version ${version}`,
    tokens: (amount) => `${amount} tokens`,
    unsaved: "Your text is not saved yet.",
    valuesAdded: "Values added",
    valuesRemoved: "Values removed",
    version: (version) => `Version ${version}`,
    versions: "Versions",
    versionsHint: "Nothing is ever overwritten. Select one to see what it changed.",
  },
  {
    added: "aggiunto",
    authors: {
      user: "Modificato da te",
      model: "Scritto dal modello",
      extractive: "Frasi citate",
    },
    before: "La versione precedente",
    byItself: {
      chunked:
        "Arriva da sé quando la conversazione si allunga: oltre i 6.000 token circa, se il server non è impostato diversamente. Gli ultimi scambi restano sempre parola per parola.",
      window:
        "Arriva da sé intorno al trentesimo messaggio: i più vecchi vengono riassunti subito, i più recenti restano parola per parola.",
      tiered:
        "Arriva da sé dopo una ventina di messaggi, subito prima della risposta seguente. Gli ultimi restano sempre parola per parola.",
      rolling:
        "Arriva da sé dopo una ventina di messaggi, in secondo piano. Gli ultimi dieci restano sempre parola per parola.",
    },
    byItselfUnknown: "Arriva da sé quando lo dice la strategia di memoria della conversazione.",
    comparedWithCurrent: "A confronto con la versione attuale:",
    compareWith: "Confronta con",
    conflict: "Il riassunto è cambiato nel frattempo",
    conflictHint:
      "Mentre scrivevi è stata salvata una nuova versione. Le parole presenti in una sola delle due sono evidenziate.",
    covers: "Comprende",
    coversNothing: "Non comprende messaggi: è tutto tuo",
    current: "Attuale",
    editLabel: "Testo del riassunto",
    editHint:
      "Quello che scrivi viene conservato parola per parola dai riassunti successivi, fino a metà della loro lunghezza.",
    exactValues: "Valori esatti",
    exactValuesHint: "Conservati alla lettera accanto al testo, ognuno dal messaggio in cui è stato detto.",
    first: "La prima versione: non ce n’è una precedente.",
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
    keepEditing: "Continua a scrivere",
    message: (seq) => `messaggio ${seq}`,
    messages: (last) => (last === "1" ? "messaggio 1" : `messaggi 1–${last}`),
    mine: "La tua",
    more: "Mostra versioni precedenti",
    neverByItself:
      "La strategia di memoria di questa conversazione non riassume mai: mostra al modello gli ultimi scambi e dimentica quelli troppo vecchi.",
    none: "Ancora nessun riassunto",
    noValues: "Non ce ne sono in ciò che il riassunto comprende.",
    options: "Azioni sul riassunto",
    overwrite: "Sovrascrivi con la mia",
    reasons: (reason, locale) => {
      const folded = /^(\d+) messages were folded into the summary\.$/.exec(reason);
      if (folded) {
        const count = counted(Number(folded[1]), "messaggio riassunto", "messaggi riassunti", locale);
        return `${count}.`;
      }
      if (reason === "There is nothing older than what stays verbatim.") {
        return "Non c’è ancora nulla da riassumere: gli ultimi messaggi restano parola per parola.";
      }
      if (/^The policy .* never digests\.$/.test(reason)) {
        return "La strategia di memoria di questa conversazione non riassume mai.";
      }
      return reason;
    },
    rebuild: "Ricostruisci dai messaggi",
    rebuildConfirm:
      "Il riassunto viene riscritto da capo a partire dai messaggi. Quello che ci hai scritto tu resta, e la versione di adesso si può ripristinare.",
    rebuilding: "Rilettura di tutti i messaggi…",
    rebuilt: (version) => `Ricostruito: questa è la versione ${version}.`,
    removed: "tolto",
    restore: "Ripristina questa versione",
    restoreConfirm: (version) =>
      `La versione ${version} torna a essere quella attuale, come nuova versione. I messaggi che non comprende verranno riassunti di nuovo più avanti.`,
    restored: (version) => `La versione ${version} è ripristinata.`,
    restoring: "Ripristino…",
    sameText: "Il testo è lo stesso.",
    saving: "Salvataggio…",
    summarize: "Riassumi ora",
    summarizeMore: "Riassumi le novità",
    summarizing: "Riassunto in corso…",
    summaryText: "Riassunto",
    takeTheirs: "Prendi l’altra",
    takesAWhile: "Può volerci un po’. Intanto puoi continuare a leggere e a scrivere.",
    theCurrent: "La versione attuale",
    theirs: (version) => `L’altra, versione ${version}`,
    tokens: (amount) => `${amount} token`,
    unsaved: "Il tuo testo non è ancora salvato.",
    valuesAdded: "Valori aggiunti",
    valuesRemoved: "Valori tolti",
    version: (version) => `Versione ${version}`,
    versions: "Versioni",
    versionsHint: "Nulla viene mai sovrascritto. Scegline una per vedere che cosa ha cambiato.",
  },
);
