"""How far what is not known of the rig moves its resonances: table and picture of docs/validation.md."""
import math

from results import number, run, table
from tables import LEVELS, RIG

# Nothing was published of how well the resonances are known: half a unit of the last digit printed (53, 52, 50 Hz), 49.1 Hz alike.
MEASURED = {1: 0.5, 3: 0.5, 6.5: 0.5, 8: 0.05}
LAWS = {"dahl": ("Dahl", "#c44e52"), "lugre": ("LuGre over N, 6.5 N", "#4c72b0")}
NONE = {"dP": 1e-6, "dh": 1e-6, "dE": 1e-6, "kmin": 14142, "kmax": 14143}  # spreads that are none; the clamp in the middle of its range
SOURCES = {"preload, 83 N ± 1 N": ("dP",), "height, 7.38 mm ± 0.1 mm": ("dh",), "modulus, 210 GPa ± 3 GPa": ("dE",),
           "clamp, 2000 to 100000 N m/rad": ("kmin", "kmax")}


def _study(law, source=None):
    kept = SOURCES[source] if source else NONE
    name = f"bands-{law}" + (f"-{kept[0]}" if source else "")
    return run(f"uncertainty-{law}", name, only=("bands",), **{k: v for k, v in NONE.items() if k not in kept})


def _row(result, level):
    return next(r for r in result.table("bands", "resonance") if r["level"] == level)


def _band(result, level):
    row = _row(result, level)
    if math.isnan(row["p05"]):
        return "lost"
    return f"{row['p05']:.1f} – {row['p95']:.1f}" + _lost(result, level)


def _part_lost(result, level):
    """In which part of the samples friction does not hold the resonance."""
    samples = result.table("bands", "samples")
    return sum(1 for s in samples if not s["most"] > level) / len(samples)


def _lost(result, level):
    lost = _part_lost(result, level)
    return f" (lost in {100 * lost:.0f} %)" if lost else ""


def bands():
    rows = [["**rig**"] + [f"**{RIG[f]:.1f} ± {MEASURED[f]:g}**" for f in LEVELS]]
    for law, (name, _) in LAWS.items():
        rows.append([f"{name}, all together"] + [_band(_study(law), f) for f in LEVELS])
        rows += [[f"{name}, {source}"] + [_band(_study(law, source), f) for f in LEVELS] for source in SOURCES]
    return table(["resonance, Hz"] + [f"{f} N" for f in LEVELS], rows)


# ---- the picture ---------------------------------------------------------------------------

WIDE, HIGH, LEFT, TOP, LEVEL, LOW, HERTZ = 640, 400, 60, 20, 9.0, 43.0, 14.0


def _place(level, frequency):
    return LEFT + (WIDE - LEFT - 20) * level / LEVEL, TOP + (HIGH - TOP - 50) * (1 - (frequency - LOW) / HERTZ)


def _path(points):
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _law(law):
    study = _study(law)
    rows = [r for r in study.table("bands", "resonance") if _part_lost(study, r["level"]) < 0.5]
    around = [_place(r["level"], r["p05"]) for r in rows] + [_place(r["level"], r["p95"]) for r in reversed(rows)]
    colour = LAWS[law][1]
    return [f'<polygon points="{_path(around)}" fill="{colour}" fill-opacity="0.25"/>',
            f'<polyline points="{_path(_place(r["level"], r["median"]) for r in rows)}" fill="none" stroke="{colour}" stroke-width="2"/>']


def _rig():
    for level in LEVELS:
        (x, low), (_, high) = _place(level, RIG[level] - MEASURED[level]), _place(level, RIG[level] + MEASURED[level])
        yield f'<path d="M{x:.1f},{low:.1f} V{high:.1f} M{x - 5:.1f},{low:.1f} h10 M{x - 5:.1f},{high:.1f} h10" stroke="black" stroke-width="1.5"/>'
        yield f'<circle cx="{x:.1f}" cy="{(low + high) / 2:.1f}" r="3.5"/>'


def _axes():
    yield f'<path d="M{LEFT},{TOP} V{HIGH - 50} H{WIDE - 20}" fill="none" stroke="black"/>'
    for level in range(10):
        x, y = _place(level, LOW)
        yield f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{level}</text><path d="M{x:.1f},{y:.1f} v5" stroke="black"/>'
    for frequency in range(int(LOW) + 1, int(LOW + HERTZ) + 1, 2):
        x, y = _place(0, frequency)
        yield f'<text x="{x - 10:.1f}" y="{y + 4:.1f}" text-anchor="end">{frequency}</text><path d="M{x:.1f},{y:.1f} h-5" stroke="black"/>'
    yield f'<text x="{(LEFT + WIDE) / 2}" y="{HIGH - 10}" text-anchor="middle">drive, N</text>'
    yield f'<text transform="translate(16,{HIGH / 2 - 15}) rotate(-90)" text-anchor="middle">resonance, Hz</text>'


def _legend():
    names = [(name, colour) for name, colour in LAWS.values()] + [("rig, as far as it is printed", "black")]
    for i, (name, colour) in enumerate(names):
        yield f'<rect x="{WIDE - 230}" y="{TOP + 18 * i}" width="14" height="10" fill="{colour}"/>'
        yield f'<text x="{WIDE - 210}" y="{TOP + 10 + 18 * i}">{name}</text>'


def picture(path):
    """Bands from the 5th to the 95th percentile, medians, and the rig."""
    parts = [line for law in LAWS for line in _law(law)] + [*_rig(), *_axes(), *_legend()]
    with open(path, "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" font-size="13">\n'
                   f'<rect width="{WIDE}" height="{HIGH}" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")


def _meets(law, level):
    row = _row(_study(law), level)
    return row["p05"] - MEASURED[level] <= RIG[level] <= row["p95"] + MEASURED[level]


def _met(law):
    return " and ".join(f"{level:g}" for level in LEVELS if _meets(law, level)) or "no"


def facts():
    width = lambda law, level: number(_row(_study(law), level)["p95"] - _row(_study(law), level)["p05"], 1)
    return {"band-dahl-3": width("dahl", 3), "band-lugre-3": width("lugre", 3), "met-dahl": _met("dahl"), "met-lugre": _met("lugre")}
