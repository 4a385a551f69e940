# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run leaves: the summary, and tables as numpy arrays with units."""
import json
import re
from collections.abc import Mapping
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_size_t, c_void_p

import numpy

from ._library import Handle, lib, take_text


class Column(numpy.ndarray):
    """A column of a table: an array that knows its name and unit. What is computed from it is a plain array with neither."""

    name = unit = ""

    def __new__(cls, values, name, unit):
        column = numpy.array(values, dtype=float).view(cls)
        column.name, column.unit = name, unit
        return column

    def __array_wrap__(self, array, context=None):
        return numpy.asarray(array)[()]

    @property
    def label(self):
        """Name and unit, as axes of plots have it."""
        return f"{self.name} [{self.unit}]" if self.unit else self.name


class Table(Mapping):
    """Columns by name, in order."""

    def __init__(self, name, columns):
        self.name = name
        self._columns = {column.name: column for column in columns}

    def __getitem__(self, name):
        return self._columns[name]

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)

    def __repr__(self):
        rows = len(next(iter(self._columns.values()), []))
        return f"<table {self.name}: {rows} rows of {', '.join(c.label for c in self._columns.values())}>"

    @property
    def units(self):
        """Units by column."""
        return {name: column.unit for name, column in self._columns.items()}

    def frame(self):
        """The table as a pandas DataFrame; its units are in attrs["units"]."""
        import pandas

        frame = pandas.DataFrame({name: numpy.asarray(column) for name, column in self._columns.items()})
        frame.attrs["units"] = self.units
        return frame

    def plot(self, x, *ys, axes=None, **options):
        """Plots columns against another with matplotlib, labelled with their units; returns the axes, made unless given."""
        if axes is None:
            from matplotlib import pyplot

            axes = pyplot.subplots()[1]
        for y in ys:
            axes.plot(self[x], self[y], **{"label": y, **options})
        axes.set_xlabel(self[x].label)
        axes.set_ylabel(self[ys[0]].label if len(ys) == 1 else f"[{self[ys[0]].unit}]")
        axes.legend()
        return axes


class Part(Mapping):
    """What one analysis, identification or study left: its tables by name, and its part of the summary."""

    def __init__(self, name, tables, summary):
        self.name, self.summary = name, summary
        self._tables = tables

    def __getitem__(self, name):
        return self._tables[name]

    def __iter__(self):
        return iter(self._tables)

    def __len__(self):
        return len(self._tables)

    def __repr__(self):
        return f"<{self.name}: tables {', '.join(self._tables) or 'none'}>"


class _Results(Handle):
    destroy = "fw_results_destroy"


def _read_table(handle, index):
    """(analysis, table) of the library's."""
    analysis, name, rows, columns = c_char_p(), c_char_p(), c_size_t(), c_int()
    lib.fw_results_table(handle.pointer, index, byref(analysis), byref(name), byref(rows), byref(columns))
    found = []
    for c in range(columns.value):
        title, unit, values = c_char_p(), c_char_p(), POINTER(c_double)()
        lib.fw_results_table_column(handle.pointer, index, c, byref(title), byref(unit), byref(values))
        numbers = numpy.ctypeslib.as_array(values, (rows.value,)) if rows.value else ()
        found.append(Column(numbers, title.value.decode(), unit.value.decode()))
    return analysis.value.decode(), Table(name.value.decode(), found)


class Results(Mapping):
    """What each analysis left, by its id; `summary` is all of summary.json.

    >>> results["frf"]["resonances"]["frequency"]
    >>> results.number("analyses.frf.levels[0].resonance.frequency")
    """

    def __init__(self, handle):
        """Copies all from the library, so that nothing of it is held."""
        text = c_void_p()
        lib.fw_results_summary(handle.pointer, byref(text))
        self.summary = json.loads(take_text(text)) if text else {}
        tables = {}
        for index in range(lib.fw_results_table_count(handle.pointer)):
            analysis, table = _read_table(handle, index)
            tables.setdefault(analysis, {})[table.name] = table
        summaries = {}
        for section in ("analyses", "identification", "studies"):
            summaries.update(self.summary.get(section, {}))
        names = list(dict.fromkeys([*summaries, *tables]))
        self._parts = {name: Part(name, tables.get(name, {}), summaries.get(name, {})) for name in names}

    def __getitem__(self, name):
        return self._parts[name]

    def __iter__(self):
        return iter(self._parts)

    def __len__(self):
        return len(self._parts)

    def __repr__(self):
        return f"<results of {', '.join(self._parts)}: {self.summary.get('status', '')}>"

    def number(self, path):
        """A figure of the summary by its path, "analyses.stuck.modes[0].frequency"; KeyError if there is none."""
        value = self.summary
        try:
            for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path):
                value = value[int(index) if index else name]
        except (KeyError, IndexError, TypeError):
            raise KeyError(f"the summary has no {path}") from None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise KeyError(f"{path} of the summary is not a number")
        return value
