"""What all bodies of requests and answers are made of, and what is checked in each."""

from typing import Annotated, Any, TypeVar

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

T = TypeVar("T")
JsonObject = dict[str, Any]
Listed = Annotated[list[T], Field(fail_fast=True)]
"""In a body: the first element that does not fit is named, and no other. A body can hold millions
of them, and to say what is wrong with each takes minutes."""
_MOST_FIELDS = 100


def _must_be_text(value: object) -> object:
    """A bare number, also as text, would be taken for seconds since 1970."""
    if isinstance(value, str) and not value.strip().lstrip("+-").replace(".", "", 1).isdigit():
        return value
    raise ValueError("a time must be RFC 3339 text")


Time = Annotated[AwareDatetime, BeforeValidator(_must_be_text)]


class In(BaseModel):
    """A field nobody knows is a mistake, and silently dropping it would lose data."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _check_fields(cls, given: object) -> object:
        """Each one that nobody knows is an error of its own; here too there may be millions."""
        if isinstance(given, dict) and len(given) > _MOST_FIELDS:
            raise PydanticCustomError("too_many_fields", "There are too many fields.")
        return given


class Out(BaseModel):
    model_config = ConfigDict(from_attributes=True)
