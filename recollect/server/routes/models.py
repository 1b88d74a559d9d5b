"""Which model variants there are."""

from fastapi import APIRouter

from recollect.server.auth import Caller, Memory
from recollect.server.schema_base import Out

router = APIRouter(prefix="/api/models", tags=["models"])


class ModelVariant(Out):
    name: str
    model: str
    window: int
    is_local: bool
    is_default: bool


class ModelList(Out):
    """As any other list, though it is never so long that it would have to go on."""

    items: list[ModelVariant]
    next_cursor: str | None = None
    default: str


@router.get("")
async def list_all(caller: Caller, memory: Memory) -> ModelList:
    models = memory.models
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
        default=models.default,
    )
