"""A chat model with scripted answers.

It rejects all other requests (summaries, titles, extraction), so the server falls back to its
deterministic methods.
"""

from tests.scripted_model import Body, Plain, ScriptedModel, fails


class ChatModel(ScriptedModel):
    def __init__(self) -> None:
        super().__init__()
        self._scripted: dict[str, list[Plain]] = {}
        self.always = self._reply

    def script(self, question: str, *answers: Plain) -> None:
        """Set the answers to a question, in turn; the last one is repeated."""
        self._scripted[question] = list(answers)

    def _reply(self, body: Body) -> Plain:
        if not body.get("stream"):
            return fails(400, "This model only chats.")
        question = body["messages"][-1]["content"]
        answers = self._scripted.get(question)
        if answers is None:
            return f"You said: {question}"
        return answers.pop(0) if len(answers) > 1 else answers[0]
