import type { Role, Section } from "../../api/types";
import type { Outcome } from "../../model/receipt";
import { defineTexts } from "../../texts/texts";

interface ReceiptTexts {
  barLabel: (parts: string) => string;
  besideBudget: string;
  compressed: string;
  forAnswer: string;
  free: string;
  full: string;
  fullPartly: (tokens: string, all: string) => string;
  fullSent: (tokens: string) => string;
  inBudget: (used: string, budget: string) => string;
  memory: string;
  memoryChanged: string;
  memoryGone: string;
  message: (seq: string) => string;
  messages: (first: string, last: string) => string;
  mode: string;
  noAnswer: string;
  noAnswerHint: string;
  noReceipt: string;
  noReceiptHint: string;
  notSent: string;
  notSaved: (tokens: string) => string;
  notSavedYet: (tokens: string, all: string) => string;
  notToScale: string;
  notYet: string;
  notYetHint: string;
  oneByOne: string;
  outcomes: Record<Outcome, string>;
  partly: (left: number, all: number) => string;
  policy: string;
  question: string;
  reasons: Readonly<Record<string, string>>;
  roles: Record<Role, string>;
  saved: (tokens: string, all: string) => string;
  savedShare: (percent: string) => string;
  searchByMeaning: string;
  sections: Record<Section, string>;
  summary: (version: string) => string;
  summaryValues: (version: string) => string;
  systemPrompt: string;
  tailInFull: string;
  tokens: (amount: string) => string;
  withHeading: string;
  wouldHaveTaken: (amount: string) => string;
}

