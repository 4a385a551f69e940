"""Every published set of law parameters on the beam model: the tables and numbers of docs/rig-sets.md."""
import math

from results import number, run, table
from tables import CHOSEN, EDGE, LEVELS, RIG, SLIP, damper, error, fate, model, resonance_of

PRELOAD = 83.0  # N
FOUND = ("seated", "frf", "locus")

# name, where it is published, deck, what is set, then for bristles: mu_s, mu_c, v_s, sigma_0 (N/m), sigma_1 (N s/m), u_crit
SETS = {
    "coulomb-6.5": ("Coulomb, 6.5 N", "table 5-7", "beam-coulomb-penalty", {"row": 6.5}, None),
    "coulomb-8": ("Coulomb, 8 N", "table 5-6", "beam-coulomb-penalty", {"row": 8}, None),
    "dahl-6.5": ("Dahl, 6.5 N", "table 5-7", "beam-dahl", {"row": 6.5}, None),
    "dahl-8": ("Dahl, 8 N", "table 5-6", "beam-dahl", {"row": 8}, None),
    "dahl-slope": ("Dahl, slope of the loop", "appendix B", "beam-dahl", {"mu": 0.55, "sigma0": 1.19e6}, None),
    "dahl-fit": ("Dahl, both fitted", "appendix B", "beam-dahl", {"mu": 0.562, "sigma0": 1.202e6}, None),
    "stribeck-6.5": ("Stribeck, 6.5 N (clipped)", "table 5-7", "beam-stribeck", {"row": 6.5}, None),
    "stribeck-8": ("Stribeck, 8 N (clipped)", "table 5-6", "beam-stribeck", {"row": 8}, None),
    "decay-fe": ("decay, finite elements (clipped)", "section 6.4", "beam-decay", CHOSEN["decay"][1], None),
    "decay-1d": ("decay, one-dimensional study (clipped)", "appendix D", "beam-decay", {}, None),
    "lugre-6.5": ("LuGre over N, 6.5 N", "table 5-7", "beam-lugre", {"row": 6.5},
                  (0.492, 0.160, 7.152e-4, 1.140e4 * PRELOAD, 347.030 * PRELOAD, 4.060e-6)),
    "lugre-8": ("LuGre over N, 8 N", "table 5-6", "beam-lugre", {"row": 8},
                (0.463, 0.197, 4.728e-4, 1.220e5 * PRELOAD, 27.750 * PRELOAD, 4.464e-6)),
    "lugre-6.5-forces": ("LuGre, 6.5 N, units as printed", "table 5-7", "beam-lugre-forces",
                         {"mu": 0.492, "muc": 0.160, "vs": 0.7152, "sigma0": 1.140e4, "sigma1": 347.030},
                         (0.492, 0.160, 7.152e-4, 1.140e4, 347.030, 4.060e-6)),
    "lugre-8-forces": ("LuGre, 8 N, units as printed", "table 5-6", "beam-lugre-forces",
                       {"mu": 0.463, "muc": 0.197, "vs": 0.4728, "sigma0": 1.220e5, "sigma1": 27.750},
                       (0.463, 0.197, 4.728e-4, 1.220e5, 27.750, 4.464e-6)),
    "lugre-static": ("LuGre, μ_s held", "table C-2", "beam-lugre-forces", {"set": 1},
                     (0.74, 0.657, 3.164e-3, 1.159e6, 2.619e3, None)),
    "lugre-both": ("LuGre, μ_s and μ_c held", "table C-2", "beam-lugre-forces", {"set": 2},
                   (0.74, 0.56, 3.397e-3, 1.062e6, 3.063e3, None)),
}


# Sets that the validation page has too: law and level there.
SHARED = {"coulomb-6.5": ("coulomb-penalty", 6.5), "coulomb-8": ("coulomb-penalty", 8), "dahl-6.5": ("dahl", 6.5), "dahl-8": ("dahl", 8),
          "stribeck-6.5": ("stribeck", 6.5), "stribeck-8": ("stribeck", 8), "decay-fe": ("decay", 6.5), "decay-1d": ("decay-1d", 6.5),
          "lugre-6.5": ("lugre-6.5", 6.5), "lugre-8": ("lugre", 6.5)}


def found(key):
    if key in SHARED:
        return model("beam", *SHARED[key])
    _, _, deck, parameters, _ = SETS[key]
    return run(deck, "set-" + key, only=FOUND, **parameters)


def resonances():
    rows = [[name, where] + [fate(found(key), level) for level in LEVELS] + [number(error(found(key)), 1)]
            for key, (name, where, *_) in SETS.items()]
    rows.append(["**rig**", ""] + [f"**{RIG[level]:.1f} Hz**" for level in LEVELS] + [""])
    return table(["set", "published in"] + [f"{level} N" for level in LEVELS] + ["RMS %"], rows)


