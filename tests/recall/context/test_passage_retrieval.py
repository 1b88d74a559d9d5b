"""Older passages come back if they are relevant to the message, or if it refers to them."""

import pytest

from recollect import Context, Message, MessageIn, MessagesContext, Settings
from recollect.sync import Recollect
from tests.conftest import Clock
from tests.recall.sample_conversations import Draft, assistant, call, tool, user
from tests.scripted_model import ScriptedModel, stalls

USER = "ada"
VET = [user("Our dog Biscuit sees doctor Moreau, the vet."), assistant("I'll keep that in mind.")]
VISA = [
    user("When does my visa for Japan run out?"),
    assistant(tool_calls=[call(id="1")]),
    tool("2027-03-09", of="1"),
    assistant("On 9 March 2027."),
]
TALK = [
    draft
    for n in range(8)
    for draft in (user(f"Idle remark number {n}."), assistant("Quite so, indeed."))
]


def remembering(
    memory: Recollect, *drafts: Draft, policy: str = "rolling", pins: tuple[int, ...] = ()
) -> str:
    """Return a conversation of which all but the last few messages are digested."""
    chat = memory.conversations.create_conversation(user_id=USER, policy=policy).id
    stored = memory.conversations.add_messages(
        [MessageIn(**draft) for draft in [*drafts, *TALK]], conversation_id=chat, user_id=USER
    )
    for seq in pins:
        memory.conversations.pin_message(
            message_id=stored[seq - 1].id, user_id=USER, is_pinned=True
        )
    memory.summaries.compact(conversation_id=chat, user_id=USER, force=True)
    return chat


def add(memory: Recollect, chat: str, *drafts: Draft) -> list[Message]:
    return memory.conversations.add_messages(
        [MessageIn(**draft) for draft in drafts], conversation_id=chat, user_id=USER
    )


def seqs(built: Context, section: str, outcome: str = "included") -> list[int | None]:
    return [
        item.first_seq
        for item in built.receipt.items
        if item.section == section and item.outcome == outcome and item.message_id
    ]


def text(built: MessagesContext) -> str:
    return "\n".join(str(message["content"]) for message in built.messages)


def test_relevant_messages_are_quoted_with_number_day_and_speaker(memory: Recollect) -> None:
    chat = remembering(memory, *VET, *VISA)
    built = memory.contexts.build_context(
        "What was the name of Biscuit's vet?", conversation_id=chat, user_id=USER
    )
    assert 1 in seqs(built, "retrieved")
    assert "#1 user: Our dog Biscuit sees doctor Moreau, the vet." in text(built)
    assert built.receipt.memory_tokens <= built.receipt.budget


def test_a_tool_result_is_quoted_with_its_call(memory: Recollect) -> None:
    booking = [
        user("Book the ferry to Zanzibar for me."),
        assistant(tool_calls=[call("book_ferry", id="1", input={"to": "Zanzibar"})]),
        tool("Ferry to Zanzibar: booking reference QX-7719-ZZ", of="1"),
        assistant("Done, you are booked."),
    ]
    chat = remembering(memory, *booking)
    built = memory.contexts.build_context(
        "What is the booking reference of the Zanzibar ferry?", conversation_id=chat, user_id=USER
    )
    assert 3 in seqs(built, "retrieved")
    assert '#3 tool (result of book_ferry({"to": "Zanzibar"})): Ferry' in text(built)


def test_an_output_stored_with_its_call_is_retrieved(memory: Recollect) -> None:
    output = {"booking_reference": "QX-7719-ZZ", "ferry": "Zanzibar"}
    drafts = [
        user("Book the ferry to Zanzibar for me."),
        assistant("Done.", tool_calls=[call("book_ferry", id="1", output=output)]),
    ]
    chat = remembering(memory, *drafts)
    built = memory.contexts.build_context(
        "What is the booking reference of the Zanzibar ferry?", conversation_id=chat, user_id=USER
    )
    assert "QX-7719-ZZ" in text(built).partition("## Earlier in this conversation")[2]


def test_of_a_long_answer_only_the_relevant_passage_is_quoted(memory: Recollect) -> None:
    pad = "Walking along the river in the evening is pleasant when nobody hurries home. "
    fact = "The ferry to Zanzibar leaves from the third pier at half past six."
    answer = "\n\n".join([*[pad * 8] * 6, fact, *[pad * 8] * 6])
    chat = remembering(memory, user("Tell me about evenings."), assistant(answer))
    built = memory.contexts.build_context(
        "From which pier does the Zanzibar ferry leave?", conversation_id=chat, user_id=USER
    )
    (item,) = [i for i in built.receipt.items if i.section == "retrieved" and i.first_seq == 2]
    assert fact in answer[item.start : item.end]
    assert fact in text(built)
    assert item.tokens < 300


