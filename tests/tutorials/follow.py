"""follow.py PROGRAM TUTORIAL.md new|typed|sections [--update]: does what a tutorial says, word for word, in the current folder.

  ```sh    commands, run as they stand; each must end with 0
  ```text  lines that the commands before it have shown, in this order; words as they are, numbers to their last digit
  ```xml   pieces of the deck: joined they are the deck that `fretwork new` writes, comments and blanks aside
  ```geo   the same of a file for Gmsh

Pieces of files belong to the `fretwork new NAME --out FILE` that comes first of those with their ending. `new` follows these
commands; `typed` leaves them out and takes the files as the tutorial has them. `sections` does so with each section of a page, in a folder
of its own, where pieces of XML are put into the deck: what they have with the same id takes the place of what is there.

A number in the text is followed by what it is, `13.5 Hz<!-- is F("tube", "modes.modes[0].frequency") -->`, and must be that to its
last digit, rounding (ROUNDING) aside, or stands in the files and commands of the tutorial. A picture is followed by the file it shows,
`![...](history.svg)<!-- of tube.out/shaken/history.svg -->`: its curves must be those. --update writes pictures anew instead."""
import base64
import csv
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

UNITS = {"": 1, "Hz": 1, "N": 1, "kN": 1e3, "m": 1, "mm": 1e-3, "µm": 1e-6, "nm": 1e-9, "W": 1, "mW": 1e-3, "s": 1, "m/s": 1,
         "mm/s": 1e-3, "%": 1e-2, "MPa": 1e6, "kg": 1, "mg": 1e-6, "N/m": 1, "N/µm": 1e6}
NUMBER = r"[-−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
# Computers round in places of their own: with BLAS kernels of three kinds of processors the figures of the tutorials differ by 7e-7 of
# themselves at most, those of the tube among its plates; by 1e-10 elsewhere. A tutorial whose figures differ by more has a chaotic
# motion, or asks for half of a pair of modes, and tells figures that nobody will find again.
ROUNDING = 1e-5
wrong = []


def fail(text):
    wrong.append(text)


def number(text):
    return float(text.replace("−", "-"))


def same_number(told, value):
    """To half a unit of the last digit that is told, and what computers make of it."""
    mantissa, _, power = told.replace("−", "-").partition("e")
    digits = len(mantissa.partition(".")[2])
    return abs(float(told.replace("−", "-")) - value) <= 0.5 * 10.0 ** (int(power or 0) - digits) + ROUNDING * abs(value)


# ---- what the marks can ask for ------------------------------------------------------------------------------------------------

def F(folder, path):
    """A figure of FOLDER.out: its path below `analyses` in summary.json, or below `studies`."""
    with open(f"{folder}.out/summary.json") as file:
        summary = json.load(file)
    names = [int(n) if n.isdigit() else n for n in re.findall(r"[^.\[\]]+", path)]
    found = summary["studies" if names[0] in summary.get("studies", {}) else "analyses"]
    for name in names:
        found = found[name]
    return found


def C(folder, table, column):
    """A column of FOLDER.out/TABLE.csv, its unit left out of its name."""
    with open(f"{folder}.out/{table}.csv") as file:
        rows = list(csv.reader(file))
    at = [name.partition(" [")[0] for name in rows[0]].index(column)
    return [float(row[at]) for row in rows[1:] if row[at]]


def at(xs, ys, x):
    """y at x, straight between points."""
    for (x0, y0), (x1, y1) in zip(zip(xs, ys), zip(xs[1:], ys[1:])):
        if min(x0, x1) <= x <= max(x0, x1) and x0 != x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    raise ValueError(f"{x} is outside the table")


MARKS = {"F": F, "C": C, "at": at, "max": max, "min": min, "abs": abs, "sum": sum, "zip": zip, "len": len, "m": math}


# ---- the parts of a tutorial ---------------------------------------------------------------------------------------------------

