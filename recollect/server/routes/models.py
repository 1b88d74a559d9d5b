"""/api/models: the configured model variants."""

from recollect.server.auth import Caller, Engine
from recollect.server.schema_base import ResponseModel
from recollect.server.schemas import Router

router = Router(prefix="/api/models", tags=["models"])


class ModelVariant(ResponseModel):
    name: str
    model: str
    window: int
    is_local: bool
    is_default: bool


class ModelList(ResponseModel):
    """A list like the others, but always complete: `next_cursor` is null."""

    items: list[ModelVariant]
    next_cursor: str | None = None
    default: str


@router.get("")
async def list_models(caller: Caller, engine: Engine) -> ModelList:
    models = engine.models
    return ModelList(
        items=[
            ModelVariant(
                name=variant.name,
                model=variant.model,
                window=variant.window,
                is_local=variant.is_local,
                is_default=name == models.default,
            )
            for name, variant in models.variants.items()
        ],
        default=models.default or "",
    )
