"""Benchmarks: `python -m tests.bench`, with the extra `bench`.

A machine's speed says nothing by itself, so everything is timed against the same kind of work
done by python-chess a moment before and after. Each suite is a module that gives `jobs()`.
"""
