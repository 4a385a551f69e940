"""read_back.py PROGRAM DECK: what fretwork leaves for ParaView, opened with VTK's own readers: every file can be read, tables hold what the CSV beside
them holds, series name files that are there, pictures move as the summary says. DECK: a tube in three plates."""
import csv
import json
import math
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import vtk

problems = []


class Listener:
    """Readers do not raise: what they complain of comes as an event."""
    def __init__(self, reader):
        self.said = []
        for event in ("ErrorEvent", "WarningEvent"):
            reader.AddObserver(event, lambda *_: self.said.append(event))


def read(reader, path):
    listener = Listener(reader)
    reader.SetFileName(path)
    reader.Update()
    if listener.said or reader.GetErrorCode():
        problems.append(f"{path}: {listener.said or reader.GetErrorCode()}")
    return reader.GetOutput()


def column(array):
    return [array.GetTuple1(i) for i in range(array.GetNumberOfTuples())]


def check_table(path):
    """The same names with their units, the same numbers to the digits that the CSV has."""
    table = read(vtk.vtkXMLTableReader(), path)
    with open(path[:-4] + ".csv") as file:
        rows = list(csv.reader(file))
    names = [table.GetColumnName(i) for i in range(table.GetNumberOfColumns())]
    if names != rows[0] or table.GetNumberOfRows() != len(rows) - 1:
        problems.append(f"{path}: columns {names} of {table.GetNumberOfRows()} rows, not {rows[0]} of {len(rows) - 1}")
        return
    for i, name in enumerate(names):
        for value, text in zip(column(table.GetColumn(i)), (row[i] for row in rows[1:])):
            if text and abs(value - float(text)) > 1e-11 * abs(value):
                problems.append(f"{path}: {name}: {value!r}, not {text}")
                return


def check_series(path):
    for entry in ElementTree.parse(path).getroot().iter("DataSet"):
        if not os.path.exists(os.path.join(os.path.dirname(path), entry.get("file"))):
            problems.append(f"{path}: there is no {entry.get('file')}")


def check_picture(path):
    grid = read(vtk.vtkXMLUnstructuredGridReader(), path)
    if not grid.GetNumberOfPoints() or not grid.GetNumberOfCells():
        problems.append(f"{path}: empty")
    if not grid.GetPointData().HasArray("displacement") and "joints" not in path and "supports" not in path:
        problems.append(f"{path}: nothing to warp by")


def displacement_at(path, place):
    """Of the point at a place, in y."""
    grid = read(vtk.vtkXMLUnstructuredGridReader(), path)
    point = grid.FindPoint(place)
    return grid.GetPointData().GetArray("displacement").GetTuple(point)[1]


def check_forces(folder):
    """Of tubes in drilled plates: N pushes the axis back to the middle of the hole, and T is at right angles to it."""
    closed = 0
    for name in sorted(os.listdir(folder)):
        if not name.startswith("motion-contact-") or not name.endswith(".vtu"):
            continue
        data = read(vtk.vtkXMLUnstructuredGridReader(), os.path.join(folder, name)).GetPointData()
        for i, (N, T) in enumerate(zip(column(data.GetArray("N")), column(data.GetArray("T")))):
            force, u = data.GetArray("force").GetTuple(i), data.GetArray("displacement").GetTuple(i)
            closed += N > 0
            pushed = sum(a * b for a, b in zip(force, u)) + N * math.hypot(*u)
            if abs(math.hypot(*force) - math.hypot(N, T)) > 1e-5 * N or abs(pushed) > 1e-5 * N * math.hypot(*u):
                problems.append(f"{name}: force {force} at {u} of N {N} and T {T}")
    return closed


def check_supports(path, plates):
    """Every plate has its own number, two circles and what is between them."""
    grid = read(vtk.vtkXMLUnstructuredGridReader(), path)
    numbers = column(grid.GetCellData().GetArray("body"))
    for number in set(numbers):
        kinds = [grid.GetCellType(i) for i in range(grid.GetNumberOfCells()) if numbers[i] == number]
        if kinds.count(vtk.VTK_LINE) != 64 or kinds.count(vtk.VTK_QUAD) != 32:
            problems.append(f"{path}: support {number} has {len(kinds)} cells")
    if len(set(numbers)) != plates:
        problems.append(f"{path}: {len(set(numbers))} supports, not {plates}")


def check_tube(program, deck):
    with open(deck) as file:
        text = file.read()
    with open("tube.xml", "w") as file:
        file.write(text.replace("</analyses>", '</analyses><outputs><vtk analysis="flow" every="20"/></outputs>'))
    subprocess.run([program, "run", "tube.xml", "--only", "flow", "--set", "seconds=0.4", "--quiet"], check=True)
    check_supports("tube.out/flow/motion-supports-0001.vtu", 3)
    closed = check_forces("tube.out/flow")
    if closed < 5:
        problems.append(f"only {closed} points of tubes in contact were seen")
    return closed


def main(program, deck):
    subprocess.run([program, "new", "beam", "--out", "beam.xml"], check=True)
    with open("beam.xml") as file:
        text = file.read()
    with open("beam.xml", "w") as file:  # pictures of the motion too, and a load that bends the beam at rest
        file.write(text.replace("</analyses>", '<static id="bent" start="seated" loads="pull"/></analyses><outputs><vtk analysis="driven" every="1000"/></outputs>')
                   .replace("</loads>", '<force id="pull" at="beam.drive" fy="10"/></loads>'))
    subprocess.run([program, "run", "beam.xml", "--quiet"], check=True)
    checks = {".vtt": check_table, ".pvd": check_series, ".vtu": check_picture}
    found = dict.fromkeys(checks, 0)
    for folder, _, files in os.walk("beam.out"):
        for name in files:
            ending = os.path.splitext(name)[1]
            if ending in checks:
                found[ending] += 1
                checks[ending](os.path.join(folder, name))
    if min(found.values()) < 4:
        problems.append(f"too few files: {found}")
    with open("beam.out/summary.json") as file:
        told = json.load(file)["analyses"]["bent"]["sensors"]["drive"]
    drawn = displacement_at("beam.out/bent/static-0001.vtu", (0.5, 0.0, 0.0))
    if not told or abs(drawn - told) > 1e-6 * abs(told):
        problems.append(f"the picture moves by {drawn}, the summary says {told}")
    print(f"forces of {check_tube(program, deck)} points of a tube in contact")
    print(f"{found}: displacement drawn {drawn:.9g}, told {told:.9g}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
