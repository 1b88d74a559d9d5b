"""Exact values are found verbatim, with their kind, label and weight."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.core.types import ExactValueKind, Role
from recollect.digest.summaries.exact_values import find_exact_values
from recollect.digest.summaries.ledger import _STATED_WEIGHT
from tests.recall.sample_conversations import a_message


def values(content: str, kind: ExactValueKind, *, role: Role = "user") -> list[str]:
    return [
        value.value
        for value in find_exact_values(a_message(content, role=role))
        if value.kind == kind
    ]


IN_SEVEN_LANGUAGES: list[tuple[ExactValueKind, str, str]] = [
    # English
    ("date", "The deadline is 12 March 2027.", "12 March 2027"),
    ("date", "See you on Thursday, May 14th at 9:40 am.", "Thursday, May 14th at 9:40 am"),
    ("amount", "My budget is 4,250 EUR.", "4,250 EUR"),
    ("amount", "There will be 37 guests.", "37 guests"),
    ("name", "Ask for Priya Raghunathan at the desk.", "Priya Raghunathan"),
    ("constraint", "Whatever happens, do not use Redis.", "Whatever happens, do not use Redis"),
    ("constraint", "My son is allergic to peanuts.", "My son is allergic to peanuts"),
    ("preference", "I prefer aisle seats.", "I prefer aisle seats"),
    ("decision", "Let's go with the blue logo.", "Let's go with the blue logo"),
    # Italian
    ("date", "Ci vediamo il 12 marzo alle 15.30.", "12 marzo alle 15.30"),
    ("amount", "Costa € 1.250,50 in tutto.", "€ 1.250,50"),
    ("amount", "Saremo 14 ospiti.", "14 ospiti"),
    ("name", "Chiedi di Ludovica Marangoni.", "Ludovica Marangoni"),
    ("constraint", "Non usare MongoDB.", "Non usare MongoDB"),
    ("preference", "Preferisco i treni.", "Preferisco i treni"),
    ("decision", "Abbiamo deciso per il buffet.", "Abbiamo deciso per il buffet"),
    # Filipino
    ("date", "Ikakasal kami sa ika-12 ng Marso 2027.", "ika-12 ng Marso 2027"),
    ("date", "Magkita tayo nang alas-7 ng gabi.", "alas-7 ng gabi"),
    ("amount", "Ang badyet ay ₱18,500.", "₱18,500"),
    ("amount", "May 25 na bisita.", "25 na bisita"),
    ("name", "Si Maria dela Cruz ang kausap namin.", "Maria dela Cruz"),
    ("constraint", "Huwag gumamit ng Kafka.", "Huwag gumamit ng Kafka"),
    ("preference", "Mas gusto ko ang tsaa.", "Mas gusto ko ang tsaa"),
    ("decision", "Napagpasyahan naming magtren.", "Napagpasyahan naming magtren"),
    # Spanish
    ("date", "Será el 3 de febrero de 2027.", "3 de febrero de 2027"),
    ("amount", "Cuesta 300 euros.", "300 euros"),
    ("constraint", "No uses Oracle.", "No uses Oracle"),
    ("preference", "Prefiero el pasillo.", "Prefiero el pasillo"),
    ("decision", "Hemos decidido ir en tren.", "Hemos decidido ir en tren"),
    # French
    ("date", "Rendez-vous le 14 août 2027.", "14 août 2027"),
    ("amount", "Il faut 20 % d'acompte.", "20 %"),
    ("constraint", "Ne mettez pas de sucre.", "Ne mettez pas de sucre"),
    ("preference", "Je préfère le matin.", "Je préfère le matin"),
    ("decision", "Nous avons choisi le bleu.", "Nous avons choisi le bleu"),
    # German
    ("date", "Am 12. März um 9:30 Uhr.", "12. März um 9:30 Uhr"),
    ("amount", "Wir haben 2.500 Euro.", "2.500 Euro"),
    ("name", "Das ist mit Anna Schmidt und der Bank geklärt.", "Anna Schmidt"),
    ("constraint", "Bitte nicht anrufen.", "Bitte nicht anrufen"),
    ("preference", "Ich fahre lieber Bahn.", "Ich fahre lieber Bahn"),
    ("decision", "Wir haben uns für Blau entschieden.", "Wir haben uns für Blau entschieden"),
    # Portuguese
    ("date", "A entrega é em 5 de março de 2027.", "5 de março de 2027"),
    ("amount", "São R$ 1.200,50.", "R$ 1.200,50"),
    ("constraint", "Não use o Dropbox.", "Não use o Dropbox"),
    ("preference", "Prefiro o corredor.", "Prefiro o corredor"),
    ("decision", "Decidimos ficar em casa.", "Decidimos ficar em casa"),
    # in any language
    ("date", "会议在2027年3月12日举行。", "2027年3月12日"),
    ("date", "Дата: 2027-03-12T09:30Z", "2027-03-12T09:30Z"),
    ("date", "12/03/2027", "12/03/2027"),
    ("amount", "参加者は37人です。", "37人"),
]


@pytest.mark.parametrize(("kind", "content", "value"), IN_SEVEN_LANGUAGES)
def test_values_in_seven_languages(kind: ExactValueKind, content: str, value: str) -> None:
    assert value in values(content, kind)


@pytest.mark.parametrize(
    "value",
    [
        "PO-77123",
        "QX7-4410-B",
        "INV/2027/0042",
        "AZ 1768",
        "#4821",
        "123e4567-e89b-12d3-a456-426614174000",
        "9fceb02d0ae598e95dc970b74767f19372d61af8",
        "IT60 X054 2811 1010 0000 0123 456",
        "+39 02 1234567",
        "anna.bell+test@mail.example.org",
        "v2.1.0-rc.1",
        "192.168.0.1:8080",
        "MEMORY_K_RAW_TURNS",
        "through_seq",
    ],
)
def test_identifiers(value: str) -> None:
    assert values(f"It is {value}, so take it.", "identifier") == [value]


@pytest.mark.parametrize(
    "value",
    [
        "/etc/hosts",
        "~/notes/todo.md",
        "./run.sh",
        "C:\\Users\\Anna Bell\\plan.docx",
        "reports/q3/final.pdf",
        "budget_v2.xlsx",
    ],
)
def test_paths(value: str) -> None:
    assert values(f"It is in {value}, as I said.", "path") == [value]


def test_urls_and_quotes() -> None:
    assert values("See https://example.org/a?b=1#c.", "url") == ["https://example.org/a?b=1#c"]
    assert values('The title is "The Night Ferry".', "quote") == ["The Night Ferry"]
    assert values("Si chiama «Il faro».", "quote") == ["Il faro"]


@pytest.mark.parametrize(
    "content",
    [
        "Don't worry about it.",
        "I can't believe it.",
        "Non preoccuparti.",
        "Can you avoid that?",
        "Che ne pensi, preferisci il treno?",
        "Give me a list of what one must not eat.",
    ],
)
def test_talk_is_not_a_constraint(content: str) -> None:
    assert not [
        a for a in find_exact_values(a_message(content)) if a.kind in {"constraint", "preference"}
    ]


def test_first_word_of_a_sentence_is_not_a_name() -> None:
    assert values("Tomorrow works. Maybe later. The Bank is closed.", "name") == ["Bank"]
    assert values("Der Hund und die Katze sind im Haus.", "name") == []
    assert values("EVERYTHING IS SHOUTED HERE.", "name") == []


def test_labels_describe_values() -> None:
    labels = {
        value.value: value.label
        for content in (
            "My budget for the trip is 4,250 EUR.",
            "Il nostro codice cliente è BKD77164.",
            "₱18,500 ang badyet namin.",
        )
        for value in find_exact_values(a_message(content))
    }
    assert labels == {
        "4,250 EUR": "budget for the trip",
        "BKD77164": "codice cliente",
        "₱18,500": "badyet",
    }


def test_values_have_the_day_of_the_message() -> None:
    said_at = datetime(2024, 6, 4, 23, 30, tzinfo=timezone(timedelta(hours=-4)))
    (value,) = find_exact_values(a_message("The code is QX7T42.", event_at=said_at))
    assert (value.value, value.day) == ("QX7T42", "2024-06-05")


@pytest.mark.parametrize(
    ("content", "kind", "value", "label"),
    [
        ("My flight is tomorrow.", "date", "5 June 2024", "flight"),
        (
            "My flight leaves tomorrow at 9:40 am.",
            "date",
            "5 June 2024 at 9:40 am",
            "flight leaves",
        ),
        ("The exam is next Monday at 3 pm.", "date", "10 June 2024 at 3 pm", "exam"),
        ("Il mio volo parte domani.", "date", "5 giugno 2024", "volo parte"),
        ("I moved here last month.", "date", "May 2024", "moved here"),
        (
            "We decided to leave tomorrow.",
            "decision",
            "We decided to leave tomorrow (5 June 2024)",
            "",
        ),
    ],
)
def test_relative_days_are_values_with_their_date(
    content: str, kind: ExactValueKind, value: str, label: str
) -> None:
    said_at = datetime(2024, 6, 4, 12, tzinfo=UTC)
    found = find_exact_values(a_message(content, event_at=said_at))
    assert (kind, value, label) in [(each.kind, each.value, each.label) for each in found]
    assert not {"Monday", "tomorrow"} & {each.value for each in found}


def test_the_day_itself_and_weeks_are_no_values() -> None:
    said_at = datetime(2024, 6, 4, 12, tzinfo=UTC)
    content = "I am tired today, and I was ill last week."
    assert find_exact_values(a_message(content, event_at=said_at)) == []


def test_system_messages_have_no_values() -> None:
    content = "Never use Redis, order PO-77123, call Priya Raghunathan on 12 March 2027."
    assert find_exact_values(a_message(content, role="system")) == []
    assert values(content, "constraint")
    assert not values(content, "constraint", role="assistant")


def test_tool_results_have_values_but_no_clauses() -> None:
    content = "We decided: never use Redis. Your order PO-77123 arrives on 12 March 2027."
    found = find_exact_values(a_message(content, role="tool"))
    assert {(each.kind, each.value) for each in found} == {
        ("identifier", "PO-77123"),
        ("date", "12 March 2027"),
    }


def test_outputs_of_tool_calls_have_values() -> None:
    calls = [
        {
            "tool_name": "book",
            "input": {"id": "IN-1234"},
            "output": {"booking_reference": "QX7T42"},
        },
        {"tool_name": "pay"},
    ]
    (value,) = find_exact_values(a_message(role="assistant", seq=7, tool_calls=calls))
    assert (value.kind, value.value, value.label) == ("identifier", "QX7T42", "booking reference")
    assert (value.seq, value.day) == (7, "2026-03-04")
    assert value.weight < _STATED_WEIGHT


def test_code_gives_paths_and_identifiers_only() -> None:
    code = "Run this:\n```\nopen('/etc/hosts')  # never on 12 March 2027\nMAX_SIZE = 300\n```"
    assert {(a.kind, a.value) for a in find_exact_values(a_message(code))} == {
        ("path", "/etc/hosts"),
        ("identifier", "MAX_SIZE"),
    }


def test_long_sentence_gives_its_clause_only() -> None:
    filler = "which is a thing that we have been talking about for quite some time now"
    found = values(
        f"As to the queue, {filler}, we must never use Redis for it, {filler}.", "constraint"
    )
    assert found == ["we must never use Redis for it"]
    endless = "do not use " + "Redis or " * 100
    assert len(values(endless, "constraint")[0].split()) == 25


@given(st.text(), st.sampled_from(["user", "assistant"]))
def test_every_value_is_a_substring_of_the_message(content: str, role: Role) -> None:
    for found in find_exact_values(a_message(content, role=role)):
        assert found.value
        assert found.value in content
        assert found.label in content
        assert len(found.label.split()) <= 6
        assert "\n" not in found.value + found.label


WORDS = (
    "do not use never must i prefer we decided my our the order number is PO-77123 4,250 EUR 12 "
    'March 2027 Priya Raghunathan /etc/hosts https://a.example/b x_y , . ; : ( ) " « » ` - 3 100% '
    "C:\\a\\b #1"
)


@given(st.lists(st.sampled_from([*WORDS.split(), "\n", "```\n"]), max_size=60).map(" ".join))
def test_values_are_substrings_in_dense_text(content: str) -> None:
    for found in find_exact_values(a_message(content)):
        assert found.value
        assert found.value in content
        assert found.label in content