def at_resonance():
    rows = []
    for key, (name, *_) in SETS.items():
        for level in (6.5, 8):
            row = found(key).main_resonance(level)
            if row:
                rows.append([name, level, number(row["frequency"], 2), number(row["amplitude"], 1, 1e6),
                             number(row["foot.slip_amplitude"], 2, 1e6), number(row["foot.tangential_max"], 1),
                             number(row["foot.normal_max"], 1), number(row["foot.dissipated_power"], 4),
                             number(damper(row), 2, 1e-4)])
    return table(["set", "N", "Hz", "amplitude µm", "slip µm", "friction N", "normal N", "dissipated W", "as a damper, 10⁴ N s/m"], rows)


def _sliding(mu_s, mu_c, v_s, v):
    return PRELOAD * (mu_c + (mu_s - mu_c) * math.exp(-(v / v_s) ** 2))


def passive_to(constants):
    """The slip velocity up to which sigma_1 |v| <= 4 s(v), m/s."""
    mu_s, mu_c, v_s, _, sigma_1, _ = constants
    speeds = [10 ** (-6 + 0.001 * i) for i in range(6001)]
    return next((v for v in speeds if sigma_1 * v > 4 * _sliding(mu_s, mu_c, v_s, v)), math.inf)


def consistency():
    rows = []
    for key, (name, *_, constants) in SETS.items():
        if not constants:
            continue
        mu_s, _, _, sigma_0, sigma_1, u_crit = constants
        slip = mu_s * PRELOAD / sigma_0
        row = found(key).main_resonance(6.5)
        speed = row["foot.slip_velocity_max"] if row else None
        rows.append([name, f"{sigma_0:.3g}", f"{sigma_1:.3g}", number(slip, 2, 1e6), number(u_crit, 2, 1e6),
                     number(slip / u_crit if u_crit else None, 1), number(passive_to(constants), 2, 1e3), number(speed, 2, 1e3)])
    return table(["set", "σ_0 N/m", "σ_1 N s/m", "μ_s N/σ_0 µm", "u_crit µm", "ratio", "σ_1 v ≤ 4 s(v) up to mm/s", "slip velocity at 6.5 N mm/s"],
                 rows)


# ---- sampling ------------------------------------------------------------------------------

SAMPLES = (256, 1024, 4096)


def residual(samples):
    frequency = round(resonance_of(found("dahl-6.5"), 3), 2)
    result = run("beam-dahl", f"set-samples-{samples}", only=("seated", "orbit"), check_level=3, check_frequency=frequency,
                 samples=samples, check_periods=20, check_steps=100)
    rows = result.table("orbit", "frf-3")
    return min(rows, key=lambda r: abs(r["frequency"] - frequency))


def sampling():
    rows = []
    for samples in SAMPLES:
        row = residual(samples)
        own = (2 * math.pi / samples) ** 2 / 6
        rows.append([samples, f"{row['energy_residual']:.2e}", f"{own:.2e}", f"{abs(row['energy_residual'] - own):.0e}",
                     number(row["drive.amplitude"], 4, 1e6)])
    return table(["samples", "energy residual", "(2π/samples)²/6", "difference", "amplitude µm"], rows)


TABLES = {"resonances": resonances, "at-resonance": at_resonance, "consistency": consistency, "sampling": sampling}


def facts():
    best = found("lugre-6.5")
    row = lambda level: best.main_resonance(level)
    bounded = [SETS[key][0] for key in SETS if resonance_of(found(key), 8) is not None]
    dampers = [damper(row(level)) for level in LEVELS]
    return {
        "best": "/".join(number(resonance_of(best, level), 2) for level in LEVELS), "best-error": number(error(best), 1),
        "best-slip": number(row(6.5)["foot.slip_amplitude"], 1, 1e6), "best-friction": number(row(6.5)["foot.tangential_max"], 0),
        "best-amplitude-8": number(row(8)["amplitude"], 1, 1e6),
        "bounded-8": ", ".join(bounded), "damper-low": number(min(dampers), 1, 1e-4), "damper-high": number(max(dampers), 1, 1e-4),
        "best-speed-8": number(row(8)["foot.slip_velocity_max"], 2, 1e3), "best-passive": number(passive_to(SETS["lugre-6.5"][4]), 2, 1e3),
        "best-soft": number(0.492 / 1.140e4 / 4.060e-6, 0), "slip": number(SLIP, 2), "edge": number(EDGE, 2),
        "decay-fe": fate(found("decay-fe"), 6.5),
        "left": f"{abs(residual(SAMPLES[-1])['energy_residual'] - (2 * math.pi / SAMPLES[-1]) ** 2 / 6):.0e}",
        "last-samples": str(SAMPLES[-1]),
        "lost-static": number(found("lugre-static").critical(), 1), "lost-both": number(found("lugre-both").critical(), 1),
    }
