"""Is a motion periodic? Time integration begun on an orbit and from rest, looked at once a period."""
import bisect
import functools

from results import nearest, run

PHASES = 40  # of a period at which successive periods are compared
SPREAD = 0.02  # of the amplitude: above it a motion that does not settle is not periodic


def _at(times, values, time):
    i = min(max(bisect.bisect_left(times, time), 1), len(times) - 1)
    part = (time - times[i - 1]) / (times[i] - times[i - 1])
    return values[i - 1] + part * (values[i] - values[i - 1])


def spread(result, analysis, frequency, first, last):
    """Largest difference between the driving point's displacement at the same phase of different periods, over twice the
    amplitude; periods first to last are counted back from the end. None: it was not integrated that far."""
    rows = result.table(analysis, "history")
    amplitude = result.get(f"analyses.{analysis}.sensors.drive.harmonics[1].amplitude")
    if not rows or not amplitude:
        return None
    times, values = [r["time"] for r in rows], [r["drive"] for r in rows]
    most = 0.0
    for phase in range(PHASES):
        places = [times[-1] - (k + phase / PHASES) / frequency for k in range(first, last)]
        if places[-1] < times[0]:
            return None
        samples = [_at(times, values, t) for t in places]
        most = max(most, max(samples) - min(samples))
    return most / (2 * amplitude)


class Motion:
    """What becomes of the rig at one level and frequency."""

    def __init__(self, result, frequency, level):
        self.result, self.frequency, self.level = result, frequency, level
        self.orbit = nearest(result.table("orbit", f"frf-{level:g}"), frequency)
        if self.orbit and abs(self.orbit["frequency"] - frequency) > 0.02:
            self.orbit = None

    def reached(self, analysis):
        return self.result.get(f"analyses.{analysis}.status", "").startswith("done")

    def amplitude(self, analysis):
        return self.result.get(f"analyses.{analysis}.sensors.drive.harmonics[1].amplitude")

    def envelope(self, analysis):
        """Half the range of the driving point's displacement."""
        sensor = self.result.get(f"analyses.{analysis}.sensors.drive", {})
        return 0.5 * (sensor["max"] - sensor["min"]) if "max" in sensor else None

    def foot(self, analysis, name):
        return self.result.get(f"analyses.{analysis}.contact.foot.{name}")

    @functools.lru_cache(None)
    def spread(self, analysis):
        return spread(self.result, analysis, self.frequency, 0, 10)

    @functools.lru_cache(None)
    def verdict(self, analysis):
        """periodic; settles: successive periods still differ, but less and less; stuck: all but undamped, it will settle one
        day; opens: the contact hits; grows; non-periodic. None: not integrated to the end."""
        late = self.spread(analysis)
        if late is None:
            return None
        if self.foot(analysis, "open_fraction") > 0:
            return "opens"
        if late < SPREAD:
            return "periodic"
        if self.foot(analysis, "stick_fraction") > 0.999:
            return "stuck"
        early = spread(self.result, analysis, self.frequency, 29, 39) or late
        if late < 0.8 * early:
            return "settles"
        return "grows" if self._grows(analysis) else "non-periodic"

    def _grows(self, analysis):
        """The largest displacement of every five periods is above that of the five before."""
        rows = self.result.table(analysis, "history")
        end = rows[-1]["time"]
        most = [0.0] * 8
        for row in rows:
            block = int((end - row["time"]) * self.frequency / 5)
            if block < len(most):
                most[block] = max(most[block], abs(row["drive"]))
        return all(new > old for new, old in zip(most, most[1:]) if old > 0)


def watch(deck, name, level, frequency, orbit, only=None, **parameters):
    """Fifty periods from the orbit and 150 from rest; without an orbit the latter only."""
    only = only or (("seated", "orbit", "check", "rest") if orbit else ("seated", "rest"))
    frequency = round(frequency, 2)
    result = run(deck, name, only=only, check_level=level, check_frequency=frequency, **parameters)
    return Motion(result, frequency, level)
