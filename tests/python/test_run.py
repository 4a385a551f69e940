# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs from Python: watched, stopped, into folders."""
import json
import os
import signal
import threading
import unittest

import fretwork
from decks import ENDLESS, MASS


class Runs(unittest.TestCase):
    def test_watched(self):
        shares, lines, rows = [], [], []
        deck = fretwork.Deck.parse(MASS)
        results = deck.run(only=["run"], progress=lambda what, share: shares.append((what, share)), log=lines.append,
                           row=lambda analysis, table, values: rows.append((analysis, table, values)))
        self.assertEqual(shares[0], ("run", 0.0))
        self.assertEqual(shares[-1], ("run", 1.0))
        self.assertTrue(any("run: transient begins" in line for line in lines))
        history = [values for analysis, table, values in rows if (analysis, table) == ("run", "history")]
        self.assertEqual([row["x"] for row in history], list(results["run"]["history"]["x"]))

    def test_interrupted_by_ctrl_c(self):
        deck = fretwork.Deck.parse(ENDLESS)
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt) as caught:
            deck.run(only=["run"])
        timer.join()
        self.assertIsInstance(caught.exception, fretwork.Interrupted)
        self.assertGreater(len(caught.exception.results["run"]["history"]["x"]), 10)
        self.assertEqual(len(deck.run(only=["modes"])), 1)  # and goes on as before

    def test_exceptions_of_callbacks_stop_it(self):
        def fail(what, share):
            if share > 0:
                raise LookupError(what)

        self.assertRaises(LookupError, fretwork.Deck.parse(ENDLESS).run, only=["run"], progress=fail)

    def test_failures_keep_what_was_computed(self):
        loose = MASS.replace("</analyses>", '<static id="blown" loads="push"/></analyses>').replace(
            '<spring id="s" at="m.centre" direction="1, 0" k="k"/>', "").replace("<studies>", "<!--").replace("</studies>", "-->")
        with self.assertRaises(fretwork.AnalysisError) as caught:
            fretwork.Deck.parse(loose.replace('<parameter name="k" value="100" unit="N/m" max="1000"/>', "")).run()
        self.assertEqual(len(caught.exception.results["run"]["history"]["x"]), 101)
        self.assertIn("blown", str(caught.exception))

    def test_into_a_folder(self):
        deck = fretwork.Deck.parse(MASS)
        deck.run(only=["modes"], out="some.out")
        with open("some.out/summary.json", encoding="utf-8") as file:
            self.assertEqual(json.load(file)["status"], "done")
        self.assertRaises(fretwork.ArgumentError, deck.run, out="some.out")
        deck.run(only=["run"], out="some.out", force=True)
        fretwork.report("some.out")
        fretwork.export("some.out", "some.uff")
        self.assertTrue(os.path.getsize("some.uff") > 0)

    def test_lists(self):
        self.assertIn("dahl", fretwork.names("laws"))
        self.assertIn("sigma-0", fretwork.describe("laws", "dahl"))
        fretwork.Deck.parse(fretwork.template("modes"))


if __name__ == "__main__":
    unittest.main()
