"""Which summarizer a policy has: a model where one is configured, else the extractive one.

The presets name OpenAI's models, as their specifications do; another endpoint has others. So a
preset's name is used on OpenAI's own endpoint for as long as it has that model, a name that was set
outright is used everywhere, and elsewhere the chat model itself digests. The same holds for the
hosted prompt.
"""

from recollect.core.policy import DEFAULT_POLICY, PRESETS, Policy
from recollect.digest.summaries.summarizer import Summarizer
from recollect.llm.protocols import ChatModel, HostedPrompt
from recollect.llm.registry import Models


class Summarizers:
    def __init__(
        self, models: Models, *, default_policy: Policy, hosted_prompt: HostedPrompt | None
    ) -> None:
        self._models = models
        self._default_policy = default_policy
        self._hosted_prompt = hosted_prompt
        self._made: dict[str, Summarizer] = {}

    def get(self, policy: Policy) -> Summarizer:
        if policy.name not in self._made:
            model = self._model(policy)
            hosted = self._hosted_prompt if model and policy.name == DEFAULT_POLICY else None
            self._made[policy.name] = Summarizer(model, hosted=hosted)
        return self._made[policy.name]

    def reader(self) -> ChatModel | None:
        """The model that finds topics and memories."""
        return self._model(self._default_policy)

    def _is_openai(self) -> bool:
        return self._models.variants[self._models.default].is_openai

    def _model(self, policy: Policy) -> ChatModel | None:
        preset, name = PRESETS.get(policy.name), policy.summarizer_model
        is_set_outright = preset is None or preset.summarizer_model != name
        if is_set_outright:
            return self._models.summarizer(name)
        return self._models.summarizer(name if self._is_openai() else None, or_own=True)
