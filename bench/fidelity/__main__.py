"""How many planted facts are still there after one compaction, and after ten.

    python -m bench.fidelity [--write docs/benchmarks.md]

Eight facts are buried under small talk and carried through ten generations of summary and ledger,
without a model. A fact has survived when its exact value is in either. Phrasings are of two sets:
the patterns were made with the first in sight, and the second was written before them and never
looked at again.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench._report import publish, table, target_given, verdict
from bench.fidelity.conversations import Planted, conversations
from bench.fidelity.language import KINDS, FactKind
from bench.fidelity.measure import Measured, measure

_CONVERSATIONS = 24
_FIRST, _LAST = 1, 10
_LEAST_FIRST, _LEAST_LAST = 0.97, 0.90