def blocks(text):
    """(kind, content) of fenced blocks, in order."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.S | re.M)


def plain(text, kind):
    """What counts of a file: comments and blanks do not."""
    if kind == "geo":
        return re.sub(r"//.*|\s+", "", text)
    parts = []

    def walk(element):
        parts.append((element.tag, sorted(element.attrib.items()), (element.text or "").strip()))
        for child in element:
            walk(child)
        parts.append("end")
    walk(ElementTree.fromstring(text.strip()))
    return parts


def files_of(text):
    """Files that `fretwork new` makes in this tutorial: {kind: (template, file)}."""
    return {"geo" if t.endswith(".geo") else "xml": (t, f) for t, f in re.findall(r"^fretwork new (\S+) --out (\S+)$", text, re.M)}


def check_pieces(program, text):
    for kind, (template, file) in files_of(text).items():
        pieces = "".join(content for k, content in blocks(text) if k == kind)
        made = subprocess.run([program, "new", template], capture_output=True, text=True, check=True).stdout
        if plain(pieces, kind) != plain(made, kind):
            fail(f"the pieces of {file} are not what fretwork new {template} writes")
        yield file, pieces


def run(command):
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        fail(f"{command}: ends with {done.returncode}\n{done.stdout}")
    return done.stdout


def says(line, told):
    """True if a line of the output is the line told: the same words, the same numbers to the digits told."""
    words, others = line.split(), told.split()
    if len(words) != len(others):
        return False
    for word, other in zip(words, others):
        a, b = word.rstrip(","), other.rstrip(",")
        if a != b and not (re.fullmatch(NUMBER, a) and re.fullmatch(NUMBER, b) and same_number(b, float(a))):
            return False
    return True


def check_output(output, told):
    lines = iter(output.splitlines())
    for wanted in filter(str.strip, told.splitlines()):
        if not any(says(line, wanted) for line in lines):
            fail(f"not shown: {wanted}\nof:\n{output}")
            return


def place_piece(file, piece):
    """Puts a piece of XML, such as <contact> with a <pair>, into the deck."""
    tree = ElementTree.parse(file)
    piece = ElementTree.fromstring(piece)
    parent = tree.getroot().find(piece.tag)
    if parent is None:
        parent = ElementTree.SubElement(tree.getroot(), piece.tag)
    called = lambda e: (e.tag, e.get("id"))  # noqa: E731
    for child in piece:
        there = next((k for k, other in enumerate(parent) if called(other) == called(child)), None)
        if there is None:
            parent.append(child)
        else:
            parent[there] = child
    tree.write(file, encoding="UTF-8")


def follow(text, way):
    output = ""
    for kind, content in blocks(text):
        if kind == "sh":
            commands = [c for c in content.splitlines() if c and not (way == "typed" and c.startswith("fretwork new"))]
            output = "".join(run(command) for command in commands)
        elif kind == "text":
            check_output(output, content)
        elif kind == "xml" and way == "sections":
            place_piece(files_of(text)["xml"][1], content)


def follow_sections(text):
    """Each `## section` of a page; one that asks for nothing to be done is no answer."""
    for number_of, section in enumerate(re.split(r"^## ", text, flags=re.M)[1:]):
        title = section.partition("\n")[0]
        if not any(kind == "sh" for kind, content in blocks(section)):
            fail(f"{title}: nothing to do")
        folder, before, known = f"section-{number_of}", os.getcwd(), len(wrong)
        os.mkdir(folder)
        os.chdir(folder)
        follow(section, "sections")
        check_marks(section)
        os.chdir(before)
        wrong[known:] = [f"{title}: {words}" for words in wrong[known:]]


# ---- numbers and pictures ------------------------------------------------------------------------------------------------------

def check_marks(text):
    for told, unit, mark in re.findall(rf"({NUMBER})[  ]?([^\s\d<]*)<!-- is (.*?) -->", text, re.S):
        try:
            value = eval(mark, dict(MARKS, __builtins__={})) / UNITS[unit]
        except Exception as error:  # whatever a mark may do wrong
            fail(f"{told} {unit}: {mark}: {error!r}")
            continue
        if not same_number(told, value):
            fail(f"{told} {unit} is {value:.6g}: {mark}")


def check_prose(text):
    """Numbers without a mark are of the files and commands."""
    given = {number(n) for kind, content in blocks(text) if kind in ("xml", "geo", "sh", "text") for n in re.findall(NUMBER, content)}
    given |= {-n for n in given}
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    prose = re.sub(rf"{NUMBER}[  ]?[^\s\d<]*<!-- is .*?-->|<!--.*?-->|`[^`]*`|\]\([^)]*\)|\$[^$]*\$|^\d+\. ", "", prose, flags=re.S | re.M)
    for told in re.findall(rf"(?<![\w.]){NUMBER}(?!\w)", prose):
        if number(told) not in given:
            fail(f"{told}: neither marked nor given")


def curves(path):
    """All curves that an SVG carries, as lists of numbers."""
    with open(path) as file:
        data = json.loads(re.search(r'<metadata id="fretwork">(.*?)</metadata>', file.read(), re.S).group(1))
    unpack = lambda text: [v for (v,) in struct.iter_unpack("<f", base64.b64decode(text))]  # noqa: E731
    return [(unpack(c["x"]), unpack(c["y"])) for panel in data["panels"] for c in panel["curves"]]


def lies_on(a, b):
    """Every point of one curve is near the other, for the ranges it has; both may be thinned in places of their own."""
    width, height = (max(b[k]) - min(b[k]) or 1.0 for k in (0, 1))
    near = lambda x, y: any(abs(x - u) <= 0.02 * width and abs(y - v) <= 0.02 * height + 1e-6 * abs(y)  # noqa: E731
                            for u, v in zip(*b))
    between = lambda x, y: any(min(u0, u1) - 1e-6 * width <= x <= max(u0, u1) + 1e-6 * width  # noqa: E731
                               and min(v0, v1) - 0.02 * height <= y <= max(v0, v1) + 0.02 * height
                               for u0, u1, v0, v1 in zip(b[0], b[0][1:], b[1], b[1][1:]))
    return all(near(x, y) or between(x, y) for x, y in zip(*a) if not (math.isnan(x) or math.isnan(y)))


def check_pictures(text, folder, update):
    for shown, made in re.findall(r"!\[[^\]]*\]\(([^)]*)\)<!-- of (\S+) -->", text):
        path = os.path.join(folder, shown)
        if update:
            shutil.copyfile(made, path)
        elif not os.path.exists(path):
            fail(f"{shown} is missing: --update makes it of {made}")
        else:
            old, new = curves(path), curves(made)
            if len(old) != len(new) or not all(lies_on(a, b) and lies_on(b, a) for a, b in zip(old, new)):
                fail(f"{shown} does not show {made}")


def follow_tutorial(program, tutorial, text, way, update):
    for file, pieces in check_pieces(program, text):
        if way == "typed":
            with open(file, "w") as out:
                out.write(pieces)
    follow(text, way)
    if not wrong:
        check_marks(text)
        check_prose(text)
        check_pictures(text, os.path.dirname(tutorial), update)


def main(program, tutorial, way, *options):
    with open(tutorial) as file:
        text = file.read()
    os.environ["PATH"] = os.path.dirname(program) + os.pathsep + os.environ["PATH"]
    if way == "sections":
        follow_sections(text)
    else:
        follow_tutorial(program, tutorial, text, way, "--update" in options)
    for text in wrong:
        print(f"{os.path.basename(tutorial)}: {text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
