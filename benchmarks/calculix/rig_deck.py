#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the rig's plane model as a CalculiX deck, for runs side by side.

  rig_deck.py FILE.inp [--element CPS4|CPS8R] [--along N] [--through N] [--disc N] [--seconds T] [--step DT]
              [--frequency HZ] [--force N] [--mesh MESH.inp]

A clamped steel strip with a half cylinder under its end, pressed on a fixed support and driven near its first
resonance: Coulomb friction with elastic stick, implicit dynamics with a fixed step.

--mesh writes the strip and its foot alone, for fretwork to read: both then run on the same nodes and elements.

Three things CalculiX needs and this deck does:
 * A slice 1 mm wide, forces scaled. At the real width (38.88 mm) the plane-stress elements, expanded to bricks inside
   CalculiX, are tied across the width and turn into plane strain (first frequency 4.6 % too high).
 * The preload rises inside the dynamic step (1 - cos, 4 ms). A static preload does not carry over into *DYNAMIC.
 * A lone pre-strained element beside the model. It raises the reference energy of CalculiX' automatic energy check,
   which otherwise rejects converged increments.
"""
import argparse
import math

LENGTH, THICKNESS, WIDTH, RADIUS = 0.606, 0.00476, 0.03888, 0.005
DRIVE = 0.555
SLICE = 0.001
PRELOAD, MU, U_CRIT, K_NORMAL = 83.0, 0.52, 4e-6, 1e9
ALPHA = 0.06
RISE = 0.004
STRAIN = 1e-4


class Mesh:
    """Quadrilaterals between shared nodes; mid-side nodes are added when the deck asks for them."""

    def __init__(self):
        self.nodes, self.number, self.quads, self.middles = [], {}, [], {}

    def node(self, x, y):
        key = (round(x * 1e9), round(y * 1e9))
        if key not in self.number:
            self.nodes.append((x, y))
            self.number[key] = len(self.nodes)
        return self.number[key]

    def block(self, grid):
        """A structured block; grid[i][j] is a place. Returns the numbers of its elements."""
        first = len(self.quads)
        for west, east in zip(grid, grid[1:]):
            for j in range(len(west) - 1):
                corners = [west[j], east[j], east[j + 1], west[j + 1]]
                area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, corners[1:] + corners[:1]))
                if area < 0:
                    corners.reverse()
                self.quads.append([self.node(*place) for place in corners])
        return range(first + 1, len(self.quads) + 1)

    def on_cylinder(self, n):
        x, y = self.nodes[n - 1]
        return y < 1e-9 and abs(math.hypot(x - LENGTH, y) - RADIUS) < 1e-8

    def middle(self, a, b):
        key = (min(a, b), max(a, b))
        if key not in self.middles:
            (xa, ya), (xb, yb) = self.nodes[a - 1], self.nodes[b - 1]
            x, y = (xa + xb) / 2, (ya + yb) / 2
            if self.on_cylinder(a) and self.on_cylinder(b) and max(ya, yb) - min(ya, yb) < RADIUS:
                stretch = RADIUS / math.hypot(x - LENGTH, y)
                x, y = LENGTH + (x - LENGTH) * stretch, y * stretch
            self.nodes.append((x, y))
            self.middles[key] = len(self.nodes)
        return self.middles[key]

    def elements(self, quadratic):
        for quad in self.quads:
            sides = list(zip(quad, quad[1:] + quad[:1]))
            yield quad + ([self.middle(a, b) for a, b in sides] if quadratic else [])

    def where(self, test):
        return [n for n, (x, y) in enumerate(self.nodes, 1) if test(x, y)]


def steps(a, b, n):
    return [a + (b - a) * i / n for i in range(n + 1)]


def between(p, q, t):
    return (p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t)


def quarter_disc(mesh, side, n):
    """Three blocks (a core and two around it) of the quarter of the half cylinder left (-1) or right (+1)."""
    centre, flat, deep = (LENGTH, 0.0), (LENGTH + side * RADIUS / 2, 0.0), (LENGTH, -RADIUS / 2)
    corner = (LENGTH + side * 0.42 * RADIUS, -0.42 * RADIUS)
    t = steps(0, 1, n)
    mesh.block([[between(between(centre, flat, u), between(deep, corner, u), v) for v in t] for u in t])
    begin, end = (-math.pi if side < 0 else 0.0), -math.pi / 2
    half = (begin + end) / 2
    for inner, outer, a, b in ((flat, corner, begin, half), (corner, deep, half, end)):
        arc = [(LENGTH + RADIUS * math.cos(w), RADIUS * math.sin(w)) for w in steps(a, b, n)]
        mesh.block([[between(between(inner, outer, u), place, v) for v in t] for u, place in zip(t, arc)])


def amplitude(name, values, step):
    pairs = ["%.7g, %.9g" % (i * step, value) for i, value in enumerate(values)]
    return ["*AMPLITUDE, NAME=" + name] + [", ".join(pairs[i:i + 4]) for i in range(0, len(pairs), 4)]


def node_set(name, numbers):
    return ["*NSET, NSET=" + name] + [", ".join(map(str, numbers[i:i + 12])) + "," for i in range(0, len(numbers), 12)]


def body(o):
    """The strip with its half cylinder."""
    mesh = Mesh()
    before = max(1, round(o.along * DRIVE / (LENGTH - RADIUS)))
    xs = (steps(0, DRIVE, before) + steps(DRIVE, LENGTH - RADIUS, max(1, o.along - before))[1:]
          + steps(LENGTH - RADIUS, LENGTH + RADIUS, 4 * o.disc)[1:])
    mesh.block([[(x, y) for y in steps(0, THICKNESS, o.through)] for x in xs])
    for side in (-1, 1):
        quarter_disc(mesh, side, o.disc)
    return mesh


def foot_faces(mesh, elements):
    """Faces of the half cylinder that may touch the floor."""
    for number, nodes in enumerate(elements, 1):
        for k in range(4):
            a, b = nodes[k], nodes[(k + 1) % 4]
            low = min(mesh.nodes[a - 1][1], mesh.nodes[b - 1][1])
            if mesh.on_cylinder(a) and mesh.on_cylinder(b) and low < -0.85 * RADIUS:
                yield "%d, S%d" % (number, k + 1)


def model(mesh, elements, o):
    lines = ["*NODE, NSET=NALL"] + ["%d, %.12g, %.12g, 0" % (n, x, y) for n, (x, y) in enumerate(mesh.nodes, 1)]
    lines += ["*ELEMENT, TYPE=%s, ELSET=EALL" % o.element]
    lines += [", ".join(map(str, [n] + nodes)) for n, nodes in enumerate(elements, 1)]
    return lines + node_set("NCLAMP", mesh.where(lambda x, y: abs(x) < 1e-9))


def mesh_alone(o):
    mesh = body(o)
    elements = list(mesh.elements(o.element == "CPS8R"))
    return model(mesh, elements, o) + ["*SURFACE, NAME=FOOT, TYPE=ELEMENT"] + list(foot_faces(mesh, elements))


def deck(o):
    scale, quadratic = SLICE / WIDTH, o.element == "CPS8R"
    mesh = body(o)
    own = len(mesh.quads)
    support = mesh.block([[(x, y) for y in (-RADIUS - 0.002, -RADIUS)]
                          for x in (LENGTH - 0.012, LENGTH + 0.001, LENGTH + 0.014)])
    elements = list(mesh.elements(quadratic))
    lone = [mesh.node(LENGTH + x, y) for x, y in ((0, -0.05), (0.001, -0.05), (0.001, -0.049), (0, -0.049))]

    master = []
    for number in support:
        nodes = elements[number - 1]
        for k in range(4):
            if all(abs(mesh.nodes[n - 1][1] + RADIUS) < 1e-9 for n in (nodes[k], nodes[(k + 1) % 4])):
                master.append("%d, S%d" % (number, k + 1))
    held = sorted({n for e in support for n in elements[e - 1]})

    # Stiffnesses per area, from the share of the lowest node in the faces beside it.
    area = RADIUS * math.pi / (4 * o.disc) * SLICE / (3 if quadratic else 1)
    normal, stick = K_NORMAL * scale / area, MU * PRELOAD * scale / U_CRIT / area

    total = RISE + o.seconds
    times = [i * o.step for i in range(int(round(total / o.step)) + 2)]
    drive = [math.sin(2 * math.pi * o.frequency * max(0.0, t - RISE)) for t in times]
    rise = [0.5 * (1 - math.cos(math.pi * min(1.0, t / RISE))) for t in times]
    prints = []
    for name in ("NDRIVE", "NFOOT"):
        prints += ["*NODE PRINT, NSET=" + name, "U"]
    prints += ["*NODE PRINT, NSET=NSUPPORT, TOTALS=ONLY", "RF"]
    prints += ["*EL PRINT, ELSET=ELONE, TOTALS=ONLY", "ELSE"]  # *DYNAMIC insists on energy output

    lines = model(mesh, elements, o)
    lines += ["*ELEMENT, TYPE=CPS4, ELSET=ELONE", ", ".join(map(str, [len(elements) + 1] + lone))]
    lines += node_set("NDRIVE", mesh.where(lambda x, y: abs(x - DRIVE) < 1e-9 and abs(y - THICKNESS / 2) < 1e-9))
    lines += node_set("NTOP", mesh.where(lambda x, y: abs(x - LENGTH) < 1e-9 and abs(y - THICKNESS) < 1e-9))
    lines += node_set("NFOOT", mesh.where(lambda x, y: abs(x - LENGTH) < 1e-9 and abs(y + RADIUS) < 1e-9)[:1])
    lines += node_set("NSUPPORT", held)
    lines += ["*MATERIAL, NAME=STEEL", "*ELASTIC", "210e9, 0.3", "*DENSITY", "7800", "*DAMPING, ALPHA=%g" % ALPHA]
    for name in ("EALL", "ELONE"):
        lines += ["*SOLID SECTION, ELSET=%s, MATERIAL=STEEL" % name, "%g" % SLICE]
    lines += ["*BOUNDARY", "NCLAMP, 1, 2", "NSUPPORT, 1, 3"]
    lines += ["%d, 1, 3" % n for n in (lone[0], lone[3])] + ["%d, 2, 3" % n for n in (lone[1], lone[2])]
    lines += ["*SURFACE, NAME=FOOT, TYPE=ELEMENT"] + list(foot_faces(mesh, elements[:own]))
    lines += ["*SURFACE, NAME=FLOOR, TYPE=ELEMENT"] + master
    lines += ["*SURFACE INTERACTION, NAME=RUB", "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR",
              "%.6g, 1e4, 0.02" % normal, "*FRICTION", "%g, %.6g" % (MU, stick)]
    lines += ["*CONTACT PAIR, INTERACTION=RUB, TYPE=NODE TO SURFACE", "FOOT, FLOOR"]
    lines += amplitude("DRIVE", drive, o.step) + amplitude("RISE", rise, o.step)
    lines += ["*STEP, INC=1000, NLGEOM", "*STATIC", "0.2, 1.", "*BOUNDARY"]
    lines += ["%d, 1, 1, %g" % (n, STRAIN) for n in (lone[1], lone[2])] + prints + ["*END STEP"]
    lines += ["*STEP, INC=%d, NLGEOM" % (20 * len(times) + 1000), "*DYNAMIC, DIRECT, ALPHA=-0.05",
              "%g, %g" % (o.step, total), "*CLOAD, AMPLITUDE=RISE", "NTOP, 2, %.9g" % (-PRELOAD * scale),
              "*CLOAD, AMPLITUDE=DRIVE", "NDRIVE, 2, %.9g" % (o.force * scale)] + prints + ["*END STEP"]
    return lines


def main():
    arguments = argparse.ArgumentParser(description="The rig's plane model as a CalculiX deck")
    arguments.add_argument("file")
    arguments.add_argument("--element", choices=("CPS4", "CPS8R"), default="CPS8R")
    arguments.add_argument("--along", type=int, default=40, help="elements along the strip")
    arguments.add_argument("--through", type=int, default=1, help="elements through its thickness")
    arguments.add_argument("--disc", type=int, default=1, help="elements along half a quarter arc")
    arguments.add_argument("--seconds", type=float, default=0.06)
    arguments.add_argument("--step", type=float, default=1e-4)
    arguments.add_argument("--frequency", type=float, default=50.0)
    arguments.add_argument("--force", type=float, default=6.5)
    arguments.add_argument("--mesh", help="where to write the strip and its foot alone")
    options = arguments.parse_args()
    if options.mesh:
        with open(options.mesh, "w") as out:
            out.write("\n".join(mesh_alone(options)) + "\n")
    with open(options.file, "w") as out:
        out.write("\n".join(deck(options)) + "\n")


if __name__ == "__main__":
    main()
