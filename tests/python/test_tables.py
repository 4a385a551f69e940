# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables as arrays, pandas frames and plots."""
import unittest

import numpy

import fretwork
from decks import MASS


class Tables(unittest.TestCase):
    def setUp(self):
        self.history = fretwork.Deck.parse(MASS).run(only=["run"])["run"]["history"]

    def test_arrays(self):
        x = self.history["x"]
        self.assertIsInstance(x, numpy.ndarray)
        self.assertEqual((x.name, x.unit, x.label), ("x", "m", "x [m]"))
        self.assertEqual(x[3:5].unit, "")  # a part is no column any more
        self.assertIs(type(2 * x), numpy.ndarray)
        self.assertIsInstance(float(x.max()), float)
        self.assertEqual(self.history.units["time"], "s")

    def test_frames(self):
        frame = self.history.frame()
        self.assertEqual(list(frame.columns), list(self.history))
        self.assertEqual(frame.attrs["units"]["x"], "m")
        numpy.testing.assert_array_equal(frame["x"].to_numpy(), self.history["x"])

    def test_plots(self):
        axes = self.history.plot("time", "x")
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("time [s]", "x [m]"))
        self.assertIs(self.history.plot("time", "x", axes=axes, label="again"), axes)
        self.assertEqual(len(axes.lines), 2)
        numpy.testing.assert_array_equal(axes.lines[0].get_ydata(), self.history["x"])


if __name__ == "__main__":
    unittest.main()
