import { defineTexts } from "../../texts/texts";

/** Apart from the other texts of the settings, since the first page shows these too. */
export const modelTexts = defineTexts(
  {
    command: (name: string) => `Command for ${name}`,
    connect: "How to connect another model",
    connectHint:
      "Stop the server and start it again with the model’s name and key. Anything that speaks OpenAI’s protocol will do.",
    localLimits:
      "Answers come from a small model on this machine. It shows the way and needs no key, but it knows little, makes things up and soon forgets instructions. Memory, summaries and search do not depend on it.",
    localShort: "Answers come from a small local model that knows little.",
    localShortLink: "Connect a real one",
    localTitle: "This is only the local model",
    sameLength: (name: string) =>
      `${name} cuts what is too long without a word: give it the same context length as Recollect. Leave OPENAI_API_KEY unset.`,
    start: (name: string) => `Command that starts ${name}`,
  },
  {
    command: (name: string) => `Comando per ${name}`,
    connect: "Come collegare un altro modello",
    connectHint:
      "Ferma il server e riavvialo con il nome e la chiave del modello. Va bene qualunque servizio che parli il protocollo di OpenAI.",
    localLimits:
      "Le risposte vengono da un piccolo modello su questo computer. Mostra come funziona e non chiede chiavi, ma sa poco, inventa e dimentica presto le istruzioni. Memoria, riassunti e ricerca non dipendono da lui.",
    localShort: "Le risposte vengono da un piccolo modello locale che sa poco.",
    localShortLink: "Collegane uno vero",
    localTitle: "Questo è solo il modello locale",
    sameLength: (name: string) =>
      `${name} taglia senza avvisare ciò che è troppo lungo: dagli la stessa lunghezza di contesto di Recollect. Non impostare OPENAI_API_KEY.`,
    start: (name: string) => `Comando che avvia ${name}`,
  },
);
