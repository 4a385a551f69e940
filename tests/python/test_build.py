# SPDX-License-Identifier: GPL-3.0-or-later
"""Decks built in Python from the library's schema."""
import unittest

import numpy

import fretwork


def oscillator():
    deck = fretwork.new(title="Oscillator")
    deck.parameters.parameter(name="mu", value=0.3, min=0.1, max=1)
    deck.bodies.rigid(id="m", at=(0, 0), m=numpy.float64(1), rotation="none")
    deck.bodies.spring(id="s", at="m.centre", direction=(1, 0), k=4e4)
    deck.contact.surface(id="floor").line(from_=(-1, -0.1), to=(1, -0.1))
    pair = deck.contact.pair(id="foot", target="floor")
    pair.disc(at="m.centre", radius=0.1)
    pair.normal(law="linear", stiffness=1e6)
    pair.friction(law="dahl", mu_c="mu", sigma_0=2e4, exponent=1)
    deck.loads.force(id="weight", at="m.centre", fy=-20)
    deck.analyses.static(id="seated", loads="weight")
    deck.analyses.modal(id="stuck", start="seated", contact="stick", modes=1)
    return deck


class Built(unittest.TestCase):
    def test_runs(self):
        found = oscillator().load().run()["stuck"]["modes"]["frequency"]
        self.assertAlmostEqual(found[0], (6e4) ** 0.5 / (2 * numpy.pi), delta=1e-6)

    def test_one_section_of_each_kind(self):
        text = str(oscillator())
        self.assertEqual(text.count("<bodies>"), 1)
        self.assertIn('mu-c="mu"', text)
        self.assertIn('from="-1, -0.1"', text)

    def test_mistakes(self):
        deck = oscillator()
        with self.assertRaises(TypeError) as caught:
            deck.bodies.spring(id="x", at="m.centre", stifness=3)
        self.assertIn("stifness", str(caught.exception))
        with self.assertRaises(TypeError) as caught:
            deck.materials.elastic(id="steel", E=210e9)
        self.assertIn("needs rho", str(caught.exception))
        with self.assertRaises(AttributeError) as caught:
            deck.bodies.baem(id="x")
        self.assertIn("did you mean beam", str(caught.exception))
        self.assertRaises(fretwork.DeckError, oscillator_with_wrong_law().load)

    def test_helps(self):
        deck = fretwork.new()
        self.assertIn("bodies", dir(deck))
        self.assertIn("torsional_spring", dir(deck.bodies))
        beam = deck.materials.elastic(id="a", E=1, rho=1)
        self.assertIn("Young's modulus", beam.describe())


def oscillator_with_wrong_law():
    deck = oscillator()
    deck.contact.pair(id="other", target="floor").friction(law="dhal")
    return deck


if __name__ == "__main__":
    unittest.main()
