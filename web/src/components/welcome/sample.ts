/** A sample conversation that is long enough for a summary. */
import type { Conversation, MessageIn } from "../../api/types";
import type { Language } from "../../i18n/i18n";

interface Sample {
  title: string;
  policy: string;
  metadata: Record<string, unknown>;
  messages: MessageIn[];
}

/** `contents` are questions and answers in turn. */
function sample(title: string, ...contents: string[]): Sample {
  const messages = contents.map((content, index): MessageIn => {
    return { role: index % 2 === 0 ? "user" : "assistant", content };
  });
  return { title, policy: "rolling", metadata: { sample: true }, messages };
}

export function isSample({ metadata }: Conversation): boolean {
  return metadata["sample"] === true;
}

export const samples: Record<Language, Sample> = {
  en: sample(
    "A week in Lisbon",
    "I want to go to Lisbon in May. My name is Marta, and I am vegetarian.",
    "May is a lovely time for it, Marta. The days are warm and the evenings mild, the jacarandas are in bloom, and the crowds of summer have not come yet. Rain is rare, though a light jacket is good to have near the river. For a vegetarian the city has become easy: there are good kitchens in Chiado, Príncipe Real and around Campo Mártires. How long do you want to stay, and what would you like to spend?",
    "A week, from 14 to 21 May 2027. My budget is €1,800 for everything.",
    "Noted: seven nights, and €1,800 in all. From Turin the flights are about €180 there and back if you book two months ahead, with one change, usually in Rome or Madrid. That leaves some €1,600. If you set aside €100 a night for the hotel and €50 a day for meals, there are more than €500 for trams, museums and whatever you did not plan. I would keep €100 of it untouched for the last day.",
    "I prefer a small hotel in Alfama, not a big one.",
    "Then look at Casa do Miradouro: eleven rooms in an old house above the river, three streets from the Santa Luzia terrace. A night is €96 with breakfast, and breakfast has plenty without meat. The stairs are steep and there is no lift, so ask for a room on the first floor if that matters to you. Alfama is quiet at night except on Fridays, when there is fado in the street below.",
    "Good. I booked it, the reference is CDM-4471-XK.",
    "Done, then: seven nights come to €672, and the reference is CDM-4471-XK. Write to them a week before to say when you arrive, since the door is closed after ten in the evening and they will leave you the code. With flights and hotel paid you have about €950 left for the week, which is comfortable. I would take out insurance for the flights only; the hotel can be cancelled free of charge until three days before.",
    "Where can I eat well without meat or fish?",
    "There are three to begin with. Ao 26 in Chiado cooks Portuguese dishes without meat, and you should book a day ahead. Jardim das Cerejas, also in Chiado, has a generous buffet at noon that costs less than €12. PSI, near Campo Mártires, stands in a garden and is known for its dals and its lemonade. In Alfama itself most places are about fish, but the tascas will make you a plate of cheese, olives and broad beans if you ask kindly.",
    "I do not like buffets. And my sister Giulia comes along for the first three days.",
    "Then Ao 26 and PSI, and we leave the other one out. It is nice that Giulia comes along: your room has two beds, but tell the hotel, because the tourist tax is two euros a night for each person. With her you may want to book a table for the first evening, since 14 May is a Friday and the good places are full by eight. After she leaves you could have the quieter days for yourself, with the museums and a long walk along the river.",
    "Yes, at 20:30, for two.",
    "I would ask Ao 26 for Friday at 20:30, for two, and mention that you are vegetarian: then they keep the good soup for you. From the hotel it is fifteen minutes on foot, or the tram 28 as far as Chiado. If they have nothing left, PSI takes guests until nine and has a table in the garden when it is warm. Shall we go on with what to see?",
    "What should we see in three days?",
    "On the first morning, Alfama and the castle, before ten, when the walls are still empty. On the second day Belém: the monastery early, then the tower from outside, and pastéis from the shop with the blue tiles. On the third day Sintra by train from Rossio, forty minutes: Pena first, then Quinta da Regaleira, and back before dinner. In between leave room for a miradouro in the evening; Graça is my favourite, and there is music on Saturdays.",
    "Giulia cannot walk much, she has a bad knee.",
    "Then let us change a few things. Take the tram 28 up to Graça rather than walk, early, because it is full from eleven on. The monastery in Belém is level and has benches; the tower has nothing but stairs, so look at it from the garden. In Sintra the bus 434 goes from the station to both palaces, but inside Pena there are many steps, and the paths of the Regaleira are rough. It may be too much for one day.",
    "We decided to leave Sintra out.",
    "Understood, no Sintra. The third day is free, then. The tile museum is quiet, it has a lift and a shady court with a café, and the bus 794 stops at its door. In the afternoon you could take the ferry to Cacilhas, which is ten minutes with the best view of the city, and have a lemonade by the water before Giulia's flight. Both together are hardly any walking.",
    "Perfect. How do I get to the hotel from the airport?",
    "The metro to Santa Apolónia takes 25 minutes with one change at Alameda; from there it is a short way uphill, which is hard with a suitcase. The bus 728 goes along the river and is slower. A taxi is the simplest, especially with two of you and one bad knee: there is a rank right outside the arrivals, and the driver will know the street if you say Santa Luzia.",
    "I would rather take a taxi all the way. What does it cost?",
    "About €15 to Alfama, and a little more at night, on Sundays or with large bags. They have to use the meter, so ask for it; the supplement for luggage is €1.60 and stands on a card in the car. Most of them take cards by now, but have a note of twenty with you. For the way back order one the evening before at the hotel, because in the morning the alleys are full of delivery vans.",
    "Great. What did we decide about dinner on the first evening?",
    "A table at Ao 26 on Friday 14 May at 20:30, for you and Giulia.",
  ),
  it: sample(
    "Una settimana a Lisbona",
    "Voglio andare a Lisbona a maggio. Mi chiamo Marta e sono vegetariana.",
    "Maggio è un bel periodo, Marta. Le giornate sono calde e le sere miti, le jacarande sono in fiore e la folla dell’estate non è ancora arrivata. Piove di rado, ma vicino al fiume conviene avere una giacca leggera. Per chi è vegetariano la città è diventata facile: si mangia bene al Chiado, a Príncipe Real e intorno a Campo Mártires. Quanto vuoi restare, e quanto vorresti spendere?",
    "Una settimana, dal 14 al 21 maggio 2027. Il mio budget è di 1.800 € per tutto.",
    "Segnato: sette notti e 1.800 € in tutto. Da Torino i voli costano circa 180 € andata e ritorno se prenoti due mesi prima, con un cambio, di solito a Roma o a Madrid. Restano così circa 1.600 €. Se tieni 100 € a notte per l’albergo e 50 € al giorno per i pasti, ne avanzano più di 500 per tram, musei e imprevisti. Io ne terrei 100 da parte per l’ultimo giorno.",
    "Preferisco un albergo piccolo nell’Alfama, non uno grande.",
    "Allora guarda Casa do Miradouro: undici stanze in una vecchia casa sopra il fiume, a tre strade dalla terrazza di Santa Luzia. Una notte costa 96 € con colazione, e a colazione c’è molto senza carne. Le scale sono ripide e non c’è ascensore, quindi chiedi una stanza al primo piano se per te conta. Di notte l’Alfama è tranquilla, tranne il venerdì, quando c’è il fado nella via di sotto.",
    "Bene. L’ho prenotato, il codice è CDM-4471-XK.",
    "Fatto, allora: sette notti sono 672 €, e il codice è CDM-4471-XK. Scrivi una settimana prima a che ora arrivi, perché dopo le dieci di sera la porta è chiusa e ti lasceranno un codice. Pagati voli e albergo ti restano circa 950 € per la settimana, quindi sei comoda. Farei l’assicurazione solo per i voli; l’albergo si può disdire senza spese fino a tre giorni prima.",
    "Dove si mangia bene senza carne né pesce?",
    "Tre posti per cominciare. Ao 26, al Chiado, cucina piatti portoghesi senza carne, e conviene prenotare il giorno prima. Jardim das Cerejas, sempre al Chiado, a mezzogiorno ha un buffet generoso che costa meno di 12 €. PSI, vicino a Campo Mártires, sta in un giardino ed è noto per i dal e per la limonata. Nell’Alfama quasi tutto è a base di pesce, ma nelle tascas, se lo chiedi con garbo, ti fanno un piatto di formaggio, olive e fave.",
    "I buffet non mi piacciono. E per i primi tre giorni viene con me mia sorella Giulia.",
    "Allora Ao 26 e PSI, e l’altro lo lasciamo perdere. Che bello che venga Giulia: la tua stanza ha due letti, ma avvisa l’albergo, perché la tassa di soggiorno è di due euro a notte per persona. Per la prima sera conviene prenotare, dato che il 14 maggio è un venerdì e i posti buoni alle otto sono già pieni. Quando lei riparte puoi tenere per te i giorni più tranquilli, con i musei e una lunga passeggiata lungo il fiume.",
    "Sì, alle 20:30, per due.",
    "Chiederei ad Ao 26 per venerdì alle 20:30, per due, e direi che sei vegetariana: così ti tengono da parte la zuppa buona. Dall’albergo sono quindici minuti a piedi, oppure il tram 28 fino al Chiado. Se non hanno più posto, PSI accetta ospiti fino alle nove e quando fa caldo ha un tavolo in giardino. Passiamo a che cosa vedere?",
    "Che cosa vediamo in tre giorni?",
    "La prima mattina l’Alfama e il castello, prima delle dieci, quando le mura sono ancora vuote. Il secondo giorno Belém: il monastero presto, poi la torre da fuori, e i pastéis nel negozio con le piastrelle blu. Il terzo giorno Sintra in treno da Rossio, quaranta minuti: prima Pena, poi Quinta da Regaleira, e ritorno prima di cena. In mezzo lasciate spazio per un miradouro la sera; il mio preferito è Graça, e il sabato c’è musica.",
    "Giulia non può camminare molto, ha male a un ginocchio.",
    "Allora cambiamo qualcosa. Salite a Graça con il tram 28 invece che a piedi, presto, perché dalle undici è pieno. Il monastero di Belém è in piano e ha delle panche; la torre ha solo scale, quindi guardatela dal giardino. A Sintra l’autobus 434 va dalla stazione a tutti e due i palazzi, ma dentro Pena ci sono molti gradini, e i sentieri della Regaleira sono sconnessi. Per un giorno solo forse è troppo.",
    "Abbiamo deciso di lasciar perdere Sintra.",
    "Capito, niente Sintra. Il terzo giorno allora è libero. Il museo degli azulejos è tranquillo, ha l’ascensore e un cortile ombroso con un caffè, e l’autobus 794 si ferma davanti alla porta. Nel pomeriggio potreste prendere il traghetto per Cacilhas, dieci minuti con la vista più bella della città, e bere una limonata sull’acqua prima del volo di Giulia. Insieme fanno pochissima strada a piedi.",
    "Perfetto. Come arrivo all’albergo dall’aeroporto?",
    "Con la metro fino a Santa Apolónia ci vogliono 25 minuti e un cambio ad Alameda; da lì è poca strada, ma in salita, e con la valigia è dura. L’autobus 728 passa lungo il fiume ed è più lento. Il taxi è la cosa più semplice, soprattutto in due e con un ginocchio malandato: la fila è proprio fuori dagli arrivi, e se dici Santa Luzia l’autista conosce la via.",
    "Preferisco il taxi per tutto il tragitto. Quanto costa?",
    "Circa 15 € fino all’Alfama, un po’ di più di notte, la domenica o con bagagli grandi. Devono usare il tassametro, quindi chiedilo; il supplemento per i bagagli è di 1,60 € e sta scritto su un cartello nell’auto. Ormai quasi tutti accettano le carte, ma tieni un biglietto da venti. Per il ritorno ordinane uno in albergo la sera prima, perché al mattino i vicoli sono pieni di furgoni.",
    "Ottimo. Che cosa abbiamo deciso per la cena della prima sera?",
    "Un tavolo da Ao 26 venerdì 14 maggio alle 20:30, per te e Giulia.",
  ),
};
