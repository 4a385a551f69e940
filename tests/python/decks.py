# SPDX-License-Identifier: GPL-3.0-or-later
"""Decks the tests share."""

MASS = """<fretwork version="1">
<parameters><parameter name="k" value="100" unit="N/m" max="1000"/></parameters>
<bodies><rigid id="m" at="0, 0" m="1" J="1"/><spring id="s" at="m.centre" direction="1, 0" k="k"/>
<spring id="u" at="m.centre" direction="0, 1" k="5e4"/><torsional-spring id="r" at="m.centre" k="9e4"/></bodies>
<loads><force id="push" at="m.centre" fx="1"/></loads>
<sensors><sensor id="x" at="m.centre" quantity="displacement" direction="x"/></sensors>
<analyses><modal id="modes" modes="2"/><transient id="run" loads="push" step="1e-3" duration="0.1"/></analyses>
<studies><study id="vary" run="modes" sampling="grid" steps="3"><vary parameter="k" min="100" max="900"/>
<result name="f" of="modes" quantity="modes[0].frequency"/></study></studies>
</fretwork>
"""

ENDLESS = MASS.replace('duration="0.1"', 'duration="90000"')
