"""The tables of docs/validation.md, and the numbers its text quotes."""
import functools
import math
from concurrent.futures import ThreadPoolExecutor

from motion import watch
from results import LARGE, measured, nearest, number, percent, run, table

LEVELS = (1, 3, 6.5, 8)
RIG = {1: 53.0, 3: 52.0, 6.5: 50.0, 8: 49.1}
PUBLISHED = {"coulomb-lagrange": 52.8, "coulomb-penalty": 53.0, "decay": 51.6, "decay-1d": 49.8}
NAMES = {"coulomb-lagrange": "Coulomb, rigid stick", "coulomb-penalty": "Coulomb, elastic stick", "stribeck": "Stribeck (clipped)",
         "stribeck-static": "Stribeck (static limit)", "decay": "decay, finite elements (clipped)",
         "decay-1d": "decay, one-dimensional study (clipped)", "dahl": "Dahl",
         "lugre": "LuGre over N, 8 N", "lugre-6.5": "LuGre over N, 6.5 N", "hybrid": "hybrid (chosen set)",
         "dahl-elastic-clamp": "Dahl, elastic clamp"}
PLANE = ("coulomb-penalty", "stribeck", "decay", "decay-1d", "dahl", "lugre", "lugre-6.5", "hybrid")
EDGE = math.pi * 5 / (4 * 8)  # mm: mean edge of the plane model's half cylinder with 8 divisions a quarter
SLIP = 0.0015 * EDGE * 1e3  # µm: the published slip tolerance on that edge
# Laws that are another deck with other numbers. The finite elements' v_s is not published: that of Stribeck's table, 6.5 N.
CHOSEN = {"decay": ("decay", {"mu": 0.52, "muc": 0.16, "vs": 0.6101, "ucrit": round(SLIP, 3)}), "decay-1d": ("decay", {}),
          "lugre-6.5": ("lugre", {"row": 6.5})}
TWO_ROWS = ("coulomb-penalty", "stribeck", "stribeck-static", "dahl", "dahl-elastic-clamp")  # laws identified at 6.5 N and at 8 N
HARMONICS = {"coulomb-lagrange": 15}
MAIN = ("seated", "stuck", "frf", "locus")


def deck_of(kind, law):
    return f"{kind}-{CHOSEN.get(law, (law,))[0]}"


def settings(law, level):
    parameters = {"harmonics": HARMONICS.get(law, 9), **CHOSEN.get(law, (law, {}))[1]}
    if level > 7 and law in TWO_ROWS:
        parameters["row"] = 8
    return parameters


def model(kind, law, level):
    """Response and curve of resonance against drive, with the parameters used at a level."""
    eight = "-8N" if level > 7 and law in TWO_ROWS else ""
    only = MAIN if kind == "beam" or law == "dahl" else ("seated", "stuck", "locus")  # the curve says what becomes of it
    if law == "stribeck-static":
        only = ("seated", "stuck", "frf")  # there is no resonance to be followed
    return run(deck_of(kind, law), f"{kind}-{law}{eight}", only=only, **settings(law, level))


def resonance_of(result, level):
    """Frequency of the resonance at a level, from the response or else from the curve."""
    row = result.main_resonance(level)
    if row:
        return row["frequency"]
    places = [(amplitude, f) for f, amplitude in result.crossings(level) if amplitude < LARGE]
    return max(places)[1] if places else None


def error(result):
    """Root mean square of the relative differences from the rig, in per cent; None unless bounded at all levels."""
    places = [resonance_of(result, level) for level in LEVELS]
    if None in places:
        return None
    return 100 * math.sqrt(sum((f / RIG[level] - 1) ** 2 for f, level in zip(places, LEVELS)) / len(LEVELS))


def damper(row):
    """The viscous damper that takes as much power out of the same harmonic slip as a resonance does, N s/m."""
    if not row:
        return None
    speed = 2 * math.pi * row["frequency"] * row["foot.slip_amplitude"]
    return 2 * row["foot.dissipated_power"] / speed ** 2


@functools.lru_cache(None)
def motion(law, level):
    frequency = resonance_of(model("beam", law, level), level)
    return watch(deck_of("beam", law), f"time-{law}-{level:g}", level, frequency or RIG[level], frequency is not None,
                 **settings(law, level))


# ---- law by level --------------------------------------------------------------------------

