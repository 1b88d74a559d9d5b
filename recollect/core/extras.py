"""The optional parts of an installation, and how to get one that is missing."""


def install(extra: str) -> str:
    """Recollect is installed from its folder: no registry has it."""
    return f"pip install '/path/to/recollect[{extra}]'"


def needed(extra: str) -> str:
    """After a comma: which part it is, and how to get it."""
    return f"the extra `{extra}`: {install(extra)}"
