"""Numbers that the text of docs/validation.md quotes."""
import cmath
import math

import tables
from results import measured, nearest, number
from tables import NAMES, level_at, model, motion, resonance_of


def _hertz(law, level):
    return number(resonance_of(model("beam", law, level), level), 2)


def _at_resonance(law, level, name, digits, scale=1.0):
    row = model("beam", law, level).main_resonance(level)
    return number(row[name] if row else None, digits, scale)


def _critical(law, level=6.5):
    return number(model("beam", law, level).critical(), 2)


def _third_harmonic():
    """Third harmonic of the Dahl model over the measured one at 6.5 N and 50 Hz: smallest and largest of the sensors."""
    places, harmonics = measured(6.5)
    row = nearest(model("beam", "dahl", 6.5).table("frf", "frf-6.5"), 50)
    ratios = [row[f"a{place}.amplitude-3"] / value for place, value in zip(places, harmonics[3])]
    return f"{min(ratios):.0f} to {max(ratios):.0f}"


def _near_clamp(law, place):
    """How much more the rig moves at a place (mm) at 6.5 N than a model at 1 N, both over 268 mm."""
    rig, computed = tables.rig_shape(6.5), tables.shape_of(law, 1)
    return number((rig[place] / rig[268]) / (computed[place] / computed[268]), 1)


SMOOTH = ("dahl", "dahl-elastic-clamp", "lugre", "lugre-6.5", "hybrid")


def _agreement():
    """Largest difference of the first harmonic in time of the smooth laws, and the cell where it is."""
    worst, where = 0.0, ""
    for law in SMOOTH:
        for level in tables.LEVELS:
            at = motion(law, level)
            if not at.orbit or at.amplitude("check") is None:
                continue
            difference = abs(100 * (at.amplitude("check") / at.orbit["drive.amplitude"] - 1))
            if difference > worst:
                worst, where = difference, f"{NAMES[law]} at {level} N"
    return f"{worst:.1f}", where


def _matched():
    """Largest difference between the plane model and the matched linear beam, in per cent."""
    plane, beam = model("plane", "dahl", 6.5), tables.matched()
    worst = 0.0
    for level in (1, 3, 6.5):
        p, b = plane.main_resonance(level), beam.main_resonance(level)
        worst = max([worst] + [abs(100 * (p[name] / b[name] - 1)) for name, *_ in tables.MATCHED])
    return f"{worst:.1f}"


def _per_cent_of_friction():
    """Drive at which the elastic stick of 0.2 um has its resonance at 53.0 Hz, and how much more friction 6.5 N asks."""
    level = level_at(tables.elastic(0.2), 53.0)
    return ("–", "–") if math.isnan(level) else (f"{level:.2f}", f"{100 * (6.5 / level - 1):.0f}")


def _left(law, level):
    """Amplitudes of the orbit and of the motion fifty periods later, and the spread of the latter in per cent."""
    at = motion(law, level)
    orbit = at.orbit["drive.amplitude"] if at.orbit else None
    return (f"{number(orbit, 1, 1e6)} µm by harmonic balance, {number(at.amplitude('check'), 1, 1e6)} µm in time, where successive "
            f"periods differ by {number(at.spread('check'), 1, 100)} %")


def _unsettled():
    """Laws and levels whose bounded resonance more harmonics would change by more than 5 %, or find no motion near."""
    found = []
    for law in NAMES:
        for level in tables.LEVELS:
            result = model("beam", law, level)
            texts = [str(text) for text in result.get("analyses.frf.warnings", [])]
            if result.main_resonance(level) and any(f"warning 12: level {level:g}:" in text for text in texts):
                found.append(f"{NAMES[law]} at {level:g} N")
    return "; ".join(found) or "none"


