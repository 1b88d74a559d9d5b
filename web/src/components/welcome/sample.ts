/** A conversation that is long enough to have a summary, in every language of the page. */
import type { MessageIn } from "../../api/types";
import type { Language } from "../../texts/texts";

interface Sample {
  title: string;
  policy: string;
  messages: MessageIn[];
}

/** Questions and answers in turn. */
function sample(title: string, ...said: string[]): Sample {
  const messages = said.map((content, index): MessageIn => {
    return { role: index % 2 === 0 ? "user" : "assistant", content };
  });
  return { title, policy: "rolling", messages };
}

export const samples: Record<Language, Sample> = {
  en: sample(
    "A week in Lisbon",
    "I want to go to Lisbon in May. My name is Marta, and I am vegetarian.",
    "A lovely time for it, Marta: warm days, and the jacarandas in bloom. How long do you want to stay?",
    "A week, from 14 to 21 May 2027. My budget is €1,800 for everything.",
    "Noted: seven nights and €1,800 in all. Flights from Turin are about €180, so some €1,600 remain.",
    "I prefer a small hotel in Alfama, not a big one.",
    "Then look at **Casa do Miradouro**, with eleven rooms above the river. A night is €96 with breakfast.",
    "Good. I booked it, the reference is CDM-4471-XK.",
    "Done, then: seven nights come to €672. I would leave €50 a day for meals.",
    "Where can I eat well without meat or fish?",
    "Three to begin with:\n\n| place | where | known for |\n| --- | --- | --- |\n| Ao 26 | Chiado | Portuguese dishes without meat |\n| Jardim das Cerejas | Chiado | a generous buffet |\n| PSI | near Campo Mártires | a garden, and dals |",
    "I do not like buffets. And my sister Giulia comes along for the first three days.",
    "Then Ao 26 and PSI. With Giulia you may want a table on the first evening: 14 May is a Friday.",
    "Yes, at 20:30, for two.",
    "I would ask Ao 26 for Friday at 20:30, for two, and mention that you are vegetarian.",
    "What should we see in three days?",
    "1. Alfama and the castle, early in the morning.\n2. Belém: the monastery, and pastéis.\n3. Sintra by train: Pena first, then Quinta da Regaleira.",
    "Giulia cannot walk much, she has a bad knee.",
    "Then take the tram 28 up to Graça rather than walk, and in Sintra the bus 434. The monastery is level.",
    "We decided to leave Sintra out.",
    "Understood. The third day is free, then: the tile museum is quiet, and it has a lift.",
    "Perfect. How do I get to the hotel from the airport?",
    "The metro to Santa Apolónia takes 25 minutes with one change; from there it is a short way by taxi.",
    "I would rather take a taxi all the way. What does it cost?",
    "About €15 to Alfama, and a little more at night or with large bags.",
    "Great. What did we decide about dinner on the first evening?",
    "A table at Ao 26 on Friday 14 May at 20:30, for you and Giulia.",
  ),
  it: sample(
    "Una settimana a Lisbona",
    "Voglio andare a Lisbona a maggio. Mi chiamo Marta e sono vegetariana.",
    "Un bel periodo, Marta: giornate calde e le jacarande in fiore. Quanto vuoi restare?",
    "Una settimana, dal 14 al 21 maggio 2027. Il mio budget è di 1.800 € per tutto.",
    "Segnato: sette notti e 1.800 € in tutto. I voli da Torino costano circa 180 €, quindi ne restano 1.600.",
    "Preferisco un albergo piccolo nell’Alfama, non uno grande.",
    "Allora guarda **Casa do Miradouro**, undici stanze sopra il fiume. Una notte costa 96 € con colazione.",
    "Bene. L’ho prenotato, il codice è CDM-4471-XK.",
    "Fatto, allora: sette notti sono 672 €. Per i pasti terrei 50 € al giorno.",
    "Dove si mangia bene senza carne né pesce?",
    "Tre posti per cominciare:\n\n| posto | dove | noto per |\n| --- | --- | --- |\n| Ao 26 | Chiado | piatti portoghesi senza carne |\n| Jardim das Cerejas | Chiado | un buffet generoso |\n| PSI | vicino a Campo Mártires | un giardino, e dal |",
    "I buffet non mi piacciono. E per i primi tre giorni viene con me mia sorella Giulia.",
    "Allora Ao 26 e PSI. Con Giulia potresti prenotare per la prima sera: il 14 maggio è un venerdì.",
    "Sì, alle 20:30, per due.",
    "Chiederei ad Ao 26 per venerdì alle 20:30, per due, e direi che sei vegetariana.",
    "Che cosa vediamo in tre giorni?",
    "1. L’Alfama e il castello, di mattina presto.\n2. Belém: il monastero, e i pastéis.\n3. Sintra in treno: prima Pena, poi Quinta da Regaleira.",
    "Giulia non può camminare molto, ha male a un ginocchio.",
    "Allora salite a Graça con il tram 28 invece che a piedi, e a Sintra con l’autobus 434. Il monastero è in piano.",
    "Abbiamo deciso di lasciar perdere Sintra.",
    "Capito. Il terzo giorno è libero: il museo degli azulejos è tranquillo, e ha l’ascensore.",
    "Perfetto. Come arrivo all’albergo dall’aeroporto?",
    "Con la metro fino a Santa Apolónia ci vogliono 25 minuti e un cambio; da lì è poca strada in taxi.",
    "Preferisco il taxi per tutto il tragitto. Quanto costa?",
    "Circa 15 € fino all’Alfama, un po’ di più di notte o con bagagli grandi.",
    "Ottimo. Che cosa abbiamo deciso per la cena della prima sera?",
    "Un tavolo da Ao 26 venerdì 14 maggio alle 20:30, per te e Giulia.",
  ),
};
