# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs that can be watched and stopped: the library works in a thread of its own, so that Ctrl-C reaches Python."""
import os
import sys
import threading
from ctypes import byref, sizeof

from ._library import (ERR_INTERRUPTED, OK, AnalysisError, Interrupted, LogFunction, ProgressFunction, RowFunction,
                       RunOptions, lib, texts)
from .results import Results, _Results


def draw_bar(what, fraction):
    """Progress as a line on stderr."""
    if fraction >= 0:
        end = "\n" if fraction >= 1 else ""
        sys.stderr.write(f"\r{what}  [{'#' * round(30 * fraction):.<30}] {100 * fraction:3.0f} %{end}")
        sys.stderr.flush()


class _Watch:
    """Callbacks of one run. An exception in one of them stops the run and is raised after it."""

    def __init__(self, context, progress, log, row):
        self.context, self.error = context, None
        progress = draw_bar if progress is True else progress
        self.on_progress = ProgressFunction(self.guard(lambda _, what, share: progress(what.decode(), share)) if progress else 0)
        self.on_log = LogFunction(self.guard(lambda _, text: log(text.decode())) if log else 0)
        self.on_row = RowFunction(self.guard(self.pass_row(row)) if row else 0)

    def guard(self, function):
        def guarded(*arguments):
            try:
                function(*arguments)
                return OK
            except BaseException as error:  # whatever it is, the caller of run() gets it
                self.error = self.error or error
                lib.fw_context_interrupt(self.context.pointer, True)
                return ERR_INTERRUPTED

        return guarded

    @staticmethod
    def pass_row(row):
        def passed(_, view):
            view = view.contents
            values = {view.names[c].decode(): view.values[c] for c in range(view.columns)}
            row(view.analysis.decode(), view.table.decode(), values)

        return passed

    def __enter__(self):
        lib.fw_context_on_progress(self.context.pointer, self.on_progress, None)
        lib.fw_context_on_log(self.context.pointer, self.on_log, None)
        lib.fw_context_on_row(self.context.pointer, self.on_row, None)
        return self

    def __exit__(self, *_):
        lib.fw_context_on_progress(self.context.pointer, ProgressFunction(0), None)
        lib.fw_context_on_log(self.context.pointer, LogFunction(0), None)
        lib.fw_context_on_row(self.context.pointer, RowFunction(0), None)
        lib.fw_context_interrupt(self.context.pointer, False)


def call_interruptibly(context, function, *arguments):
    """The status of a function of the library; Ctrl-C stops it and is then its status."""
    status, wrong, done = [], [], threading.Event()

    def work():
        try:
            status.append(function(*arguments))
        except Exception as error:  # arguments that the function cannot take
            wrong.append(error)
        done.set()

    threading.Thread(target=work, daemon=True).start()
    while not status and not wrong:  # join() of a thread takes it for ended once Ctrl-C has disturbed it
        try:
            done.wait()
        except KeyboardInterrupt:
            lib.fw_context_interrupt(context.pointer, True)
    if wrong:
        raise wrong[0]
    return status[0]


def run(context, deck, progress=None, log=None, row=None, **wishes):
    """fw_run with options by name; raises what went wrong, with the results so far."""
    options = RunOptions(struct_size=sizeof(RunOptions))
    only = wishes.pop("only", ())
    only = texts([only] if isinstance(only, str) else only)
    options.only, options.only_count = only, len(only)
    for name, value in wishes.items():
        setattr(options, name, os.fsencode(value) if name == "out" and value is not None else value)
    handle = _Results()
    with _Watch(context, progress, log, row) as watch:
        status = call_interruptibly(context, lib.fw_run, context.pointer, deck.pointer, byref(options),
                                    byref(handle.pointer))
    results = Results(handle) if handle.pointer else None
    if watch.error is not None:
        lib.fw_context_clear(context.pointer)
        raise watch.error
    if status != OK:
        error = context.error(status)
        if isinstance(error, (AnalysisError, Interrupted)):
            error.results = results
        raise error
    return results
