"""The bodies that several routes share, and the schemas of the types that services return.

A route declares the domain type that it returns, and `Router` publishes its schema: dataclasses
become models with the same fields, all of them required. `publish` declares the differences.

A class whose name a domain class has too ends in `Schema`. `openapi` publishes it without.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import partial, reduce, wraps
from operator import or_
from types import UnionType
from typing import (
    Annotated,
    Any,
    Generic,
    NotRequired,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from fastapi import APIRouter, Response
from fastapi.datastructures import DefaultPlaceholder
from fastapi.exceptions import ResponseValidationError
from fastapi.routing import APIRoute
from pydantic import ConfigDict, Field, GetPydanticSchema, StrictBool, create_model
from typing_extensions import TypedDict

from recollect.core.offload import LARGE, MAX_INLINE_CHARS, rough_size, run_off_loop
from recollect.core.types import Conversation, Deleted, Job, Message, MessageIn, Role
from recollect.server.audit import AuditedRoute
from recollect.server.schema_base import (
    FailFastList,
    JsonObject,
    RequestModel,
    ResponseModel,
    Timestamp,
)

T = TypeVar("T")


_schemas: dict[Any, type[ResponseModel]] = {}
"""By dataclass, or by a generic one with its arguments, such as `Page[Job]`."""


def publish(
    source: Any,
    name: str = "",
    *,
    hidden: Collection[str] = (),
    description: str | None = None,
    **changed_types: Any,
) -> None:
    """Define the schema of a dataclass that differs from it in its name or fields."""
    origin, arguments = get_origin(source) or source, get_args(source)
    types = {**get_type_hints(origin), **changed_types}
    shown = {field.name: types[field.name] for field in fields(origin) if field.name not in hidden}
    if arguments:  # generic, with one parameter
        shown = {field: _bound(type, arguments) for field, type in shown.items()}
        name = f"{origin.__name__}[{schema_of(arguments[0]).__name__}]"
    definitions: dict[str, Any] = {field: schema_of(type) for field, type in shown.items()}
    _schemas[source] = create_model(
        name or origin.__name__, __base__=ResponseModel, __doc__=description, **definitions
    )


def _bound(type: Any, arguments: tuple[Any, ...]) -> Any:
    return type[arguments] if getattr(type, "__parameters__", ()) else type


def schema_of(source: Any) -> Any:
    """Return the type with each dataclass in it replaced by its schema."""
    origin, arguments = get_origin(source), get_args(source)
    if is_dataclass(origin or source):
        if source not in _schemas:
            publish(source)
        return _schemas[source]
    if not arguments:
        return source
    replaced = tuple(schema_of(argument) for argument in arguments)
    return reduce(or_, replaced) if origin is UnionType else origin[replaced]


Published = Annotated[
    T, GetPydanticSchema(lambda source, handler: handler.generate_schema(schema_of(source)))
]
"""A domain type as a field of a response."""


class Router(APIRouter):
    """Publishes the types that its endpoints return. Requests are audited, and large bodies are
    validated outside the event loop."""

    def __init__(self, **options: Any) -> None:
        super().__init__(route_class=AuditedRoute, **options)

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        model = options.pop("response_model")
        if isinstance(model, DefaultPlaceholder):
            model = endpoint.__annotations__["return"]
            if isinstance(model, type) and issubclass(model, Response):
                model = None

        @wraps(endpoint)
        async def serialized(*args: Any, **kwargs: Any) -> Any:
            """Serialize a large result outside the event loop. FastAPI does it for small ones."""
            result = await endpoint(*args, **kwargs)
            if isinstance(result, Response) or rough_size(result) <= MAX_INLINE_CHARS:
                return result
            content = await run_off_loop(partial(_to_json, route, result), size=LARGE)
            response = Response(content, route.status_code or 200, media_type="application/json")
            for given in kwargs.values():
                if isinstance(given, Response):  # the endpoint has set its headers
                    response.headers.raw.extend(given.headers.raw)
            return response

        super().add_api_route(path, serialized, response_model=schema_of(model), **options)
        (*_, route) = [route for route in self.routes if isinstance(route, APIRoute)]


def _to_json(route: APIRoute, result: object) -> bytes:
    field = route.response_field
    assert field is not None
    value, errors = field.validate(result, {}, loc=("response",))
    if errors:
        raise ResponseValidationError(errors)
    return field.serialize_json(value, exclude_unset=route.response_model_exclude_unset)


class MessageToolCall(TypedDict):
    """A tool that the model called. Only `tool_name` is checked: clients may store anything else.

    `id` is the string that a result's `tool_call_id` names, `at` the offset of the call in the
    message's text. A call without `output` has not returned.
    """

    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]

    tool_name: str
    id: NotRequired[Any]
    input: NotRequired[Any]
    output: NotRequired[Any]
    at: NotRequired[Any]
    is_error: NotRequired[Any]


class MessageInSchema(RequestModel):
    role: Role
    content: str = ""
    thinking: str | None = None
    tool_calls: FailFastList[MessageToolCall] | None = None
    suggested_values: Any = None
    suggested_actions: Any = None
    custom_payload: Any = None
    model_variant: str | None = None
    metadata: JsonObject = Field(default={})
    is_pinned: StrictBool = False
    event_at: Timestamp | None = None
    id: str | None = None

    def to_model(self) -> MessageIn:
        return MessageIn(**dict(self))


publish(Conversation, hidden=["user_id"])
publish(Message, tool_calls=list[MessageToolCall] | None)
publish(Job, kind=str)
publish(Deleted, "DeletedCounts")


@dataclass(frozen=True, slots=True)
class Items(Generic[T]):
    items: Sequence[T]


@dataclass(frozen=True, slots=True)
class Deletion:
    deleted: Deleted


def field_values(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass, to make an object of a subclass of it."""
    return {field.name: getattr(value, field.name) for field in fields(value)}
