"""The tools of the service."""

from recollect import Tool


def add_event(day: str, what: str) -> dict[str, str]:
    return {"day": day, "what": what, "state": "booked"}


TOOLS = [
    Tool(
        name="add_event",
        description="Puts something into the user's calendar.",
        parameters={
            "type": "object",
            "properties": {"day": {"type": "string"}, "what": {"type": "string"}},
            "required": ["day", "what"],
        },
        run=add_event,
    )
]
