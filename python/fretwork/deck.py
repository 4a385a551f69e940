# SPDX-License-Identifier: GPL-3.0-or-later
"""Decks: from files, text or Python; set, checked, run, stepped."""
import math
import operator
import os
from ctypes import byref, c_char_p, c_double

from ._library import Context, Handle, lib
from .run import call_interruptibly, run


class _Deck(Handle):
    destroy = "fw_deck_destroy"


class _Sim(Handle):
    destroy = "fw_sim_destroy"


def _as_text(value):
    """A parameter's value as the library takes it: expressions as they are, numbers with all their digits."""
    if isinstance(value, str):
        return value
    if not math.isfinite(value):
        raise ValueError(f"a parameter cannot be {value}")
    return repr(float(value))


class Deck:
    """A deck, read and checked. Deck(path) reads a file; Deck.parse(text) takes text or what was built in Python (build.py).

    >>> deck = Deck("rig.xml").set(mu=0.52)
    >>> results = deck.run(only=["frf"], progress=True)
    """

    def __init__(self, path, allow_plugins=False):
        self._begin(allow_plugins)
        self._context.check(lib.fw_deck_load(self._context.pointer, os.fsencode(path), byref(self._deck.pointer)))

    def _begin(self, allow_plugins):
        self._context = Context(allow_plugins)
        self._deck = _Deck()

    @classmethod
    def parse(cls, text, name="deck.xml", allow_plugins=False):
        """A deck from text (or an element of build.py). Files it names are looked for beside `name`, as messages call it."""
        deck = cls.__new__(cls)
        deck._begin(allow_plugins)
        data = str(text).encode()
        status = lib.fw_deck_parse(deck._context.pointer, data, len(data), os.fsencode(name), byref(deck._deck.pointer))
        deck._context.check(status)
        return deck

    def set(self, **values):
        """Sets parameters to numbers or expressions, each in its own unit; returns the deck."""
        for name, value in values.items():
            self._context.check(lib.fw_deck_set(self._context.pointer, self._deck.pointer, name.encode(),
                                                _as_text(value).encode()))
        return self

    @property
    def parameters(self):
        """(expression as set, unit) by name."""
        found = {}
        for i in range(lib.fw_deck_parameter_count(self._deck.pointer)):
            name, expression, unit = c_char_p(), c_char_p(), c_char_p()
            lib.fw_deck_parameter(self._deck.pointer, i, byref(name), byref(expression), byref(unit))
            found[name.value.decode()] = (expression.value.decode(), unit.value.decode())
        return found

    @property
    def tasks(self):
        """Kind by id of what runs, in order: analyses, identifications, studies."""
        found = {}
        for i in range(lib.fw_deck_task_count(self._deck.pointer)):
            name, kind = c_char_p(), c_char_p()
            lib.fw_deck_task(self._deck.pointer, i, byref(name), byref(kind))
            found[name.value.decode()] = kind.value.decode()
        return found

    def check(self):
        """Builds the model without running; raises what a run would refuse. Returns what is hardly meant, a line each."""
        self._context.check(lib.fw_deck_check(self._context.pointer, self._deck.pointer))
        return self._context.text(lib.fw_deck_warnings, self._deck.pointer).splitlines()

    def xml(self):
        """The deck as it would run now."""
        return self._context.text(lib.fw_deck_text, self._deck.pointer)

    def run(self, only=(), out=None, force=False, resume=False, strict=False, threads=0, processes=False, progress=None,
            log=None, row=None):
        """Runs the analyses, or `only` those named and what they start from, in memory or into the folder `out`.

        progress: True for a bar, or a function of (what, fraction); log: a function of a line; row: a function of
        (analysis, table, {column: value}) for each row as it is computed. processes: studies may fork. Ctrl-C stops the run.
        """
        return run(self._context, self._deck, progress, log, row, only=only, out=out, force=force, resume=resume,
                   strict=strict, threads=threads, may_fork=processes)

    def sweep(self, figure, **values):
        """The figure (a path of the summary, or a function of the results) for each value of one parameter, as a list."""
        (name, series), = values.items()
        before = self.parameters[name][0] if name in self.parameters else None
        read = figure if callable(figure) else lambda results: results.number(figure)
        try:
            return [read(self.set(**{name: value}).run()) for value in series]
        finally:
            if before is not None:
                self.set(**{name: before})

    def simulate(self, transient):
        """A transient of the deck to be taken step by step."""
        return Simulation(self, transient)


class Simulation:
    """A transient step by step: the numbers of the same transient in one run."""

    def __init__(self, deck, transient):
        self._deck = deck
        self._sim = _Sim()
        self._sim.deck = deck  # which must outlive it
        deck._context.check(lib.fw_sim_create(deck._context.pointer, deck._deck.pointer, transient.encode(),
                                              byref(self._sim.pointer)))

    def advance(self, steps=1):
        """Takes steps; Ctrl-C stops between two of them."""
        context = self._deck._context
        try:
            context.check(call_interruptibly(context, lib.fw_sim_advance, self._sim.pointer,
                                            operator.index(steps)))
        finally:
            lib.fw_context_interrupt(context.pointer, False)

    def set_load(self, load, factor):
        """The factor of a load from now on."""
        self._deck._context.check(lib.fw_sim_set_load(self._sim.pointer, load.encode(), factor))

    def read(self, sensor):
        """What a sensor shows now."""
        value = c_double()
        self._deck._context.check(lib.fw_sim_read(self._sim.pointer, sensor.encode(), byref(value)))
        return value.value

    @property
    def time(self):
        """Time now (s)."""
        value = c_double()
        lib.fw_sim_time(self._sim.pointer, byref(value), None)
        return value.value
