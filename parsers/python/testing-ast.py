"""Prints what CPython's own parser finds in the files named on standard input; stdlib.test.ts compares with it.

Columns are UTF-16 code units from 0. A file starts with a form feed and its path, then a line for each import, name
and call, sorted by code point.
"""
import ast
import sys


def utf16(line, column):
    """CPython's column, a UTF-8 byte offset, in UTF-16 code units."""
    text = line[:column].decode("utf-8")
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)


def dump(path):
    with open(path, "rb") as source:
        data = source.read()
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    tree = ast.parse(data)
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")

    def at(line, column):
        return f"{line}:{utf16(lines[line - 1], column)}"

    found = set()
    calls = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                calls.append(f"import import 0 {alias.name} {at(node.lineno, node.col_offset)}")
        elif isinstance(node, ast.ImportFrom):
            names = ",".join(sorted(alias.name for alias in node.names))
            calls.append(f"import from {node.level} {node.module or ''} {names} {at(node.lineno, node.col_offset)}")
        elif isinstance(node, ast.Name):
            found.add(f"name {node.id} {at(node.lineno, node.col_offset)}")
        elif isinstance(node, ast.Call):
            calls.append(f"call {at(node.lineno, node.col_offset)} {at(node.end_lineno, node.end_col_offset)}")
    return sorted([*calls, *found])


for name in sys.stdin.read().split("\n"):
    print("\f" + name)
    print("\n".join(dump(name)))
