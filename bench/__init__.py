"""Benchmarks: `python -m bench`, with the extra `bench`.

A machine's speed says nothing by itself. So a row gives ratios to comparable work that is measured
a moment before or after: the games to python-chess, the service to a bare endpoint, the commands
to `plybook --version` or `plybook check`. `rows` names the rows; each is a class in a module.
"""
