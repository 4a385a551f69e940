# SPDX-License-Identifier: GPL-3.0-or-later
"""Decks built in Python. What elements and attributes there are comes from the library's own schema.

>>> deck = new(title="Mass on a spring")
>>> mass = deck.bodies.rigid(id="m", at=(0, 0), m=1, J=1)
>>> deck.bodies.spring(id="s", at="m.centre", direction=(1, 0), k=100)
>>> deck.analyses.modal(id="modes", modes=1)
>>> results = deck.load().run()

`from` and other words of Python get an underscore (from_=...), hyphens become underscores (mu_c for mu-c).
"""
import difflib
import functools
import xml.etree.ElementTree as ElementTree

import numpy

from ._library import Context, lib
from .deck import Deck

_XS = "{http://www.w3.org/2001/XMLSchema}"


class _Tag:
    """An element of the deck language: its attributes and children, from the schema."""

    def __init__(self, node):
        self.name = node.get("name")
        self.meaning = node.findtext(f"{_XS}annotation/{_XS}documentation", "")
        kind = node.find(f"{_XS}complexType")
        self.attributes = {a.get("name"): a for a in kind.findall(f"{_XS}attribute")}
        self.children = {child.get("name"): child for child in kind.findall(f"{_XS}choice/{_XS}element")}

    @property
    def required(self):
        return [name for name, node in self.attributes.items() if node.get("use") == "required"]

    def child(self, name):
        return _Tag(self.children[name])

    def attribute_meaning(self, name):
        return self.attributes[name].findtext(f"{_XS}annotation/{_XS}documentation", "")


@functools.cache
def _root():
    """The <fretwork> element of the schema."""
    schema = ElementTree.fromstring(Context().text(lib.fw_list, b"schema", None))
    return _Tag(schema.find(f"{_XS}element"))


def _near(name, names):
    near = difflib.get_close_matches(name, names, 1)
    return f"; did you mean {near[0]}?" if near else f"; there is {', '.join(sorted(names))}"


def _find(name, names):
    """The name in decks of a name in Python, or None."""
    plain = name.rstrip("_")
    return next((n for n in (name, plain, plain.replace("_", "-")) if n in names), None)


def _value(value):
    """A value as decks write it."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, numpy.bool_)):
        return "yes" if value else "no"
    if numpy.ndim(value):
        return ", ".join(_value(v) for v in value)
    return str(int(value)) if isinstance(value, (int, numpy.integer)) else repr(float(value))


class Element:
    """An element of a deck. Its possible children are its attributes: body.point(id="tip", s=0.5) adds one and returns it;
    deck.bodies.beam(...) finds or makes <bodies> first."""

    def __init__(self, tag, text=None, attributes=None):
        self._tag = tag
        self._node = ElementTree.Element(tag.name)
        self._children = {}
        self.__doc__ = tag.meaning
        if text is not None:
            self._node.text = str(text)
        for name, value in (attributes or {}).items():
            self._set(name, value)
        missing = [name for name in tag.required if name not in self._node.attrib]
        if missing:
            raise TypeError(f"<{tag.name}> needs {', '.join(missing)}")

    def _set(self, name, value):
        known = _find(name, self._tag.attributes)
        if not known:
            raise TypeError(f"<{self._tag.name}> has no attribute {name}{_near(name, self._tag.attributes)}")
        if value is not None:
            self._node.set(known, _value(value))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        known = _find(name, self._tag.children)
        if not known:
            raise AttributeError(f"<{self._tag.name}> has no child {name}{_near(name, self._tag.children)}")
        return Maker(self, known)

    def __dir__(self):
        return [name.replace("-", "_") for name in self._tag.children]

    def __str__(self):
        ElementTree.indent(self._node)
        return ElementTree.tostring(self._node, encoding="unicode")

    def describe(self):
        """Attributes and children with their meanings."""
        lines = [f"<{self._tag.name}> {self._tag.meaning}"]
        lines += [f"  {name}: {self._tag.attribute_meaning(name)}" for name in self._tag.attributes]
        lines += [f"  <{name}> {self._tag.child(name).meaning}" for name in self._tag.children]
        return "\n".join(lines)

    def load(self, name="deck.xml", **options):
        """The deck, read and checked; files it names are looked for beside `name`."""
        return Deck.parse(str(self), name, **options)


class Maker:
    """What adds children of one name to an element; its attributes are those of the one child without attributes."""

    def __init__(self, parent, name):
        self._parent, self._name = parent, name

    def __call__(self, text=None, **attributes):
        child = Element(self._parent._tag.child(self._name), text, attributes)
        self._parent._node.append(child._node)
        return child

    def _only(self):
        children = self._parent._children
        if self._name not in children:
            children[self._name] = self()
        return children[self._name]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._only(), name)

    def __dir__(self):
        return [name.replace("-", "_") for name in self._parent._tag.child(self._name).children]


def new(title=None):
    """An empty deck."""
    deck = Element(_root(), attributes={"version": "1"})
    if title:
        deck.title(title)
    return deck
