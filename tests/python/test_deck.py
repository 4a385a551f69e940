# SPDX-License-Identifier: GPL-3.0-or-later
"""Decks from Python: read, set, asked, run, refused."""
import math
import os
import unittest

import numpy

import fretwork
from decks import MASS


def frequency(k):
    return k**0.5 / (2 * math.pi)


class Decks(unittest.TestCase):
    def test_files_and_text_are_the_same(self):
        with open("deck.xml", "w", encoding="utf-8") as file:
            file.write(MASS)
        found = [deck.set(k=400).run()["modes"]["modes"]["frequency"][0]
                 for deck in (fretwork.Deck("deck.xml"), fretwork.Deck.parse(MASS))]
        self.assertEqual(found[0], found[1])
        self.assertAlmostEqual(found[0], frequency(400), delta=1e-9)

    def test_what_is_in_it(self):
        deck = fretwork.Deck.parse(MASS).set(k="2*50")
        self.assertEqual(deck.parameters, {"k": ("2*50", "N/m")})
        self.assertEqual(deck.tasks, {"modes": "modal", "run": "transient", "vary": "study"})
        self.assertEqual(deck.check(), [])
        self.assertIn('value="2*50"', deck.xml())
        self.assertEqual(fretwork.Deck.parse(deck.xml()).parameters, deck.parameters)
        unused = MASS.replace("</parameters>", '<parameter name="idle" value="1"/></parameters>')
        self.assertIn("idle", "".join(fretwork.Deck.parse(unused).check()))

    def test_errors_have_file_and_line(self):
        wrong = MASS.replace('at="m.centre" direction="0, 1"', 'at="m.center" direction="0, 1"')
        with self.assertRaises(fretwork.DeckError) as caught:
            fretwork.Deck.parse(wrong, "folder/wrong.xml")
        self.assertEqual((caught.exception.file, caught.exception.line), ("folder/wrong.xml", 4))
        self.assertIn("m.cent", str(caught.exception))

    def test_refusals(self):
        self.assertRaises(ValueError, fretwork.Deck.parse(MASS).set, k=float("nan"))
        deck = fretwork.Deck.parse(MASS)
        self.assertRaises(fretwork.ArgumentError, deck.set, q=1)
        self.assertRaises(fretwork.DeckError, deck.set(k=2000).check)
        self.assertRaises(fretwork.DeckError, fretwork.Deck, os.path.join("nowhere", "deck.xml"))
        results = deck.set(k=1).run()
        self.assertRaises(KeyError, results.number, "analyses.modes.modes[7].frequency")
        self.assertRaises(KeyError, results.number, "analyses.modes")
        self.assertRaises(KeyError, lambda: results["modes"]["modes"]["hertz"])
        with self.assertRaises(fretwork.ArgumentError) as caught:
            deck.run(only="mods")
        self.assertIn("modes", str(caught.exception))

    def test_sweeps_and_studies(self):
        deck = fretwork.Deck.parse(MASS)
        found = deck.sweep("analyses.modes.modes[0].frequency", k=[100, 900])
        self.assertAlmostEqual(found[1] / found[0], 3, delta=1e-9)
        self.assertEqual(deck.parameters["k"][0], "100")
        samples = deck.run(only=["vary"])["vary"]["samples"]
        self.assertEqual(list(samples["k"]), [100, 500, 900])
        for k, f in zip(samples["k"], samples["f"]):
            self.assertAlmostEqual(f, frequency(k), delta=1e-9)

    def test_step_by_step(self):
        deck = fretwork.Deck.parse(MASS)
        history = deck.run(only=["run"])["run"]["history"]
        simulation = deck.simulate("run")
        for time, x in zip(history["time"], history["x"]):
            self.assertEqual((simulation.time, simulation.read("x")), (time, x))
            simulation.advance()
        simulation.set_load("push", 0)
        self.assertRaises(fretwork.ArgumentError, simulation.set_load, "pull", 1)
        self.assertRaises(fretwork.ArgumentError, deck.simulate, "modes")
        before = simulation.time
        simulation.advance(numpy.int64(2))
        self.assertGreater(simulation.time, before)
        self.assertRaises(TypeError, simulation.advance, 1.5)


if __name__ == "__main__":
    unittest.main()
