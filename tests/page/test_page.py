# SPDX-License-Identifier: GPL-3.0-or-later
"""report.html in a real browser: every plot drawn, every control used, both themes, nothing asked for from outside."""

import json
import os
import subprocess
import sys
import time
import unittest

import browser

PROGRAM, SOURCES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
LARGEST = 3_000_000

NASTY = """<fretwork version="1">
  <title>&lt;script&gt;window.hacked = 1&lt;/script&gt; &lt;img src=x onerror='window.hacked = 1'&gt; &amp;lt;</title>
  <parameters><parameter name="thick" value="4" unit="mm"/></parameters>
  <materials><elastic id="steel" E="210e9" nu="0.3" rho="7800"/></materials>
  <sections><rectangle id="strip" width="0.04" height="thick"/></sections>
  <bodies><beam id="beam" element="euler-bernoulli" material="steel" section="strip" from="0, 0" to="0.6, 0" divisions="10">
    <point id="clamp" s="0"/><point id="tip" s="0.6"/></beam></bodies>
  <damping><rayleigh body="beam" alpha="1" beta="0"/></damping>
  <supports><support at="beam.clamp" x="fixed" y="fixed" rz="fixed"/></supports>
  <loads><harmonic id="shaker" at="beam.tip" fy="1"/><force id="push" at="beam.tip" fy="1"/></loads>
  <sensors><sensor id="tip" at="beam.tip" quantity="displacement" direction="y"/></sensors>
  <analyses>
    <modal id="modes" modes="2"/>
    <transient id="short" loads="push" duration="0.02" step="1e-4" solver="alpha"/>
  </analyses>
</fretwork>
"""


