"""What is read, in a form that tables can hold."""

from recollect.language.facts import extract_facts


def told_by(message: str) -> list[str]:
    return [f"{s.content} | {s.subject} | {s.attribute}" for s in extract_facts(message)]
