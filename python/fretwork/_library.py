# SPDX-License-Identifier: GPL-3.0-or-later
"""The shared library by ctypes: where it is, what its functions take, and its statuses as exceptions."""
import ctypes
import os
import pathlib
import re
from ctypes import CFUNCTYPE, POINTER, byref, c_bool, c_char_p, c_double, c_int, c_long, c_size_t, c_void_p

SONAME = "libfretwork.so.0.1"


# ---- statuses ----------------------------------------------------------------------------------


class Error(Exception):
    """What the library says: all its messages, and the file and line of the first that names a place."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status
        place = re.search(r"^(.*?):(\d+): ", message, re.MULTILINE)
        self.file = place.group(1) if place else None
        self.line = int(place.group(2)) if place else None


class ArgumentError(Error, ValueError):
    """A wrong argument: an unknown name, a missing value."""


class DeckError(Error, ValueError):
    """A wrong deck."""


class AnalysisError(Error, ArithmeticError):
    """An analysis failed; `results` holds what was computed, if anything was."""

    results = None


class Interrupted(Error, KeyboardInterrupt):
    """A run was stopped; `results` holds what was computed, if anything was."""

    results = None


class FileError(Error):
    """A file cannot be read or written."""


class OutOfMemory(Error, MemoryError):
    """No memory."""


_ERRORS = {-1: ArgumentError, -2: DeckError, -3: OutOfMemory, -4: FileError, -8: Interrupted}
OK, ERR_INTERRUPTED = 0, -8


# ---- functions ---------------------------------------------------------------------------------


class RunOptions(ctypes.Structure):
    """fw_run_options"""

    _fields_ = [("struct_size", c_size_t), ("out", c_char_p), ("resume", c_bool), ("force", c_bool), ("strict", c_bool),
                ("threads", c_int), ("only", POINTER(c_char_p)), ("only_count", c_int), ("may_fork", c_bool),
                ("may_join_mpi", c_bool)]


class RowView(ctypes.Structure):
    """fw_row_view"""

    _fields_ = [("analysis", c_char_p), ("table", c_char_p), ("columns", c_int), ("names", POINTER(c_char_p)),
                ("units", POINTER(c_char_p)), ("values", POINTER(c_double))]


LogFunction = CFUNCTYPE(None, c_void_p, c_char_p)
ProgressFunction = CFUNCTYPE(None, c_void_p, c_char_p, c_double)
RowFunction = CFUNCTYPE(c_int, c_void_p, POINTER(RowView))

_OUT = POINTER(c_void_p)
_DOUBLES = POINTER(c_double)
_TEXTS = POINTER(c_char_p)
_PROTOTYPES = {
    "fw_version": (c_char_p,),
    "fw_status_text": (c_char_p, c_int),
    "fw_free": (None, c_void_p),
    "fw_context_create": (c_int, _OUT),
    "fw_context_destroy": (None, _OUT),
    "fw_context_message": (c_char_p, c_void_p),
    "fw_context_clear": (None, c_void_p),
    "fw_context_on_log": (None, c_void_p, LogFunction, c_void_p),
    "fw_context_on_progress": (None, c_void_p, ProgressFunction, c_void_p),
    "fw_context_on_row": (None, c_void_p, RowFunction, c_void_p),
    "fw_context_interrupt": (None, c_void_p, c_bool),
    "fw_context_allow_plugins": (None, c_void_p, c_bool),
    "fw_deck_load": (c_int, c_void_p, c_char_p, _OUT),
    "fw_deck_parse": (c_int, c_void_p, c_char_p, c_size_t, c_char_p, _OUT),
    "fw_deck_destroy": (None, _OUT),
    "fw_deck_set": (c_int, c_void_p, c_void_p, c_char_p, c_char_p),
    "fw_deck_parameter_count": (c_int, c_void_p),
    "fw_deck_parameter": (c_int, c_void_p, c_int, _TEXTS, _TEXTS, _TEXTS),
    "fw_deck_task_count": (c_int, c_void_p),
    "fw_deck_task": (c_int, c_void_p, c_int, _TEXTS, _TEXTS),
    "fw_deck_text": (c_int, c_void_p, c_void_p, _OUT),
    "fw_deck_check": (c_int, c_void_p, c_void_p),
    "fw_deck_warnings": (c_int, c_void_p, c_void_p, _OUT),
    "fw_run": (c_int, c_void_p, c_void_p, POINTER(RunOptions), _OUT),
    "fw_results_destroy": (None, _OUT),
    "fw_results_summary": (c_int, c_void_p, _OUT),
    "fw_results_table_count": (c_int, c_void_p),
    "fw_results_table": (c_int, c_void_p, c_int, _TEXTS, _TEXTS, POINTER(c_size_t), POINTER(c_int)),
    "fw_results_table_column": (c_int, c_void_p, c_int, c_int, _TEXTS, _TEXTS, POINTER(_DOUBLES)),
    "fw_sim_create": (c_int, c_void_p, c_void_p, c_char_p, _OUT),
    "fw_sim_destroy": (None, _OUT),
    "fw_sim_advance": (c_int, c_void_p, c_long),
    "fw_sim_set_load": (c_int, c_void_p, c_char_p, c_double),
    "fw_sim_read": (c_int, c_void_p, c_char_p, _DOUBLES),
    "fw_sim_time": (c_int, c_void_p, _DOUBLES, _DOUBLES),
    "fw_specimen_create": (c_int, c_void_p, _TEXTS, c_int, _OUT),
    "fw_specimen_destroy": (None, _OUT),
    "fw_specimen_drive": (c_int, c_void_p, c_void_p, c_size_t, _DOUBLES, _DOUBLES, _DOUBLES, _DOUBLES),
    "fw_specimen_slide": (c_int, c_void_p, c_void_p, c_double, c_size_t, _DOUBLES, _DOUBLES),
    "fw_list": (c_int, c_void_p, c_char_p, c_char_p, _OUT),
    "fw_template": (c_int, c_void_p, c_char_p, _OUT),
    "fw_report": (c_int, c_void_p, _TEXTS, c_int, c_char_p, c_bool),
    "fw_compare": (c_int, c_void_p, c_char_p, _TEXTS, c_int, _OUT),
    "fw_export": (c_int, c_void_p, c_char_p, c_char_p, c_bool, c_bool),
}


def _find():
    """$FRETWORK_LIBRARY; the library installed under the same prefix, or built from the same sources; else what the system has."""
    given = os.environ.get("FRETWORK_LIBRARY")
    folders = pathlib.Path(__file__).resolve().parents
    near = [folders[3] / SONAME, folders[2] / "build" / SONAME] if len(folders) > 3 else []
    return given or next((str(path) for path in near if path.exists()), SONAME)


def _open():
    library = ctypes.CDLL(_find())
    for name, (result, *arguments) in _PROTOTYPES.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


lib = _open()


def texts(words):
    """Words as an array of C strings."""
    return (c_char_p * len(words))(*[os.fsencode(word) for word in words])


# ---- what the library owns ---------------------------------------------------------------------


class Handle:
    """Something of the library's, given back when nobody holds it any more. `destroy` is the function for that."""

    destroy = None
    held = 0  # of all kinds, now

    def __init__(self):
        self.pointer = c_void_p()
        Handle.held += 1

    def __del__(self):
        if lib is not None and hasattr(self, "pointer"):
            getattr(lib, self.destroy)(byref(self.pointer))
            Handle.held -= 1


class Context(Handle):
    """Messages of one thread of work."""

    destroy = "fw_context_destroy"

    def __init__(self, allow_plugins=False):
        super().__init__()
        status = lib.fw_context_create(byref(self.pointer))
        if status != OK:
            raise OutOfMemory(status, "no memory for a context")
        lib.fw_context_allow_plugins(self.pointer, allow_plugins)

    def error(self, status):
        """What a status other than OK says, as an exception."""
        message = lib.fw_context_message(self.pointer).decode() or lib.fw_status_text(status).decode()
        lib.fw_context_clear(self.pointer)
        return _ERRORS.get(status, AnalysisError)(status, message)

    def check(self, status):
        """Raises what a status other than OK says."""
        if status != OK:
            raise self.error(status)

    def text(self, function, *arguments):
        """The text that a function hands over through its last argument."""
        pointer = c_void_p()
        self.check(function(self.pointer, *arguments, byref(pointer)))
        return take_text(pointer)


def take_text(pointer):
    """A copy of a text to be freed."""
    try:
        return ctypes.string_at(pointer).decode()
    finally:
        lib.fw_free(pointer)