def fate(result, level):
    frequency, critical = resonance_of(result, level), result.critical()
    several = len(result.resonances(level))
    if frequency:
        return f"bounded, {frequency:.2f} Hz" + (f" ({several} resonances)" if several > 1 else "")
    if critical and level > critical:
        return f"lost at F = {critical:.2f} N"
    note = result.level(level).get("note") or result.get("analyses.locus.note", "")
    if "contact opens" in note or "would pull" in note:
        return "lost: the contact opens"
    if "forces jump" in note:
        return "no periodic motion where it breaks away"
    if not result.level(level) and not result.table("locus", "locus"):
        return "not computed by harmonic balance"
    return "not followed" if note else "none between 44 and 70 Hz"


def fate_in_time(law, level):
    bounded = resonance_of(model("beam", law, level), level) is not None
    at = motion(law, level)
    text = fate(model("beam", law, level), level)
    if not bounded:
        return f"{text}; at {at.frequency:g} Hz {at.verdict('rest') or 'not integrated'}, {number(at.amplitude('rest'), 0, 1e6)} µm"
    known = {at.verdict("check"), at.verdict("rest")} - {None, "periodic", "settles"}
    return text + "".join("; " + verdict for verdict in sorted(known))


def fates():
    with ThreadPoolExecutor(8) as pool:
        cells = {(law, f): pool.submit(fate_in_time, law, f) for law in NAMES for f in LEVELS}
    rows = [[NAMES[law]] + [cells[law, f].result() for f in LEVELS] for law in NAMES]
    rows.append(["**rig**"] + [f"**{RIG[f]:.1f} Hz**" for f in LEVELS])
    return table(["beam model"] + [f"{f} N" for f in LEVELS], rows)


def plane_fates():
    rows = [[NAMES[law]] + [fate(model("plane", law, f), f) for f in LEVELS] for law in PLANE]
    return table(["plane model"] + [f"{f} N" for f in LEVELS], rows)


# ---- figures at resonance ------------------------------------------------------------------

def figures():
    rows = []
    for law in NAMES:
        for level in LEVELS:
            found = model("beam", law, level).main_resonance(level)
            if not found:
                continue
            at = motion(law, level)
            same = at.orbit and abs(at.orbit["drive.amplitude"] / found["amplitude"] - 1) < 0.05
            foot = lambda name, digits, scale=1.0: number(found["foot." + name], digits, scale)
            rows.append([NAMES[law], level, number(found["frequency"], 2), f"{RIG[level]:.1f}",
                         PUBLISHED.get(law, "") if level == 6.5 else "", number(found["amplitude"], 1, 1e6),
                         number(at.envelope("check") if same else None, 1, 1e6), number(found["damping"], 2, 100),
                         foot("slip_amplitude", 2, 1e6), foot("slip_velocity_max", 2, 1e3), foot("tangential_max", 1),
                         foot("normal_max", 1), foot("work_rate", 3), foot("dissipated_power", 3)])
    rows.append(["**rig**", 6.5, "**50.0**"] + [""] * 11)
    rows.append(["rig, by inverse harmonic balance", 6.5] + [""] * 6 + ["≈ 4", "", "≈ 40", "≈ 89", "", ""])
    rows.append(["**rig**", 8, "**49.1**", "", "", "**33**", "", "", "", "", "", "", "", ""])
    return table(["law", "N", "Hz", "rig Hz", "published Hz", "amplitude µm", "envelope µm", "damping %", "slip µm",
                  "slip velocity mm/s", "friction N", "normal N", "work rate W", "dissipated W"], rows)


# ---- harmonic balance against time ---------------------------------------------------------

