"""What the commands have in common."""

import argparse
import re
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
LONGEST_LINE = 100


def without_password(text: str) -> str:
    text = re.sub(r"(://[^:@/?]*):.*@", r"\1:…@", text)
    return re.sub(r"([?&]password=)[^&]*", r"\1…", text)
