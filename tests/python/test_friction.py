# SPDX-License-Identifier: GPL-3.0-or-later
"""Friction laws on arrays."""
import unittest

import numpy

import fretwork


class Laws(unittest.TestCase):
    def test_dahl_from_rest(self):
        """T = mu N (1 - exp(-sigma u/(mu N)))"""
        t = numpy.linspace(0, 1, 201)
        u = 2e-5 * t
        T = fretwork.law("dahl", mu_c=0.5, sigma_0=1e6, exponent=1)(t, u, 10)
        numpy.testing.assert_allclose(T, 5 * (1 - numpy.exp(-1e6 * u / 5)), rtol=0, atol=5e-9)

    def test_parallel_laws_add(self):
        t = numpy.linspace(0, 0.1, 101)
        u = 1e-5 * numpy.sin(40 * t)
        a, b = fretwork.law("dahl", mu_c=0.2), fretwork.law("dahl", mu_c=0.4, sigma_0=3e6)
        numpy.testing.assert_allclose((a + b)(t, u, 50), a(t, u, 50) + b(t, u, 50), rtol=1e-12, atol=1e-12)

    def test_steady_sliding(self):
        v = numpy.array([-1.0, 1e-2, 1.0])
        numpy.testing.assert_allclose(fretwork.law("dahl", mu_c=0.4).steady(v, 10), 4 * numpy.sign(v), rtol=1e-6)

    def test_varying_normal_force_opens(self):
        t = numpy.arange(4.0)
        T = fretwork.law("dahl")(t, 1e-3 * t, [10, 10, 0, 10])
        self.assertGreater(T[1], 0)
        self.assertEqual(T[2], 0)

    def test_every_law_of_the_list(self):
        t = numpy.linspace(0, 0.02, 101)
        for name in fretwork.names("laws"):
            with self.subTest(name):
                T = fretwork.law(name)(t, 1e-5 * numpy.sin(300 * t), 83)
                self.assertTrue(numpy.isfinite(T).all() and abs(T).max() > 0)

    def test_mistakes(self):
        self.assertRaises(fretwork.ArgumentError, fretwork.law, "dhal")
        self.assertRaises(fretwork.ArgumentError, fretwork.law, "dahl", mu_k=1)
        self.assertRaises(fretwork.ArgumentError, fretwork.law("dahl"), [1, 0], [0, 0], 1)
        self.assertRaises(ValueError, fretwork.law("dahl"), [[1, 0]], 0, 1)


if __name__ == "__main__":
    unittest.main()
