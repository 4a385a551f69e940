# SPDX-License-Identifier: GPL-3.0-or-later
"""The session of docs/library.md prints the README's table, and plots it."""
import contextlib
import io
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["FRETWORK_SOURCE"])


def numbers(text):
    """Rows of four numbers, whether or not the row's own stands before them."""
    rows = [line.split() for line in text.splitlines()]
    return [[float(word) for word in row[-4:]] for row in rows
            if len(row) in (4, 5) and all(re.fullmatch(r"[-\d.]+", word) for word in row)]


class Session(unittest.TestCase):
    def test_reproduces_the_table(self):
        page = (SOURCE / "docs" / "library.md").read_text(encoding="utf-8")
        block, = re.findall(r"<!-- session -->\n```python\n(.*?)```", page, re.DOTALL)
        self.assertLessEqual(len(block.splitlines()), 10)
        os.symlink(SOURCE / "examples", "examples")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(block, "library.md", "exec"), {})
        table = numbers((SOURCE / "README.md").read_text(encoding="utf-8"))
        self.assertEqual(len(table), 4)
        found = numbers(printed.getvalue())
        self.assertEqual([row[:2] for row in found], [row[:2] for row in table])
        for row, shown in zip(found, table):
            for value, digits in zip(row, shown):
                self.assertAlmostEqual(value, digits, delta=1.01e-5 * abs(digits))  # one unit of the sixth digit
        self.assertIn("</svg>", pathlib.Path("response.svg").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
