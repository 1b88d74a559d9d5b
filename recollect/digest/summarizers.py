"""Which summarizer a policy has: a model where one is configured, else the extractive one.

The presets name OpenAI's models, as their specifications do; another endpoint has others. So a
preset's name is used on OpenAI's own endpoint for as long as it has that model, a name that was set
outright is used everywhere, and elsewhere the chat model itself digests. The same holds for the
hosted prompt.
"""

from recollect.digest.summarize import Summarizer
from recollect.models.base import ChatModel, HostedPrompt
from recollect.models.registry import Models
from recollect.policy import DEFAULT_POLICY, PRESETS, Policy
from recollect.settings import SUMMARY_PROMPT_ID, Settings


class Summarizers:
    def __init__(self, models: Models, settings: Settings) -> None:
        self._models = models
        self._settings = settings
        self._made: dict[str, Summarizer] = {}

    def get(self, policy: Policy) -> Summarizer:
        if policy.name not in self._made:
            model = self._model(policy)
            hosted = self._hosted() if model and policy.name == DEFAULT_POLICY else None
            self._made[policy.name] = Summarizer(model, hosted=hosted)
        return self._made[policy.name]

    def reader(self) -> ChatModel | None:
        """The model that finds topics and memories."""
        return self._model(self._settings.policies()[DEFAULT_POLICY])

    def _is_openai(self) -> bool:
        return self._models.variants[self._models.default].is_openai

    def _model(self, policy: Policy) -> ChatModel | None:
        preset, name = PRESETS.get(policy.name), policy.summarizer_model
        is_set_outright = preset is None or preset.summarizer_model != name
        if is_set_outright:
            return self._models.summarizer(name)
        return self._models.summarizer(name if self._is_openai() else None, or_own=True)

    def _hosted(self) -> HostedPrompt | None:
        id = self._settings.prompt_id_summary_global
        version = self._settings.prompt_version_summary_global
        is_set_outright = id != SUMMARY_PROMPT_ID or version
        if id == "none" or not (self._is_openai() or is_set_outright):
            return None
        return HostedPrompt(id=id, version=version or None)
