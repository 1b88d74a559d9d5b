"""The server's tools in these tests."""

from recollect import Tool


def find_room(city: str) -> dict[str, str | int]:
    return {"city": city, "price": 94}


def break_down() -> None:
    raise RuntimeError


TOOLS = [
    Tool(
        name="find_room",
        description="Finds a room in a city.",
        parameters={"type": "object", "properties": {"city": {"type": "string"}}},
        run=find_room,
    ),
    Tool(name="break_down", description="Fails.", parameters={"type": "object"}, run=break_down),
]
