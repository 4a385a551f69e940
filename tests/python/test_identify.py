# SPDX-License-Identifier: GPL-3.0-or-later
"""A fit from a script: a law made in Python, found again by the deck's own identification."""
import unittest

import numpy

import fretwork


class Fits(unittest.TestCase):
    def test_dahl_from_its_loop(self):
        t = numpy.linspace(0, 0.06, 1201)
        u = 5e-6 * numpy.sin(2 * numpy.pi * 50 * t)
        T = fretwork.law("dahl", mu_c=0.45, sigma_0=9e6)(t, u, 83)
        noise = numpy.random.default_rng(1).normal(0, 0.2, t.size)
        table = numpy.column_stack([t, u, numpy.gradient(u, t), numpy.full_like(t, 83), T + noise])
        numpy.savetxt("loop.csv", table, delimiter=",", header="t [s],u [m],v [m/s],N [N],T [N]", comments="")
        deck = fretwork.new()
        deck.bodies.rigid(id="m", at=(0, 0), m=1, J=1)
        deck.data.loop(id="measured", file="loop.csv", deviation=0.2)
        deck.identification.identify(id="fit", method="loop", data="measured", laws="coulomb, dahl")
        fit = deck.load().run()["fit"]
        found = fit.summary["dahl"]
        self.assertLess(abs(found["mu-c"] / 0.45 - 1), 2e-3)
        self.assertLess(abs(found["sigma-0"] / 9e6 - 1), 2e-3)
        self.assertEqual(fit["loop-measured"]["dahl tangential"].unit, "N")


if __name__ == "__main__":
    unittest.main()
