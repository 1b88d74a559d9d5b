import { counted, defineTexts } from "../../texts/texts";

type Names<K extends string> = Record<K, readonly [one: string, many: string]>;
type Imported =
  | "conversations"
  | "messages"
  | "summaries"
  | "memories"
  | "feedback"
  | "receipts"
  | "memory_events"
  | "tombstones"
  | "model_calls";
type Deleted =
  | "conversations"
  | "messages"
  | "summaries"
  | "memories"
  | "embeddings"
  | "jobs"
  | "keys";

const importedEn: Names<Imported> = {
  conversations: ["conversation", "conversations"],
  messages: ["message", "messages"],
  summaries: ["summary", "summaries"],
  memories: ["memory", "memories"],
  feedback: ["rating", "ratings"],
  receipts: ["receipt", "receipts"],
  memory_events: ["change of a memory", "changes of memories"],
  tombstones: ["deleted memory", "deleted memories"],
  model_calls: ["model call", "model calls"],
};

const importedIt: Names<Imported> = {
  conversations: ["conversazione", "conversazioni"],
  messages: ["messaggio", "messaggi"],
  summaries: ["riassunto", "riassunti"],
  memories: ["ricordo", "ricordi"],
  feedback: ["valutazione", "valutazioni"],
  receipts: ["ricevuta", "ricevute"],
  memory_events: ["modifica di un ricordo", "modifiche di ricordi"],
  tombstones: ["ricordo eliminato", "ricordi eliminati"],
  model_calls: ["chiamata a un modello", "chiamate a modelli"],
};

const deletedEn: Names<Deleted> = {
  conversations: importedEn.conversations,
  messages: importedEn.messages,
  summaries: importedEn.summaries,
  memories: importedEn.memories,
  embeddings: ["search vector", "search vectors"],
  jobs: ["job", "jobs"],
  keys: ["API key", "API keys"],
};

const deletedIt: Names<Deleted> = {
  conversations: importedIt.conversations,
  messages: importedIt.messages,
  summaries: importedIt.summaries,
  memories: importedIt.memories,
  embeddings: ["vettore di ricerca", "vettori di ricerca"],
  jobs: ["lavoro", "lavori"],
  keys: ["chiave API", "chiavi API"],
};