def agreement():
    rows = []
    for law in NAMES:
        for level in LEVELS:
            at = motion(law, level)
            if not at.orbit or at.amplitude("check") is None:
                continue
            orbit, found = at.orbit, model("beam", law, level).main_resonance(level)
            other = "*" if found and abs(orbit["drive.amplitude"] / found["amplitude"] - 1) > 0.05 else ""
            rows.append([NAMES[law], level, number(at.frequency, 2), number(orbit["drive.amplitude"], 2, 1e6) + other,
                         percent(at.amplitude("check"), orbit["drive.amplitude"]),
                         percent(at.foot("check", "slip_amplitude"), orbit["foot.slip_amplitude"]),
                         percent(at.foot("check", "slip_velocity_max"), orbit["foot.slip_velocity_max"], 0),
                         percent(at.foot("check", "work_rate"), orbit["foot.work_rate"]),
                         number(at.spread("check"), 2, 100), at.verdict("check"),
                         number(at.amplitude("rest"), 2, 1e6), number(at.spread("rest"), 2, 100), at.verdict("rest")])
    return table(["law", "N", "Hz", "harmonic balance µm", "first harmonic %", "slip %", "slip velocity %", "work rate %", "spread %",
                  "in time", "from rest µm", "spread %", "from rest"], rows)


SILENCING = 5e-7  # s: damping proportional to stiffness


def rings(steps, beta):
    """Elastic-stick Coulomb at 6.5 N with other steps and with a little damping of high frequencies."""
    frequency = resonance_of(model("beam", "coulomb-penalty", 6.5), 6.5)
    return watch("beam-coulomb-penalty", f"ringing-{steps}-{beta:g}", 6.5, frequency, True, only=("seated", "orbit", "check"),
                 check_steps=steps, beta=beta)


def ringing():
    rows = []
    for steps, beta in ((400, 0), (1600, 0), (400, SILENCING), (1600, SILENCING)):
        at = rings(steps, beta)
        orbit = at.orbit
        rows.append([steps, f"{beta:g}", number(orbit["drive.amplitude"], 1, 1e6), number(at.amplitude("check"), 1, 1e6),
                     number(orbit["foot.slip_velocity_max"], 1, 1e3), number(at.foot("check", "slip_velocity_max"), 1, 1e3),
                     number(orbit["foot.work_rate"], 3), number(at.foot("check", "work_rate"), 3)])
    return table(["steps a period", "β, s", "harmonic balance µm", "time µm", "slip velocity mm/s, balance", "time", "work rate W, balance",
                  "time"], rows)


# ---- mode shape and accelerometers ---------------------------------------------------------

SENSORS = (83, 153, 268, 408, 499, 555)


def shape_of(law, level):
    """First harmonics of the accelerometers at the model's own resonance."""
    result = model("beam", law, level)
    frequency = resonance_of(result, level)
    rows = result.table("frf", f"frf-{level:g}") if result.main_resonance(level) else result.table("locus", "locus")
    row = nearest(rows, frequency) if frequency else None
    return {s: row[f"a{s}.amplitude"] for s in SENSORS} if row else None


def mac(a, b):
    common = [s for s in a if s in b]
    dot = lambda p, q: sum(p[s] * q[s] for s in common)
    return dot(a, b) ** 2 / (dot(a, a) * dot(b, b))


def rig_shape(level):
    places, harmonics = measured(level)
    return dict(zip(places, harmonics[1]))


def shapes():
    rig = rig_shape(6.5)
    cell = lambda shape: [number(shape[s] / shape[268], 3) if s in shape else "" for s in SENSORS]
    rows = [["**rig, 6.5 N**"] + cell(rig) + [""], ["**rig, 8 N**"] + cell(rig_shape(8)) + [f"{mac(rig, rig_shape(8)):.4f}"]]
    for law in ("dahl", "dahl-elastic-clamp", "hybrid", "lugre-6.5", "decay-1d", "coulomb-lagrange", "coulomb-penalty"):
        for level in (1, 6.5):
            shape = shape_of(law, level)
            if shape:
                rows.append([f"{NAMES[law]}, {level} N"] + cell(shape) + [f"{mac(rig, shape):.4f}"])
    return table(["over 268 mm"] + [f"{s} mm" for s in SENSORS] + ["MAC with the rig"], rows)


def sensors():
    rows = []
    for level, frequency in ((6.5, 50), (8, 49.25)):
        places, harmonics = measured(level)
        for harmonic in (1, 3):
            values = dict(zip(places, harmonics[harmonic]))
            rows.append([f"{level} N, {frequency} Hz", harmonic, "**rig**"]
                        + [f"**{values[s]:.2f}**" if s in values else "" for s in SENSORS])
            for law in ("dahl", "dahl-elastic-clamp", "hybrid", "lugre-6.5", "decay-1d", "coulomb-lagrange"):
                row = nearest(model("beam", law, level).table("frf", f"frf-{level:g}"), frequency)
                if row and abs(row["frequency"] - frequency) < 0.1:
                    tail = "" if harmonic == 1 else f"-{harmonic}"
                    rows.append([f"{level} N, {row['frequency']:.2f} Hz", harmonic, NAMES[law]]
                                + [number(row.get(f"a{s}.amplitude{tail}"), 2) for s in SENSORS])
    return table(["drive", "harmonic", ""] + [f"{s} mm" for s in SENSORS], rows)