def _range(values, digits):
    """The least and the largest of several numbers, or one if they look alike."""
    low, high = (f"{v:.{digits}f}" for v in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def _lowest(result, level=6.5):
    return min(result.resonances(level))


def _traced_steps():
    """How much each step from one variant of the published models to the next moves the lower resonance, over the models."""
    at = [[_lowest(tables.traced(deck, fixed, friction, i)) for i in range(len(tables.VARIANTS))]
          for deck, _, _, fixed, friction in tables.TRACED]
    return [_range([row[i + 1] - row[i] for row in at], 1) for i in range(len(tables.VARIANTS) - 1)]


def _ringing():
    """Frequency of the strongest line above 1 kHz in the slip velocity of elastic-stick Coulomb at 6.5 N, in hertz."""
    rows = tables.rings(1600, 0).result.table("check", "contact")[-8192:]
    values, dt = [r["foot slip velocity"] for r in rows], rows[1]["time"] - rows[0]["time"]
    window = [v * math.sin(math.pi * i / len(values)) ** 2 for i, v in enumerate(values)]

    def line(frequency):
        turn, phase, total = cmath.exp(-2j * math.pi * frequency * dt), 1.0, 0.0
        for v in window:
            total += v * phase
            phase *= turn
        return abs(total)

    return max(range(1000, 5000, 20), key=line)


def _ratio(beta, frequency, digits):
    """Damping ratio, in per cent, of a damping proportional to stiffness."""
    return number(beta * math.pi * frequency, digits, 100)


def facts():
    worst, where = _agreement()
    thickness, stress, friction = _traced_steps()
    ringing = _ringing()
    best = model("beam", "lugre-6.5", 6.5)
    above = lambda law: number(model("beam", law, 6.5).main_resonance(6.5)["foot.normal_max"] - 89, 1)
    dampers = [tables.damper(best.main_resonance(level)) for level in tables.LEVELS]
    vibrating = lambda name: tables.model("plane", "dahl", 6.5).main_resonance(6.5)[name] / \
        model("beam", "dahl", 6.5).main_resonance(6.5)[name]
    slip = model("beam", "dahl", 6.5).main_resonance(6.5)["foot.slip_amplitude"]
    level53, more53 = _per_cent_of_friction()
    fall = resonance_of(model("beam", "dahl", 1), 1) - resonance_of(model("beam", "dahl", 6.5), 6.5)
    return {
        "dahl-1": _hertz("dahl", 1), "dahl-6.5": _hertz("dahl", 6.5), "dahl-fall": number(fall, 1),
        "dahl-critical": _critical("dahl"), "dahl-critical-8": _critical("dahl", 8),
        "stribeck-critical": _critical("stribeck"), "lugre-critical": _critical("lugre"),
        "dahl-slip-6.5": _at_resonance("dahl", 6.5, "foot.slip_amplitude", 0, 1e6),
        "dahl-slip-1": _at_resonance("dahl", 1, "foot.slip_amplitude", 1, 1e6),
        "dahl-slip-3": _at_resonance("dahl", 3, "foot.slip_amplitude", 1, 1e6),
        "dahl-friction-1": _at_resonance("dahl", 1, "foot.tangential_max", 0),
        "dahl-friction-3": _at_resonance("dahl", 3, "foot.tangential_max", 0),
        "dahl-amplitude-6.5": _at_resonance("dahl", 6.5, "amplitude", 0, 1e6),
        "rigid-1": _hertz("coulomb-lagrange", 1), "rigid-3": _hertz("coulomb-lagrange", 3),
        "rigid-6.5": _hertz("coulomb-lagrange", 6.5),
        "rigid-peak": number(model("beam", "coulomb-lagrange", 6.5).level(6.5).get("peak", {}).get("frequency"), 2),
        "clamp-1": _hertz("dahl-elastic-clamp", 1), "clamp-3": _hertz("dahl-elastic-clamp", 3),
        "clamp-6.5": _hertz("dahl-elastic-clamp", 6.5),
        "third": _third_harmonic(), "near-clamp": _near_clamp("dahl", 83), "near-clamp-153": _near_clamp("dahl", 153),
        "near-elastic": _near_clamp("dahl-elastic-clamp", 83), "near-elastic-153": _near_clamp("dahl-elastic-clamp", 153),
        "decay-left": _left("decay-1d", 1),
        "worst-agreement": worst, "worst-where": where, "matched": _matched(),
        "matched-stiffness": f"{tables.matched_stiffness() / 1e7:.4f}e7",
        "level53": level53, "more53": more53,
        "by-thickness": thickness, "by-stress": stress, "by-friction": friction,
        "by-tolerance": number(_lowest(tables.elastic(0.2)) - _lowest(tables.elastic(1)), 1),
        "ringing-at": number(ringing, 1, 1e-3), "ringing-beta": f"{tables.SILENCING:g}",
        "beta-50": _ratio(tables.SILENCING, 50, 3), "beta-ringing": _ratio(tables.SILENCING, ringing, 1),
        "rig-fall": number(tables.RIG[1] - tables.RIG[6.5], 0),
        "ten-more": number(min(_lowest(tables.varied(name, 10)) for name in ("h", "P", "mu"))
                           - _lowest(tables.varied("h", 0)), 1),
        "karman": number(1 - vibrating("amplitude"), 0, 100),
        "slip-excess": number(slip / 4e-6, 0),
        "unsettled": _unsettled(), "normal-rigid": above("coulomb-lagrange"), "normal-elastic": above("coulomb-penalty"),
        "bounded-8": " and ".join(NAMES[law] for law in NAMES if resonance_of(model("beam", law, 8), 8) is not None),
        "best": "/".join(number(resonance_of(best, level), 2) for level in tables.LEVELS),
        "best-error": number(tables.error(best), 1),
        "best-slip": number(best.main_resonance(6.5)["foot.slip_amplitude"], 1, 1e6),
        "best-friction": number(best.main_resonance(6.5)["foot.tangential_max"], 0),
        "best-amplitude-8": number(best.main_resonance(8)["amplitude"], 1, 1e6),
        "damper-low": number(min(dampers), 1, 1e-4), "damper-high": number(max(dampers), 1, 1e-4),
    }
