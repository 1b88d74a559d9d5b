import { createTexts } from "../../i18n/i18n";

const en = {
  again: "What would you like to talk about?",
  againHint: "Every message is kept, and the model gets what matters.",
  empty: "No messages yet",
  emptyHint: "Write the first one below, or let your application add messages.",
  explanation: [
    "Recollect keeps every message of your conversations: nothing is lost.",
    "Older messages become a summary and memories, which you can read and correct.",
    "For each answer you can see what the model saw, and why.",
  ],
  first: "Conversations with a memory you can see",
  sample: "Try a sample conversation",
  sampleAsk: "Ask: what is my booking reference?",
  sampleHint: "or write your own message below",
  sampleNote: "This is a sample. Ask something, then look at what the model saw.",
  sampleQuestion: "What is my booking reference, and what is my budget?",
  sampleRemove: "Delete it and its memories",
};

const it: typeof en = {
  again: "Di che cosa parliamo?",
  againHint: "Ogni messaggio viene conservato e il modello riceve ciò che conta.",
  empty: "Ancora nessun messaggio",
  emptyHint: "Scrivi qui sotto il primo, o lascia che li aggiunga la tua applicazione.",
  explanation: [
    "Recollect conserva ogni messaggio delle tue conversazioni: niente va perso.",
    "I messaggi più vecchi diventano un riassunto e ricordi, che puoi leggere e correggere.",
    "Per ogni risposta puoi vedere che cosa ha visto il modello e perché.",
  ],
  first: "Conversazioni con una memoria che si vede",
  sample: "Prova una conversazione di esempio",
  sampleAsk: "Chiedi: qual è il mio codice di prenotazione?",
  sampleHint: "oppure scrivi qui sotto il tuo messaggio",
  sampleNote: "Questo è un esempio. Chiedi qualcosa, poi guarda che cosa ha visto il modello.",
  sampleQuestion: "Qual è il mio codice di prenotazione, e qual è il mio budget?",
  sampleRemove: "Eliminalo con i suoi ricordi",
};

export const useWelcomeTexts = createTexts(en, it);