# ---- sensitivity ---------------------------------------------------------------------------

CHANGES = (-10, -5, 0, 5, 10)
VARIED = {"h": "{}*(r + thick/2)", "P": "{}*83", "mu": "{}*0.5", "sigma0": "{}*1.003e7", "thick": "{}*4.76"}
VARIED_NAMES = {"h": "h", "P": "P", "mu": "μ", "sigma0": "σ_0", "thick": "thickness"}
CLAMPS = (2e3, 5e3, 2e4, 1e5)
SLIPS = (0.2, 1, 2, 4.146)


def curve_or_response(deck, name, **parameters):
    """The curve of resonance against drive, or the response where the curve does not come to 6.5 N."""
    result = run(deck, name, only=("seated", "locus"), **parameters)
    if result.resonances(6.5) or result.critical():
        return result
    return run(deck, name + "-frf", only=("seated", "frf"), **parameters)


def one_of(result, level=6.5):
    """Resonance at a level in a few characters: its frequencies, or where it is lost."""
    places = result.resonances(level)
    if places:
        return ", ".join(f"{f:.2f}" for f in places)
    critical = result.critical()
    return f"lost at {critical:.2f} N" if critical and critical < level else "–"


def varied(name, change):
    if change == 0:
        return curve_or_response("beam-dahl", "sens-base")
    value = VARIED[name].format(f"{1 + change / 100:g}")
    return curve_or_response("beam-dahl", f"sens-{name}-{change:+d}", **{name: value})


def clamped(stiffness):
    return curve_or_response("beam-dahl-elastic-clamp", f"sens-clamp-{stiffness:g}", kclamp=stiffness)


def elastic(slip):
    return curve_or_response("beam-coulomb-penalty", f"sens-slip-{slip:g}", ucrit=slip, harmonics=15)


def sensitivity():
    rows = [[VARIED_NAMES[name]] + [one_of(varied(name, c)) for c in CHANGES] for name in VARIED]
    rows.append(["clamp, N m/rad"] + [f"{k:g}: " + one_of(clamped(k)) for k in CLAMPS] + ["ideal: " + one_of(varied("h", 0))])
    rows.append(["Coulomb, u-crit, µm"] + [f"{s:g}: " + one_of(elastic(s)) for s in SLIPS] + [""])
    return table(["6.5 N: Hz"] + [f"{c:+d} %" if c else "as published" for c in CHANGES], rows)


def tolerances():
    """Slip tolerance as the published study defines it: times the mean edge of the half cylinder's elements."""
    rows = []
    for disc in (4, 8, 16):
        edge = math.pi * 5 / (4 * disc)
        for tolerance in (0.0005, 0.0015, 0.005):
            result = curve_or_response("plane-coulomb-penalty", f"tol-{disc}-{tolerance:g}", disc=disc, tolerance=tolerance,
                                       harmonics=15)
            rows.append([disc, f"{edge:.2f}", tolerance, f"{1e3 * edge * tolerance:.2f}"]
                        + [one_of(result, level) for level in (1, 3, 6.5)] + [number(result.critical(), 2)])
    return table(["disc divisions", "mean edge mm", "slip tolerance", "elastic slip µm", "1 N: Hz", "3 N: Hz", "6.5 N: Hz",
                  "lost at N"], rows)


# ---- the published resonances --------------------------------------------------------------

STRAIN = "210/(1 - 0.3^2)"
TRACED = (("beam-coulomb-lagrange", "beam, rigid stick, μ = 0.49", 52.8, {"harmonics": 15}, {"mu": 0.49}),
          ("beam-coulomb-penalty", "beam, elastic stick of 0.2 µm, μ = 0.52", 53.0, {"harmonics": 15, "ucrit": 0.2},
           {"mu": 0.52}),
          ("plane-coulomb-penalty", "plane, slip tolerance 0.0015, μ = 0.52", 53.0, {"harmonics": 15}, {"mu": 0.52}))
