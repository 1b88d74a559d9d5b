import { counted, createTexts } from "../../i18n/i18n";

const en = {
  title: "Memories",
  subtitle: "What Recollect remembers about you.",
  newMemory: "New memory",
  created: "Memory created.",

  search: "Search memories",
  type: "Type",
  allTypes: "All",
  types: {
    fact: "Facts",
    preference: "Preferences",
    entity: "People and things",
    project: "Projects",
    decision: "Decisions",
  },
  typeOf: {
    fact: "Fact",
    preference: "Preference",
    entity: "Person or thing",
    project: "Project",
    decision: "Decision",
  },
  category: "Category",
  anyCategory: "Any category",
  noCategory: "None",
  state: "Show",
  states: { current: "Current", archived: "Archived", superseded: "No longer true" },
  pinnedOnly: "Pinned only",
  clear: "Clear filters",

  shown: (amount: number, locale: string) =>
    `${counted(amount, "memory", "memories", locale)} shown`,
  loadMore: "Load more memories",
  none: "No memories yet",
  noneHow:
    "Recollect extracts facts, preferences, names, projects and decisions from your conversations. " +
    "Here you can read, correct and delete them.",
  noneNext: "Create one, or extract memories from earlier conversations.",
  noneFits: "No memories match these filters.",
  noneArchived: "No archived memories. Archived memories are kept but not sent to the model.",
  noneSuperseded: "No replaced memories. Memories that are no longer true are kept here.",

  authors: {
    user: "written by you",
    model: "extracted by the model",
    pattern: "extracted automatically",
  },
  confidence: (share: string) => `${share} certain`,
  used: (times: number, locale: string) => `used ${counted(times, "time", "times", locale)}`,
  source: "Source",
  superseded: (when: string) => `no longer true since ${when}`,
  isNew: "New",
  isChanged: "Changed",
  showCategory: (name: string) => `Show only the category ${name}`,

  actions: (content: string) => `More actions for “${content}”`,
  editOf: (content: string) => `Edit “${content}”`,
  pinOf: (content: string) => `Pin “${content}”`,
  history: "History",
  archive: "Archive",
  restore: "Restore",
  archivedToast: "Memory archived.",
  restoredToast: "Memory restored.",

  content: "Memory",
  contentHint: "One fact, in a short sentence",
  pinIt: "Pin: send it to the model in every conversation",
  saving: "Saving…",

  deleted: "Memory deleted.",
  receipt: (memories: number, embeddings: number, locale: string) =>
    `Permanently deleted: ${counted(memories, "memory", "memories", locale)} and ` +
    `${counted(embeddings, "search vector", "search vectors", locale)}.`,

  historyTitle: "Memory history",
  events: {
    created: "Created",
    confirmed: "Confirmed",
    updated: "Changed",
    superseded: "Replaced",
    restored: "Restored",
    undone: "Undone",
  },
  actors: { user: "by you", model: "by the model", pattern: "automatically" },
  fields: {
    content: "Text",
    memory_type: "Type",
    category: "Category",
    is_pinned: "Pinned",
    is_archived: "Archived",
    confidence: "Certainty",
  },
  yes: "yes",
  no: "no",
  from: "from",
  to: "to",
  undone: "undone",
  undoLast: "Undo the last change",
  undoing: "Undoing…",
  earlier: "Show earlier changes",

  extract: "Extract memories",
  extractHint:
    "Select conversations. Only messages since the last extraction are read.",
  selectAll: "Select all",
  memoriesOff: "Memories off",
  noConversations: "There are no conversations yet.",
  moreConversations: "Load more conversations",
  extractFrom: (count: number, locale: string) =>
    count === 0 ? "Extract" : `Extract from ${counted(count, "conversation", "conversations", locale)}`,
  extractingFrom: (title: string) => `Extracting from “${title}”`,
  progress: (done: number, total: number) => `${done} of ${total}`,
  stop: "Stop",
  foundNothing: "No new memories found.",
  found: (amount: number, locale: string) =>
    `${counted(amount, "memory was", "memories were", locale)} added or changed.`,
  stopped: (done: number, total: number) => `Stopped after ${done} of ${total}.`,
  failed: (amount: number, locale: string) =>
    `${counted(amount, "conversation", "conversations", locale)} failed:`,
  retryFailed: "Retry these",
  showFound: "Show in list",
  done: "Done",
};

