"""Beside the published finite elements: their one-dimensional study, and how their envelope grows as friction falls."""
from concurrent.futures import ThreadPoolExecutor

from results import LARGE, number, percent, run, table


def _rest(deck, name, frequency, steps, periods, **parameters):
    """From rest at 6.5 N; steps of a period, three times `periods` of them."""
    return run(deck, f"{name}-{steps}-{frequency:g}", only=("seated", "rest"), check_level=6.5, check_frequency=frequency,
               check_steps=2 * steps, check_periods=periods, **parameters)


def _grid(low, high, step=0.25):
    return [low + step * i for i in range(round((high - low) / step) + 1)]


def _largest(height, frequencies):
    """The frequency with the largest response, and that."""
    with ThreadPoolExecutor(2) as pool:
        heights = list(pool.map(height, frequencies))
    most = max(heights)
    return frequencies[heights.index(most)], most


# ---- the one-dimensional study -------------------------------------------------------------

# As published: 4.78 mm, runs from rest of 5 s, here 252 periods; the largest response is called resonance.
ONE_DIMENSIONAL = {"Coulomb, μ 0.56": ("beam-coulomb-penalty", {"mu": 0.56}, 48.95),
                   "decay, μ_s 0.74, μ_c 0.56 (clipped)": ("beam-decay", {}, 49.80)}
STEPS = (25, 100, 200)


def _one_dimensional(deck, parameters, steps):
    def height(frequency):
        result = _rest(deck, "pub-" + deck, frequency, steps, 84, thick=4.78, **parameters)
        return result.get("analyses.rest.sensors.drive.harmonics[1].amplitude", 0.0)
    return _largest(height, _grid(48.5, 50.5))


def one_dimensional():
    rows = []
    for name, (deck, parameters, published) in ONE_DIMENSIONAL.items():
        cells = [name, f"{published:.2f}"]
        for steps in STEPS:
            frequency, most = _one_dimensional(deck, parameters, steps)
            cells += [f"{frequency:.2f}", number(most, 0, 1e6)]
        rows.append(cells)
    head = [text for steps in STEPS for text in (f"{steps} steps a period: Hz", "µm")]
    return table(["6.5 N", "published Hz"] + head, rows)


# ---- the envelope of rigid stick -----------------------------------------------------------

FRICTION = (0.49, 0.98 * 0.49)
BALANCES = (7, 15, 21)


def _peak_by_balance(mu, harmonics):
    """Of the curve of resonance against drive: the resonance of 6.5 N with the largest amplitude."""
    result = run("beam-coulomb-lagrange", f"pub-envelope-{harmonics}-{mu:g}", only=("seated", "locus"), harmonics=harmonics, mu=mu)
    places = [(a, f) for f, a in result.crossings(6.5) if a < LARGE]
    return (max(places)[1], max(places)[0]) if places else (None, None)


def _peak_in_time(mu, steps):
    """Half the range of the driving point over the last five of 60 periods (1.2 s) from rest, the largest over the drive's frequency."""
    def height(frequency):
        sensor = _rest("beam-coulomb-lagrange", f"pub-envelope-{mu:g}", frequency, steps, 20, mu=mu).get("analyses.rest.sensors.drive", {})
        return 0.5 * (sensor["max"] - sensor["min"]) if "max" in sensor else 0.0
    return _largest(height, _grid(48.5, 50.5))


def envelopes():
    """Rows: how it was computed, then resonance and amplitude with either friction, and the growth."""
    ways = [(f"harmonic balance, {h} harmonics", lambda mu, h=h: _peak_by_balance(mu, h)) for h in BALANCES]
    ways += [(f"in time, {s} steps a period", lambda mu, s=s: _peak_in_time(mu, s)) for s in (200, 400)]
    return [(name, *way(FRICTION[0]), *way(FRICTION[1])) for name, way in ways]


def envelope():
    rows = [[name, number(f, 2), number(a, 1, 1e6), number(f_less, 2), number(a_less, 1, 1e6),
             percent(a_less, a, 0) + " %" if a and a_less else "–"] for name, f, a, f_less, a_less in envelopes()]
    rows.append(["published", "52.8", "", "", "", "+28 %"])
    return table(["rigid stick, 6.5 N", "μ 0.49: Hz", "µm", "μ less 2 %: Hz", "µm", "growth"], rows)


TABLES = {"one-dimensional": one_dimensional, "envelope": envelope}
