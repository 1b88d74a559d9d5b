import { counted, defineTexts } from "../../texts/texts";

export const texts = defineTexts(
  {
    title: "Memories",
    lead: "What is remembered about you, from everything you have said.",
    newMemory: "New memory",
    created: "It will be remembered.",

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
    shelf: "Show",
    shelves: { current: "Current", archived: "Archived", superseded: "No longer true" },
    pinnedOnly: "Pinned only",
    clear: "Clear filters",

    shown: (amount: number, locale: string) =>
      `${counted(amount, "memory", "memories", locale)} shown`,
    loadMore: "Load more memories",
    none: "Nothing is remembered yet",
    noneHow:
      "Memories come from what you say. While you talk, a model, or simple patterns where there " +
      "is none, note the facts, preferences, names, projects and decisions that will still matter " +
      "later. Here you can read all of them, correct them and take them back.",
    noneNext: "Write one yourself, or have earlier conversations read.",
    noneFits: "No memory fits these filters.",
    noneArchived: "Nothing is archived. What you archive is kept, and told to no model.",
    noneSuperseded: "Nothing has been replaced yet. What stops being true is kept here.",

    authors: {
      user: "written by you",
      model: "noted by the model",
      pattern: "noted automatically",
    },
    confidence: (share: string) => `${share} certain`,
    used: (times: number, locale: string) => `used ${counted(times, "time", "times", locale)}`,
    source: "Where you said it",
    superseded: (when: string) => `no longer true since ${when}`,
    isNew: "New",
    isChanged: "Changed",
    showCategory: (name: string) => `Show only the category ${name}`,

    actions: (content: string) => `More for “${content}”`,
    editOf: (content: string) => `Edit “${content}”`,
    pinOf: (content: string) => `Pin “${content}”`,
    history: "History",
    archive: "Archive",
    restore: "Bring back",
    archivedToast: "Memory archived.",
    restoredToast: "Memory brought back.",

    content: "What to remember",
    contentHint: "One thing, in a short sentence",
    pinIt: "Pin: tell it to the model in every conversation",
    saving: "Saving…",

    deleted: "Memory deleted.",
    receipt: (memories: number, embeddings: number, locale: string) =>
      `Deleted for good: ${counted(memories, "memory", "memories", locale)} and ` +
      `${counted(embeddings, "search vector", "search vectors", locale)}.`,

    historyTitle: "History of a memory",
    events: {
      created: "Noted",
      confirmed: "Confirmed",
      updated: "Changed",
      superseded: "Replaced",
      restored: "Back in place",
      undone: "Taken back",
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
      "Choose the conversations to read. Each is read on from where its last reading ended.",
    chooseAll: "Choose all",
    keptOut: "Kept out of memory",
    noConversations: "There are no conversations to read yet.",
    moreConversations: "Load more conversations",
    read: (amount: number, locale: string) =>
      amount === 0 ? "Read" : `Read ${counted(amount, "conversation", "conversations", locale)}`,
    reading: (title: string) => `Reading “${title}”`,
    progress: (read: number, all: number) => `${read} of ${all}`,
    stopReading: "Stop",
    foundNothing: "Nothing new was found.",
    found: (amount: number, locale: string) =>
      `${counted(amount, "memory was", "memories were", locale)} added or changed.`,
    stopped: (read: number, all: number) => `Stopped after ${read} of ${all}.`,
    failed: (amount: number, locale: string) =>
      `${counted(amount, "conversation", "conversations", locale)} could not be read:`,
    again: "Try these again",
    showFound: "Show in the list",
    done: "Done",
  },
  {
    title: "Ricordi",
    lead: "Quello che si ricorda di te, da tutto ciò che hai detto.",
    newMemory: "Nuovo ricordo",
    created: "Sarà ricordato.",

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
    shelf: "Mostra",
    shelves: { current: "Attuali", archived: "Archiviati", superseded: "Non più veri" },
    pinnedOnly: "Solo fissati",
    clear: "Azzera i filtri",

    shown: (amount: number, locale: string) =>
      counted(amount, "ricordo mostrato", "ricordi mostrati", locale),
    loadMore: "Carica altri ricordi",
    none: "Ancora nessun ricordo",
    noneHow:
      "I ricordi nascono da quello che dici. Mentre parli, un modello (o, se non c’è, dei " +
      "semplici schemi) annota i fatti, le preferenze, i nomi, i progetti e le decisioni che conteranno " +
      "ancora. Qui puoi leggerli tutti, correggerli e toglierli.",
    noneNext: "Scrivine uno tu, oppure fai leggere le conversazioni passate.",
    noneFits: "Nessun ricordo corrisponde a questi filtri.",
    noneArchived: "Niente di archiviato. Ciò che archivi resta qui e nessun modello lo riceve.",
    noneSuperseded: "Finora niente è stato sostituito. Ciò che smette di essere vero resta qui.",

    authors: {
      user: "scritto da te",
      model: "annotato dal modello",
      pattern: "annotato automaticamente",
    },
    confidence: (share: string) => `certezza: ${share}`,
    used: (times: number, locale: string) => `usato ${counted(times, "volta", "volte", locale)}`,
    source: "Dove l’hai detto",
    superseded: (when: string) => `non più vero: ${when}`,
    isNew: "Nuovo",
    isChanged: "Cambiato",
    showCategory: (name: string) => `Mostra solo la categoria ${name}`,

    actions: (content: string) => `Altro per «${content}»`,
    editOf: (content: string) => `Modifica «${content}»`,
    pinOf: (content: string) => `Fissa «${content}»`,
    history: "Cronologia",
    archive: "Archivia",
    restore: "Ripristina",
    archivedToast: "Ricordo archiviato.",
    restoredToast: "Ricordo ripristinato.",

    content: "Che cosa ricordare",
    contentHint: "Una cosa sola, in una frase breve",
    pinIt: "Fissa: il modello lo saprà in ogni conversazione",
    saving: "Salvataggio…",

    deleted: "Ricordo eliminato.",
    receipt: (memories: number, embeddings: number, locale: string) =>
      `Eliminati per sempre: ${counted(memories, "ricordo", "ricordi", locale)} e ` +
      `${counted(embeddings, "vettore di ricerca", "vettori di ricerca", locale)}.`,

    historyTitle: "Cronologia di un ricordo",
    events: {
      created: "Annotato",
      confirmed: "Confermato",
      updated: "Cambiato",
      superseded: "Sostituito",
      restored: "Tornato al suo posto",
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
      "Scegli le conversazioni da leggere. Ognuna viene letta da dove la lettura si era fermata.",
    chooseAll: "Scegli tutte",
    keptOut: "Esclusa dai ricordi",
    noConversations: "Non ci sono ancora conversazioni da leggere.",
    moreConversations: "Carica altre conversazioni",
    read: (amount: number, locale: string) =>
      amount === 0 ? "Leggi" : `Leggi ${counted(amount, "conversazione", "conversazioni", locale)}`,
    reading: (title: string) => `Lettura di «${title}»`,
    progress: (read: number, all: number) => `${read} di ${all}`,
    stopReading: "Ferma",
    foundNothing: "Non è stato trovato niente di nuovo.",
    found: (amount: number, locale: string) =>
      `${counted(amount, "ricordo aggiunto o cambiato", "ricordi aggiunti o cambiati", locale)}.`,
    stopped: (read: number, all: number) => `Fermato dopo ${read} di ${all}.`,
    failed: (amount: number, locale: string) =>
      amount === 1
        ? "Non è stato possibile leggere 1 conversazione:"
        : `Non è stato possibile leggere ${amount.toLocaleString(locale)} conversazioni:`,
    again: "Riprova con queste",
    showFound: "Mostra nell’elenco",
    done: "Fatto",
  },
);
