"""Runs decks of examples/rig and reads what they leave."""
import csv
import functools
import json
import math
import os
import re
import resource
import subprocess
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DECKS = os.path.join(ROOT, "examples", "rig")
OUT = os.path.join(ROOT, "build", "validation")
PROGRAM = os.environ.get("FRETWORK", os.path.join(ROOT, "build", "fretwork"))
SECONDS = 300  # of processor time: a run that takes more is ended
LARGE = 6e-4  # m: resonances above it lie on the unstable branch that leads to opening

reuse = False  # keep results that are there
_places = threading.Semaphore(int(os.environ.get("JOBS", os.cpu_count() or 1)))  # runs at a time
_folders, _done, _guard = {}, set(), threading.Lock()


@functools.lru_cache(None)
def _read(path):
    with open(path) as file:
        rows = list(csv.reader(file))
    names = [re.sub(r" \[.*", "", n) for n in rows[0]]
    return [dict(zip(names, (float(cell) if cell else math.nan for cell in r))) for r in rows[1:]]  # empty: not known


class Result:
    """A result folder."""

    def __init__(self, folder):
        self.folder = folder
        self.summary = {}
        path = os.path.join(folder, "summary.json")
        if os.path.exists(path):
            with open(path) as file:
                self.summary = json.load(file)

    def get(self, path, default=None):
        value = self.summary
        for part in re.findall(r"[^.\[\]]+", path):
            try:
                value = value[int(part)] if isinstance(value, list) else value[part]
            except (KeyError, IndexError, TypeError):
                return default
        return default if value is None else value

    def level(self, level):
        return next((x for x in self.get("analyses.frf.levels", []) if abs(x["level"] - level) < 1e-9), {})

    def table(self, analysis, name):
        """Rows by column names, units left out."""
        path = os.path.join(self.folder, analysis, name + ".csv")
        return _read(path) if os.path.exists(path) else []

    def main_resonance(self, level):
        """The row of the resonance with the largest amplitude; None: there is none."""
        rows = [r for r in self.table("frf", "resonances") if r["level"] == level and r["amplitude"] < LARGE]
        return max(rows, key=lambda r: r["amplitude"]) if rows else None

    def crossings(self, level):
        """Where the curve of resonance against drive passes a level: (frequency, amplitude)."""
        found, rows = [], self.table("locus", "locus")
        for a, b in zip(rows, rows[1:]):
            if (a["level"] - level) * (b["level"] - level) < 0 or b["level"] == level:
                t = (level - a["level"]) / (b["level"] - a["level"])
                found.append((a["frequency"] + t * (b["frequency"] - a["frequency"]),
                              a["drive.amplitude"] + t * (b["drive.amplitude"] - a["drive.amplitude"])))
        return found

    def resonances(self, level):
        """Frequencies of all resonances at a level, of the curve and of the response."""
        places = [(f, a) for f, a in self.crossings(level)]
        places += [(r["frequency"], r["amplitude"]) for r in self.table("frf", "resonances") if r["level"] == level]
        kept = []
        for f in sorted(f for f, a in places if a < LARGE):
            if not kept or f - kept[-1] > 0.02:
                kept.append(f)
        return kept

    def critical(self):
        """The highest level on the curve; None where it could not be followed to the contact's opening."""
        levels = [row["level"] for row in self.table("locus", "locus")]
        return max(levels) if levels and "lost" not in self.get("analyses.locus.note", "") else None


def ended(result):
    """It came to its end by itself."""
    return result.get("status") in ("done", "done with warnings", "failed")


def run(deck, name=None, only=(), seconds=SECONDS, **parameters):
    """The result of a deck of examples/rig; each name is run once, as many at a time as there are processors. A run that takes
    more seconds of processor time is ended."""
    name = name or deck
    folder = os.path.join(OUT, name)
    with _guard:
        lock = _folders.setdefault(name, threading.Lock())
    with lock:
        if name not in _done and not (reuse and ended(Result(folder))):
            _run(deck, folder, only, seconds, parameters)
        _done.add(name)
    return Result(folder)


def _run(deck, folder, only, seconds, parameters):
    command = [PROGRAM, "run", os.path.join(DECKS, deck + ".xml"), "--out", folder, "--force", "--quiet"]
    for identifier in only:
        command += ["--only", identifier]
    for key, value in parameters.items():
        command += ["--set", f"{key}={value}"]
    with _places:
        code = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=lambda: _bound(seconds), check=False).returncode
    print(f"ended after {seconds} s:" if code < 0 else "ran", os.path.basename(folder), flush=True)


def _bound(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def measured(level):
    """Accelerometers: distances from the clamp in mm, and amplitudes by harmonic."""
    with open(os.path.join(DECKS, "data", f"harmonics-{level:g}N.csv")) as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return [round(1000 * float(n[2:])) for n in rows[0][1:]], {int(r[0]): list(map(float, r[1:])) for r in rows[1:]}


def nearest(rows, frequency):
    return min(rows, key=lambda r: abs(r["frequency"] - frequency)) if rows else None


def number(value, digits, scale=1.0):
    return "–" if value is None or not math.isfinite(value) else f"{value * scale:.{digits}f}"


def percent(value, reference, digits=2):
    return f"{100 * (value / reference - 1):+.{digits}f}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])
