"""Where harmonics do not settle: motions of one, two and three periods by shooting, and what time integration does instead."""
import cmath
import functools
import math
import os
import re
import shutil

import results
from results import DECKS, OUT, number, table
from tables import NAMES, deck_of, settings

# Law, level (N) and frequency (Hz) of the rows of docs/validation.md that are not periodic, are lost, or need more harmonics.
ROWS = (("stribeck", 1, 53.83), ("stribeck", 3, 52), ("stribeck", 6.5, 50), ("stribeck", 8, 49.1),
        ("decay", 1, 60.91), ("decay", 3, 56.63), ("decay", 6.5, 50), ("decay", 8, 49.1),
        ("decay-1d", 1, 56.84), ("decay-1d", 3, 55.72), ("decay-1d", 6.5, 49.41), ("decay-1d", 8, 49.1),
        ("stribeck-static", 1, 53), ("stribeck-static", 3, 52), ("stribeck-static", 6.5, 50), ("stribeck-static", 8, 49.1))
PERIODIC = (("stribeck-static", 6.5), ("decay", 8))  # or settling, on the validation page: in time only
# Coulomb's friction, and as many divisions as on the validation page: rows with what is set otherwise.
OTHERS = ((("coulomb-lagrange", 3, 62.68), {"check_periods": 1000}), (("coulomb-lagrange", 6.5, 49.05), {}),
          (("coulomb-penalty", 6.5, 48.6), {}), (("coulomb-lagrange", 6.5, 50), {"divisions": 40}),
          (("stribeck", 3, 52), {"divisions": 40}))
STEPS = (200, 800, 3200)  # a period; the finest where stick is clipped
OTHER_STEPS = (200, 400, 800)
PERIODS = (1, 2, 3)
PHASES = 40  # of a period in the tables of time integration
LINES = 128  # periods whose spectrum is looked at
LATE = 60  # periods at the end that are compared
LONGEST = 12  # repetitions that are looked for in time
SAME = 1e-4  # of the range: what repeats
NUDGE = 1e-9  # of the weight: by how much two runs differ
PARTED = 1e-2  # of the range: two runs that have parted
SHOOTING = 60  # s of processor time


@functools.lru_cache(None)
def deck(law):
    """The rig's deck with the analyses of periods.xml in place of its own."""
    folder = os.path.join(OUT, "decks")
    for part in ("parts", "data"):
        shutil.copytree(os.path.join(DECKS, part), os.path.join(folder, part), dirs_exist_ok=True)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "periods.xml")) as file:
        own = re.search(r"<settings>(.*)</settings>", file.read(), re.S).group(1)
    name = deck_of("beam", law)
    with open(os.path.join(DECKS, name + ".xml")) as file:
        text = file.read()
    text = re.sub(r'<analyses>.*</analyses>|<xi:include href="parts/analyses.xml"/>', lambda m: own, text, flags=re.S)
    path = os.path.join(folder, name)
    with open(path + ".xml", "w") as file:
        file.write(text.replace('<xi:include href="parts/outputs.xml"/>', ""))
    return path


def run(what, law, level, frequency, seconds=results.SECONDS, **more):
    """more: parameters that tell this run from others of the row."""
    tags = "".join(f"-{key}-{value:g}" for key, value in more.items())
    parameters = {**settings(law, level), "check_level": level, "check_frequency": frequency, "divisions": 8, "check_steps": 200, **more}
    return results.run(deck(law), f"periods-{law}-{level:g}-{frequency:g}-{what}{tags}", only=("seated", what), seconds=seconds, **parameters)


# ---- in time -------------------------------------------------------------------------------

def transform(values):
    """Fourier sums, halved as long as the number of values is even."""
    n = len(values)
    if n % 2:
        return [sum(v * cmath.exp(-2j * math.pi * i * k / n) for i, v in enumerate(values)) for k in range(n)]
    even, odd = transform(values[::2]), transform(values[1::2])
    turned = [cmath.exp(-2j * math.pi * k / n) * x for k, x in enumerate(odd)]
    return [a + b for a, b in zip(even, turned)] + [a - b for a, b in zip(even, turned)]


