"""Base classes and field types of request and response bodies."""

from typing import Annotated, Any, TypeVar

from fastapi import Header, Query
from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

T = TypeVar("T")
JsonObject = dict[str, Any]
FailFastList = Annotated[list[T], Field(fail_fast=True)]
"""A list that reports only its first invalid element: a body may hold millions of them."""
IdempotencyKey = Annotated[str | None, Header(alias="Idempotency-Key", max_length=255)]
Limit = Annotated[int, Query(ge=1, le=200)]
_MAX_FIELDS = 100


def _require_text(value: object) -> object:
    """Refuse numbers, also as text: pydantic reads them as seconds since 1970."""
    if isinstance(value, str) and not value.strip().lstrip("+-").replace(".", "", 1).isdigit():
        return value
    raise ValueError("a time must be RFC 3339 text")


Timestamp = Annotated[AwareDatetime, BeforeValidator(_require_text)]


class LimitedModel(BaseModel):
    """A part of a body with a limited number of fields.

    The check is in Python, so that other threads can run while a long list is validated.
    """

    @model_validator(mode="before")
    @classmethod
    def _check_field_count(cls, body: object) -> object:
        """Refuse early: each unknown field would be reported as an error."""
        if isinstance(body, dict) and len(body) > _MAX_FIELDS:
            raise PydanticCustomError("too_many_fields", "There are too many fields.")
        return body


class RequestModel(LimitedModel):
    """A body whose unknown fields are refused: dropping them silently would lose data."""

    model_config = ConfigDict(extra="forbid")


class ResponseModel(BaseModel):
    """A body that is read from the attributes of a domain object."""

    model_config = ConfigDict(from_attributes=True)