def test_undigested_messages_without_room_in_the_tail_are_retrieved(
    memory: Recollect,
) -> None:
    chat = memory.conversations.create_conversation(user_id=USER, policy="chunked").id
    filler = [
        draft
        for n in range(24)
        for draft in (user(f"Idle remark number {n}. " * 8), assistant("Quite so. " * 40))
    ]
    drafts = [user("Our locker code is HERON-7741."), assistant("Noted."), *filler]
    memory.conversations.add_messages(
        [MessageIn(**draft) for draft in drafts], conversation_id=chat, user_id=USER
    )
    assert memory.summaries.get_summary(conversation_id=chat, user_id=USER).version == 0
    built = memory.contexts.build_context(
        "Is it HERON-7741 or not?", conversation_id=chat, user_id=USER, budget=2_000
    )
    assert 1 in seqs(built, "retrieved")
    assert 1 not in seqs(built, "tail")
    assert built.receipt.memory_tokens <= 2_000


@pytest.mark.parametrize("fillers", [8, 11])
def test_a_message_is_quoted_once(memory: Recollect, fillers: int) -> None:
    chat = memory.conversations.create_conversation(user_id=USER, policy="chunked").id
    pad = "Walking along the river in the evening is pleasant when nobody hurries home. "
    for n in range(6):
        add(memory, chat, user(f"The Zanzibar ferry needs a booking, item {n}. " + pad * 3),
            assistant(pad * 2))  # fmt: skip
    memory.summaries.compact(conversation_id=chat, user_id=USER, force=True)
    code = "The booking code of the Zanzibar ferry is QX-7719-ZZ."
    add(memory, chat, user(code), assistant("Noted: the code of the Zanzibar ferry."))
    for n in range(fillers):
        add(memory, chat, user(f"About gardening, step {n}. " + pad * 4), assistant(pad * 4))
    question = "What is the booking code of the Zanzibar ferry?"
    built = memory.contexts.build_context(
        question, conversation_id=chat, user_id=USER, budget=2_000
    )
    assert text(built).count(code) == 1
    sent = [
        (item.first_seq, item.start)
        for item in built.receipt.items
        if item.message_id and item.outcome != "dropped"
    ]
    assert len(sent) == len(set(sent))


def test_nothing_is_retrieved_if_everything_is_shown(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id=USER).id
    memory.conversations.add_messages(
        [MessageIn(**draft) for draft in VET], conversation_id=chat, user_id=USER
    )
    built = memory.contexts.build_context(
        "Which vet does Biscuit see?", conversation_id=chat, user_id=USER
    )
    assert seqs(built, "tail") == [1, 2]
    assert seqs(built, "retrieved") == []


def test_a_stored_unanswered_message_is_the_query(memory: Recollect) -> None:
    chat = remembering(memory, *VET, *VISA)
    question = MessageIn(role="user", content="What was the name of Biscuit's vet?")
    memory.conversations.add_message(question, conversation_id=chat, user_id=USER)
    built = memory.contexts.build_context(conversation_id=chat, user_id=USER)
    assert 1 in seqs(built, "retrieved")


@pytest.mark.both_databases
@pytest.mark.parametrize("question", ["And the second one?", "What about her?", "E la seconda?"])
def test_a_question_that_points_back_is_searched_with_the_last_exchange(
    memory: Recollect, question: str
) -> None:
    """The exchange matches its own words best, and must not keep the older passage out."""
    fact = "Our dog Biscuit also sees a vet in Lyon, doctor Moreau."
    chat = remembering(memory, user(fact), assistant("I'll keep that in mind."), *VISA)
    alone = memory.contexts.build_context(question, conversation_id=chat, user_id=USER)
    assert 1 not in seqs(alone, "retrieved")
    exchange = (
        user("Which vets does our dog Biscuit have?"),
        assistant("Biscuit has two vets. The first is doctor Klein."),
    )
    add(memory, chat, *exchange)
    built = memory.contexts.build_context(question, conversation_id=chat, user_id=USER)
    assert 1 in seqs(built, "retrieved")
    assert fact in text(built)


def test_small_talk_retrieves_nothing(memory: Recollect) -> None:
    chat = remembering(memory, *VET, *VISA)
    for message in ("Thanks!", "How are you?", "ok 👍", "Good morning!"):
        built = memory.contexts.build_context(message, conversation_id=chat, user_id=USER)
        assert seqs(built, "retrieved") == [], message


def test_no_message_is_sent_twice(memory: Recollect) -> None:
    chat = remembering(memory, *VET, pins=(1,))
    built = memory.contexts.build_context(
        "Which vet does Biscuit see?", conversation_id=chat, user_id=USER
    )
    assert seqs(built, "pinned") == [1]
    assert 1 not in seqs(built, "retrieved")
    assert text(built).count("doctor Moreau") == 1 + text(built).count("Names: ")
    recent = memory.contexts.build_context(
        "What was idle remark number 7?", conversation_id=chat, user_id=USER
    )
    sent = seqs(recent, "tail") + seqs(recent, "retrieved") + seqs(recent, "pinned")
    assert len(sent) == len(set(sent))


