"""What users say of themselves, read without a model."""

from recollect.statements.reading import Statement, read_note, read_statements

__all__ = ["Statement", "read_note", "read_statements"]