def column(path, name):
    """One column of a table, quicker than all of them."""
    with open(path) as file:
        at = [head.split(" ")[0] for head in file.readline().split(",")].index(name)
        return [float(line.split(",", at + 1)[at]) for line in file]


class Long:
    """Time integration from rest, looked at PHASES times a period."""

    def __init__(self, law, level, frequency, **more):
        self.result = run("long", law, level, frequency, **{"check_periods": 500, **more})
        self.u = column(os.path.join(self.result.folder, "long", "history.csv"), "drive")
        self.periods = (len(self.u) - 1) // PHASES
        last = self.u[-LATE * PHASES:]
        self.range = max(last) - min(last)
        self.rows = (law, level, frequency, more)

    def change(self, repeats, back=0):
        """Largest difference over the range between moments `repeats` periods apart, in the last LATE periods before `back`."""
        end, apart = len(self.u) - back * PHASES, repeats * PHASES
        return max(abs(self.u[i] - self.u[i - apart]) for i in range(end - (LATE - LONGEST) * PHASES, end)) / self.range

    @functools.lru_cache(None)
    def repeats(self):
        """Periods of the drive after which it repeats itself; None: no number up to LONGEST."""
        return next((k for k in range(1, LONGEST + 1) if self.change(k) < SAME), None)

    def amplitudes(self):
        """Least and largest first harmonic of single periods, in the last LATE."""
        turn = [complex(math.cos(2 * math.pi * i / PHASES), -math.sin(2 * math.pi * i / PHASES)) for i in range(PHASES)]
        sizes = []
        for k in range(LATE):
            begin = len(self.u) - (k + 1) * PHASES
            sizes.append(abs(sum(v * t for v, t in zip(self.u[begin:begin + PHASES], turn))) * 2 / PHASES)
        return min(sizes), max(sizes)

    def broad(self):
        """Part of the power that is not at multiples of the drive, and how many lines hold nine tenths of it."""
        power = [abs(x) ** 2 for x in transform(self.u[-LINES * PHASES:])][1:LINES * PHASES // 2]
        others = sorted((p for line, p in enumerate(power, 1) if line % LINES), reverse=True)
        held, lines = 0.0, 0
        while lines < len(others) and held < 0.9 * sum(others):
            held += others[lines]
            lines += 1
        return sum(others) / sum(power), lines

    @functools.lru_cache(None)
    def parted(self):
        """Periods until a run whose weight is heavier by NUDGE has parted from this one; None: it does not."""
        law, level, frequency, more = self.rows
        other = Long(law, level, frequency, P=83 * (1 + NUDGE), **more)
        apart = (k for k, (a, b) in enumerate(zip(self.u, other.u)) if abs(a - b) > PARTED * self.range)
        return next((math.ceil(k / PHASES) for k in apart), None)


def spans(low, high):
    """One number where both look alike."""
    a, b = number(low, 2, 1e6), number(high, 2, 1e6)
    return a if a == b else f"{a} – {b}"


def repeats(runs):
    return ", ".join(str(run.repeats() or "–") for run in runs)


def spectrum(run):
    part, lines = run.broad()
    return f"{part:.0e} in {lines} line" + ("s" if lines > 1 else "")


def in_time():
    rows = []
    for law, level, frequency in ROWS:
        left = 1 if law == "stribeck-static" else 0
        runs = [Long(law, level, frequency, check_steps=steps) for steps in STEPS[:len(STEPS) - left]]
        rows.append([NAMES[law], f"{level:g}", f"{frequency:g}"] + [spans(*run.amplitudes()) for run in runs] + [""] * left
                    + [number(run.change(1), 3, 100) for run in runs] + [""] * left
                    + [repeats(runs), spectrum(runs[1]), runs[1].parted() or "–"])
    return table(["law", "N", "Hz"] + [f"{n} steps: µm" for n in STEPS] + [f"{n}: %" for n in STEPS]
                 + ["repeats after", "off the drive's multiples", "parted after"], rows)


def others_in_time():
    rows = []
    for (law, level, frequency), more in OTHERS:
        runs = [Long(law, level, frequency, check_steps=steps, **more) for steps in OTHER_STEPS]
        rows.append([NAMES[law], more.get("divisions", 8), f"{level:g}", f"{frequency:g}"] + [spans(*run.amplitudes()) for run in runs]
                    + [f"{run.change(1):.0e}" for run in runs] + [repeats(runs)])
    return table(["law", "divisions", "N", "Hz"] + [f"{n} steps: µm" for n in OTHER_STEPS]
                 + [f"{n}: change" for n in OTHER_STEPS] + ["repeats after"], rows)


# ---- by shooting ---------------------------------------------------------------------------

class Shot:
    """Motions of one period by shooting, from a frequency up."""

    def __init__(self, law, level, frequency, period):
        self.result = run("up", law, level, frequency, seconds=SHOOTING, check_period=period)
        self.rows = self.result.table("up", f"frf-{level:g}")
        self.ended = results.ended(self.result)  # failed: no motion was found

    def at(self, frequency):
        return next((row for row in self.rows if abs(row["frequency"] - frequency) < 1e-6), None)


def says(row):
    grow = f", {row['growing']:.0f} grow" if row["growing"] > 1 else ", one grows" if row["growing"] else ""
    return f"{number(row['drive.amplitude'], 2, 1e6)} µm ({row['multiplier']:.3f}{grow}), {row['switches']:.0f}"


def cell(shot, frequency, shorter):
    """What was found at the frequency or above it; shorter: shots of fewer periods, of which this is a multiple."""
    row = shot.at(frequency) or next(iter(shot.rows), None)
    if not row:
        return "none" if shot.ended else "not ended"
    there = "" if shot.at(frequency) else f"none; at {row['frequency']:.2f} Hz "
    for period, other in shorter.items():
        same = other.at(row["frequency"])
        if same and abs(same["drive.amplitude"] / row["drive.amplitude"] - 1) < 1e-5:
            return f"{there}that of period {period}"
    return there + says(row)


def by_shooting():
    rows = []
    for law, level, frequency in ROWS:
        if (law, level) in PERIODIC:
            continue
        shots = {period: Shot(law, level, frequency, period) for period in PERIODS}
        rows.append([NAMES[law], f"{level:g}", f"{frequency:g}"]
                    + [cell(shots[k], frequency, {j: shots[j] for j in PERIODS if k % j == 0 and j < k}) for k in PERIODS])
    return table(["law", "N", "Hz"] + [f"period {k}" for k in PERIODS], rows)


TABLES = {"in-time": in_time, "others": others_in_time, "by-shooting": by_shooting}


def facts():
    change = lambda law, level, frequency, steps: 100 * Long(law, level, frequency, check_steps=steps).change(1)
    least = {row: change(*row, STEPS[0]) / change(*row, STEPS[-1]) for row in ROWS if row[0] != "stribeck-static"}
    of = lambda law: sorted(round(times) for row, times in least.items() if row[0] == law)
    stuck = lambda row: Long(*row, check_steps=STEPS[1]).result.get("analyses.long.contact.foot.stick_fraction")
    slides = [number(1 - stuck(row), 0, 100) for row in ROWS if row[0] == "stribeck-static" and row[1] > 1]
    fall = lambda law: f"{of(law)[0]} to {of(law)[-1]} times less"
    return {"shooting-seconds": str(SHOOTING), "longest": str(LONGEST), "same": "10⁻⁴", "nudge": "10⁻⁹",
            "slides": f"{slides[0]}, {slides[1]} and {slides[2]}",
            "falls": f"Stribeck {fall('stribeck')}, one-dimensional decay {fall('decay-1d')}, finite elements {fall('decay')},",
            "decay-1": number(change("decay", 1, 60.91, STEPS[-1]), 1), "decay-3": number(change("decay", 3, 56.63, STEPS[-1]), 1)}