@pytest.mark.parametrize(("policy", "budget"), [("window", None), ("ephemeral", 120)])
def test_policy_without_retrieval(memory: Recollect, policy: str, budget: int | None) -> None:
    """With `ephemeral`, only a small budget drops a turn: older turns are deleted."""
    chat = remembering(memory, *VET, policy=policy)
    question = "What was the name of Biscuit's vet?"
    built = memory.contexts.build_context(
        question, conversation_id=chat, user_id=USER, budget=budget
    )
    assert 1 not in seqs(built, "tail")
    assert len(seqs(built, "tail")) > 0
    assert seqs(built, "retrieved") == seqs(built, "retrieved", "dropped") == []


def test_passages_stay_in_a_small_budget(memory: Recollect) -> None:
    chat = remembering(memory, *VET)
    question = "What was the name of Biscuit's vet?"
    built = memory.contexts.build_context(question, conversation_id=chat, user_id=USER, budget=200)
    assert seqs(built, "retrieved")[0] == 1
    assert seqs(built, "tail")[-1:] == [18] or seqs(built, "tail", "shortened")[-1:] == [18]
    assert built.receipt.memory_tokens <= 200


def test_a_referenced_turn_is_quoted(memory: Recollect) -> None:
    chat = remembering(memory, *VET, *VISA)
    built = memory.contexts.build_context(
        "Tell me more about the first one.", conversation_id=chat, user_id=USER
    )
    assert seqs(built, "references") == [1, 2]
    assert seqs(built, "retrieved") == []
    built = memory.contexts.build_context(
        "What did you say in turn 2?", conversation_id=chat, user_id=USER
    )
    assert seqs(built, "references") == [3, 6]
    built = memory.contexts.build_context(
        "La seconda, per favore", conversation_id=chat, user_id=USER
    )
    assert seqs(built, "references") == [3, 6]


def test_a_turn_referenced_by_subject_is_retrieved(memory: Recollect) -> None:
    chat = remembering(memory, *VET, *VISA)
    built = memory.contexts.build_context(
        "Go on with the one about the visa", conversation_id=chat, user_id=USER
    )
    assert seqs(built, "references") == []
    assert 3 in seqs(built, "retrieved")


def test_a_referenced_turn_in_the_tail_is_not_repeated(memory: Recollect) -> None:
    chat = remembering(memory, *VET)
    built = memory.contexts.build_context(
        "Say the last one again", conversation_id=chat, user_id=USER
    )
    assert seqs(built, "references") == []


def test_an_answer_to_be_replaced_is_ignored(memory: Recollect) -> None:
    chat = remembering(memory, *VET)
    drafts = (user("Which vet does Biscuit see?"), assistant("Biscuit's vet is called Zebra."))
    asked, answer = add(memory, chat, *drafts)
    built = memory.contexts.build_context(conversation_id=chat, user_id=USER, before_seq=answer.seq)
    assert seqs(built, "message") == [asked.seq]
    assert 1 in seqs(built, "retrieved")
    assert "Zebra" not in text(built)
    memory.conversations.pin_message(message_id=answer.id, user_id=USER)
    built = memory.contexts.build_context(conversation_id=chat, user_id=USER, before_seq=answer.seq)
    assert seqs(built, "pinned") == []
    assert "Zebra" not in text(built)
    assert "Zebra" in text(
        memory.contexts.build_context("Which vet?", conversation_id=chat, user_id=USER)
    )


@pytest.mark.parametrize("reference", ["Say the last one again", "What was said in turn 9?"])
def test_an_answer_to_be_replaced_is_not_a_reference_of_its_question(
    memory: Recollect, reference: str
) -> None:
    chat = remembering(memory)
    *_, answer = add(memory, chat, user(reference), assistant("Zebra."))
    built = memory.contexts.build_context(conversation_id=chat, user_id=USER, before_seq=answer.seq)
    assert seqs(built, "references") == []
    assert "Zebra" not in text(built)


def test_full_mode_retrieves_nothing(memory: Recollect) -> None:
    chat = remembering(memory, *VET)
    built = memory.contexts.build_context(
        "Which vet does Biscuit see?", conversation_id=chat, user_id=USER, mode="full"
    )
    assert seqs(built, "retrieved") == []
    assert 1 in seqs(built, "tail")


def test_a_late_embedder_is_reported_in_the_receipt(database_url: str, clock: Clock) -> None:
    with ScriptedModel() as model:
        settings = Settings(
            database_url=database_url,
            embedding_model="scripted",
            embedding_dimensions=8,
            embedding_base_url=model.url,
            query_milliseconds=50,
        )
        with Recollect.open(settings=settings, clock=clock) as memory:
            chat = remembering(memory, *VET)
            memory.work()
            model.embeds(stalls(), stalls())
            built = memory.contexts.build_context(
                "Which vet does Biscuit see?", conversation_id=chat, user_id=USER
            )
            assert memory.recall.search("Biscuit", user_id=USER)[0].seq == 1
    assert 1 in seqs(built, "retrieved")
    (note,) = [item for item in built.receipt.items if item.source == "search by meaning"]
    assert (note.section, note.outcome, note.tokens) == ("retrieved", "dropped", 0)
    assert "not embedded in time" in note.reason
