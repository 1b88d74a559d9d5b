"""Texts of the English conversations. Brackets mark the value that has to survive."""

from bench.fidelity.language import Exchange, Language, Phrasings
from bench.fidelity.small_talk import ENGLISH_TALK

_TUNED = Phrasings(
    amount=(
        "My budget for the whole thing is [{amount}], flights included.",
        "We can spend up to [{amount}] on the venue.",
        "For the invoice: the agreed fee is [{amount}].",
        "I've set aside [{amount}] for this project.",
        "The deposit they want from us is [{amount}].",
    ),
    date=(
        "The deadline is [{date}].",
        "We're getting married on [{date}].",
        "I need everything finished by [{date}].",
        "Our release is planned for [{date}].",
        "My flight leaves on [{date}].",
    ),
    name=(
        "My manager is called [{person}].",
        "The contact at the venue is [{person}].",
        "I'm working on this with [{person}].",
        "Please address the letter to [{person}].",
        "Our lawyer, [{person}], has to sign it.",
    ),
    identifier=(
        "My booking reference is [{code}].",
        "The order number is [{code}].",
        "It's about ticket [{code}].",
        "Our customer id is [{code}].",
        "You'll need the contract number, [{code}].",
    ),
    path=(
        "The config file is [{path}].",
        "I keep the data in [{path}].",
        "Write the results to [{path}].",
        "The script I run every night is [{path}].",
        "Everything you need is in [{path}].",
    ),
    preference=(
        "I prefer [{liking}].",
        "I'd rather have [{liking}].",
        "By the way, I really like [{liking}].",
        "When you can choose, I always want [{liking}].",
        "My favourite is [{liking}], so go for that.",
    ),
    constraint=(
        "Whatever you do, [do not use {tool}].",
        "We must [never send anything to {tool}].",
        "[I'm allergic to {food}], so please plan around it.",
        "[We can't use {tool}] because of the licence.",
        "Please [avoid {tool}] for this one.",
    ),
    decision=(
        "We decided to [go with {choice}].",
        "Let's [go with {choice}].",
        "OK, final decision: [{choice}].",
        "We agreed that [{choice}] it is.",
        "I've chosen [{choice}] in the end.",
    ),
)

_HELD_OUT = Phrasings(
    amount=(
        "Nobody here will approve more than [{amount}].",
        "Assume [{amount}] in total when you do the planning.",
        "They quoted me [{amount}] and I said yes.",
        "Total available: [{amount}].",
        "I earn [{amount}] a month after tax, for the loan form.",
    ),
    date=(
        "Everything has to be at the printer's on [{date}].",
        "Launch day: [{date}].",
        "The hearing got scheduled for [{date}].",
        "My parents arrive [{date}] and stay a week.",
        "If it isn't delivered on [{date}] the client walks away.",
    ),
    name=(
        "Talk to [{person}] whenever something needs a signature.",
        "[{person}] is the surgeon who will operate on me.",
        "The kid I'm tutoring goes by [{person}].",
        "Send a copy to my accountant [{person}] too.",
        "It all has to go through [{person}] in procurement.",
    ),
    identifier=(
        "They filed it under [{code}].",
        "Quote [{code}] when you write to them.",
        "The parcel can be tracked as [{code}].",
        "[{code}] is what it says on my insurance card.",
        "Use [{code}] as the reference on the transfer.",
    ),
    path=(
        "Look under [{path}] for the template.",
        "Our backups end up in [{path}].",
        "Anything you generate belongs in [{path}].",
        "[{path}] is the one that breaks when I deploy.",
        "The numbers come out of [{path}].",
    ),
    preference=(
        "Nothing beats [{liking}] for me.",
        "If it were up to me it would always be [{liking}].",
        "I'm much more comfortable with [{liking}].",
        "Keep in mind that I'm a fan of [{liking}].",
        "What works best for me: [{liking}].",
    ),
    constraint=(
        "[{tool} is off the table] for legal reasons.",
        "[No {tool}], under any circumstances.",
        "[My daughter cannot eat {food}].",
        "Our security people have [banned {tool}] everywhere.",
        "It has to work [without {tool}].",
    ),
    decision=(
        "After last night's call it's going to be [{choice}].",
        "We have settled on [{choice}].",
        "The committee picked [{choice}].",
        "Scrap the other options, [{choice}] is the winner.",
        "I made up my mind: [{choice}].",
    ),
)

