"""A process that opens, and so migrates, a database; tests kill it during the migration.

python -m tests.faults.migrator URL
"""

import os
import sys

from recollect.sync import Recollect

if __name__ == "__main__":
    os.write(1, b"starting\n")
    Recollect.open(sys.argv[1]).close()
    os.write(1, b"done\n")
