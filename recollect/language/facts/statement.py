"""What was read."""

from dataclasses import dataclass

from recollect.core.types import MemoryType


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something lasting that a user says of themselves, as a note and as a key."""

    memory_type: MemoryType
    category: str
    content: str
    """A short note in the third person, in the language of the sentence: "Lives in Lisbon"."""
    subject: str
    """The user, or whom it is about in English: "user", "sister"."""
    attribute: str
    """What it says of the subject. A later statement with both the same supersedes this one."""
    confidence: float
    sentence: str
    """Where it was read, to the letter."""