const it: typeof en = {
  title: "Ricordi",
  subtitle: "Quello che Recollect ricorda di te.",
  newMemory: "Nuovo ricordo",
  created: "Ricordo creato.",

  search: "Cerca nei ricordi",
  type: "Tipo",
  allTypes: "Tutti",
  types: {
    fact: "Fatti",
    preference: "Preferenze",
    entity: "Persone e cose",
    project: "Progetti",
    decision: "Decisioni",
  },
  typeOf: {
    fact: "Fatto",
    preference: "Preferenza",
    entity: "Persona o cosa",
    project: "Progetto",
    decision: "Decisione",
  },
  category: "Categoria",
  anyCategory: "Qualsiasi categoria",
  noCategory: "Nessuna",
  state: "Mostra",
  states: { current: "Attuali", archived: "Archiviati", superseded: "Non più veri" },
  pinnedOnly: "Solo fissati",
  clear: "Azzera i filtri",

  shown: (amount, locale) =>
    counted(amount, "ricordo mostrato", "ricordi mostrati", locale),
  loadMore: "Carica altri ricordi",
  none: "Ancora nessun ricordo",
  noneHow:
    "Recollect estrae fatti, preferenze, nomi, progetti e decisioni dalle tue conversazioni. " +
    "Qui puoi leggerli, correggerli ed eliminarli.",
  noneNext: "Creane uno, oppure estrai i ricordi dalle conversazioni passate.",
  noneFits: "Nessun ricordo corrisponde a questi filtri.",
  noneArchived: "Nessun ricordo archiviato. I ricordi archiviati restano salvati ma non vengono inviati al modello.",
  noneSuperseded: "Nessun ricordo sostituito. Qui restano i ricordi che non sono più veri.",

  authors: {
    user: "scritto da te",
    model: "estratto dal modello",
    pattern: "estratto automaticamente",
  },
  confidence: (share) => `certezza: ${share}`,
  used: (times, locale) => `usato ${counted(times, "volta", "volte", locale)}`,
  source: "Origine",
  superseded: (when) => `non più vero dal ${when}`,
  isNew: "Nuovo",
  isChanged: "Modificato",
  showCategory: (name) => `Mostra solo la categoria ${name}`,

  actions: (content) => `Altre azioni per «${content}»`,
  editOf: (content) => `Modifica «${content}»`,
  pinOf: (content) => `Fissa «${content}»`,
  history: "Cronologia",
  archive: "Archivia",
  restore: "Ripristina",
  archivedToast: "Ricordo archiviato.",
  restoredToast: "Ricordo ripristinato.",

  content: "Ricordo",
  contentHint: "Un solo fatto, in una frase breve",
  pinIt: "Fissa: invialo al modello in ogni conversazione",
  saving: "Salvataggio…",

  deleted: "Ricordo eliminato.",
  receipt: (memories, embeddings, locale) =>
    `Eliminati definitivamente: ${counted(memories, "ricordo", "ricordi", locale)} e ` +
    `${counted(embeddings, "vettore di ricerca", "vettori di ricerca", locale)}.`,

  historyTitle: "Cronologia del ricordo",
  events: {
    created: "Creato",
    confirmed: "Confermato",
    updated: "Modificato",
    superseded: "Sostituito",
    restored: "Ripristinato",
    undone: "Annullato",
  },
  actors: { user: "da te", model: "dal modello", pattern: "automaticamente" },
  fields: {
    content: "Testo",
    memory_type: "Tipo",
    category: "Categoria",
    is_pinned: "Fissato",
    is_archived: "Archiviato",
    confidence: "Certezza",
  },
  yes: "sì",
  no: "no",
  from: "da",
  to: "a",
  undone: "annullato",
  undoLast: "Annulla l’ultima modifica",
  undoing: "Annullamento…",
  earlier: "Mostra le modifiche precedenti",

  extract: "Estrai ricordi",
  extractHint:
    "Scegli le conversazioni. Vengono letti solo i messaggi successivi all’ultima estrazione.",
  selectAll: "Seleziona tutte",
  memoriesOff: "Ricordi disattivati",
  noConversations: "Non ci sono ancora conversazioni.",
  moreConversations: "Carica altre conversazioni",
  extractFrom: (count, locale) =>
    count === 0 ? "Estrai" : `Estrai da ${counted(count, "conversazione", "conversazioni", locale)}`,
  extractingFrom: (title) => `Estrazione da «${title}»`,
  progress: (done, total) => `${done} di ${total}`,
  stop: "Ferma",
  foundNothing: "Nessun nuovo ricordo trovato.",
  found: (amount, locale) =>
    `${counted(amount, "ricordo aggiunto o modificato", "ricordi aggiunti o modificati", locale)}.`,
  stopped: (done, total) => `Fermato dopo ${done} di ${total}.`,
  failed: (amount, locale) =>
    amount === 1
      ? "Estrazione non riuscita per 1 conversazione:"
      : `Estrazione non riuscita per ${amount.toLocaleString(locale)} conversazioni:`,
  retryFailed: "Riprova con queste",
  showFound: "Mostra nell’elenco",
  done: "Fatto",
};

export const useMemoryTexts = createTexts(en, it);
