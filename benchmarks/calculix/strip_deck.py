#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the rig's strip as a plane cantilever for CalculiX, to compute it side by side with fretwork.

  strip_deck.py FILE.inp [--element CPS4] [--along N] [--through N] [--width METRES] [--modes N | --steps N]

--modes: natural modes. --steps: a static analysis with large displacements in N load steps, each of which assembles
its tangent twice.

The width matters to CalculiX: its plane-stress elements are expanded to bricks, and at the rig's real width
(0.03888 m) they are tied across it and turn into plane strain. 1 mm gives plane stress.
"""
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("file")
parser.add_argument("--element", choices=["CPS4", "CPS8R"], default="CPS4")
parser.add_argument("--along", type=int, default=3000)
parser.add_argument("--through", type=int, default=32)
parser.add_argument("--width", type=float, default=0.001)
parser.add_argument("--modes", type=int, default=10)
parser.add_argument("--steps", type=int, default=0)
given = parser.parse_args()

LENGTH, THICKNESS = 0.606, 0.00476
half = 2 if given.element == "CPS8R" else 1  # quadratic elements have nodes at half their sides
rows = half * given.through + 1


def node(i, j):
    """Number of the node at column i, row j, counted in elements."""
    return round(half * i) * rows + round(half * j) + 1


with open(given.file, "w", encoding="ascii") as out:
    out.write("*NODE, NSET=ALL\n")
    for column in range(half * given.along + 1):
        for row in range(rows):
            if half == 2 and column % 2 and row % 2:
                continue  # no node in the middle of an element
            x, y = LENGTH * column / (half * given.along), THICKNESS * row / (half * given.through)
            out.write(f"{column * rows + row + 1}, {x:.12g}, {y:.12g}, 0\n")
    out.write(f"*ELEMENT, TYPE={given.element}, ELSET=STRIP\n")
    corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
    middles = [(0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)] if half == 2 else []
    for i in range(given.along):
        for j in range(given.through):
            numbers = [node(i + a, j + b) for a, b in corners + middles]
            out.write(", ".join(map(str, [i * given.through + j + 1] + numbers)) + "\n")
    out.write("*NSET, NSET=CLAMP, GENERATE\n" f"1, {rows}, 1\n")
    out.write("*MATERIAL, NAME=STEEL\n*ELASTIC\n210e9, 0.3\n*DENSITY\n7800\n")
    out.write(f"*SOLID SECTION, ELSET=STRIP, MATERIAL=STEEL\n{given.width}\n")
    out.write("*BOUNDARY\nCLAMP, 1, 2\n")
    if given.steps:
        out.write(f"*STEP, NLGEOM, INC={given.steps}\n*STATIC, DIRECT\n{1 / given.steps:.12g}, 1\n")
        out.write(f"*CLOAD\n{node(given.along, 0)}, 2, {10 * given.width:.12g}\n")
        out.write("*NODE PRINT, NSET=CLAMP\nU\n*END STEP\n")
    else:
        out.write(f"*STEP\n*FREQUENCY\n{given.modes}\n*NODE FILE\nU\n*END STEP\n")
