# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is besides decks: lists, starter decks, and work on result folders."""
import os

from ._library import Context, lib, texts


def names(table):
    """Names in a table ("laws", "analyses", "elements" ...) with a line about each."""
    lines = Context().text(lib.fw_list, table.encode(), None).splitlines()
    return {name: summary.strip() for name, _, summary in (line.partition(" ") for line in lines)}


def describe(table, name):
    """An entry of a table with its equations and parameters, as text."""
    return Context().text(lib.fw_list, table.encode(), name.encode())


def template(name=None):
    """A commented starter deck as text."""
    return Context().text(lib.fw_template, name.encode() if name else None)


def compare(folder, *data):
    """Compares a result folder with rig data; the misfits as text."""
    return Context().text(lib.fw_compare, os.fsencode(folder), texts(data), len(data))


def report(*folders, page=None, force=False):
    """Rebuilds plots and report.html of result folders, and one page about all of them."""
    context = Context()
    context.check(lib.fw_report(context.pointer, texts(folders), len(folders), os.fsencode(page) if page else None, force))


def export(folder, path, binary=False, force=False):
    """Writes responses and histories of a result folder as UFF-58."""
    context = Context()
    context.check(lib.fw_export(context.pointer, os.fsencode(folder), os.fsencode(path), binary, force))
