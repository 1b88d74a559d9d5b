"""What is read, in a form that tables can hold."""

from recollect.language.facts import read_statements


def told_by(message: str) -> list[str]:
    return [f"{s.content} | {s.subject} | {s.attribute}" for s in read_statements(message)]
