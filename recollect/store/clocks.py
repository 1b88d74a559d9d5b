"""What is done about clocks that were wrong.

Leases and heartbeats are times that one process writes and another compares with its own clock. One
that ran ahead, and was put right or died, leaves times behind that nobody reaches for hours: work
would wait for them, and an answer would seem to be written by somebody. So what was written too far
in the future counts as lapsed. Clocks that differ by less are as good as right, save that a lease
of another's may seem to lapse early: then the work is done twice, to one result. A server that is
behind by more takes the answers of others for abandoned, until their writers take them back.
"""

from datetime import timedelta

TOO_FAR_AHEAD = timedelta(minutes=5)
