"""Schemas of the types that services return."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from recollect.core.types import Page
from recollect.server.schema_base import ResponseModel
from recollect.server.schemas import Published, Router, publish, schema_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Not published: this docstring is for readers of the code."""

    name: str
    user_id: str = "u"


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    kind: Literal["paper", "audio"] = "paper"
    authors: tuple[Author, ...] = ()
    reviewer: Author | None = None
    notes: Mapping[str, Author]


publish(Author, "Writer", hidden=["user_id"])


def test_all_fields_are_required_and_hidden_ones_left_out() -> None:
    described = schema_of(Page[Book]).model_json_schema()
    writer, book = described["$defs"]["Writer"], described["$defs"]["Book"]
    assert described["title"] == "Page[Book]"
    assert described["required"] == ["items", "next_cursor"]
    assert book["required"] == ["kind", "authors", "reviewer", "notes"]
    assert list(writer["properties"]) == ["name"]
    assert "description" not in writer


def test_nested_dataclasses_are_read_by_their_schemas() -> None:
    ann = Author(name="Ann")
    book = Book(authors=(ann,), reviewer=ann, notes={"a": ann})
    shown: dict[str, Any] = {
        "kind": "paper",
        "authors": [{"name": "Ann"}],
        "reviewer": {"name": "Ann"},
        "notes": {"a": {"name": "Ann"}},
    }
    page = schema_of(Page[Book]).model_validate(Page((book,)))
    assert page.model_dump(mode="json") == {"items": [shown], "next_cursor": None}


def test_a_response_may_have_a_domain_type_as_a_field() -> None:
    class Shelf(ResponseModel):
        first: Published[Author] | None

    assert Shelf.model_validate({"first": Author(name="Ann")}).model_dump() == {
        "first": {"name": "Ann"}
    }


def test_router_publishes_the_return_type_or_the_given_model() -> None:
    router = Router()

    @router.get("/returned")
    async def returned() -> Author:
        raise NotImplementedError

    @router.get("/given", response_model=Page[Author])
    async def given() -> dict[str, Any]:
        raise NotImplementedError

    models = [getattr(route, "response_model", None) for route in router.routes]
    assert models == [schema_of(Author), schema_of(Page[Author])]
