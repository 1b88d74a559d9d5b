"""Relative days are resolved against the day of the message, or left alone if they are not certain.

4 June 2024 was a Tuesday.
"""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.relative_day_grammar import compile_phrases
from recollect.language.relative_days import annotate_relative_days, find_relative_days

SAID_ON = date(2024, 6, 4)

RESOLVED = {
    "en": [
        ("I went to the market yesterday.", "yesterday (3 June 2024)"),
        ("Yesterday's news was bad.", "Yesterday's (3 June 2024) news"),
        ("It was the day before yesterday.", "the day before yesterday (2 June 2024)"),
        ("We meet today at noon.", "today (4 June 2024) at"),
        ("See you tomorrow morning!", "tomorrow morning (5 June 2024)!"),
        ("I leave the day after tomorrow.", "the day after tomorrow (6 June 2024)"),
        ("I saw her last Friday.", "last Friday (31 May 2024)"),
        ("The exam is next Monday.", "next Monday (10 June 2024)"),
        ("Come this Friday.", "this Friday (7 June 2024)"),
        ("I was ill last week.", "last week (27 May to 2 June 2024)"),
        ("What about this weekend?", "this weekend (8 to 9 June 2024)"),
        ("I moved last month.", "last month (May 2024)"),
        ("We marry next year.", "next year (2025)"),
        ("He came two days ago.", "two days ago (2 June 2024)"),
        ("He came 3 weeks ago.", "3 weeks ago (13 to 19 May 2024)"),
        ("I quit six months ago.", "six months ago (December 2023)"),
        ("My flight is in three weeks.", "in three weeks (24 to 30 June 2024)"),
        ("It opens ten days from now.", "ten days from now (14 June 2024)"),
        ("I SAW HIM YESTERDAY", "YESTERDAY (3 June 2024)"),
    ],
    "it": [
        ("Ieri sono andata al mercato.", "Ieri (3 giugno 2024) sono"),
        ("L'ho visto l'altro ieri.", "l'altro ieri (2 giugno 2024)"),
        ("Parto domani sera.", "domani sera (5 giugno 2024)"),
        ("Ci vediamo dopodomani.", "dopodomani (6 giugno 2024)"),
        ("Venerdì scorso pioveva.", "Venerdì scorso (31 maggio 2024)"),
        ("Il prossimo lunedì ho l'esame.", "prossimo lunedì (10 giugno 2024)"),
        ("La settimana scorsa ero a Roma.", "scorsa (dal 27 maggio al 2 giugno 2024)"),
        ("L'anno scorso ho cambiato casa.", "anno scorso (2023)"),
        ("È successo due giorni fa.", "due giorni fa (2 giugno 2024)"),
        ("Mi sposo tra tre mesi.", "tra tre mesi (settembre 2024)"),
    ],
    "es": [
        ("Ayer fui al mercado.", "Ayer (3 de junio de 2024) fui"),
        ("Mañana por la mañana viajo.", "Mañana por la mañana (5 de junio de 2024)"),
        ("Llega pasado mañana.", "pasado mañana (6 de junio de 2024)"),
        ("El viernes pasado llovía.", "viernes pasado (31 de mayo de 2024)"),
        ("El lunes que viene empiezo.", "lunes que viene (10 de junio de 2024)"),
        ("La semana pasada enfermé.", "pasada (del 27 de mayo al 2 de junio de 2024)"),
        ("El mes pasado me mudé.", "mes pasado (mayo de 2024)"),
        ("Llegó hace dos días.", "hace dos días (2 de junio de 2024)"),
        ("Vuelo dentro de tres semanas.", "semanas (del 24 al 30 de junio de 2024)"),
    ],
    "fr": [
        ("Hier je suis allé au marché.", "Hier (3 juin 2024) je"),
        ("Elle est venue avant-hier.", "avant-hier (2 juin 2024)"),
        ("On se voit aujourd'hui.", "aujourd'hui (4 juin 2024)"),
        ("Je pars demain matin.", "demain matin (5 juin 2024)"),
        ("Vendredi dernier il pleuvait.", "Vendredi dernier (31 mai 2024)"),
        ("L'examen est lundi prochain.", "lundi prochain (10 juin 2024)"),
        ("La semaine dernière j'étais malade.", "dernière (du 27 mai au 2 juin 2024)"),
        ("L'an dernier j'ai déménagé.", "an dernier (2023)"),
        ("C'était il y a deux mois.", "il y a deux mois (avril 2024)"),
        ("Je pars dans trois jours.", "dans trois jours (7 juin 2024)"),
    ],
    "de": [
        ("Gestern war ich auf dem Markt.", "Gestern (3. Juni 2024) war"),
        ("Morgen fahre ich weg.", "Morgen (5. Juni 2024) fahre"),
        ("Wir sehen uns übermorgen.", "übermorgen (6. Juni 2024)"),
        ("Letzten Freitag hat es geregnet.", "Letzten Freitag (31. Mai 2024)"),
        ("Die Prüfung ist am nächsten Montag.", "nächsten Montag (10. Juni 2024)"),
        ("Kommenden Freitag geht es los.", "Kommenden Freitag (7. Juni 2024)"),
        ("Letzte Woche war ich krank.", "Letzte Woche (27. Mai bis 2. Juni 2024)"),
        ("Letztes Jahr bin ich umgezogen.", "Letztes Jahr (2023)"),
        ("Das war vor zwei Tagen.", "vor zwei Tagen (2. Juni 2024)"),
        ("Der Flug geht in drei Monaten.", "in drei Monaten (September 2024)"),
    ],
    "pt": [
        ("Ontem fui ao mercado.", "Ontem (3 de junho de 2024) fui"),
        ("Viajo amanhã de manhã.", "amanhã de manhã (5 de junho de 2024)"),
        ("Ela chega depois de amanhã.", "depois de amanhã (6 de junho de 2024)"),
        ("Sexta passada choveu.", "Sexta passada (31 de maio de 2024)"),
        ("A prova é na próxima segunda-feira.", "segunda-feira (10 de junho de 2024)"),
        ("Na semana passada adoeci.", "passada (de 27 de maio a 2 de junho de 2024)"),
        ("No mês que vem eu me mudo.", "mês que vem (julho de 2024)"),
        ("Ele chegou há dois dias.", "há dois dias (2 de junho de 2024)"),
        ("Foi dois anos atrás.", "dois anos atrás (2022)"),
    ],
    "fil": [
        ("Pumunta ako sa palengke kahapon.", "kahapon (ika-3 ng Hunyo 2024)"),
        ("Aalis ako bukas.", "bukas (ika-5 ng Hunyo 2024)"),
        ("Umulan noong nakaraang Biyernes.", "Biyernes (ika-31 ng Mayo 2024)"),
        ("May exam ako sa susunod na Lunes.", "susunod na Lunes (ika-10 ng Hunyo 2024)"),
        ("Nagkasakit ako noong nakaraang buwan.", "nakaraang buwan (Mayo 2024)"),
        (
            "Nagkasakit ako noong nakaraang linggo.",
            "linggo (ika-27 ng Mayo hanggang ika-2 ng Hunyo 2024)",
        ),
        ("Dumating siya dalawang araw na ang nakalipas.", "nakalipas (ika-2 ng Hunyo 2024)"),
    ],
}


