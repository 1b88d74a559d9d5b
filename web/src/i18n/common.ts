import { createTexts } from "./i18n";

/** Texts that several folders use. */
export const en = {
  archived: "Archived",
  cancel: "Cancel",
  close: "Close",
  copied: "Copied",
  copy: "Copy",
  create: "Create",
  delete: "Delete",
  edit: "Edit",
  errors: {
    noDetail: (status: number) => `The server answered with status ${status}.`,
    unreachable: "The server cannot be reached. Check that it is running, then retry.",
    unreadable: "The server’s answer could not be read.",
  },
  loading: "Loading",
  loadingMore: "Loading…",
  more: "Show more",
  pin: "Pin",
  pinned: "Pinned",
  retry: "Retry",
  save: "Save",
  undo: "Undo",
  unpin: "Unpin",
  untitled: "Untitled conversation",
};

export type CommonTexts = typeof en;

export const it: CommonTexts = {
  archived: "Archiviata",
  cancel: "Annulla",
  close: "Chiudi",
  copied: "Copiato",
  copy: "Copia",
  create: "Crea",
  delete: "Elimina",
  edit: "Modifica",
  errors: {
    noDetail: (status) => `Il server ha risposto con lo stato ${status}.`,
    unreachable: "Il server non è raggiungibile. Controlla che sia in funzione, poi riprova.",
    unreadable: "La risposta del server è illeggibile.",
  },
  loading: "Caricamento",
  loadingMore: "Caricamento…",
  more: "Mostra altro",
  pin: "Fissa",
  pinned: "Fissato",
  retry: "Riprova",
  save: "Salva",
  undo: "Annulla",
  unpin: "Non fissare più",
  untitled: "Conversazione senza titolo",
};

export const useCommonTexts = createTexts(en, it);
