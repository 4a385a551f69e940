# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing of the library's is held once Python has let go of it: handles are counted, and the bytes in use of the C library."""
import ctypes
import gc
import unittest

import fretwork
from decks import MASS
from fretwork._library import Handle


class _Usage(ctypes.Structure):
    """struct mallinfo2"""

    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
                                                     "uordblks", "fordblks", "keepcost")]


def bytes_in_use():
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = _Usage
    usage = libc.mallinfo2()
    return usage.uordblks + usage.hblkhd


def work():
    deck = fretwork.Deck.parse(MASS).set(k=200)
    deck.check()
    results = deck.run()
    column = results["run"]["history"]["x"]
    simulation = deck.simulate("run")
    simulation.advance(3)
    law = fretwork.law("dahl") + fretwork.law("coulomb")
    law([0, 1], [0, 1e-6], 1)
    try:
        fretwork.Deck.parse(MASS.replace("modal", "modul"))
    except fretwork.DeckError:
        pass
    return column


class Held(unittest.TestCase):
    def test_handles(self):
        before = Handle.held
        column = work()
        gc.collect()
        self.assertEqual(Handle.held, before)
        self.assertEqual(column.shape, (101,))  # a copy, which lives on
        deck = fretwork.Deck.parse(MASS)
        self.assertEqual(Handle.held, before + 2)  # deck and context
        simulation = deck.simulate("run")
        del deck  # the simulation keeps what it needs
        self.assertEqual(Handle.held, before + 3)
        simulation.advance()
        del simulation
        self.assertEqual(Handle.held, before)

    def test_memory(self):
        for _ in range(5):
            work()
        before = bytes_in_use()
        deck = fretwork.Deck.parse(MASS)
        of_a_deck = bytes_in_use() - before
        self.assertGreater(of_a_deck, 10000)
        del deck
        gc.collect()
        before = bytes_in_use()
        for _ in range(40):
            work()
        gc.collect()
        # chunks that the allocator keeps for the next time count as used: a few of them, not one thing of each round
        self.assertLess(bytes_in_use() - before, 40 * 0.1 * of_a_deck)


if __name__ == "__main__":
    unittest.main()
