import { defineTexts } from "../../texts/texts";

export const texts = defineTexts(
  {
    again: "What shall we talk about?",
    againHint: "Every word is kept, and the model is sent what matters.",
    empty: "No messages yet",
    emptyHint: "Write the first one below, or let your application record them here.",
    explanation: [
      "Recollect keeps every message of your conversations: nothing is lost, whatever breaks.",
      "What is old becomes a summary and memories, which you can read and correct.",
      "Each time the model answers, you can see what it was shown, and why.",
    ],
    first: "Conversations with a memory you can see",
    sample: "Try a sample conversation",
    sampleAsk: "Ask: what is my booking reference?",
    sampleHint: "or write your own message below",
    sampleNote: "This is a sample. Ask something, and see what the model is shown.",
    sampleQuestion: "What is my booking reference, and what is my budget?",
    sampleRemove: "Remove it and its memories",
  },
  {
    again: "Di che cosa parliamo?",
    againHint: "Ogni parola viene conservata, e al modello arriva quello che conta.",
    empty: "Ancora nessun messaggio",
    emptyHint: "Scrivi qui sotto il primo, o lascia che li registri la tua applicazione.",
    explanation: [
      "Recollect conserva ogni messaggio delle tue conversazioni: niente va perso, qualunque cosa si rompa.",
      "Ciò che è vecchio diventa un riassunto e ricordi, che puoi leggere e correggere.",
      "A ogni risposta puoi vedere che cosa è stato mostrato al modello, e perché.",
    ],
    first: "Conversazioni con una memoria che si vede",
    sample: "Prova una conversazione di esempio",
    sampleAsk: "Chiedi: qual è il mio codice di prenotazione?",
    sampleHint: "oppure scrivi qui sotto il tuo messaggio",
    sampleNote: "Questo è un esempio. Chiedi qualcosa, e guarda che cosa vede il modello.",
    sampleQuestion: "Qual è il mio codice di prenotazione, e qual è il mio budget?",
    sampleRemove: "Eliminalo con i suoi ricordi",
  },
);
