# SPDX-License-Identifier: GPL-3.0-or-later
"""Friction laws on arrays."""
from ctypes import POINTER, byref, c_double

import numpy

from ._library import Context, Handle, lib, texts


class _Specimen(Handle):
    destroy = "fw_specimen_destroy"


def _words(name, settings):
    """As `fretwork loop` takes them: mu_c=0.4 becomes mu-c=0.4, a list 1,2,3."""
    words = [name]
    for key, value in settings.items():
        numbers = ",".join(repr(float(v)) for v in numpy.atleast_1d(value)) if not isinstance(value, str) else value
        words.append(f"{key.replace('_', '-')}={numbers}")
    return words


def _array(values):
    """A contiguous array of doubles and its address."""
    array = numpy.ascontiguousarray(values, dtype=float)
    return array, array.ctypes.data_as(POINTER(c_double))


class Law:
    """A friction law with its numbers. law(t, u, N) drives a fresh contact; law + law is both in parallel."""

    def __init__(self, words):
        self._words = words
        self._context = Context()
        self._specimen = _Specimen()
        self._context.check(lib.fw_specimen_create(self._context.pointer, texts(words), len(words),
                                                   byref(self._specimen.pointer)))

    def __add__(self, other):
        return Law([*self._words, "+", *other._words])

    def __repr__(self):
        return f"<law {' '.join(self._words)}>"

    def __call__(self, t, u, N):
        """Friction force at each instant of a history: times, slip, normal force (arrays, or one number for all)."""
        t, u, N = numpy.broadcast_arrays(*(numpy.asarray(x, dtype=float) for x in (t, u, N)))
        if t.ndim != 1:
            raise ValueError("a history is a list of instants: t has one dimension")
        arrays = [_array(x) for x in (t, u, N, numpy.empty(t.shape))]
        self._context.check(lib.fw_specimen_drive(self._context.pointer, self._specimen.pointer, t.size,
                                                  *(pointer for _, pointer in arrays)))
        return arrays[3][0]

    def steady(self, v, N):
        """Friction force of steady sliding at each speed."""
        speeds, v_pointer = _array(v)
        force, T_pointer = _array(numpy.empty(speeds.shape))
        self._context.check(lib.fw_specimen_slide(self._context.pointer, self._specimen.pointer, float(N), speeds.size,
                                                  v_pointer, T_pointer))
        return force


def law(name, **settings):
    """A friction law by its name in decks: law("dahl", mu_c=0.4, sigma_0=1e7). What is not given has its default."""
    return Law(_words(name, settings))
