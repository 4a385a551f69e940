# SPDX-License-Identifier: GPL-3.0-or-later
"""Vibration with friction from Python: the library libfretwork by ctypes (docs/library.md)."""
from ._library import AnalysisError, ArgumentError, DeckError, Error, FileError, Interrupted, OutOfMemory, lib
from .build import new
from .deck import Deck, Simulation
from .friction import Law, law
from .results import Column, Results, Table
from .tools import compare, describe, export, names, report, template

__version__ = lib.fw_version().decode()
__all__ = ["AnalysisError", "ArgumentError", "Column", "Deck", "DeckError", "Error", "FileError", "Interrupted", "Law",
           "OutOfMemory", "Results", "Simulation", "Table", "compare", "describe", "export", "law", "names", "new",
           "report", "template"]