_FILLER = (
    Exchange(
        "How tall is the tower in {city}?",
        "It is about {n} metres tall.",
        "Construction was finished in {year}.",
        "The architect {person} also designed the bridge nearby.",
        "Tickets cost {price} for adults.",
    ),
    Exchange(
        "Thanks, that helps!",
        "You're welcome!",
        "Let me know if anything else comes up.",
    ),
    Exchange(
        "Who wrote the book about the lighthouse keeper?",
        "That was {person}, who published it in {year}.",
        "It sold {n} thousand copies in the first year.",
        "A sequel came out on {date}.",
    ),
    Exchange(
        "Yesterday I went for a run with {first}, we did {small} km in the rain.",
        "Nice, {small} km in that weather is no joke!",
        "Make sure to stretch for at least {small} minutes.",
        "Running in the rain doesn't make you ill, by the way.",
    ),
    Exchange(
        "Why does my laptop get so hot?",
        "Usually the fan is full of dust.",
        "Anything above {n} degrees is too much for the processor.",
        "You should never cover the vents on the underside.",
        "You can read the sensor from {path} on most systems.",
    ),
    Exchange(
        "Can you explain what a hash table is?",
        "A hash table stores pairs and finds them in constant time on average.",
        "With {n} entries and {small} buckets you'd have long chains.",
        "Python's dict is the best-known example.",
    ),
    Exchange(
        "I had lunch at the new place in {city}, paid {price} for a salad.",
        "That sounds a bit steep for a salad.",
        "Prices there have gone up by {small} % since {year}.",
        "I hope it was at least a big one.",
    ),
    Exchange(
        "What's the difference between UTF-8 and UTF-16?",
        "UTF-8 uses one to four bytes for a character, UTF-16 two or four.",
        "On the web, {small} out of a hundred pages don't use UTF-8.",
        "The standard was last revised in {year}.",
    ),
    Exchange(
        "Make the second paragraph a bit shorter please.",
        "Done, it went from {n} words to {small}.",
        "I also removed the repetition at the end.",
    ),
    Exchange(
        "Is it going to rain in {city} on {date}?",
        "The forecast says {small} % chance of rain.",
        "I don't have live data, so check again that morning.",
        "Temperatures should stay around {small} degrees.",
    ),
    Exchange(
        "My cousin {first} sent me a photo of {city}, it looks lovely.",
        "It's a beautiful city, especially in spring.",
        "The old town dates from {year}.",
        "The train from the airport takes {small} minutes.",
    ),
    Exchange(
        "How do I undo the last commit?",
        "Run git reset --soft HEAD~1 and the changes stay staged.",
        "If you already pushed, prefer git revert instead.",
        "Your hooks in {path} will not run for a reset.",
        "The flag exists since version {version}.",
    ),
    Exchange(
        "haha ok fair enough",
        "Glad we cleared that up.",
    ),
    Exchange(
        "Which team won the final in {year}?",
        "The final was won by the team from {city}, {small} to {digit}.",
        "{person} scored in minute {small}.",
        "There were {n} thousand people in the stadium.",
    ),
    Exchange(
        "I think I left my umbrella on the {time} train.",
        "Sorry to hear that!",
        "The lost property office is usually open until {time}.",
        "You could call them and give the number of the carriage.",
    ),
    Exchange(
        "Translate 'good morning' into Portuguese.",
        "It's 'bom dia'.",
        "After noon people say 'boa tarde'.",
    ),
    Exchange(
        "How long should I boil an egg?",
        "About {small} minutes for a soft one.",
        "At {n} metres above the sea it takes a little longer.",
        "Don't put it straight into boiling water if it comes from the fridge.",
    ),
    Exchange(
        "Don't worry about the typo, I fixed it myself.",
        "Great, thanks for letting me know.",
    ),
    Exchange(
        "{first} told me a joke about a parrot at {time} and I'm still laughing.",
        "Now I want to hear it!",
        "Parrots can live for {small} years, so the joke may outlast us.",
    ),
    Exchange(
        "What does error {n} mean?",
        "It means that the server took too long to answer.",
        "Look into {path} for the details.",
        "Ticket {code} in the public tracker describes the same thing.",
        "Restarting helps in {small} % of the cases.",
    ),
    Exchange(
        "I'd rather have tea right now, honestly.",
        "Tea it is!",
        "Green tea wants {small} degrees, not boiling water.",
    ),
    Exchange(
        "Could you suggest a name for a cat?",
        "How about {first}?",
        "In {year} the most popular one in {city} was {first}.",
        "Short names with an 'i' at the end are easy to call.",
    ),
    Exchange(
        "What's {n} times {small}?",
        "Let me see: multiply {n} by {small} and you get the product.",
        "A calculator is quicker, of course.",
    ),
    Exchange(
        "I never understood why cats do that.",
        "They mark what belongs to them.",
        "A study from {year} with {n} cats showed that they also do it when they are bored.",
    ),
    Exchange(
        "Who was {person}?",
        "{person} was a painter from {city}, born on {date}.",
        "The best-known work was sold for {amount}.",
        "The museum keeps {n} of the drawings.",
    ),
    Exchange(
        "Good evening! How are you?",
        "Good evening! All well here, what can I do for you?",
    ),
    Exchange(
        "Summarise the article about batteries for me.",
        "The article says that capacity rose by {small} % in {digit} years.",
        "It quotes {person}, who leads a lab in {city}.",
        "Prices should fall below {amount} per unit by {year}.",
        "Recycling is still the open problem.",
    ),
    Exchange(
        "I can't believe it's already {weekday}.",
        "Time flies!",
        "Only {small} days to the holidays.",
    ),
    Exchange(
        "How do I find large files on Linux?",
        "Use du -sh on the folder, or find with -size +{n}M.",
        "Old logs in {path} are a frequent culprit.",
        "Do not delete anything below /proc, those are not real files.",
    ),
    Exchange(
        "The neighbours were loud until {time}, I'm exhausted.",
        "That's annoying, I'm sorry.",
        "A nap of {small} minutes can do wonders.",
    ),
    Exchange(
        "Let's talk about something else.",
        "Sure, what would you like to talk about?",
    ),
    Exchange(
        "What should I watch tonight?",
        "There's a documentary by {person} that got {digit} stars.",
        "It runs for {n} minutes.",
        "If you prefer something lighter, try the series set in {city}.",
    ),
    Exchange(
        "How far is it from {city} to the coast?",
        "It's {n} km by road, roughly {digit} hours.",
        "The toll is {price}.",
        "There is a bus at {time} too.",
    ),
    Exchange(
        "My neighbour {person} bought a boat for {amount}, imagine that.",
        "Wow, that is quite a purchase!",
        "Mooring alone can cost {price} a day.",
    ),
    Exchange(
        "What changed in version {version}?",
        "Version {version} came out on {date} and fixed {small} bugs.",
        "The default of {constant} changed as well.",
        "The full notes are at https://example.org/notes/{version}.",
    ),
    Exchange(
        "I don't know, maybe later.",
        "No problem, just say so when you're ready.",
    ),
    Exchange(
        "Read me the recipe again.",
        "You need {n} g of flour, {digit} eggs and {small} ml of milk.",
        "Bake it at {n} degrees for {small} minutes.",
        "Let it cool for {small} minutes before cutting.",
    ),
    Exchange(
        "Last week we saw {person} live in {city}, the tickets were {price} each.",
        "What a treat!",
        "The tour goes on until {date}.",
        "I've heard the encore alone takes {small} minutes.",
    ),
    Exchange(
        "Which of the two titles do you like better?",
        "I prefer the first one, it is shorter by {small} characters.",
        "The second one sounds a little old-fashioned.",
    ),
    Exchange(
        "I like the second version more.",
        "Good choice, it reads better aloud.",
    ),
)

