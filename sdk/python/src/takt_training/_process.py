"""Says whether this process is the one of its pod that reports."""

from __future__ import annotations

import os
from typing import Optional

# What launchers call the number of a process within its pod: torchrun, accelerate, DeepSpeed and Lightning; Open MPI;
# Intel MPI and MPICH; Slurm.
LOCAL_RANKS = ("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID")

_told: Optional[bool] = None


def set_reporter(reports: bool) -> None:
    """Has this process report, or not, whatever its rank is."""
    global _told
    _told = bool(reports)


def is_reporter() -> bool:
    """Says whether this process reports: the first of its pod does, as each pod has an agent of its own."""
    if _told is not None:
        return _told
    for name in LOCAL_RANKS:
        rank = os.environ.get(name, "").strip()
        if rank:
            return rank == "0"
    return True
