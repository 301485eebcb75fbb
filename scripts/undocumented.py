#!/usr/bin/env python3
"""Prints the public symbols of symbol graphs that have no documentation, one a line.

  scripts/undocumented.py FILE.symbols.json…

Overrides and what a conformance brings have that of what they override; operators and cases count as well.
"""
import json
import sys

for path in sys.argv[1:]:
    with open(path) as file:
        graph = json.load(file)
    inherited = {
        relation["source"]
        for relation in graph["relationships"]
        if relation["kind"] in ("overrides", "defaultImplementationOf", "optionalRequirementOf")
    }
    for symbol in graph["symbols"]:
        if "docComment" in symbol or symbol["identifier"]["precise"] in inherited:
            continue
        place = symbol.get("location", {})
        # Without a place it is the compiler's own, such as a conformance of an enumeration.
        if not place:
            continue
        name = ".".join(symbol["pathComponents"])
        file = place["uri"].rsplit("/Sources/", 1)[-1]
        print(f"Sources/{file}:{place['position']['line'] + 1}: {name}")