export const texts = defineTexts(
  {
    account: "Account",
    accountHint: "Who you are to this server, and what it allows.",
    admin: "Admin",
    adminHint: "may manage keys and act for other users",
    answersPerMinute: "Answers per minute",
    appearance: "Appearance",
    appearanceHint: "Kept in this browser.",
    cancelled: "Cancelled. What was read so far stays; the same file again goes on from there.",
    chooseFile: "Import a file…",
    created: (when: string) => `Created ${when}`,
    createdKey: "This is the key",
    createdKeyHint: "Copy it now: it is not kept, and cannot be shown again.",
    createKey: "Create a key",
    data: "Your data",
    dataHint: "It is yours: take it with you, bring it in, or have it removed.",
    defaultModel: "Default",
    deleteConfirm: "Delete everything for good",
    deleted: "Everything is deleted",
    deletedNames: deletedEn,
    deletedNothing: "There was nothing.",
    deletedNow: "You can close this window, or begin anew.",
    deleteHint: "Conversations, memories, summaries, figures and keys: gone for good.",
    deleteKeysNote: "Your API keys go too, so you will be signed out.",
    deleteTitle: "Delete everything",
    deleteType: (word: string) => `To go on, type “${word}”`,
    deleteWarning:
      "All that is yours on this server is removed at once: every conversation and message, memories, summaries, search data and figures. There is no way back.",
    deleteWord: "delete",
    done: "Done",
    export: "Export everything",
    exportFirst: "Export everything first",
    exportHint: "A file of JSON lines with all conversations, memories and figures, which any Recollect server can import.",
    failures: (n: number, locale: string) =>
      counted(n, "part could not be imported", "parts could not be imported", locale),
    firstKeyHint:
      "The first key is yours: for the user “local”, whose data stays as it is, with the right to make keys for others. You are signed in with it here at once; every other app needs a key from then on.",
    firstKeyWarning:
      "From the first key on, this server asks everybody for one, and there is no way back to working without.",
    imported: "Imported",
    importedNames: importedEn,
    importHint: "An export of Recollect, ChatGPT or Claude (.jsonl, .json or .zip). What is there already is not doubled.",
    importing: "Reading the file…",
    importResult: "Result of the import",
    isLocal: "On this machine",
    keepKey: "I have kept it",
    keys: "API keys",
    keysHint: "Who may use this server.",
    keysNone: "There are no keys: this server works without, for this machine only.",
    language: "Language",
    languageAutomatic: "Automatic",
    lead: "How it looks, who answers, and what is yours.",
    maxBody: "Largest request",
    maxImport: "Largest import",
    maxMessage: "Longest message",
    mode: "Signed in",
    modes: {
      jwt: "through your identity provider",
      keys: "with an API key",
      local: "as the one user of this machine, without a key",
    },
    models: "Models",
    modelsHint: "Who answers. Memory does not depend on it.",
    modelsNone: "No model is connected. Everything is recorded and remembered; only answers need one.",
    newKey: "New key",
    nothing: "Nothing",
    requestsPerMinute: "Requests per minute",
    revoke: "Revoke",
    revoked: (when: string) => `Revoked ${when}`,
    revokedNow: "The key is revoked.",
    revokeKey: (prefix: string, user: string) => `Revoke the key ${prefix}… of ${user}`,
    revokeTitle: (prefix: string) => `Revoke the key ${prefix}…?`,
    revokeWarning: (user: string) =>
      `Whoever uses this key of “${user}” is shut out at once. It cannot be brought back; what “${user}” has recorded stays.`,
    sending: (share: string) => `Sending the file… ${share}`,
    skipped: "Was there already",
    theme: "Colours",
    themes: { dark: "Dark", light: "Light", system: "As the system" },
    title: "Settings",
    tokensWindow: (n: string) => `${n} tokens`,
    tooLarge: (size: string) => `The file is too large: this server takes up to ${size}.`,
    unlimited: "Unlimited",
    user: "User",
    userHint: "Whose conversations and memories the key opens.",
  },
  {
    account: "Account",
    accountHint: "Chi sei per questo server, e che cosa ti consente.",
    admin: "Amministratore",
    adminHint: "può gestire le chiavi e agire per altri utenti",
    answersPerMinute: "Risposte al minuto",
    appearance: "Aspetto",
    appearanceHint: "Resta salvato in questo browser.",
    cancelled: "Annullato. Quanto è già stato letto resta; lo stesso file riprende da lì.",
    chooseFile: "Importa un file…",
    created: (when: string) => `Creata ${when}`,
    createdKey: "Questa è la chiave",
    createdKeyHint: "Copiala adesso: non viene conservata e non si può mostrare di nuovo.",
    createKey: "Crea una chiave",
    data: "I tuoi dati",
    dataHint: "Sono tuoi: portali con te, importali o falli cancellare.",
    defaultModel: "Predefinito",
    deleteConfirm: "Elimina tutto per sempre",
    deleted: "Tutto è stato eliminato",
    deletedNames: deletedIt,
    deletedNothing: "Non c’era niente.",
    deletedNow: "Puoi chiudere questa finestra, o ricominciare da capo.",
    deleteHint: "Conversazioni, ricordi, riassunti, statistiche e chiavi: via per sempre.",
    deleteKeysNote: "Anche le tue chiavi API vengono eliminate: dovrai accedere di nuovo.",
    deleteTitle: "Elimina tutto",
    deleteType: (word: string) => `Per continuare, scrivi «${word}»`,
    deleteWarning:
      "Tutto ciò che è tuo su questo server viene rimosso subito: ogni conversazione e messaggio, i ricordi, i riassunti, i dati di ricerca e le statistiche. Non si può tornare indietro.",
    deleteWord: "elimina",
    done: "Fatto",
    export: "Esporta tutto",
    exportFirst: "Prima esporta tutto",
    exportHint: "Un file di righe JSON con tutte le conversazioni, i ricordi e le statistiche, che ogni server Recollect sa importare.",
    failures: (n: number, locale: string) =>
      counted(n, "parte non è stata importata", "parti non sono state importate", locale),
    firstKeyHint:
      "La prima chiave è tua: per l’utente «local», i cui dati restano come sono, con il diritto di creare chiavi per altri. Qui l’accesso è immediato; da quel momento ogni altra app ha bisogno di una chiave.",
    firstKeyWarning:
      "Dalla prima chiave in poi questo server ne chiede una a tutti, e non si può tornare a farne a meno.",
    imported: "Importati",
    importedNames: importedIt,
    importHint: "Un’esportazione di Recollect, ChatGPT o Claude (.jsonl, .json o .zip). Ciò che c’è già non viene duplicato.",
    importing: "Lettura del file…",
    importResult: "Risultato dell’importazione",
    isLocal: "Su questo computer",
    keepKey: "L’ho conservata",
    keys: "Chiavi API",
    keysHint: "Chi può usare questo server.",
    keysNone: "Non ci sono chiavi: questo server ne fa a meno, ma solo per questo computer.",
    language: "Lingua",
    languageAutomatic: "Automatica",
    lead: "L’aspetto, chi risponde e ciò che è tuo.",
    maxBody: "Richiesta più grande",
    maxImport: "Importazione più grande",
    maxMessage: "Messaggio più lungo",
    mode: "Accesso",
    modes: {
      jwt: "tramite il tuo fornitore di identità",
      keys: "con una chiave API",
      local: "come unico utente di questo computer, senza chiave",
    },
    models: "Modelli",
    modelsHint: "Chi risponde. La memoria non dipende da questo.",
    modelsNone: "Nessun modello è collegato. Tutto viene registrato e ricordato; solo le risposte ne hanno bisogno.",
    newKey: "Nuova chiave",
    nothing: "Niente",
    requestsPerMinute: "Richieste al minuto",
    revoke: "Revoca",
    revoked: (when: string) => `Revocata ${when}`,
    revokedNow: "La chiave è revocata.",
    revokeKey: (prefix: string, user: string) => `Revoca la chiave ${prefix}… di ${user}`,
    revokeTitle: (prefix: string) => `Revocare la chiave ${prefix}…?`,
    revokeWarning: (user: string) =>
      `Chi usa questa chiave di «${user}» resta fuori da subito. Non si può ripristinare; ciò che «${user}» ha registrato resta.`,
    sending: (share: string) => `Invio del file… ${share}`,
    skipped: "C’erano già",
    theme: "Colori",
    themes: { dark: "Scuro", light: "Chiaro", system: "Come il sistema" },
    title: "Impostazioni",
    tokensWindow: (n: string) => `${n} token`,
    tooLarge: (size: string) => `Il file è troppo grande: questo server accetta fino a ${size}.`,
    unlimited: "Senza limite",
    user: "Utente",
    userHint: "Di chi sono le conversazioni e i ricordi che la chiave apre.",
  },
);