export const texts = defineTexts<ReceiptTexts>(
  {
    barLabel: (parts) => `The context by section: ${parts}.`,
    besideBudget: "Outside the budget",
    compressed: "Compressed",
    forAnswer: "What the model read before it wrote",
    free: "Free",
    full: "Full context",
    fullPartly: (tokens, all) =>
      `As much of the history as the model’s window takes: ${tokens} of ${all} tokens.`,
    fullSent: (tokens) => `The whole history was sent: ${tokens} tokens.`,
    inBudget: (used, budget) => `Memory: ${used} of a budget of ${budget} tokens`,
    memory: "Memory",
    memoryChanged: "changed since",
    memoryGone: "A memory that has been deleted since",
    message: (seq) => `Message ${seq}`,
    messages: (first, last) => `Messages ${first}–${last}`,
    mode: "Context",
    noAnswer: "No answer yet",
    noAnswerHint:
      "Once the assistant has answered, this shows what it was given to read: what was included, what was left out, and why.",
    noReceipt: "Nothing is recorded for this answer",
    noReceiptHint:
      "It was written elsewhere and stored here later, by an import or an application, so only its author knows what the model saw.",
    notSent: "Nothing of it was sent",
    notSaved: (tokens) =>
      `${tokens} tokens: the history is still short, and all of it fits.`,
    notSavedYet: (tokens, all) =>
      `${tokens} tokens, with a summary in the place of older messages. The whole history has ${all}: nothing is saved yet.`,
    notToScale: "not to scale",
    notYet: "The answer is being written",
    notYetHint: "What the model was given to read is shown as soon as it has finished.",
    oneByOne: "One by one",
    outcomes: { included: "Included", shortened: "Shortened", dropped: "Left out" },
    partly: (left, all) => `${left} of ${all} are there.`,
    policy: "Policy",
    question: "The current message",
    reasons: {
      "The caller's instructions.": "The application’s instructions.",
      "Given by the caller.": "Attached to the question.",
      "What has happened since.": "What has happened since the question.",
      "The current message.": "The question itself: always there, entire.",
      "The messages themselves are sent.": "The messages themselves were sent instead.",
      "Over budget.": "There was no room for it in the budget.",
      "Cut by whole sentences.": "It was cut by whole sentences.",
      "What was said before the messages below.": "What was said before the recent messages.",
      "Exact values from what was said before.": "Exact values from what was said before.",
      "Bears on it.": "It has to do with the question.",
      "One of the newest.": "One of the newest.",
      "Pinned by the user.": "You pinned it.",
      "There are no words in it to quote.": "There are no words in it to quote.",
      "Named by the user.": "The question refers to it.",
      "The message was not embedded in time: older ones were searched by words alone.":
        "The search by meaning took too long: older messages were searched by words alone.",
      "It was not even read: there is too much of it.":
        "There was too much of it even to be considered.",
      "Older than what the policy keeps verbatim.": "Older than what the policy keeps word for word.",
      "The summary covers it.": "The summary covers it.",
      "It is not digested yet.": "No summary covers it yet.",
      "Recent, and too long: its middle.": "Recent, but too long: its middle was cut.",
      "Recent.": "Recent.",
      "With its call.": "The result goes with its tool call.",
      "It is still being written.": "It was still being written.",
      "A tool result without its call.": "A tool result without its call.",
      "A tool call without a result.": "A tool call without a result.",
      "There is nothing in it.": "There is nothing in it.",
    },
    roles: { user: "you", assistant: "assistant", system: "system", tool: "tool" },
    saved: (tokens, all) => `${tokens} of ${all} tokens: `,
    savedShare: (percent) => `${percent} less than the whole history`,
    searchByMeaning: "Search by meaning",
    sections: {
      system: "Instructions",
      memories: "Memories",
      summary: "Summary",
      contexts: "Attached notes",
      pinned: "Pinned messages",
      retrieved: "Found again",
      references: "Referred to",
      tail: "Recent messages",
      message: "The question",
    },
    summary: (version) => `Summary, version ${version}`,
    summaryValues: (version) => `Exact values of summary version ${version}`,
    systemPrompt: "System prompt",
    tailInFull: "All messages",
    tokens: (amount) => `${amount} tokens`,
    withHeading: "Its tokens include the section’s heading.",
    wouldHaveTaken: (amount) => `would have taken ${amount} tokens`,
  },
  {
    barLabel: (parts) => `Il contesto per sezione: ${parts}.`,
    besideBudget: "Fuori dal budget",
    compressed: "Compresso",
    forAnswer: "Che cosa ha letto il modello prima di scrivere",
    free: "Libero",
    full: "Contesto completo",
    fullPartly: (tokens, all) =>
      `Quanta cronologia può leggere il modello: ${tokens} token su ${all}.`,
    fullSent: (tokens) => `È stata inviata tutta la cronologia: ${tokens} token.`,
    inBudget: (used, budget) => `Memoria: ${used} token su un budget di ${budget}`,
    memory: "Ricordo",
    memoryChanged: "cambiato in seguito",
    memoryGone: "Un ricordo eliminato nel frattempo",
    message: (seq) => `Messaggio ${seq}`,
    messages: (first, last) => `Messaggi ${first}–${last}`,
    mode: "Contesto",
    noAnswer: "Ancora nessuna risposta",
    noAnswerHint:
      "Quando l’assistente avrà risposto, qui si vedrà che cosa ha potuto leggere: che cosa è stato incluso, che cosa è rimasto fuori e perché.",
    noReceipt: "Per questa risposta non è registrato nulla",
    noReceiptHint:
      "È stata scritta altrove e salvata qui dopo, da un’importazione o da un’applicazione: solo chi l’ha prodotta sa che cosa ha visto il modello.",
    notSent: "Non ne è stato inviato nulla",
    notSaved: (tokens) => `${tokens} token: la cronologia è ancora breve e ci sta tutta.`,
    notSavedYet: (tokens, all) =>
      `${tokens} token, con un riassunto al posto dei messaggi più vecchi. La cronologia intera ne ha ${all}: per ora non si risparmia nulla.`,
    notToScale: "non in scala",
    notYet: "La risposta è in corso di scrittura",
    notYetHint: "Quello che il modello ha potuto leggere si vedrà appena avrà finito.",
    oneByOne: "Uno per uno",
    outcomes: { included: "Incluso", shortened: "Accorciato", dropped: "Escluso" },
    partly: (left, all) => `Ce ne sono ${left} su ${all}.`,
    policy: "Strategia di memoria",
    question: "Il messaggio attuale",
    reasons: {
      "The caller's instructions.": "Le istruzioni dell’applicazione.",
      "Given by the caller.": "Allegato alla domanda.",
      "What has happened since.": "Che cosa è successo dopo la domanda.",
      "The current message.": "La domanda stessa: c’è sempre, per intero.",
      "The messages themselves are sent.": "Al suo posto sono stati inviati i messaggi.",
      "Over budget.": "Non c’era più spazio.",
      "Cut by whole sentences.": "È stato tagliato a frasi intere.",
      "What was said before the messages below.": "Che cosa si è detto prima dei messaggi recenti.",
      "Exact values from what was said before.": "Valori esatti da quanto detto prima.",
      "Bears on it.": "Riguarda la domanda.",
      "One of the newest.": "Uno dei più recenti.",
      "Pinned by the user.": "L’hai fissato tu.",
      "There are no words in it to quote.": "Non contiene parole da citare.",
      "Named by the user.": "La domanda vi fa riferimento.",
      "The message was not embedded in time: older ones were searched by words alone.":
        "La ricerca per significato ha impiegato troppo: i messaggi più vecchi sono stati cercati solo per parole.",
      "It was not even read: there is too much of it.": "Era troppo anche solo per essere considerato.",
      "Older than what the policy keeps verbatim.":
        "Più vecchio di quanto la strategia di memoria conserva parola per parola.",
      "The summary covers it.": "È nel riassunto.",
      "It is not digested yet.": "Nessun riassunto lo comprende ancora.",
      "Recent, and too long: its middle.": "Recente ma troppo lungo: ne è stata tolta la parte centrale.",
      "Recent.": "Recente.",
      "With its call.": "Il risultato segue la sua chiamata.",
      "It is still being written.": "Era ancora in corso di scrittura.",
      "A tool result without its call.": "Il risultato di uno strumento senza la sua chiamata.",
      "A tool call without a result.": "La chiamata di uno strumento senza risultato.",
      "There is nothing in it.": "È vuoto.",
    },
    roles: { user: "tu", assistant: "assistente", system: "sistema", tool: "strumento" },
    saved: (tokens, all) => `${tokens} token su ${all} della cronologia intera; `,
    savedShare: (percent) => `risparmio: ${percent}`,
    searchByMeaning: "Ricerca per significato",
    sections: {
      system: "Istruzioni",
      memories: "Ricordi",
      summary: "Riassunto",
      contexts: "Note allegate",
      pinned: "Messaggi fissati",
      retrieved: "Ritrovati",
      references: "Richiamati",
      tail: "Messaggi recenti",
      message: "La domanda",
    },
    summary: (version) => `Riassunto, versione ${version}`,
    summaryValues: (version) => `Valori esatti del riassunto, versione ${version}`,
    systemPrompt: "Prompt di sistema",
    tailInFull: "Tutti i messaggi",
    tokens: (amount) => `${amount} token`,
    withHeading: "I suoi token comprendono l’intestazione della sezione.",
    wouldHaveTaken: (amount) => `avrebbe preso ${amount} token`,
  },
);