VARIANTS = (("as given", {}, 1), ("4.78 mm", {"thick": 4.78}, 1), ("4.78 mm, plane strain", {"thick": 4.78, "E": STRAIN}, 1),
            ("4.78 mm, plane strain, μ + 5 %", {"thick": 4.78, "E": STRAIN}, 1.05))


def traced(deck, fixed, friction, variant):
    _, more, factor = VARIANTS[variant]
    mu = {k: factor * v for k, v in friction.items()} if factor != 1 else {}
    return curve_or_response(deck, f"trace-{deck}-{variant}", **{**fixed, **more, **mu})


def traces():
    rows = []
    for deck, what, published, fixed, friction in TRACED:
        for i, variant in enumerate(VARIANTS):
            result = traced(deck, fixed, friction, i)
            places = result.resonances(6.5)
            close = min(places, key=lambda f: abs(f - published)) if places else None
            rows.append([what, variant[0], one_of(result), published, percent(close, published, 1) if close else "–"])
    return table(["model", "variant", "6.5 N: Hz", "published Hz", "nearest %"], rows)


def level_at(result, frequency):
    """The drive at which the curve passes a frequency."""
    rows = result.table("locus", "locus")
    for a, b in zip(rows, rows[1:]):
        if (a["frequency"] - frequency) * (b["frequency"] - frequency) < 0:
            return a["level"] + (frequency - a["frequency"]) / (b["frequency"] - a["frequency"]) * (b["level"] - a["level"])
    return math.nan


# ---- beam and plane ------------------------------------------------------------------------

def stuck(result, mode=0):
    return result.get(f"analyses.stuck.modes[{mode}].frequency")


def matched_stiffness():
    """Dahl's stiffness with which the linear beam has the plane model's first stuck frequency: the foot's compliance."""
    wanted, base = stuck(model("plane", "dahl", 6.5)), 1.003e7
    at = lambda s, name: stuck(run("beam-dahl-linear", name, only=("seated", "stuck"), sigma0=s))
    low, high = at(base, "match-0"), at(1.04 * base, "match-1")
    return base * (1 + 0.04 * (wanted - low) / (high - low))


MATCHED = (("frequency", "resonance, Hz", 2, 1), ("amplitude", "amplitude, µm", 2, 1e6),
           ("foot.slip_amplitude", "slip, µm", 3, 1e6), ("foot.slip_velocity_max", "slip velocity, mm/s", 3, 1e3),
           ("foot.tangential_max", "friction, N", 2, 1), ("foot.normal_max", "normal, N", 2, 1),
           ("foot.work_rate", "work rate, W", 4, 1))


def matched():
    return run("beam-dahl-linear", "match", only=MAIN, sigma0=f"{matched_stiffness():.6g}")


def matches():
    plane = model("plane", "dahl", 6.5)
    beams = (("von Kármán beam", model("beam", "dahl", 6.5)), ("linear beam", run("beam-dahl-linear", only=MAIN)),
             ("linear beam, matched", matched()))
    rows = []
    for mode in range(3):
        rows.append([f"stuck mode {mode + 1}, Hz", number(stuck(plane, mode), 2)]
                    + [percent(stuck(plane, mode), stuck(b, mode)) for _, b in beams])
    for level in (1, 3, 6.5):
        p = plane.main_resonance(level)
        for name, what, digits, scale in MATCHED:
            rows.append([f"{level} N: {what}", number(p[name], digits, scale)]
                        + [percent(p[name], b.main_resonance(level)[name]) for _, b in beams])
    return table(["Dahl", "plane"] + [f"against {n}, %" for n, _ in beams], rows)


def meshes():
    rows = []
    for disc, grading in ((4, 1), (8, 4), (12, 16)):
        result = run("plane-dahl", f"mesh-{disc}-{grading}", only=("seated", "stuck", "frf"), disc=disc, grading=grading)
        rows.append([f"{disc}, {grading}", result.get("model.freedoms"), number(stuck(result), 3)]
                    + [number(resonance_of(result, f), 3) for f in (1, 3, 6.5)])
    return table(["disc divisions, grading", "freedoms", "stuck Hz", "1 N: Hz", "3 N: Hz", "6.5 N: Hz"], rows)