def run(deck, out, *options, code=0):
    found = subprocess.run([PROGRAM, "run", deck, "--out", out, "--force", "--quiet", *options], capture_output=True)
    assert found.returncode == code, found.stderr.decode()
    return os.path.join(out, "report.html")


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs("page.tmp", exist_ok=True)
        with open("page.tmp/nasty.xml", "w", encoding="utf-8") as file:
            file.write(NASTY)
        rig = os.path.join(SOURCES, "examples/rig/beam-dahl.xml")
        cls.rig = run(rig, "page.tmp/rig", "--only", "seated", "--only", "stuck", "--only", "frf")
        cls.nasty = run("page.tmp/nasty.xml", "page.tmp/nasty")
        cls.thick = run("page.tmp/nasty.xml", "page.tmp/thick", "--set", "thick=5")
        subprocess.run([PROGRAM, "report", "page.tmp/nasty", "page.tmp/thick", "--out", "page.tmp/both.html", "--force"],
                       check=True, capture_output=True)
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def setUp(self):
        self.browser.errors.clear()
        self.browser.requests.clear()
        self.browser.size(1200, 900)
        self.browser.theme("light")

    def tearDown(self):
        self.assertEqual(self.browser.errors, [])
        self.assertEqual(self.browser.requests, [])

    def open(self, page):
        self.browser.open(page)
        self.interactive = self.browser.run("!!window.fretwork")
        if not self.interactive:
            self.skipTest("built without uPlot: pages have pictures alone")
        self.browser.run("window.fretwork.drawAll()")

    def js(self, expression):
        return self.browser.run(expression)

    def place(self, selector, number=0):
        """Middle of an element, scrolled into sight."""
        box = self.js(f"(() => {{ const e = document.querySelectorAll({json.dumps(selector)})[{number}];"
                      "e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
                      "return [b.left, b.top, b.width, b.height]; })()")
        return box[0] + box[2] / 2, box[1] + box[3] / 2, box[2], box[3]

    def inked(self):
        """Per panel how many pixels of its canvas are not blank."""
        return self.js("""fretwork.panels.map(p => { const c = p.u.ctx.canvas, d = p.u.ctx.getImageData(p.u.bbox.left + 2,
            p.u.bbox.top + 2, p.u.bbox.width - 4, p.u.bbox.height - 4).data; let n = 0;
            for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n; })""")

    def test_every_plot_is_drawn(self):
        for page in (self.rig, self.nasty, "page.tmp/both.html"):
            self.assertLess(os.path.getsize(page), LARGEST)
            self.open(page)
            figures = self.js("fretwork.figures.length")
            print(f"{page}: {os.path.getsize(page)} bytes, {figures} figures, {len(self.inked())} plots, "
                  f"{min(self.inked())} pixels drawn in the emptiest")
            self.assertGreaterEqual(figures, 3)
            self.assertEqual(self.js("document.querySelectorAll('figure[data-group] canvas').length >= fretwork.figures.length"), True)
            self.assertGreater(min(self.inked()), 50)

    def test_nothing_runs_from_a_deck(self):
        self.open(self.nasty)
        time.sleep(0.2)
        self.assertIsNone(self.js("window.hacked"))
        self.assertTrue(self.js("document.querySelector('h1').textContent").startswith("<script>window.hacked"))
        blocked = self.js("(() => { const s = document.createElement('script'); s.textContent = 'window.hacked = 2';"
                          "document.body.append(s); return window.hacked === undefined; })()")
        self.assertTrue(blocked)
        self.browser.call("Runtime.evaluate", expression="1")
        self.assertTrue(any("Content Security Policy" in e for e in self.browser.errors))
        self.browser.errors.clear()  # that one was asked for

    def test_zoom_and_back(self):
        self.open(self.rig)
        first = "fretwork.panels.find(p => !p.box.closest('.small'))"
        self.js(f"{first}.u.over.id = 'over'")
        before = self.js(f"[{first}.u.scales.x.min, {first}.u.scales.x.max]")
        x, y, wide, tall = self.place("#over")
        self.browser.mouse("mouseMoved", x - wide / 4, y - tall / 4)
        self.browser.mouse("mousePressed", x - wide / 4, y - tall / 4, 1, "left")
        self.browser.mouse("mouseMoved", x + wide / 4, y + tall / 4, 0, "left")
        self.browser.mouse("mouseReleased", x + wide / 4, y + tall / 4, 1, "left")
        zoomed = self.js(f"[{first}.u.scales.x.min, {first}.u.scales.x.max]")
        print(f"zoom from {before} to {zoomed}")
        self.assertLess(zoomed[1] - zoomed[0], 0.6 * (before[1] - before[0]))
        self.browser.click(x, y, 2)
        self.assertEqual(self.js(f"[{first}.u.scales.x.min, {first}.u.scales.x.max]"), before)

    def test_reading_off_goes_together(self):
        self.open(self.rig)
        self.js("""(() => { const of = fretwork.panels.filter(p => p.group === 'frf' && /^frequency/.test(p.panel.x));
            of[0].u.over.id = 'over'; window.others = of.slice(1); })()""")
        x, y, _, _ = self.place("#over")
        self.browser.mouse("mouseMoved", x, y)
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        told = self.js("document.getElementById('over').closest('.panel').querySelector('.read').textContent")
        print(told)
        self.assertIn("frequency [Hz] 5", told)
        self.assertIn("level 1: ", told)
        self.assertGreater(self.js("others.filter(p => p.link.style.display === 'block' && p.read.textContent).length"), 2)

    def test_curves_hide(self):
        self.open(self.rig)
        box = "[...document.querySelectorAll('.panel')].find(b => !b.closest('.small') && b.querySelectorAll('.legend button[title]').length === 4)"
        self.js(f"{box}.querySelector('.legend button').id = 'hide'")
        view = f"fretwork.panels.find(p => p.box === {box})"
        count = f"""(() => {{ const u = {view}.u, d = u.ctx.getImageData(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height).data;
            let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i + 3] > 200 && d[i] < 60 && d[i + 2] > 120; return n; }})()"""
        before = self.js(count)  # blue
        x, y, _, _ = self.place("#hide")
        self.browser.click(x, y)
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        after = self.js(count)
        print(f"blue pixels: {before}, hidden {after}")
        self.assertGreater(before, 100)
        self.assertLess(after, before / 5)
        self.browser.click(x, y)
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.assertEqual(self.js(count), before)

    def test_the_slider_shows_loops(self):
        self.open(self.rig)
        x, y, wide, _ = self.place("input[type=range]")
        said = [self.js("document.querySelector('output').textContent")]
        self.browser.click(x + 0.49 * wide, y)
        said.append(self.js("document.querySelector('output').textContent"))
        print(said)
        self.assertIn("level 1", said[0])
        self.assertIn("level 8", said[1])
        point = self.js("fretwork.panels.find(p => p.point && p.group === 'frf').point")
        self.assertAlmostEqual(point[0], 47.19, delta=0.2)  # the response at that loop's frequency
        plots = self.js("fretwork.panels.length")
        x, y, _, _ = self.place(".controls button")
        self.browser.click(x, y)
        self.assertEqual(self.js("fretwork.panels.length"), plots + 4)

    def test_shapes_and_orbits_move(self):
        self.open(self.rig)
        for kind in ("shape", "orbit"):
            self.js(f"(() => {{ const p = fretwork.panels.find(p => p.panel.play === '{kind}'); window.moving = p;"
                    f"p.box.querySelector('.play').id = '{kind}'; }})()")
            x, y, _, _ = self.place("#" + kind)
            self.browser.click(x, y)
            self.js("new Promise(done => setTimeout(done, 400))")
            frames = self.js("moving.frames")
            print(f"{kind}: {frames} frames in 0.4 s")
            self.assertGreater(frames, 2)
            self.browser.click(x, y)
            self.js("new Promise(done => setTimeout(done, 100))")
            stopped = self.js("moving.frames")
            self.js("new Promise(done => setTimeout(done, 200))")
            self.assertEqual(self.js("moving.frames"), stopped)

    def test_both_themes(self):
        self.open(self.rig)
        back = "getComputedStyle(document.body).backgroundColor"
        light = self.js(back)
        self.browser.theme("dark")
        dark = self.js(back)
        self.assertNotEqual(light, dark)
        x, y, _, _ = self.place("#theme")
        self.browser.click(x, y)
        self.assertEqual(self.js(back), light)
        self.browser.click(x, y)
        self.assertEqual(self.js(back), dark)
        self.assertGreater(min(self.inked()), 50)

    def test_fits_a_phone(self):
        self.browser.size(390, 800, phone=True)
        self.open(self.rig)
        self.assertLessEqual(self.js("document.documentElement.scrollWidth"), 392)
        widest = self.js("Math.max(...fretwork.panels.map(p => p.u.width))")
        self.assertLessEqual(widest, 390)

    def test_without_scripts_pictures_are_there(self):
        self.browser.scripts(False)
        self.browser.open(self.nasty)
        shown = self.js("[...document.images].filter(i => i.getBoundingClientRect().width > 200).length")
        self.browser.scripts(True)
        self.assertGreater(shown, 3)

    def test_prints(self):
        self.open(self.nasty)
        data = self.browser.call("Page.printToPDF")["data"]
        print(f"printed: {len(data) * 3 // 4} bytes")
        self.assertGreater(len(data), 20000)


if __name__ == "__main__":
    if not browser.find():
        print("page: skipped, there is no Chromium (scripts/setup --browser)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