@pytest.mark.parametrize(
    ("text", "resolved"), [case for language in RESOLVED.values() for case in language]
)
def test_relative_days_are_resolved(text: str, resolved: str) -> None:
    assert resolved in annotate_relative_days(text, SAID_ON)


def test_every_language_with_relative_days_is_complete_and_tested() -> None:
    grammars = {grammar.code: grammar for grammar, _ in compile_phrases().sources}
    assert grammars.keys() == RESOLVED.keys()
    for grammar in grammars.values():
        assert len(grammar.months) == 12
        assert grammar.units.groups == 5
        assert grammar.weekdays.groups == 7
        assert grammar.numbers.groups == 12


@pytest.mark.parametrize(
    "text",
    [
        'My favourite song is "Yesterday".',
        "She said: “I saw him yesterday, and he was fine.”",
        "Er sagte „gestern war es kalt“.",
        "We sang Yesterday by the Beatles.",
        "I read USA Today.",
        "It is a variable, `today`, in report_today.py or example.com/today.",
        "```\nyesterday = now - day\n```",
        "That day was long, and one day I will go back.",
        "The next week was hard, and so was the last week of May.",
        "I lost five kilos in three weeks.",
        "Half a year ago, about two weeks ago, or two or three days ago.",
        "Yesterday (Monday the 3rd) I stayed at home.",
        "Tomorrow, 5 June, I leave.",
        "Next Friday or last Monday.",
        "This Monday.",
        "Al giorno d'oggi costa troppo.",
        "Me levanto temprano por la mañana.",
        "Hace un año y medio.",
        "Guten Morgen! Ich bin hier, und das ist gut.",
        "Ich stehe jeden Morgen um sechs auf.",
        "Ich habe das in drei Wochen gelernt.",
        "Il y a trois semaines de vacances.",
        "Bukas ang tindahan.",
        "800 years from now, or in 999 years of 9999 years.",
    ],
)
def test_uncertain_days_are_left_alone(text: str) -> None:
    said_on = date(9_500, 6, 4) if "9999" in text else SAID_ON
    assert annotate_relative_days(text, said_on) == text