ENGLISH = Language(
    name="English",
    tuned=_TUNED,
    held_out=_HELD_OUT,
    openers=(
        "Hi again!",
        "Before I forget.",
        "One more detail.",
        "So, about my plans.",
        "Sorry for the delay.",
        "Right.",
    ),
    followers=(
        "Does that make sense?",
        "What do you think?",
        "More on that later.",
        "Anyway, thanks for your patience!",
        "Can you work with that?",
    ),
    acknowledgements=(
        "Got it, thank you.",
        "Understood. I'll take it into account from now on.",
        "Thanks for telling me! Shall we go on with the rest?",
        "Good to know. Anything else?",
    ),
    filler=_FILLER,
    talk=ENGLISH_TALK,
    amounts=("{big} EUR", "€{big}", "${big}", "{big} dollars", "£{big}", "{big} euros"),
    prices=("${small}.50", "{small} euros", "£{small}", "{small}.90 euros"),
    thousands=",",
    months=(
        "January February March April May June July August September October November December"
    ),
    weekdays="Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    dates=(
        "{day} {month} {year}",
        "{month} {day}, {year}",
        "{year}-{number:02}-{day:02}",
        "{weekday} {day} {month}",
        "{month} {day}",
    ),
    times=("{hour}:{minute} pm", "{hour} pm", "{hour}:{minute}", "{hour}:{minute} am"),
    first_names=(
        "Priya Marcus Olivia Tobias Hannah Desmond Ingrid Callum Rosalind Farid Naomi Winston "
        "Beatrice Anselm Tamsin Rupert Leila Gideon Maeve Quentin"
    ),
    last_names=(
        "Raghunathan Whitfield Okafor Lindqvist Abernathy Delacroix Haverford Nakamura Pemberton "
        "Osei Castellan Thornbury Vasquez Kowalczyk Ferris Grantham Holloway Ibarra Marchetti Yeo"
    ),
    cities=("Rotterdam Bristol Tallinn Porto Leeds Ghent Cork Malmö Utrecht Graz Bergen Dundee"),
    likings=(
        "aisle seats",
        "answers without bullet points",
        "early morning trains",
        "dark mode screenshots",
        "short emails",
        "British spelling",
        "quiet hotels near the park",
        "decaf coffee after lunch",
    ),
    foods=("peanuts", "shellfish", "gluten", "sesame", "walnuts", "lactose"),
    tools=("Redis", "MongoDB", "Kafka", "Dropbox", "WhatsApp", "Kubernetes", "Zapier", "Oracle"),
    choices=(
        "the blue logo",
        "the night ferry",
        "PostgreSQL on a single machine",
        "the smaller van",
        "a buffet instead of table service",
        "the two-year contract",
        "the garden room",
        "plain text emails",
    ),
)
