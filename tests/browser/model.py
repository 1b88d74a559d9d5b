"""The model that the browser's server talks to: it answers each question as a test says.

Whatever else it is asked (to summarize, to name, to extract) it refuses for good, so that all of
that is done without a model, at once and always the same way.
"""

from tests.scripted_model import Body, Plain, ScriptedModel, fails


class TalkingModel(ScriptedModel):
    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, list[Plain]] = {}
        self.always = self._reply

    def says(self, question: str, *answers: Plain) -> None:
        """Its answers to a question, in turn; the last one again and again."""
        self._said[question] = list(answers)

    def _reply(self, body: Body) -> Plain:
        if not body.get("stream"):
            return fails(400, "This model only talks.")
        question = body["messages"][-1]["content"]
        answers = self._said.get(question)
        if answers is None:
            return f"You said: {question}"
        return answers.pop(0) if len(answers) > 1 else answers[0]