def test_weekdays_are_resolved_only_if_all_readings_agree() -> None:
    friday = date(2024, 6, 7)
    assert annotate_relative_days("last Friday", friday) == "last Friday (31 May 2024)"
    assert annotate_relative_days("next Friday", friday) == "next Friday (14 June 2024)"
    assert annotate_relative_days("next Monday", friday) == "next Monday (10 June 2024)"
    assert annotate_relative_days("last Monday", friday) == "last Monday"
    assert annotate_relative_days("next Saturday", friday) == "next Saturday"


def test_weeks_are_not_certain_on_a_sunday() -> None:
    sunday = date(2024, 6, 9)
    assert annotate_relative_days("last week and this week", sunday) == "last week and this week"
    assert annotate_relative_days("last weekend", sunday) == "last weekend (1 to 2 June 2024)"
    assert annotate_relative_days("two days ago", sunday) == "two days ago (7 June 2024)"


def test_range_over_the_new_year_has_both_years() -> None:
    assert (
        annotate_relative_days("last week", date(2025, 1, 6))
        == "last week (30 December 2024 to 5 January 2025)"
    )


WORDS = (
    "yesterday Yesterday's today tomorrow last next this Friday Monday week month year two 3 days "
    "ago in a the of and ( ) \" “ ” ' ` , . ieri scorsa settimana fa tra due giorni hier gestern "
    "morgen letzten Freitag vor drei Tagen ayer hace dos ontem passada kahapon noong nakaraang "
    "linggo Linggo ``` 5 June 2024 (3 from now I went"
)
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from([*WORDS.split(), "\n", "\r"]), max_size=25).map(" ".join),
)
DAYS = st.one_of(st.dates(), st.dates(date(2024, 1, 1), date(2024, 12, 31)))


@given(TEXTS, DAYS)
def test_only_annotations_are_added(text: str, said_on: date) -> None:
    rest = annotate_relative_days(text, said_on)
    for day in find_relative_days(text, said_on):
        assert day.start < day.end
        assert day.period.first <= day.period.last
        annotation = f" ({day.written})"
        assert rest[day.end :].startswith(annotation)
        rest = rest[: day.end] + rest[day.end + len(annotation) :]
    assert rest == text


@given(TEXTS, DAYS)
def test_annotated_text_is_not_annotated_again(text: str, said_on: date) -> None:
    annotated = annotate_relative_days(text, said_on)
    assert annotate_relative_days(annotated, said_on) == annotated
