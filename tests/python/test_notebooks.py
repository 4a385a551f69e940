# SPDX-License-Identifier: GPL-3.0-or-later
"""The notebooks run from top to bottom: the code of each in a namespace of its own. Jupyter is not needed for that."""
import json
import os
import pathlib
import unittest

import matplotlib.pyplot

FOLDER = pathlib.Path(os.environ["FRETWORK_SOURCE"]) / "python" / "notebooks"


class Notebooks(unittest.TestCase):
    def test_all(self):
        found = sorted(FOLDER.glob("*.ipynb"))
        self.assertGreaterEqual(len(found), 2)
        for path in found:
            with self.subTest(path.name):
                notebook = json.loads(path.read_text(encoding="utf-8"))
                space = {"__name__": "__main__"}
                for number, cell in enumerate(notebook["cells"]):
                    if cell["cell_type"] == "code":
                        exec(compile("".join(cell["source"]), f"{path.name}:{number}", "exec"), space)
                self.assertGreater(len(matplotlib.pyplot.get_fignums()), 0)
                matplotlib.pyplot.close("all")


if __name__ == "__main__":
    unittest.main()
