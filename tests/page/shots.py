# SPDX-License-Identifier: GPL-3.0-or-later
"""shots.py FOLDER NAME=REPORT...: the first screen of reports, light and dark, as docs/report/NAME-THEME.png are made."""

import os
import sys
import time

import browser

folder = sys.argv[1]
page = browser.Browser()
page.size(1120, 900)
for given in sys.argv[2:]:
    name, report = given.split("=", 1)
    for theme in ("light", "dark"):
        page.theme(theme)
        page.open(report)
        time.sleep(0.5)
        path = os.path.join(folder, f"{name}-{theme}.png")
        page.picture(path)
        print(path, os.path.getsize(path))
problems = page.errors + page.requests
page.close()
sys.exit(f"{problems}" if problems else 0)
