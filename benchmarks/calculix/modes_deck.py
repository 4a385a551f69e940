#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the rig's strip as a plane cantilever for CalculiX, to compute its modes side by side with fretwork.

  modes_deck.py FILE.inp [--element CPS4] [--along N] [--through N] [--width METRES] [--modes N]

The width matters to CalculiX: its plane-stress elements are expanded to bricks, and at the rig's real width
(0.03888 m) they are tied across it and turn into plane strain. 1 mm gives plane stress.
"""
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("file")
parser.add_argument("--element", default="CPS4")
parser.add_argument("--along", type=int, default=3000)
parser.add_argument("--through", type=int, default=32)
parser.add_argument("--width", type=float, default=0.001)
parser.add_argument("--modes", type=int, default=10)
given = parser.parse_args()

LENGTH, THICKNESS = 0.606, 0.00476
rows = given.through + 1
with open(given.file, "w", encoding="ascii") as out:
    out.write("*NODE, NSET=ALL\n")
    for i in range(given.along + 1):
        for j in range(rows):
            x, y = LENGTH * i / given.along, THICKNESS * j / given.through
            out.write(f"{i * rows + j + 1}, {x:.12g}, {y:.12g}, 0\n")
    out.write(f"*ELEMENT, TYPE={given.element}, ELSET=STRIP\n")
    for i in range(given.along):
        for j in range(given.through):
            first = i * rows + j + 1
            out.write(f"{i * given.through + j + 1}, {first}, {first + rows}, {first + rows + 1}, {first + 1}\n")
    out.write("*NSET, NSET=CLAMP, GENERATE\n" f"1, {rows}, 1\n")
    out.write("*MATERIAL, NAME=STEEL\n*ELASTIC\n210e9, 0.3\n*DENSITY\n7800\n")
    out.write(f"*SOLID SECTION, ELSET=STRIP, MATERIAL=STEEL\n{given.width}\n")
    out.write("*BOUNDARY\nCLAMP, 1, 2\n")
    out.write(f"*STEP\n*FREQUENCY\n{given.modes}\n*NODE FILE\nU\n*END STEP\n")
