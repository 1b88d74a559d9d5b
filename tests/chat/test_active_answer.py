"""The text of an answer while it is generated."""

from io import BytesIO

from recollect.sync import Recollect
from tests.conftest import Open
from tests.scripted_model import Answer, ScriptedModel


def test_endless_answer_is_cut_at_the_limit_and_can_be_imported(
    open_with_model: Open, model: ScriptedModel
) -> None:
    """The limit is in bytes, for what comes in and for what is written here."""
    memory = open_with_model(max_message_bytes=1_000)
    model.answers(Answer(text="漢字 " * 300))
    answer = memory.chat.ask("Write.", user_id="alice").result().message
    assert (answer.status, answer.metadata["too_large"]) == ("error", True)
    assert 900 < len(answer.content.encode()) <= 1_000
    file = "".join(memory.data.export_lines(user_id="alice")).encode()
    done = memory.data.import_file(BytesIO(file), user_id="bob")
    assert (done.imported.messages, done.failures) == (2, 0)


def test_invalid_characters_of_a_model_are_replaced(
    memory: Recollect, model: ScriptedModel
) -> None:
    model.answers("a\0b \ud83d \ud83d\ude00 c")
    result = memory.chat.ask("Hi", user_id="alice").result()
    assert result.message.status == "complete"
    assert result.message.content == "ab \ufffd 😀 c"
